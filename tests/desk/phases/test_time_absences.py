"""Somebody is away: later deadlines move once a table, within its limit, and nobody is told for
whom.
"""

from datetime import UTC, datetime, timedelta

import msgspec

from pbem.desk.table import LATER, MOST_MOVED, MovedFor
from tests.desk.dates import NOON
from tests.desk.harness import Desk, text_of
from tests.desk.looks import phase_of
from tests.desk.timekeeping import set_settings, subject_of, texts


def days(first: int, last: int) -> str:
    """An absence from so many days after the first day of the clock to so many."""
    since, until = NOON + timedelta(days=first), NOON + timedelta(days=last)
    return f"away from {since:%d %B} to {until:%d %B}"


async def test_an_absence_moves_the_next_deadline_and_never_the_open_one(desk: Desk) -> None:
    await desk.open_game(3)
    opened = await phase_of(desk)
    answer = text_of(await desk.write("Anna", days(1, 5)))
    assert "The open deadline stays" in " ".join(answer.split())
    assert "more time" in answer
    assert (await phase_of(desk)).deadline == opened.deadline
    await desk.everybody_passes()
    second = await phase_of(desk)
    plain = opened.deadline + timedelta(hours=72)
    assert second.deadline > plain
    assert second.deadline.time() == plain.time(), "at its own hour"
    assert second.deadline.date() == (NOON + timedelta(days=6)).date(), "the day after"
    for name in ("Bartek", "Chloé"):
        turn = " ".join(text_of(desk.turn_mail(name)).split())
        assert "The deadline is later because a player is away." in turn
        assert "Anna is away" not in turn
    await desk.everybody_passes()
    third = await phase_of(desk)
    assert third.deadline == second.deadline + timedelta(hours=24), (
        "an absence moves one deadline of a table"
    )
    assert "because a player is away" not in text_of(desk.turn_mail("Bartek"))


async def test_the_longest_absence_within_the_limit_counts_and_names_are_told_where_the_table_says_so(
    desk: Desk,
) -> None:
    await desk.open_game(3)
    await set_settings(desk, absence_days=4, tells_names=True)
    await desk.write("Anna", days(2, 5))
    await desk.write("Bartek", days(3, 6))
    await desk.write("Chloé", days(3, 20))
    await desk.everybody_passes()
    assert (await phase_of(desk)).deadline.date() == (NOON + timedelta(days=7)).date()
    assert "because Anna and Bartek are away" in " ".join(text_of(desk.turn_mail("Chloé")).split())


async def test_who_comes_back_moves_nothing_and_sees_what_they_said(desk: Desk) -> None:
    await desk.open_game(2)
    opened = await phase_of(desk)
    for _ in range(2):
        await desk.write("Anna", days(1, 5))
    listed = text_of(await desk.write("Anna", "absences"))
    assert listed.count("You are away") == 1, "said twice, kept once"
    assert "You are back" in await subject_of(desk, "Anna", "SET NOABSENCE")
    assert "You have no absence" in " ".join(text_of(await desk.write("Anna", "absences")).split())
    assert "You were not away" in await subject_of(desk, "Anna", "back")
    await desk.everybody_passes()
    assert (await phase_of(desk)).deadline == opened.deadline + timedelta(hours=72)


async def test_who_is_back_at_one_table_stays_away_from_the_others(desk: Desk) -> None:
    await desk.open_game(2)
    await desk.open_game(2, "wolf")
    await desk.write("Anna", f"{days(1, 5)} at this table")
    await desk.write("Anna", days(6, 9))
    assert "no game of that name" in text_of(await desk.write("Anna", "back at nowhere"))
    assert text_of(await desk.write("Anna", "absences")).count("You are away") == 2
    told = " ".join(text_of(await desk.write("Anna", "back at heron")).split())
    assert "Nobody plays for you in Heron" in told
    assert "taken back" not in told
    assert "One absence is for all your games, and stays" in told
    told = " ".join(text_of(await desk.write("Anna", "back at wolf")).split())
    assert "Nobody plays for you in Wolf, and we took back 1 absence from it." in told
    assert text_of(await desk.write("Anna", "absences")).count("You are away") == 1
    assert "You are back" in await subject_of(desk, "Anna", "back")
    assert "You are away" not in text_of(await desk.write("Anna", "absences"))


async def test_an_absence_in_words_that_are_unclear_is_asked_about_and_not_kept(desk: Desk) -> None:
    await desk.open_game(2)
    for words, said in (
        ("away from 3/7 to 10/7", "two different days"),
        ("away until the weekend", "We cannot read"),
        ("away for 200 days", "longer than an absence may be"),
        ("away from 10 to 3 December", "ends before it begins"),
    ):
        assert said in " ".join(text_of(await desk.write("Anna", words)).split()), words
    assert "You have no absence" in " ".join(text_of(await desk.write("Anna", "absences")).split())


async def test_nobody_else_is_told_of_an_absence_itself(desk: Desk) -> None:
    await desk.open_game(2)
    before = len(desk.letters("Bartek"))
    await desk.write("Anna", days(1, 5))
    assert len(desk.letters("Bartek")) == before


async def test_only_so_many_absences_are_kept_and_only_so_many_move_a_table(desk: Desk) -> None:
    await desk.open_game(2)
    for start in range(10, 80, 10):
        last = text_of(await desk.write("Anna", days(start, start + 1)))
    assert "the most absences that we keep" in " ".join(last.split())


async def test_one_players_absences_move_only_so_many_deadlines_of_a_table(desk: Desk) -> None:
    await desk.open_game(2)
    opened = await phase_of(desk)
    async with desk.services.database.write() as work:
        seat = (await work.seats.list_of_game(1))[0]
        assert seat.person_id is not None
        for number in range(MOST_MOVED):
            detail = msgspec.json.encode(MovedFor(0, 100 + number, seat.person_id)).decode()
            await work.log.add(game_id=1, actor="test", command=LATER, at=NOON, detail=detail)
    await desk.write("Anna", days(1, 5))
    await desk.everybody_passes()
    assert (await phase_of(desk)).deadline == opened.deadline + timedelta(hours=72)
    await desk.write("Bartek", days(3, 6))
    await desk.everybody_passes()
    assert "because a player is away" in " ".join(text_of(desk.turn_mail("Anna")).split()), (
        "another player's still do"
    )


async def test_a_close_notes_for_whom_it_moved_a_deadline_so_that_it_is_counted(desk: Desk) -> None:
    await desk.open_game(2)
    await desk.write("Anna", days(1, 5))
    await desk.everybody_passes()
    async with desk.services.database.read() as work:
        anna = (await work.seats.list_of_game(1))[0]
        noted = [
            msgspec.json.decode(row.detail, type=MovedFor)
            for row in await work.log.list_of_commands(1, (LATER,))
        ]
    assert [note.person for note in noted] == [anna.person_id]


async def test_days_are_those_of_the_players_own_zone(desk: Desk) -> None:
    await desk.open_game(2)
    await desk.write("Anna", "my time zone is Auckland")
    await desk.write("Anna", days(1, 5))
    async with desk.services.database.read() as work:
        seat = (await work.seats.list_of_game(1))[0]
        assert seat.person_id is not None
        (row,) = await work.absences.list_of([seat.person_id], desk.clock.now())
    assert row.until == datetime.combine(
        (NOON + timedelta(days=5)).date(), datetime.min.time(), UTC
    ) + timedelta(hours=11)
    assert texts(desk, "Anna", "You are away")
