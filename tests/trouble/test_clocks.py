"""The machine's clock goes back, or leaps ahead."""

from collections import Counter
from datetime import timedelta
from pathlib import Path

from structlog.testing import capture_logs

from pbem.desk.phases.hindrances import accept_clock
from pbem.store.repositories.marks import CLOCK, SWEPT
from tests.desk.harness import Desk, open_desk, text_of
from tests.desk.looks import phase_of, status_of

PLAYERS = ("Anna", "Bartek", "Chloé")


async def sweep_mark(desk: Desk) -> None:
    """What the running service leaves after each sweep."""
    async with desk.services.database.write() as work:
        await work.marks.put_at_most_every(timedelta(seconds=30), SWEPT, desk.clock.now())


async def has_mark(desk: Desk) -> bool:
    async with desk.services.database.read() as work:
        return await work.marks.find(CLOCK) is not None


async def test_while_the_clock_is_behind_nothing_is_closed_and_everything_answered(
    tmp_path: Path,
) -> None:
    async with open_desk(tmp_path) as desk:
        await desk.open_game()
        desk.clock.forward(hours=20)
        await sweep_mark(desk)
        before = desk.clock.now()
        desk.clock.forward(hours=-19)
        with capture_logs() as logs:
            for name in PLAYERS:
                receipt = await desk.write(name, "bid 1. final")
                assert "Bid 1" in text_of(receipt)
            assert (await status_of(desk))[1] == 1, "all are final, and yet it is not closed"
            assert await has_mark(desk)
            desk.clock.instant = before - timedelta(seconds=1)
            await desk.work()
            assert (await status_of(desk))[1] == 1
            desk.clock.instant = before
            await desk.work()
        assert (await status_of(desk))[1] == 2
        assert not await has_mark(desk)
        assert (await phase_of(desk)).opened_at >= before
        told = Counter(entry["event"] for entry in logs if str(entry["event"]).startswith("clock"))
        assert told == {"clock-went-back": 1, "clock-caught-up": 1}


async def test_a_clock_that_is_set_back_by_a_little_closes_as_ever(tmp_path: Path) -> None:
    async with open_desk(tmp_path) as desk:
        await desk.open_game()
        desk.clock.forward(hours=2)
        await sweep_mark(desk)
        desk.clock.forward(minutes=-5)
        for name in PLAYERS:
            await desk.write(name, "bid 1. final")
        assert (await status_of(desk))[1] == 2
        assert not await has_mark(desk)


async def test_reminders_wait_for_the_clock_too(tmp_path: Path) -> None:
    async with open_desk(tmp_path) as desk:
        await desk.open_game()
        desk.clock.instant = (await phase_of(desk)).deadline - timedelta(hours=3)
        await sweep_mark(desk)
        desk.clock.forward(minutes=-30)
        count = len(desk.postbox.mails)
        await desk.work()
        assert len(desk.postbox.mails) == count
        desk.clock.forward(minutes=30)
        await desk.work()
        assert len(desk.postbox.mails) == count + len(PLAYERS)


async def test_a_clock_that_was_ahead_can_be_accepted_as_it_is(tmp_path: Path) -> None:
    async with open_desk(tmp_path) as desk:
        await desk.open_game()
        desk.clock.forward(days=365)
        await sweep_mark(desk)
        desk.clock.forward(days=-365)
        for name in PLAYERS:
            await desk.write(name, "bid 1. final")
        assert (await status_of(desk))[1] == 1
        assert await accept_clock(desk.services.database, desk.clock.now())
        assert not await accept_clock(desk.services.database, desk.clock.now())
        await desk.work()
        assert (await status_of(desk))[1] == 2


async def test_a_leap_ahead_closes_once_and_gives_the_next_phase_its_whole_time(
    tmp_path: Path,
) -> None:
    async with open_desk(tmp_path) as desk:
        await desk.open_game()
        await sweep_mark(desk)
        first = await phase_of(desk)
        desk.clock.forward(days=40)
        count = len(desk.postbox.mails)
        await desk.work()
        second = await phase_of(desk)
        assert second.number == 2
        assert second.opened_at >= desk.clock.now()
        assert second.deadline - second.opened_at >= first.deadline - first.opened_at
        assert max(Counter(desk.postbox.mails).values()) == 1
        kinds = [str(mail["Subject"]) for mail in desk.letters("Anna")]
        assert len(kinds) == len(set(kinds))
        assert len(desk.postbox.mails) - count == len(PLAYERS) + 1, (
            "a letter to each and the bulletin to the game master; no reminder of what is over"
        )
