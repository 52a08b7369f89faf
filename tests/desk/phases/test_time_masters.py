"""The game master sets a table's clock, and gives more time with a word."""

from datetime import timedelta

import pytest

from pbem.desk import gm
from pbem.desk.gm.deadlines import grant, refuse
from pbem.desk.gm.table_rules import set_clock
from pbem.grammar.clock_rules import ClockChange
from tests.desk.commanding import EVERYBODY, GRETA, logged, refused
from tests.desk.harness import GM, SEED, Desk, text_of
from tests.desk.looks import calendar_of, kinds_to, phase_of
from tests.desk.mastery import command, flat, gm_last
from tests.desk.timekeeping import motions_of, set_settings, texts
from tests.played import PLAYED


async def test_a_clock_that_is_set_is_told_to_everybody_and_counts_from_the_next_phase_on(
    desk: Desk,
) -> None:
    await desk.open_game(3)
    first = await phase_of(desk)
    answer = flat(
        await command(desk, "set clock 18:00, days -MTWTF-\nset quiet 22-7\nset hours orders 48")
    )
    assert (
        "Deadlines of Heron from the next phase on: clock 18:00, days -MTWTF-. We tell everybody."
        in answer
    )
    assert "orders 48h" in answer
    assert await kinds_to(desk, "clock") == sorted(
        [address for address in EVERYBODY if address != GM] * 3
    )
    told = texts(desk, "Anna", "New rules for deadlines")[-1]
    assert (
        "Deadlines are at 18:00, on Monday, Tuesday, Wednesday, Thursday and Friday, and none between 22:00 and 07:00"
        in told
    )
    assert "The open deadline stays" in told
    assert (await phase_of(desk)).deadline == first.deadline
    await desk.everybody_passes()
    second = await phase_of(desk)
    assert (second.deadline.hour, second.deadline.minute) == (17, 0), "18:00 in Berlin"
    assert second.deadline - first.deadline >= timedelta(hours=48)
    assert second.deadline.weekday() < 5
    shown = " ".join(text_of(await desk.write("Anna", "deadlines")).split())
    assert "Deadlines are at 18:00" in shown
    assert "orders 48 h" in shown


@pytest.mark.parametrize(
    "change",
    [
        ClockChange(clock="23:00", quiet="22:00-07:00"),
        ClockChange(hours={"marches": 24.0}),
        ClockChange(hours={"orders": 0.01}),
        ClockChange(absence_days=61),
        ClockChange(graces=21),
        ClockChange(grace_hours=0.5),
    ],
)
async def test_a_clock_that_cannot_be_is_refused_and_nobody_is_told(
    desk: Desk, change: ClockChange
) -> None:
    await gm.open_table(
        desk.services,
        gm.NewTable("heron", "Heron", PLAYED, {}, "Europe/Berlin", seed=SEED),
        GRETA,
    )
    assert await refused(set_clock(desk.services, "heron", change, GRETA)) == "bad-options"
    await set_clock(desk.services, "heron", ClockChange(clock="18:00", graces=2), GRETA)
    assert (
        await refused(set_clock(desk.services, "heron", ClockChange(clock="18:00"), GRETA))
        == "no-change"
    )
    assert (
        await refused(set_clock(desk.services, "egret", ClockChange(graces=1), GRETA))
        == "unknown-game"
    )


async def test_a_table_is_opened_with_its_clock_by_mail(desk: Desk) -> None:
    await desk.open_game(2)
    await command(
        desk,
        f"new game Egret: {PLAYED}, clock 20:30, days -MTWTF-, graces 2 of 12h, extensions by vote, orders 48h",
    )
    async with desk.services.database.read() as work:
        game = await work.games.find_by_slug("egret")
    assert game is not None
    for said in (
        *('"clock":"20:30"', '"days":"-MTWTF-"', '"graces":2', '"grace_hours":12.0'),
        *('"extensions":"vote"', '"orders":48.0'),
    ):
        assert said in game.settings
    await desk.everybody_passes()


async def test_a_player_asks_the_game_master_for_more_time_and_one_word_gives_it(
    desk: Desk,
) -> None:
    await desk.open_game(3)
    phase = await phase_of(desk)
    before = {name: len(desk.letters(name)) for name in ("Bartek", "Chloé")}
    assert "We ask" in " ".join(text_of(await desk.write("Anna", "please extend by 12h")).split())
    assert "You have asked, and wait for the answer" in " ".join(
        text_of(await desk.write("Anna", "more time")).split()
    )
    assert {name: len(desk.letters(name)) for name in before} == before, "nobody else learns of it"
    letter = gm_last(desk, "asks for more time")
    assert "Anna" in text_of(letter)
    answer = flat(await command(desk, "grant", answering=letter))
    assert "Granted." in answer
    moved = await phase_of(desk)
    assert moved.deadline == phase.deadline + timedelta(hours=12)
    told = desk.last("Bartek", "deadline has moved")
    assert "SEQUENCE:1" in calendar_of(told)
    assert "Anna" not in text_of(told).partition("Answer with")[0]
    assert [row.outcome for row in await motions_of(desk)] == ["granted"]
    assert "has been answered, or" in flat(await command(desk, "grant 1", answering=letter))
    assert (await phase_of(desk)).deadline == moved.deadline
    assert [entry[0] for entry in await logged(desk)].count("game grant") == 1


async def test_a_refusal_is_told_to_whoever_asked_alone(desk: Desk) -> None:
    await desk.open_game(3)
    phase = await phase_of(desk)
    await desk.write("Anna", "extend until tomorrow 22:00")
    before = {name: len(desk.letters(name)) for name in ("Bartek", "Chloé")}
    await command(desk, "refuse", answering=gm_last(desk, "asks for more time"))
    assert "has given no more time" in texts(desk, "Anna", "No more time")[0]
    assert {name: len(desk.letters(name)) for name in before} == before
    assert (await phase_of(desk)).deadline == phase.deadline
    assert "Nobody at Heron asks" in flat(await command(desk, "heron: refuse"))


async def test_of_several_requests_one_is_named_and_one_of_a_phase_that_is_over_is_no_more(
    desk: Desk,
) -> None:
    await desk.open_game(2)
    await desk.write("Anna", "more time")
    await desk.write("Bartek", "more time")
    assert "There are several: 1, 2" in flat(await command(desk, "heron: grant"))
    await desk.everybody_passes()
    await desk.work()
    assert await refused(grant(desk.services, "heron", 1, GRETA)) == "answered"
    assert await refused(refuse(desk.services, "heron", 77, GRETA)) == "unknown-request"
    assert {row.outcome for row in await motions_of(desk)} == {"lapsed"}


async def test_a_roll_back_with_graces_and_votes_open_goes_on(desk: Desk) -> None:
    await desk.open_game(2)
    await set_settings(desk, graces=1, extensions="vote")
    await desk.everybody_passes()
    await desk.write("Anna", "more time")
    await gm.roll_back(desk.services, "heron", 1, GRETA)
    await desk.work()
    assert "No vote is open" in text_of(await desk.write("Bartek", "vote yes"))
