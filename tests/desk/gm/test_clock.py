"""A game master moves, stops and starts a table's clock, and closes a phase: what happens to whom,
and when.
"""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from pbem.desk import gm
from pbem.desk.jobs import Job
from pbem.desk.phases.close import close_phase
from pbem.desk.phases.sweep import next_due_at, sweep
from tests.desk.commanding import EVERYBODY, GRETA, MeanwhilePainter, logged, refused, to_orders
from tests.desk.harness import GM, Desk, StandingClock, open_desk, text_of
from tests.desk.looks import after, calendar_of, kinds_to, phase_of, status_of

ADDRESSES = [address for address in EVERYBODY if address != GM]


# ---------------------------------------------------------------------------------------- deadlines
async def test_an_extension_has_limits_at_once_and_in_all(desk: Desk) -> None:
    await desk.open_game()
    phase = await phase_of(desk)
    assert (
        await refused(gm.extend(desk.services, "heron", after(phase, days=30, minutes=1), GRETA))
        == "too-long"
    )
    await gm.extend(desk.services, "heron", after(phase, days=30), GRETA)
    await gm.extend(desk.services, "heron", after(phase, days=60), GRETA)
    assert (
        await refused(gm.extend(desk.services, "heron", after(phase, days=90), GRETA)) == "too-long"
    )
    assert await gm.extend(
        desk.services, "heron", phase.opened_at + timedelta(days=90), GRETA
    ) == phase.opened_at + timedelta(days=90)
    assert [command for command, _, _ in await logged(desk)][-3:] == ["game extend"] * 3, (
        "what was refused is not in the log"
    )


async def test_a_shortened_window_leaves_an_hour_to_answer(desk: Desk) -> None:
    await desk.open_game()
    soon = desk.clock.now() + timedelta(minutes=59)
    assert await refused(gm.extend(desk.services, "heron", soon, GRETA, shorten=True)) == "too-soon"
    await gm.extend(desk.services, "heron", soon + timedelta(minutes=1), GRETA, shorten=True)
    assert (await phase_of(desk)).deadline == soon + timedelta(minutes=1)


async def test_a_reminder_whose_moment_is_ahead_again_is_sent_again_and_once(desk: Desk) -> None:
    await to_orders(desk)
    first = await phase_of(desk)
    desk.clock.instant = after(first, hours=-3)
    await desk.work()
    assert await kinds_to(desk, "reminder") == ADDRESSES, "one of the two that were due"
    await gm.extend(desk.services, "heron", after(first, hours=10), GRETA)
    await desk.work()
    assert await kinds_to(desk, "reminder") == ADDRESSES, (
        "the day before has passed; the hours before are ahead again"
    )
    for hours, count in ((5.9, 1), (6.1, 2), (9, 2)):
        desk.clock.instant = after(first, hours=hours)
        await desk.work(times=2)
        assert await kinds_to(desk, "reminder") == sorted(ADDRESSES * count), hours


async def test_a_shortening_that_passes_a_reminder_does_not_send_it_after_the_announcement(
    desk: Desk,
) -> None:
    await to_orders(desk)
    await gm.extend(
        desk.services, "heron", desk.clock.now() + timedelta(hours=20), GRETA, shorten=True
    )
    await desk.work()
    assert await kinds_to(desk, "reminder") == []
    desk.clock.forward(hours=16, minutes=1)
    await desk.work()
    assert await kinds_to(desk, "reminder") == ADDRESSES


async def test_closing_a_phase_that_is_over_or_of_a_game_that_is_over_does_nothing(
    desk: Desk,
) -> None:
    await desk.open_game()
    for number in (0, 2, 7):
        assert not await gm.close_now(desk.services, "heron", number, GRETA)
    for number in range(1, 5):
        assert await gm.close_now(desk.services, "heron", number, GRETA)
        desk.clock.forward(seconds=1)
        await desk.work()
    assert (await status_of(desk))[:2] == ("over", 5)
    assert not await gm.close_now(desk.services, "heron", 5, GRETA)
    assert await refused(gm.close_now(desk.services, "egret", 1, GRETA)) == "unknown-game"
    assert [
        detail["phase"] for command, detail, _ in await logged(desk) if command == "game close"
    ] == [1, 2, 3, 4]


# ---------------------------------------------------------------------------------------- the pause
async def test_while_the_clock_stands_nothing_closes_and_nobody_is_reminded(desk: Desk) -> None:
    await to_orders(desk)
    phase = await phase_of(desk)
    await gm.pause(desk.services, "heron", GRETA, "the pass is snowed in")
    await desk.work()
    assert await kinds_to(desk, "paused") == EVERYBODY
    assert "the pass is snowed in" in text_of(desk.last("Anna", "paused"))
    desk.mailbox.broken = True
    for hours in (-20, -3, 1, 200):
        desk.clock.instant = after(phase, hours=hours)
        assert await sweep(desk.services) <= {Job("keep_house")}
        await close_phase(desk.services, 1, 2)
        await desk.work()
    assert await next_due_at(desk.services) is None
    assert await status_of(desk) == ("paused", 2, 0)
    assert [await kinds_to(desk, kind) for kind in ("reminder", "held")] == [[], []]
    assert await refused(gm.pause(desk.services, "heron", GRETA)) == "paused"
    assert (
        await refused(gm.extend(desk.services, "heron", after(phase, days=20), GRETA)) == "paused"
    )
    assert await refused(gm.close_now(desk.services, "heron", 2, GRETA)) == "paused"


async def test_the_deadline_moves_by_as_long_as_the_clock_stood_and_what_came_meanwhile_counts(
    desk: Desk,
) -> None:
    await desk.open_game()
    phase = await phase_of(desk)
    desk.clock.instant = after(phase, hours=-2)
    await desk.write("Bartek", "bid 3. final")
    await gm.pause(desk.services, "heron", GRETA)
    desk.clock.instant = after(phase, hours=30, seconds=20)
    receipt = text_of(await desk.write("Anna", "bid 9"))
    assert "Bid 9" in receipt
    assert "17 November" not in receipt, "no deadline is told that has passed"
    assert "the clock stands still" in " ".join(text_of(await desk.write("Anna", "status")).split())
    desk.clock.forward(hours=1)
    moved = await gm.resume(desk.services, "heron", GRETA)
    assert moved == after(phase, hours=33, minutes=1), "whole minutes, rounded up"
    await desk.work()
    assert await kinds_to(desk, "deadline") == EVERYBODY
    letter = desk.last("Anna", "continues")
    assert "SEQUENCE:3" in calendar_of(letter), "the pause has cancelled the first entry"
    assert "in time" in text_of(letter)
    desk.clock.instant = moved + timedelta(seconds=2)
    await desk.work()
    assert (await status_of(desk))[:2] == ("running", 2)
    async with desk.services.database.read() as work:
        assert [row.canonical for row in await work.orders.latest(1, 1)] == [
            ("Bid 9",),
            ("Bid 3",),
        ]
    assert await refused(gm.resume(desk.services, "heron", GRETA)) == "not-paused"


async def test_everybody_final_during_the_pause_closes_the_phase_once_it_goes_on(
    desk: Desk,
) -> None:
    await desk.open_game()
    await gm.pause(desk.services, "heron", GRETA)
    for name in ("Anna", "Bartek", "Chloé"):
        await desk.write(name, "bid 1. final")
    assert (await status_of(desk))[:2] == ("paused", 1)
    await gm.resume(desk.services, "heron", GRETA)
    await desk.work()
    assert (await status_of(desk))[:2] == ("running", 2)


async def test_a_close_that_was_held_is_not_held_any_more_when_the_clock_is_stopped(
    desk: Desk,
) -> None:
    await desk.open_game()
    phase = await phase_of(desk)
    desk.mailbox.broken = True
    desk.clock.instant = after(phase, minutes=5)
    await desk.write("Anna", "bid 9")
    assert await kinds_to(desk, "receipt") == []
    await gm.pause(desk.services, "heron", GRETA)
    await desk.work()
    assert await kinds_to(desk, "receipt") == ["anna@players.example"], (
        "what was too late for the close that was due is in time now"
    )
    desk.clock.forward(hours=3)
    assert await gm.resume(desk.services, "heron", GRETA) == desk.clock.now()
    desk.mailbox.broken = False
    desk.clock.forward(seconds=1)
    await desk.work()
    assert (await status_of(desk))[1] == 2
    async with desk.services.database.read() as work:
        assert [row.canonical for row in await work.orders.latest(1, 1)] == [("Bid 9",)]


async def test_a_close_that_is_computed_while_the_clock_is_stopped_is_not_kept(
    tmp_path: Path,
) -> None:
    painter = MeanwhilePainter()
    async with open_desk(tmp_path, painter=painter) as desk:
        await desk.open_game()
        desk.clock.instant = after(await phase_of(desk), seconds=2)
        painter.meanwhile = lambda: gm.pause(desk.services, "heron", GRETA)
        await close_phase(desk.services, 1, 1)
        assert await status_of(desk) == ("paused", 1, 0)


@pytest.mark.parametrize("start", [(2026, 3, 28), (2026, 10, 24)])
async def test_a_pause_over_a_change_of_the_clocks_is_as_long_as_it_was(
    tmp_path: Path, start: tuple[int, int, int]
) -> None:
    clock = StandingClock(datetime(*start, 18, 0, tzinfo=UTC))
    async with open_desk(tmp_path, clock=clock) as desk:
        await desk.open_game()
        phase = await phase_of(desk)
        await gm.pause(desk.services, "heron", GRETA)
        desk.clock.forward(hours=12)
        assert await gm.resume(desk.services, "heron", GRETA) - phase.deadline == timedelta(
            hours=12
        )


# ------------------------------------------------------------------------------ what waits for a GM
async def test_a_close_without_the_mailbox_is_told_to_the_game_master(desk: Desk) -> None:
    await desk.open_game()
    phase = await phase_of(desk)
    desk.mailbox.broken = True
    for minutes in (1, 60, 121):
        desk.clock.instant = after(phase, minutes=minutes)
        await desk.work(times=2)
    assert (await status_of(desk))[1] == 2
    assert await kinds_to(desk, "closed-unread") == [GM]


async def test_a_close_with_the_mailbox_read_tells_no_such_thing(desk: Desk) -> None:
    await to_orders(desk)
    assert await kinds_to(desk, "closed-unread") == []


async def test_f59_everybody_is_told_who_closed_a_phase_early_and_when_it_was_due(
    desk: Desk,
) -> None:
    await desk.open_game()
    due = (await phase_of(desk)).deadline
    assert await gm.close_now(desk.services, "heron", 1, GRETA)
    await desk.work()
    assert await kinds_to(desk, "closed-early") == EVERYBODY
    told = [text_of(mail) for mail in desk.letters("Anna") if "early" in str(mail["subject"])]
    assert len(told) == 1
    assert "Greta has closed the open phase of Heron before its time." in " ".join(told[0].split())
    assert f"{due:%H:%M} UTC" in told[0]
    desk.clock.instant = after(await phase_of(desk), seconds=2)
    await desk.work()
    assert await kinds_to(desk, "closed-early") == EVERYBODY, "nobody is told of a close in time"


async def test_a_game_that_failed_too_often_is_not_due_by_itself(desk: Desk) -> None:
    await desk.open_game()
    await desk.open_game(slug="egret")
    phase = await phase_of(desk)
    desk.clock.instant = after(phase, seconds=2)
    async with desk.services.database.write() as work:
        for _ in range(4):
            await work.games.count_attempt(1, desk.clock.now())
            await work.games.count_attempt(2, desk.clock.now())
    await desk.work()
    assert [(await status_of(desk, slug))[1] for slug in ("heron", "egret")] == [1, 1]
    assert await next_due_at(desk.services) == desk.clock.now() + timedelta(hours=1)
    assert await gm.close_now(desk.services, "heron", 1, GRETA)
    await desk.work()
    assert [(await status_of(desk, slug))[1] for slug in ("heron", "egret")] == [2, 1]
