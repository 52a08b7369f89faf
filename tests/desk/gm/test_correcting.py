"""A game master sets the table right: who is told what, what stands afterwards, and that it is part
of what is replayed.
"""

import re

import pytest

from pbem.desk import gm
from pbem.desk.upkeep.records import verify_game
from tests.desk.commanding import GRETA, acts_of, logged, refused, seats_of, state_of, to_orders
from tests.desk.harness import PIXEL, Desk, text_of
from tests.desk.looks import kinds_to, phase_of
from tests.desk.mastery import command, flat, gm_last, gm_letters, log_of

WHY = "I mistyped the order"


async def start_of(desk: Desk, player: int) -> int:
    """A province that this player owns."""
    board = (await state_of(desk, (await phase_of(desk)).number)).board
    return next(number for number, province in enumerate(board) if province.owner == player)


async def test_units_are_set_right_and_everybody_reads_what_was_and_is_and_why(desk: Desk) -> None:
    await to_orders(desk)
    mine, bulletins = await start_of(desk, 1), len(await kinds_to(desk, "bulletin"))
    assert await gm.correct(desk.services, "heron", f"set P{mine} to 5 units", WHY, GRETA) == 2
    await desk.work()
    assert (await state_of(desk, 2)).board[mine].units == 5
    assert len(await kinds_to(desk, "corrected")) == 4
    letter = flat(text_of(desk.last("Bartek", "has corrected something")))
    assert "Greta has corrected something in Heron" in letter
    assert f"P{mine} has 5 units, not 1." in letter
    assert WHY in letter
    assert len(await kinds_to(desk, "bulletin")) == bulletins, "one letter tells all of it"
    letters = (
        desk.last("Chloé", "has corrected something"),
        gm_last(desk, "has corrected something"),
    )
    assert all(
        PIXEL in [part.get_payload(decode=True) for part in mail.walk()] for mail in letters
    ), "and shows the board"
    assert f"Greta: corrected; P{mine} has 5 units, not 1; phase 2; reason {WHY}" in flat(
        text_of(await desk.write("Chloé", "log"))
    )
    assert f"P{mine} has 5 units" not in flat(text_of(await desk.write("Chloé", "happened")))
    (entry,) = [entry for entry in await logged(desk) if entry[0] == "game correct"]
    assert entry[1] == {
        "phase": 2,
        "what": f"P{mine} units 5",
        "told": [f"P{mine} has 5 units, not 1."],
        "reason": WHY,
    }
    assert entry[2]
    (act,) = await acts_of(desk)
    assert act.body == f'{{"act":"set-units","province":{mine},"units":5,"reason":"{WHY}"}}'
    await desk.everybody_passes()
    assert await verify_game(desk.services, "heron") == []


async def test_the_amount_of_money_is_told_to_its_holder_alone(desk: Desk) -> None:
    await to_orders(desk)
    await gm.correct(desk.services, "heron", "Anna money 787", "her mail of turn 1", GRETA)
    await desk.work()
    assert (await state_of(desk, 2)).players[0].realm == 787
    assert "You hold 787 $Realm, not " in flat(
        text_of(desk.last("Anna", "has corrected something"))
    )
    for mails in (desk.letters("Bartek"), desk.letters("Chloé"), gm_letters(desk)):
        assert any(
            "What Anna holds is changed; the amount is told to Anna alone." in flat(text_of(mail))
            for mail in mails
        )
        assert not any("787" in text_of(mail) for mail in mails)
    (entry,) = [entry for entry in await logged(desk) if entry[0] == "game correct"]
    assert entry[1]["unsaid"] == "Anna money 787"
    for name in ("Anna", "Bartek"):
        told = flat(text_of(await desk.write(name, "log")))
        assert (
            "What Anna holds is changed; the amount is told to Anna alone; phase 2; reason her mail of turn 1"
            in told
        )
        assert "787" not in told
    await desk.everybody_passes()
    assert await verify_game(desk.services, "heron") == []


async def test_orders_of_a_province_that_was_given_away_do_not_count_for_who_had_it(
    desk: Desk,
) -> None:
    await to_orders(desk)
    mine = await start_of(desk, 1)
    await desk.write("Anna", f"Work P{mine}")
    await gm.correct(desk.services, "heron", f"P{mine} owner Bartek", WHY, GRETA)
    await desk.everybody_passes()
    desk.clock.instant = (await phase_of(desk)).deadline
    desk.clock.forward(seconds=2)
    await desk.work()
    assert (await phase_of(desk)).number > 2
    assert await verify_game(desk.services, "heron") == []


async def test_an_eliminated_player_comes_back_and_gets_the_question(desk: Desk) -> None:
    await to_orders(desk, 4)
    free = await start_of(desk, 4)
    await gm.strike(desk.services, "heron", "Dmytro", "told", GRETA)
    await desk.work()
    assert (await seats_of(desk))["Dmytro"].status == "eliminated"
    before = len(desk.letters("Dmytro"))
    await gm.correct(
        desk.services,
        "heron",
        f"restore Dmytro in P{free} with 2",
        "it was Anna who told",
        GRETA,
    )
    await desk.work()
    assert (await seats_of(desk))["Dmytro"].status == "active"
    assert (await phase_of(desk)).asked == (1, 2, 3, 4)
    told = [str(mail["Subject"]) for mail in desk.letters("Dmytro")[before:]]
    assert any("orders due" in subject for subject in told)
    assert "Dmytro is back in the game, at place 4 of the ranking." in flat(
        text_of(desk.last("Anna", "has corrected something"))
    )
    await desk.write("Dmytro", f"Work P{free}")
    assert f"Work, work! P{free}" in text_of(desk.letters("Dmytro")[-1])
    await desk.everybody_passes()
    assert await verify_game(desk.services, "heron") == []


async def test_a_paused_table_is_set_right_and_stays_paused(desk: Desk) -> None:
    await to_orders(desk)
    await gm.pause(desk.services, "heron", GRETA)
    await gm.correct(desk.services, "heron", "dpl 5", WHY, GRETA)
    await desk.work()
    assert "The Dragon stands at 5, not at" in flat(
        text_of(desk.last("Anna", "has corrected something"))
    )
    await gm.resume(desk.services, "heron", GRETA)
    await desk.everybody_passes()
    assert await verify_game(desk.services, "heron") == []


async def test_what_cannot_be_is_refused_and_changes_nothing(desk: Desk) -> None:
    await to_orders(desk)
    mine = await start_of(desk, 1)
    assert (
        await refused(gm.correct(desk.services, "heron", f"P{mine} units 1", WHY, GRETA))
        == "as-it-is"
    )
    assert (
        await refused(gm.correct(desk.services, "heron", "restore Anna", WHY, GRETA))
        == "impossible-act"
    )
    assert await refused(gm.correct(desk.services, "heron", "dpl 5", " ", GRETA)) == "no-text"
    assert await refused(gm.correct(desk.services, "ibis", "dpl 5", WHY, GRETA)) == "unknown-game"
    assert await acts_of(desk) == []


# ------------------------------------------------------------------------------------------ by mail
async def test_a_correction_by_mail_is_asked_back_with_what_was_and_would_be(desk: Desk) -> None:
    await to_orders(desk)
    mine = await start_of(desk, 1)
    await command(desk, f"correct P{mine} units 5 because I mistyped\nthe order")
    question = gm_last(desk, "Please confirm")
    said = flat(text_of(question))
    assert (
        f'is corrected: "P{mine} units 5". Then: P{mine} has 5 units, not 1. We tell everybody, with your reason: "{WHY}"'
        in said
    )
    assert await acts_of(desk) == []
    done = flat(await command(desk, "yes", answering=question))
    assert (
        f"Heron is corrected: P{mine} has 5 units, not 1. We tell everybody, with your reason."
        in done
    )
    assert await log_of(desk) == ["gm asked", "game correct"]
    await command(desk, "yes", answering=question)
    assert len(await acts_of(desk)) == 1, "a yes counts once"


async def test_several_corrections_that_build_on_each_other_are_done_one_after_the_other(
    desk: Desk,
) -> None:
    await to_orders(desk)
    free = await start_of(desk, 3)
    await gm.correct(desk.services, "heron", f"P{free} owner nobody", WHY, GRETA)
    await command(
        desk,
        f"correct P{free} owner Anna because of turn 1\n\ncorrect P{free} units 3 because of turn 1",
    )
    question = gm_last(desk, "Please confirm")
    assert f"P{free} is Anna's." in flat(text_of(question))
    done = flat(await command(desk, "yes", answering=question))
    assert f"P{free} has 3 units, not 0." in done
    assert (await state_of(desk, 2)).board[free].units == 3


async def test_a_correction_of_money_shows_no_game_master_what_it_was(desk: Desk) -> None:
    """Asking and then saying no would be a look that nobody is told of."""
    await to_orders(desk)
    await gm.correct(desk.services, "heron", "Anna money 787", WHY, GRETA)
    await command(desk, "correct Anna money 75 because of turn 1")
    question = gm_last(desk, "Please confirm")
    assert (
        '"Anna money 75". Then: What Anna holds is changed; the amount is told to Anna alone.'
        in flat(text_of(question))
    )
    await command(desk, "yes", answering=question)
    assert not any("787" in text_of(mail) for mail in gm_letters(desk))


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("correct P1 units 5", "Missing: the reason."),
        ("correct because I can", "Missing: what should change."),
        ("correct P99 units 5 because x", r"This game has no P99; it has P1 to P\d+\."),
        ("correct P1 owner Ana because x", r"This game has no ana\. Did you mean Anna\?"),
        ("correct card Floot because x", r"Did you mean Flood!\?"),
        (
            "correct the mess because x",
            "This game has no mess. It has Anna, Bartek and Chloé.",
        ),
        (
            "correct P1 units 5 and P2 units 6 because x",
            "has two meanings, or is more than one thing. Write one thing a line, like",
        ),
        ("correct restore Anna because x", "Anna is in the game."),
    ],
)
async def test_what_is_no_correction_is_told_so_at_once(desk: Desk, line: str, answer: str) -> None:
    await desk.open_game()
    assert re.search(answer, flat(await command(desk, line)))
    assert await log_of(desk) == []


async def test_a_game_that_is_over_is_not_set_right(desk: Desk) -> None:
    await desk.open_game()
    await gm.end(desk.services, "heron", GRETA)
    await desk.work()
    assert "Heron is over; nothing of it can be set right any more." in flat(
        await command(desk, "heron: correct dpl 2 because x")
    )
    assert await refused(gm.correct(desk.services, "heron", "dpl 5", WHY, GRETA)) == "not-running"
