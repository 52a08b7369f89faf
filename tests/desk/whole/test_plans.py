"""Whatever the desk asks of the store goes by an index, so that ten thousand ended games cost a
sweep, a close, a message and a delivery nothing (issue 16, point 4).

SQLite plans a statement by the indexes there are and by what ANALYZE noted of the rows; nothing
here runs that, so the plans are the same in a store of any size.
"""

import re
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from pbem.desk.letters.deliver import deliver_next, free_leases
from pbem.desk.phases.sweep import next_due_at, sweep
from pbem.desk.upkeep.health import look_at_health
from pbem.desk.upkeep.housekeeping import keep_house
from pbem.store.tables import metadata
from tests.desk.harness import open_desk
from tests.desk.scenario import play

SMALL = ("marks", "masters", "alembic_version")
"""Tables that do not grow with the games."""
BY_OTHERS = (
    "SELECT outbox.letter FROM outbox WHERE outbox.address = ?",  # of the scenario
    "SELECT inbox.state, count(*)",  # of the scenario; by a covering index
    "FROM games ORDER BY games.id",  # a game master's list of all games
)
STATEMENTS = ("SELECT", "INSERT", "UPDATE", "DELETE", "WITH")
SCAN = re.compile(rf"SCAN ({'|'.join(metadata.tables)})\b(?! USING INDEX ix_absences_standing_in)")


@contextmanager
def statements_seen() -> Iterator[dict[str, Sequence[Any]]]:
    """Every statement of this block with the values it was first asked with."""
    seen: dict[str, Sequence[Any]] = {}

    def note(
        _connection: object,
        _cursor: object,
        statement: str,
        values: Any,
        _about: object,
        many: bool,
    ) -> None:
        if statement.startswith(STATEMENTS):
            seen.setdefault(statement, values[0] if many else values)

    sa.event.listen(sa.Engine, "before_cursor_execute", note)
    try:
        yield seen
    finally:
        sa.event.remove(sa.Engine, "before_cursor_execute", note)


async def test_every_statement_of_a_whole_game_goes_by_an_index(tmp_path: Path) -> None:
    async with open_desk(tmp_path) as desk:
        file = desk.services.database.file
        assert file is not None
        with statements_seen() as seen:
            await play(desk, tmp_path / "progress")
            await desk.write("Anna", "hello", work=False)
            await sweep(desk.services)
            await next_due_at(desk.services)
            await desk.work()
            await deliver_next(desk.services)
            await free_leases(desk.services)
            desk.clock.forward(days=2)
            await keep_house(desk.services)
            await look_at_health(desk.services.database, desk.clock.now())
        scans = {}
        with closing(sqlite3.connect(file)) as connection:
            tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master")}
            assert "sqlite_stat1" not in tables
            for statement, values in seen.items():
                plan = connection.execute(f"EXPLAIN QUERY PLAN {statement}", tuple(values))
                scanned = [
                    found.group(1)
                    for *_, detail in plan
                    if (found := SCAN.match(detail)) and found.group(1) not in SMALL
                ]
                told = " ".join(statement.split())
                if scanned and not any(words in told for words in BY_OTHERS):
                    scans[told] = scanned
    assert len(seen) > 150
    assert scans == {}


async def test_what_waits_for_an_address_is_found_without_what_went_there(tmp_path: Path) -> None:
    """A chat keeps its order, which is looked up for each message to it, and what a player was told
    today is counted: with all that a player ever got, each year of play made that dearer.
    """
    async with open_desk(tmp_path) as desk:
        await desk.open_game(2)
        now, file = desk.clock.now(), desk.services.database.file
        assert file is not None
        async with desk.services.database.write() as work:
            (row,) = await work.outbox.list_by_state("sent", 1)
            with statements_seen() as seen:
                await work.outbox.head_to(row.channel, row.address, now, 1)
                await work.outbox.list_before(row, 1)
                await work.outbox.postpone_behind(row, now, now)
                await work.outbox.hasten(row.channel, row.address, now)
                await work.outbox.count_to_address_since(row.channel, row.address, ["turn"], now)
        with closing(sqlite3.connect(file)) as connection:
            plans = [
                connection.execute(f"EXPLAIN QUERY PLAN {statement}", tuple(values)).fetchone()[-1]
                for statement, values in seen.items()
            ]
    assert len(plans) == 5
    narrow = re.compile(r"address=\? AND (state=|created_at>)\?")
    assert [plan for plan in plans if not narrow.search(plan)] == []
