"""What a look for what is due asks the database: the same few statements, however many tables run,
as long as nothing changes at them.
"""

from collections.abc import Iterator
from contextlib import contextmanager
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
    tmp_path: Path,
) -> None:
    """An order, the last one that is waited for, somebody who waits, and who waits no more."""
    async with open_desk(tmp_path) as desk:
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
