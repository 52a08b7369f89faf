"""What happens between the deadlines: offers, rulings, objections, ballots; all of it by the hour, and
part of the record.
"""

from datetime import datetime, timedelta
from pathlib import Path

import pytest

from engine.sovereigns.state import State
from pbem.desk import gm
from pbem.desk.gm.history import roll_back
from pbem.desk.table import load_table
from pbem.desk.upkeep.records import verify_game
from tests.desk.harness import Desk, address_of, open_desk, parse, text_of
from tests.desk.mastery import command, confirmed, flat, gm_letters

NAMES = ("Anna", "Bartek", "Cleo")
OFFER = "Offer Borland: 1R permanent against 1M for 2 seasons"
TRY = 'Try: 2R against Aldermark for -1 "dig a canal to divert their river"'


async def state_of(desk: Desk) -> State:
    async with desk.services.read() as tx:
        game = await tx.work.games.find(1)
        assert game is not None
        state = (await load_table(tx, game)).state
        assert isinstance(state, State)
        return state


async def deadline_of(desk: Desk) -> datetime:
    async with desk.services.database.read() as work:
        phase = await work.phases.current(1)
    assert phase is not None
    return phase.deadline


async def to_spring(desk: Desk) -> None:
    """Aldermark (Anna), Borland (Bartek) and Cyrene (Cleo), the first season of year 1."""
    await desk.open_game(3, names=NAMES, ruleset="sovereigns")
    await desk.write("Anna", "Split 4/3/2, Aldermark")
    await desk.write("Bartek", "Split 3/3/3, Borland")
    await desk.write("Cleo", "Split 3/4/2, Cyrene")
    await desk.everybody_passes()


async def to_summer(desk: Desk, **orders: str) -> None:
    """A season has closed on these orders."""
    await to_spring(desk)
    for name, order in orders.items():
        await desk.write(name, order)
    await desk.everybody_passes()


def newest(desk: Desk, name: str) -> str:
    return flat(text_of(desk.letters(name)[-1]))


def letters_to(desk: Desk, name: str) -> list[str]:
    return [flat(text_of(mail)) for mail in desk.letters(name)]


async def later(desk: Desk, **span: float) -> None:
    desk.clock.forward(**span)
    await desk.work()


async def test_ss_5_4_an_offer_is_told_to_its_taker_alone_and_done_when_accepted(
    tmp_path: Path,
) -> None:
    async with open_desk(tmp_path) as desk:
        await to_spring(desk)
        await later(desk, hours=5)
        before = len(desk.letters("Cleo"))
        gms = len(gm_letters(desk))
        await desk.write("Anna", OFFER)
        assert "offers you a trade (offer 1, 48 hours left)" in newest(desk, "Bartek")
        assert (await state_of(desk)).hour == 5
        await later(desk, hours=3)
        answer = await desk.write("Bartek", "deal", answering=desk.letters("Bartek")[-1])
        assert "Your trade with Aldermark is done" in flat(text_of(answer))
        assert "Your trade with Borland is done" in newest(desk, "Anna")
        state = await state_of(desk)
        assert [kingdom.total.R for kingdom in state.kingdoms] == [3, 4, 3]
        assert [kingdom.total.M for kingdom in state.kingdoms] == [4, 2, 4]
        assert len(desk.letters("Cleo")) == before
        assert len(gm_letters(desk)) == gms
        assert await verify_game(desk.services, "heron") == []


async def test_ss_5_5_an_offer_expires_by_the_hour_and_both_are_told(tmp_path: Path) -> None:
    async with open_desk(tmp_path) as desk:
        await to_spring(desk)
        await desk.write("Anna", f"{OFFER} within 12 hours")
        await later(desk, hours=11, minutes=59)
        assert (await state_of(desk)).offers
        before = len(desk.letters("Cleo"))
        await later(desk, minutes=1)
        assert not (await state_of(desk)).offers
        for name in ("Anna", "Bartek"):
            assert "has run out" in newest(desk, name), name
        assert len(desk.letters("Cleo")) == before
        late = await desk.write("Bartek", "Accept offer 1")
        assert "no such open offer" in flat(text_of(late))
        assert await verify_game(desk.services, "heron") == []


async def test_an_answer_that_came_in_time_counts_though_it_is_read_later(tmp_path: Path) -> None:
    """SS-5.5: what counts is the hour at which the message came."""
    async with open_desk(tmp_path) as desk:
        await to_spring(desk)
        await desk.write("Anna", f"{OFFER} within 12 hours")
        desk.clock.forward(hours=11, minutes=59)
        in_time = desk.clock.now()
        desk.clock.forward(minutes=2)
        await desk.write("Bartek", "Accept offer 1", received_at=in_time)
        state = await state_of(desk)
        assert (state.kingdom(2).total.R, state.hour) == (4, 11)
        assert await verify_game(desk.services, "heron") == []


async def test_no_hour_passes_while_the_clock_of_the_table_is_stopped(tmp_path: Path) -> None:
    async with open_desk(tmp_path) as desk:
        await to_spring(desk)
        await desk.write("Anna", f"{OFFER} within 12 hours")
        await later(desk, hours=6)
        deadline = await deadline_of(desk)
        await gm.pause(desk.services, "heron", gm.By("test"))
        await later(desk, hours=30)
        assert (await state_of(desk)).offers
        await gm.resume(desk.services, "heron", gm.By("test"))
        await later(desk, hours=5, minutes=58)
        assert await deadline_of(desk) == deadline + timedelta(hours=30)
        assert (await state_of(desk)).offers
        await later(desk, minutes=3)
        assert not (await state_of(desk)).offers
        assert await verify_game(desk.services, "heron") == []


async def test_ss_8_3_a_game_master_rules_by_mail_on_the_order_as_it_stands(
    tmp_path: Path,
) -> None:
    """SS-1.9, SS-8.3: the letter tells the default; only the ruler learns of the ruling before the
    action.
    """
    async with open_desk(tmp_path) as desk:
        await to_spring(desk)
        await desk.write("Cleo", TRY)
        asked = gm_letters(desk)[-1]
        assert "dig a canal" in text_of(asked)
        assert "If you say nothing, it is a contest of Resources" in flat(text_of(asked))
        others = [len(desk.letters(name)) for name in ("Anna", "Bartek")]
        answer = await command(desk, "diff 4", answering=asked)
        assert "rule Cyrene: difficulty 4" in flat(answer)
        assert "it needs 4" in newest(desk, "Cleo")
        assert [len(desk.letters(name)) for name in ("Anna", "Bartek")] == others
        asked_once = len(gm_letters(desk))
        await desk.work()
        assert len(gm_letters(desk)) == asked_once
        log = await desk.write("Anna", "log")
        assert "difficulty" not in text_of(log)
        await desk.everybody_passes()
        (played,) = (await state_of(desk)).played
        assert "6 to 4" in newest(desk, "Anna")
        assert played.player == 3
        assert await verify_game(desk.services, "heron") == []


async def test_a_new_order_is_asked_about_anew(tmp_path: Path) -> None:
    """SF-5: a ruling is for the order as it stands."""
    async with open_desk(tmp_path) as desk:
        await to_spring(desk)
        await desk.write("Cleo", TRY)
        await command(desk, "diff 4", answering=gm_letters(desk)[-1])
        before = len(gm_letters(desk))
        await desk.write("Cleo", TRY.replace("2R", "3R"))
        assert len(gm_letters(desk)) == before + 1
        assert "Try: 3R" in text_of(gm_letters(desk)[-1])


async def test_ss_10_2_an_arbiter_judges_for_a_game_master_who_plays(tmp_path: Path) -> None:
    """The question may quote a secret order, and nobody judges at a table where they play."""
    async with open_desk(tmp_path) as desk:
        await to_spring(desk)
        new = gm.NewTable("owl", "Owl", "sovereigns", {}, "Europe/Berlin", "Anna", seed=bytes(32))
        await gm.open_table(desk.services, new, gm.By("test"))
        before = len(gm_letters(desk))
        await gm.replace(
            desk.services, "heron", "Bartek", "Greta", "gm@house.example", gm.By("test")
        )
        await desk.work()
        seated = len(gm_letters(desk))
        assert seated > before
        await desk.write("Cleo", TRY)
        assert len(gm_letters(desk)) == seated
        assert "somebody else must judge" in flat(
            await command(desk, "heron: rule Cyrene: diff 20")
        )
        await confirmed(desk, "promote Frank frank@players.example to heron")
        await desk.write("Cleo", TRY.replace("2R", "3R"))
        asked = desk.letters("Frank")[-1]
        frank = address_of("Frank")
        answer = await command(desk, "diff 4", answering=asked, sender=frank, address=frank)
        assert "rule Cyrene: difficulty 4" in flat(answer)


RESEARCH = "Research: 4R, steel = STAT-ROLL M"


@pytest.mark.parametrize("verdict", ["approve", "refuse", "amend steel to STAT-DEF M", ""])
async def test_ss_7_4_a_proposal_is_ruled_on_or_approved_by_silence(
    tmp_path: Path, verdict: str
) -> None:
    async with open_desk(tmp_path) as desk:
        await to_summer(desk, Anna=RESEARCH)
        state = await state_of(desk)
        assert state.kingdom(1).discoveries[0].name == "steel"
        asked = gm_letters(desk)[-1]
        assert "proposes steel" in str(asked["Subject"])
        if verdict:
            await command(desk, verdict, answering=asked)
        else:
            await later(desk, hours=24)
        state = await state_of(desk)
        assert dict(state.technologies) == {
            "approve": {"steel": "STAT-ROLL M"},
            "": {"steel": "STAT-ROLL M"},
            "refuse": {},
        }.get(verdict, {"steel": "STAT-DEF M"})
        assert [bool(d.name) for d in state.kingdom(1).discoveries] == (
            [False] if verdict == "refuse" else []
        )
        for name in NAMES:
            assert "steel" in newest(desk, name), name
        assert await verify_game(desk.services, "heron") == []


async def test_ss_7_4_a_later_word_takes_back_what_silence_has_approved(tmp_path: Path) -> None:
    async with open_desk(tmp_path) as desk:
        await to_summer(desk, Anna=RESEARCH)
        asked = gm_letters(desk)[-1]
        await later(desk, hours=24)
        assert dict((await state_of(desk)).technologies) == {"steel": "STAT-ROLL M"}
        await command(desk, "refuse steel", answering=asked)
        assert not (await state_of(desk)).kingdom(1).tech
        assert await verify_game(desk.services, "heron") == []


async def test_ss_10_an_objection_moves_the_deadline_and_the_action_is_done_again(
    tmp_path: Path,
) -> None:
    async with open_desk(tmp_path) as desk:
        await to_summer(desk, Anna="Expedition: 2M", Cleo="Expedition: 2M")
        deadline = await deadline_of(desk)
        await later(desk, hours=2)
        await desk.write("Bartek", "Object to action 1: no ship sails in winter")
        assert await deadline_of(desk) == deadline + timedelta(hours=24)
        asked = gm_letters(desk)[-1]
        assert "no ship sails in winter" in flat(text_of(asked))
        await later(desk, hours=10)
        await command(desk, "uphold", answering=asked)
        state = await state_of(desk)
        assert state.undone is not None
        assert await deadline_of(desk) == deadline + timedelta(hours=10 + 24)
        ruler = NAMES[state.undone.player - 1]
        assert "is taken back" in str(desk.letters(ruler)[-1]["Subject"])
        await later(desk, hours=1)
        await desk.write(ruler, "Redo: Security: 1M", answering=desk.letters(ruler)[-1])
        state = await state_of(desk)
        assert state.undone is None
        assert await deadline_of(desk) == deadline + timedelta(hours=10 + 1)
        assert state.season == "Summer"
        for name in NAMES:
            assert any("a guard" in text for text in letters_to(desk, name)), name
        await desk.everybody_passes()
        assert (await state_of(desk)).season == "Autumn"
        assert await verify_game(desk.services, "heron") == []


async def test_ss_10_3_without_a_verdict_the_action_stands(tmp_path: Path) -> None:
    async with open_desk(tmp_path) as desk:
        await to_summer(desk, Anna="Expedition: 2M")
        deadline = await deadline_of(desk)
        await desk.write("Bartek", "Object to action 1: too far")
        await later(desk, hours=24)
        state = await state_of(desk)
        assert not state.objections
        assert state.undone is None
        assert await deadline_of(desk) == deadline + timedelta(hours=24)
        assert await verify_game(desk.services, "heron") == []


async def test_ss_12_6_a_redo_that_nobody_sends_is_a_pass(tmp_path: Path) -> None:
    async with open_desk(tmp_path) as desk:
        await to_summer(desk, Anna="Expedition: 3M")
        await desk.write("Bartek", "Object to action 1: too far")
        await command(desk, "objection 1 upheld", answering=gm_letters(desk)[-1])
        await later(desk, hours=24)
        state = await state_of(desk)
        assert state.undone is None
        assert state.kingdom(1).ex.M == 0
        assert await verify_game(desk.services, "heron") == []


async def test_ss_11_6_the_last_yes_ends_the_game_at_once(tmp_path: Path) -> None:
    async with open_desk(tmp_path) as desk:
        await to_spring(desk)
        await desk.write("Anna", "Claim victory")
        assert "claims" in newest(desk, "Bartek").lower()
        await desk.write("Bartek", "Vote yes on Anna")
        assert (await state_of(desk)).stage == "season"
        await desk.write("Cleo", "Vote yes on Anna")
        state = await state_of(desk)
        assert (state.stage, state.winners) == ("over", (1,))
        for name in NAMES:
            ending = parse(desk.postbox.to(f"{name.lower()}@players.example")[-1])
            assert any(
                part.get_filename() == "heron-record.json" for part in ending.iter_attachments()
            ), name
        assert await verify_game(desk.services, "heron") == []


async def test_ss_11_5_a_ballot_fails_by_silence_and_play_goes_on(tmp_path: Path) -> None:
    async with open_desk(tmp_path) as desk:
        await to_spring(desk)
        await desk.write("Anna", "Claim victory")
        await desk.write("Bartek", "Vote yes on Anna")
        await later(desk, hours=48)
        assert not (await state_of(desk)).ballots
        assert "claim" in newest(desk, "Cleo").lower()
        assert await verify_game(desk.services, "heron") == []


async def test_an_early_close_keeps_the_hours_that_are_left(tmp_path: Path) -> None:
    """SF-2: what is open goes on by the clock across phases."""
    async with open_desk(tmp_path) as desk:
        await to_summer(desk, Anna=RESEARCH)
        await later(desk, minutes=30)
        for name in NAMES:
            await desk.write(name, "Pass. Done")
        state = await state_of(desk)
        assert state.season == "Autumn"
        assert state.kingdom(1).discoveries[0].left == 24
        await later(desk, hours=24, minutes=1)
        assert dict((await state_of(desk)).technologies) == {"steel": "STAT-ROLL M"}
        assert await verify_game(desk.services, "heron") == []


async def test_press_reaches_a_ruler_by_the_name_of_the_kingdom(tmp_path: Path) -> None:
    async with open_desk(tmp_path) as desk:
        await to_spring(desk)
        before = len(desk.letters("Cleo"))
        await desk.write("Anna", "To Borland: shall we share the river?")
        assert "shall we share the river?" in newest(desk, "Bartek")
        assert len(desk.letters("Cleo")) == before


async def test_ss_5_5_a_sheet_counts_the_hours_that_are_left_now(tmp_path: Path) -> None:
    """Between acts nobody tells the rules the hour; what is shown knows it all the same."""
    async with open_desk(tmp_path) as desk:
        await to_spring(desk)
        await desk.write("Anna", f"{OFFER} within 12 hours")
        await later(desk, hours=5)
        before = await state_of(desk)
        assert "7 hours left" in flat(text_of(await desk.write("Bartek", "status")))
        assert await state_of(desk) == before


async def test_ss_8_3_after_a_roll_back_the_same_order_is_asked_about_again(tmp_path: Path) -> None:
    async with open_desk(tmp_path) as desk:
        await to_spring(desk)
        await desk.write("Cleo", TRY)
        asked = len(gm_letters(desk))
        await roll_back(desk.services, "heron", 3, gm.By("test"))
        await desk.work()
        await desk.write("Cleo", TRY)
        assert "dig a canal" in text_of(gm_letters(desk)[-1])
        assert len(gm_letters(desk)) > asked


@pytest.mark.parametrize("word", ["approve", "refuse", "diff 4"])
async def test_ss_7_4_who_rules_too_late_is_told_so(tmp_path: Path, word: str) -> None:
    async with open_desk(tmp_path) as desk:
        await to_summer(desk, Anna=RESEARCH)
        asked = gm_letters(desk)[-1]
        await later(desk, hours=24)
        answer = flat(await command(desk, word, answering=asked))
        assert "waits for your word now" in answer


async def test_ss_7_3_the_status_of_a_table_tells_what_waits_for_its_game_master(
    tmp_path: Path,
) -> None:
    async with open_desk(tmp_path) as desk:
        await to_summer(desk, Anna=RESEARCH)
        await later(desk, hours=5)
        status = flat(await command(desk, "status", answering=gm_letters(desk)[-1]))
        assert "proposes steel" in status
        assert "in 19 hours" in status
        assert "approve steel, refuse steel" in status
        await command(desk, "approve steel", answering=gm_letters(desk)[-1])
        assert "proposes steel" not in flat(await command(desk, "status"))


async def test_ss_12_6_a_redo_that_nobody_waits_for_is_refused_in_words_of_its_own(
    tmp_path: Path,
) -> None:
    async with open_desk(tmp_path) as desk:
        await to_spring(desk)
        receipt = flat(text_of(await desk.write("Anna", "Redo: Attack Borland: 1M")))
        assert "You have no action to do again" in receipt
        assert "objected to" not in receipt
