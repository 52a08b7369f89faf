"""Rolling back to a phase and breaking a game off: what is undone, what returns as it lay, and what
is never taken back.
"""

from pathlib import Path

import pytest

from pbem.desk import gm
from pbem.desk.phases.close import close_phase
from pbem.desk.phases.past import lineage, read_events_before
from pbem.desk.upkeep.records import verify_game
from pbem.store.repositories.phases import PhaseRow, parse_label
from tests.desk.commanding import (
    EVERYBODY,
    GRETA,
    MeanwhilePainter,
    acts_of,
    logged,
    refused,
    seats_of,
    state_of,
    to_orders,
)
from tests.desk.dates import NOON
from tests.desk.harness import GM, SEED, Desk, open_desk, parse, text_of
from tests.desk.looks import after, calendar_of, kinds_to, phase_of, status_of
from tests.played import PLAYED
from tests.rows import each_row


def phase_row(number: int, label: str) -> PhaseRow:
    return PhaseRow(
        id=number,
        game_id=1,
        number=number,
        kind="orders",
        asked=(),
        opened_at=NOON,
        deadline=NOON,
        closed_at=None,
        status="closed",
        held_since=None,
        ics_sequence=0,
        label=label,
    )


def flat(text: str) -> str:
    return " ".join(text.split())


async def last_bulletin(desk: Desk, name: str) -> str:
    return flat(text_of(desk.last(name, "rolled back")))


# -------------------------------------------------------------------------------------- the lineage
@each_row(
    ("origins", "number", "line"),
    [
        ({}, 3, (0, 1, 2)),
        ({4: 2}, 4, (0, 1)),
        ({4: 2}, 6, (0, 1, 4, 5)),
        ({4: 2, 6: 4}, 6, (0, 1)),
        ({4: 2, 6: 3}, 7, (0, 1, 2, 6)),
        ({2: 1, 3: 2, 4: 3}, 4, (0,)),
        ({}, 0, ()),
        ({3: 9}, 3, (0, 1, 2)),
    ],
)
def test_the_past_of_a_phase_leaves_out_what_was_rolled_back(
    origins: dict[int, int], number: int, line: tuple[int, ...]
) -> None:
    rows = [
        phase_row(
            n, f'{{"turn": 1, "rolled_back_to": {origins[n]}}}' if n in origins else '{"turn": 1}'
        )
        for n in range(1, 10)
    ]
    assert lineage(rows, number) == line


# ---------------------------------------------------------------------------------------- roll back
async def test_a_roll_back_opens_a_new_phase_with_the_state_the_old_one_opened_with(
    desk: Desk,
) -> None:
    await to_orders(desk)
    await desk.write("Anna", "Work P1")
    await desk.everybody_passes()
    before = await phase_of(desk)
    assert before.kind == "consolidation"
    desk.clock.forward(seconds=30)
    assert await gm.roll_back(desk.services, "heron", 2, GRETA) == 4
    await desk.work()
    phase = await phase_of(desk)
    assert (phase.number, phase.kind, phase.asked) == (4, "orders", (1, 2, 3))
    assert (phase.deadline - phase.opened_at).total_seconds() == 72 * 3600
    assert phase.opened_at >= desk.clock.now()
    assert parse_label(phase).rolled_back_to == 2
    assert await state_of(desk, 4) == await state_of(desk, 2, 0)
    async with desk.services.database.read() as work:
        game = await work.games.find(1)
        closed = await work.phases.find(1, 3)
        assert game is not None
        assert closed is not None
        assert closed.status == "closed"
        assert await work.orders.latest(1, 4) == [], "orders are not carried over"
    assert [(row.phase_number, row.body) for row in await acts_of(desk)] == [
        (3, '{"act":"roll back","to":2,"reshuffle":false}')
    ]
    assert await verify_game(desk.services, "heron") == []


async def test_everybody_is_told_what_is_undone_and_those_asked_get_the_new_question(
    desk: Desk,
) -> None:
    await to_orders(desk)
    old = desk.turn_mail("Anna")
    await desk.everybody_passes()
    await gm.roll_back(desk.services, "heron", 1, GRETA)
    await desk.work()
    async with desk.services.database.read() as work:
        rows = [
            row
            for row in await work.outbox.list_by_state("sent", 20)
            if "rolled-back" in (row.dedupe_key or "")
        ]
    assert sorted(row.address for row in rows) == EVERYBODY
    text = await last_bulletin(desk, "Anna")
    assert "Greta has rolled the game back" in text
    assert "Turn 1 bids Turn 1 orders Turn 1 Consolidation" in text
    assert "You have seen these cards, and they will come again in this order" in text
    assert "Calms of Summer" in text
    question = desk.turn_mail("Anna")
    assert "bids due" in str(question["Subject"])
    assert "SEQUENCE:0" in calendar_of(question)
    assert any(
        part.get_content_maintype() == "image" for part in desk.last("Anna", "rolled back").walk()
    )
    answer = await desk.write("Anna", "Work P1", answering=old)
    assert "That phase has closed" in str(answer["Subject"] if answer is not None else "")
    assert "Bid 4" in text_of(await desk.write("Anna", "bid 4"))


async def test_the_cards_come_again_as_they_lay_and_new_draws_go_on_in_the_stream(
    desk: Desk,
) -> None:
    await to_orders(desk)
    for _ in range(2):
        await desk.everybody_passes()  # into turn 2, whose cards are seen
    seen = await state_of(desk, 4)
    assert seen.turn == 2
    async with desk.services.database.read() as work:
        game = await work.games.find(1)
        assert game is not None
        place = game.chance_place
    await gm.roll_back(desk.services, "heron", 3, GRETA)
    await desk.everybody_passes()
    again = await state_of(desk, 6)
    assert again.in_play == seen.in_play, "the decks lie as they lay"
    async with desk.services.database.read() as work:
        game = await work.games.find(1)
        assert game is not None
        assert game.chance_place >= place, "the stream is not turned back"
    assert await verify_game(desk.services, "heron") == []


async def test_a_reshuffle_puts_what_is_still_to_come_into_another_order(desk: Desk) -> None:
    await to_orders(desk)
    async with desk.services.database.read() as work:
        before = await work.games.find(1)
    assert before is not None
    await gm.roll_back(desk.services, "heron", 1, GRETA, reshuffle=True)
    await desk.work()
    was, now = await state_of(desk, 1), await state_of(desk, 3)
    assert was.event.draw != now.event.draw
    assert sorted(was.event.draw) == sorted(now.event.draw)
    assert "The game master shuffled the cards still to come" in await last_bulletin(desk, "Anna")
    async with desk.services.database.read() as work:
        assert [(row.phase_number, row.kind) for row in await work.events.list_of_phase(1, 3)] == [
            (3, "deck-renewed")
        ] * 4
        row = await work.states.find(1, 3)
        game = await work.games.find(1)
        assert game is not None
        assert row is not None
        assert row.chance_place == game.chance_place == before.chance_place + 4, (
            "from where the stream stood"
        )
    await desk.everybody_passes()
    assert "as the game master ordered" in flat(text_of(await desk.write("Anna", "history")))
    assert await verify_game(desk.services, "heron") == []


async def test_who_was_eliminated_in_what_is_undone_is_back_at_the_table(desk: Desk) -> None:
    await desk.open_game()
    for _ in range(4):
        last = await phase_of(desk)
        if (await seats_of(desk))["Anna"].status == "eliminated":
            break
        await desk.everybody_passes()
    assert (await status_of(desk))[0] == "over", "two fall at once in this game, and it ends"
    assert await refused(gm.roll_back(desk.services, "heron", 1, GRETA)) == "seed-published"
    assert last.number == 4
    await desk.open_game(4, slug="egret")
    await gm.strike(desk.services, "egret", "Anna", "told", GRETA)
    await gm.roll_back(desk.services, "egret", 1, GRETA)
    async with desk.services.database.read() as work:
        assert {seat.status for seat in await work.seats.list_of_game(2)} == {"active"}
    assert (await phase_of(desk, "egret")).asked == (1, 2, 3, 4)
    await desk.work()
    assert "bids due" in str(desk.turn_mail("Anna")["Subject"])


async def test_a_seat_that_was_given_up_stays_empty(desk: Desk) -> None:
    await to_orders(desk)
    async with desk.services.database.write() as work:
        assert await work.seats.replace_person(1, 1, None, desk.clock.now())
        assert await work.seats.change_status(1, "active", "left")
    await gm.roll_back(desk.services, "heron", 1, GRETA)
    assert (await seats_of(desk))["Anna"].status == "left"


async def test_what_is_undone_is_no_history_and_not_in_the_picture(desk: Desk) -> None:
    await to_orders(desk)
    await desk.everybody_passes()
    await gm.roll_back(desk.services, "heron", 2, GRETA)
    await desk.work()
    text = text_of(await desk.write("Anna", "history"))
    assert text.count("rolled this back, so it has not happened") == 2
    assert "Bids:" in text, "what led to the phase stays"
    assert "Late: Nothing came from Anna; by the rules: Golden" not in text
    async with desk.services.database.read() as work:
        kind = desk.services.games[PLAYED]
        pictured = {
            event.kind for event in await read_events_before(work, kind, 1, 4, with_acts=True)
        }
        assert "production" not in pictured
        assert "bids" in pictured
        assert len(await work.events.list_of_phase(1, 2)) > 0, "it stays in the store"


async def test_one_may_go_back_again_and_also_into_what_was_undone(desk: Desk) -> None:
    await to_orders(desk)
    await desk.everybody_passes()
    assert await gm.roll_back(desk.services, "heron", 1, GRETA) == 4
    assert await gm.roll_back(desk.services, "heron", 3, GRETA) == 5
    assert (await phase_of(desk)).kind == "consolidation"
    assert await state_of(desk, 5) == await state_of(desk, 3)
    assert await gm.roll_back(desk.services, "heron", 5, GRETA, reshuffle=True) == 6, (
        "the open phase itself"
    )
    await desk.everybody_passes()
    assert await gm.roll_back(desk.services, "heron", 6, GRETA) == 8
    assert await state_of(desk, 8) == await state_of(desk, 6), (
        "with the decks as they were reshuffled"
    )
    await desk.everybody_passes()
    assert await verify_game(desk.services, "heron") == []
    for number in (0, -1, 10, 99):
        assert await refused(gm.roll_back(desk.services, "heron", number, GRETA)) == "no-such-phase"


async def test_a_paused_game_runs_again_after_a_roll_back(desk: Desk) -> None:
    await to_orders(desk)
    await gm.pause(desk.services, "heron", GRETA)
    desk.clock.forward(hours=100)
    await gm.roll_back(desk.services, "heron", 1, GRETA)
    await desk.work()
    assert (await status_of(desk))[:2] == ("running", 3)
    async with desk.services.database.read() as work:
        game = await work.games.find(1)
        assert game is not None
        assert game.paused_at is None
    assert (await phase_of(desk)).deadline > desk.clock.now()
    assert "The clock runs again." in await last_bulletin(desk, "Anna")
    assert "Everybody bids for the ranking of turn 1 again, by" in await last_bulletin(desk, "Anna")


async def test_a_close_that_is_computed_meanwhile_loses_to_the_roll_back(tmp_path: Path) -> None:
    painter = MeanwhilePainter()
    async with open_desk(tmp_path, painter=painter) as desk:
        await to_orders(desk)
        desk.clock.instant = after(await phase_of(desk), seconds=2)
        painter.meanwhile = lambda: gm.roll_back(desk.services, "heron", 1, GRETA)
        await close_phase(desk.services, 1, 2)
        phase = await phase_of(desk)
        assert (phase.number, phase.kind) == (3, "bidding")
        assert await verify_game(desk.services, "heron") == []


async def test_a_roll_back_that_is_overtaken_by_a_close_goes_back_from_there(
    tmp_path: Path,
) -> None:
    painter = MeanwhilePainter()
    async with open_desk(tmp_path, painter=painter) as desk:
        await to_orders(desk)
        desk.clock.instant = after(await phase_of(desk), seconds=2)
        painter.meanwhile = lambda: close_phase(desk.services, 1, 2)
        assert await gm.roll_back(desk.services, "heron", 1, GRETA) == 4
        assert [command for command, _, _ in await logged(desk)].count("game rollback") == 1
        assert await verify_game(desk.services, "heron") == []


# ---------------------------------------------------------------------------------------------- end
@pytest.mark.parametrize("paused", [False, True])
async def test_a_game_that_is_broken_off_publishes_its_seed_and_takes_no_more(
    desk: Desk, paused: bool
) -> None:
    await to_orders(desk)
    if paused:
        await gm.pause(desk.services, "heron", GRETA)
    await gm.end(desk.services, "heron", GRETA, "too few are left")
    await desk.work()
    assert await kinds_to(desk, "ending") == EVERYBODY
    text = text_of(desk.last("Anna", "broken off"))
    assert SEED.hex() in text
    assert "too few are left" in text
    assert "The game is broken off" in str(parse(desk.postbox.to(GM)[-1])["Subject"])
    await desk.write("Anna", "Work P1")
    assert "This game is over" in str(desk.letters("Anna")[-1]["Subject"])
    assert await verify_game(desk.services, "heron") == []
    phase = await phase_of(desk)
    desk.clock.instant = after(phase, days=3)
    await desk.work()
    assert (await status_of(desk))[:2] == ("ended", 2)
    for command in (
        gm.resume(desk.services, "heron", GRETA),
        gm.pause(desk.services, "heron", GRETA),
        gm.extend(desk.services, "heron", after(phase, days=9), GRETA),
        gm.unlock(desk.services, "heron", "Anna", GRETA),
        gm.look(desk.services, "heron", "Anna", GRETA),
        gm.strike(desk.services, "heron", "Anna", "late", GRETA),
    ):
        assert await refused(command) == "not-running"
    assert await refused(gm.roll_back(desk.services, "heron", 1, GRETA)) == "seed-published"
    assert await refused(gm.end(desk.services, "heron", GRETA)) == "over"


async def test_a_table_that_has_not_begun_is_broken_off_without_a_seed(desk: Desk) -> None:
    await gm.open_table(
        desk.services, gm.NewTable("heron", "Heron", PLAYED, {}, "UTC", seed=SEED), GRETA
    )
    await gm.invite(desk.services, "heron", "Anna", "anna@players.example", GRETA)
    await gm.end(desk.services, "heron", GRETA)
    await desk.work()
    assert SEED.hex() not in text_of(desk.letters("Anna")[-1])
    assert (await status_of(desk))[0] == "ended"


async def test_a_mail_that_waited_for_the_close_is_told_that_the_game_is_over(desk: Desk) -> None:
    await desk.open_game()
    desk.mailbox.broken = True
    desk.clock.instant = after(await phase_of(desk), minutes=5)
    await desk.write("Anna", "bid 9")
    await gm.end(desk.services, "heron", GRETA)
    await desk.work()
    assert "This game is over" in str(desk.letters("Anna")[-1]["Subject"])
