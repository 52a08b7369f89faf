"""Somebody is late: the deadline moves once by the grace, for those who have graces left, and the
game does not slide for ever.
"""

from datetime import timedelta

from pbem.desk.gm.deadlines import close_now
from pbem.desk.mandate import By
from pbem.desk.phases.grace import give_grace
from pbem.desk.phases.standings import read_standings
from pbem.desk.table import load_table
from tests.desk.commanding import EVERYBODY, logged
from tests.desk.harness import Desk, text_of
from tests.desk.looks import calendar_of, kinds_to, phase_of, status_of
from tests.desk.timekeeping import set_settings, texts


async def test_the_table_waits_for_a_late_player_once_and_tells_nobody_for_whom(desk: Desk) -> None:
    await desk.open_game(3)
    await set_settings(desk, graces=1)
    first = await phase_of(desk)
    for name in ("Bartek", "Chloé"):
        await desk.write(name, "bid 1")
    before = {name: len(desk.letters(name)) for name in ("Bartek", "Chloé")}
    desk.clock.instant = first.deadline + timedelta(seconds=2)
    await desk.work(times=2)
    moved = await phase_of(desk)
    assert (moved.number, moved.deadline, moved.ics_sequence) == (
        1,
        first.deadline + timedelta(hours=24),
        1,
    )
    assert await kinds_to(desk, "deadline") == EVERYBODY, "told once, to everybody"
    assert "SEQUENCE:1" in calendar_of(desk.last("Anna", "deadline has moved"))
    assert (
        "We do not wait for you again in this game" in texts(desk, "Anna", "deadline has moved")[0]
    )
    for name, count in before.items():
        (letter,) = desk.letters(name)[count:]
        assert "Anna" not in text_of(letter).replace("Heron", "")
    others = {
        texts(desk, name, "deadline has moved")[0].partition("Answer with")[0] for name in before
    }
    assert len(others) == 1, "the punctual get the same words"
    assert [
        command for command, _, public in await logged(desk) if command == "grace" and public
    ] == ["grace"]

    desk.clock.instant = moved.deadline + timedelta(seconds=2)
    await desk.work()
    assert (await status_of(desk))[1] == 2, "we never wait twice in a phase"
    desk.clock.instant = (await phase_of(desk)).deadline + timedelta(seconds=2)
    await desk.work()
    assert await kinds_to(desk, "deadline") == sorted(EVERYBODY * 2), (
        "Bartek and Chloé still have a grace"
    )
    desk.clock.instant += timedelta(days=1)
    await desk.work()
    for number in (3, 4):
        assert (await status_of(desk))[1] == number
        await desk.everybody_passes()
    assert len(await kinds_to(desk, "deadline")) == 2 * len(EVERYBODY), "nobody has a grace left"


async def test_who_has_answered_everything_uses_no_grace_and_nobody_is_waited_for(
    desk: Desk,
) -> None:
    await desk.open_game(2)
    await set_settings(desk, graces=1)
    for name in ("Anna", "Bartek"):
        await desk.write(name, "bid 0")
    await desk.everybody_passes()
    assert (await status_of(desk))[1] == 2
    assert await kinds_to(desk, "deadline") == []


async def test_orders_that_come_within_the_grace_count_and_reminders_are_armed_without_doubles(
    desk: Desk,
) -> None:
    await desk.open_game(2)
    await set_settings(desk, graces=2, grace_hours=12.0)
    await desk.write("Bartek", "bid 1")
    first = await phase_of(desk)
    desk.clock.instant = first.deadline - timedelta(hours=3)
    await desk.work()
    reminded = len(await kinds_to(desk, "reminder"))
    desk.clock.instant = first.deadline + timedelta(seconds=2)
    await desk.work()
    desk.clock.instant = first.deadline + timedelta(hours=8, minutes=1)
    await desk.work(times=2)
    assert len(await kinds_to(desk, "reminder")) == reminded + 1, (
        "four hours before the new deadline, to the late one alone"
    )
    await desk.write("Anna", "bid 2")
    desk.clock.instant = first.deadline + timedelta(hours=12, seconds=2)
    await desk.work()
    assert (await status_of(desk))[1] == 2
    assert "2" in text_of(desk.last("Anna", "turn"))


async def test_a_table_that_tells_names_tells_for_whom_it_waits(desk: Desk) -> None:
    await desk.open_game(2)
    await set_settings(desk, graces=1, tells_names=True, clock="18:00", days="-MTWTF-")
    await desk.write("Bartek", "bid 1")
    await desk.everybody_passes()
    assert "Anna is late, and we wait" in texts(desk, "Bartek", "deadline has moved")[0]
    local = (await phase_of(desk)).deadline
    assert (local.hour, local.weekday() < 5) == (17, True), "18:00 in Berlin, on an allowed day"


async def test_without_the_mailbox_nobody_is_called_late(desk: Desk) -> None:
    await desk.open_game(2)
    await set_settings(desk, graces=1)
    desk.mailbox.broken = True
    desk.clock.instant = (await phase_of(desk)).deadline + timedelta(hours=3)
    await desk.work()
    desk.clock.forward(hours=3)
    await desk.work()
    assert await kinds_to(desk, "deadline") == []
    assert (await status_of(desk))[1] == 2


async def test_no_phase_is_waited_for_twice_even_where_graces_are_left(desk: Desk) -> None:
    await desk.open_game(2)
    await set_settings(desk, graces=2)
    await desk.everybody_passes()
    assert (await status_of(desk))[1] == 1
    await desk.everybody_passes()
    assert (await status_of(desk))[1] == 2


async def test_whoever_gets_a_seat_has_all_its_graces_again(desk: Desk) -> None:
    await desk.open_game(2)
    await set_settings(desk, graces=1)
    for _ in range(2):
        await desk.write("Bartek", "bid 1\nfinal")
        await desk.everybody_passes()
    assert (await status_of(desk))[1] == 2
    async with desk.services.database.write() as work:
        anna, bartek = await work.seats.list_of_game(1)
        await work.graces.add(1, 1, bartek.id, desk.clock.now())
        newcomer = await work.people.add(
            name="Nia", locale="en", time_zone="UTC", created_at=desk.clock.now()
        )
        await work.people.add_address(newcomer, "mail", "nia@p.example", "confirmed")
        assert await work.seats.replace_person(anna.id, anna.tenure, newcomer, desk.clock.now())
    first = await phase_of(desk)
    await desk.everybody_passes()
    moved = await phase_of(desk)
    assert (moved.number, moved.ics_sequence) == (2, first.ics_sequence + 1)


async def test_orders_that_came_since_somebody_was_found_late_give_no_grace(desk: Desk) -> None:
    await desk.open_game(2)
    await set_settings(desk, graces=1)
    await desk.write("Bartek", "bid 1")
    now = (await phase_of(desk)).deadline + timedelta(seconds=2)
    async with desk.services.read() as tx:
        game = await tx.work.games.find(1)
        assert game is not None
        table = await load_table(tx, game)
        latest = tuple(row.id for row in await tx.work.orders.latest(1, 1))
        standings = await read_standings(tx.work, table)
    assert not await give_grace(desk.services, table, standings, (), now, now)
    assert await give_grace(desk.services, table, standings, latest, now, now)


async def test_a_phase_that_the_game_master_closes_waits_for_nobody(desk: Desk) -> None:
    await desk.open_game(3)
    await set_settings(desk, graces=1)
    assert await close_now(desk.services, "heron", 1, By("Greta"))
    desk.clock.instant += timedelta(minutes=2)
    await desk.work(times=2)
    assert (await status_of(desk))[1] == 2
    assert await kinds_to(desk, "deadline") == []
