"""What a look for what is due asks the database: the same few statements, however many tables run,
as long as nothing changes at them.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path

import pytest

from pbem.desk.jobs import Job
from pbem.desk.messages.receive import receive
from pbem.desk.phases.sweep import sweep
from pbem.store import driver
from tests.desk.harness import Desk, open_desk

MOST_STATEMENTS = 4


@contextmanager
def counted(patch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """The statements that are sent to SQLite meanwhile."""
    sent: list[str] = []
    execute = driver.Cursor.execute

    async def count(
        self: driver.Cursor, statement: str, parameters: tuple[object, ...] = ()
    ) -> driver.Cursor:
        sent.append(statement)
        return await execute(self, statement, parameters)

    with patch.context() as patched:
        patched.setattr(driver.Cursor, "execute", count)
        yield sent


async def open_tables(desk: Desk, *slugs: str) -> None:
    for slug in slugs:
        await desk.open_game(2, slug)
    await desk.work()


async def test_f41_a_sweep_asks_as_much_of_many_tables_as_of_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    counts = []
    async with open_desk(tmp_path) as desk:
        for slugs in (("heron",), ("egret", "ibis", "stork")):
            await open_tables(desk, *slugs)
            await sweep(desk.services)
            with counted(monkeypatch) as sent:
                assert not await sweep(desk.services)
            counts.append(len(sent))
    assert counts[0] == counts[1] <= MOST_STATEMENTS


async def test_a_table_that_was_looked_at_is_looked_at_again_when_something_changes_there(
    desk: Desk,
) -> None:
    """An order, the last one that is waited for, somebody who waits, and who waits no more."""
    await open_tables(desk, "egret", "heron")
    close = Job("close_phase", (2, 1))
    for name, text, is_due in (
        ("Anna", "bid 3. final", False),
        ("Anna", "wait", False),
        ("Bartek", "bid 4. final", False),
        ("Anna", "nowait", True),
    ):
        await desk.write(name, text, work=False)
        for job in await sweep(desk.services):
            if job.name == "receive":
                await receive(desk.services, *job.ids)
        due = [job for job in await sweep(desk.services) if job.name == "close_phase"]
        assert due == ([close] if is_due else []), (name, text)
        desk.jobs.asked.clear()


async def test_a_window_of_a_day_opens_with_the_reminder_of_a_day_before_behind_it(
    desk: Desk,
) -> None:
    """It would follow the question at once: nobody gets it, and nothing is to be done for that."""
    await open_tables(desk, "heron")
    async with desk.services.database.read() as work:
        (phase,) = await work.phases.list_running()
    assert (phase.deadline - phase.opened_at).days == 1
    assert phase.reminders_sent == 1
    desk.clock.instant = phase.deadline - timedelta(hours=4, minutes=1)
    assert not await sweep(desk.services)
    desk.clock.instant = phase.deadline - timedelta(hours=4)
    assert await sweep(desk.services) == {Job("remind", (phase.game_id, phase.number))}


async def test_while_closes_are_in_hand_no_other_table_is_looked_at(desk: Desk) -> None:
    await open_tables(desk, "heron")
    for name in ("Anna", "Bartek"):
        await desk.write(name, "bid 3. final", work=False)
    for job in await sweep(desk.services):
        await receive(desk.services, *job.ids)
    with desk.services.precedence.closing():
        assert not [job for job in await sweep(desk.services) if job.name == "close_phase"]
    due = [job for job in await sweep(desk.services) if job.name == "close_phase"]
    assert due == [Job("close_phase", (1, 1))]
