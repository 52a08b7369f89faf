"""Some weeks of the year that `make year` lives, with a few tables: what must not grow does not, and
nothing is left undone. How long anything took is nobody's matter here.
"""

from datetime import timedelta
from pathlib import Path

import pytest
import sqlalchemy as sa

from bench.timing import growth
from bench.year import Plan, Year, lived, undone
from pbem.store import tables
from tests.rings import at_length

PLAN = Plan(tables=4, days=at_length(16, 36), month_days=4, keep_raw_days=6, board_octets=20_000)
MOST = {
    "statements a message": 1.15,
    "statements a close": 1.15,
    "statements a look": 1.15,
    "blocks of memory": 1.15,
}
"""The last four days against the second four: so many times as much, with few of each kind."""


@pytest.mark.long(held_by="tests/desk/messages, tests/desk/phases (each step by itself)")
async def test_weeks_of_four_tables_leave_nothing_undone_and_grow_nowhere(tmp_path: Path) -> None:
    async with lived(PLAN, tmp_path) as year:
        left = await undone(year.services)
        assert left.is_nothing, left
        assert {month.running + month.idle for month in year.months[1:]} == {PLAN.tables}
        assert sum(month.closes for month in year.months) > 2 * PLAN.days
        assert {"orders", "joined", "linked", "press"} <= set(year.tally.outcomes)
        times = growth(year.months[1], year.months[-1], few=2)
        assert {name: times[name] for name, most in MOST.items() if not times[name] <= most} == {}
        await _holds_rows(year)


async def _holds_rows(year: Year) -> None:
    """Each message has one row and few letters, and its bytes go after some days."""
    inbox, outbox = tables.inbox, tables.outbox
    old = year.clock.now() - timedelta(days=PLAN.keep_raw_days + 1)
    async with year.services.database.read() as work:
        answers = sa.select(sa.func.count()).where(outbox.c.correlation.like("m%"))
        kept = sa.select(sa.func.count()).where(inbox.c.received_at < old, inbox.c.raw.is_not(None))
        messages = sa.select(sa.func.count()).select_from(inbox)
        counts = [
            (await work.connection.execute(query)).scalar_one()
            for query in (answers, kept, messages)
        ]
    assert counts[1:] == [0, year.written]
    assert counts[0] < 3 * counts[2]
