"""Some weeks of the year that `make year` lives, with a few tables: what must not grow does not, and
nothing is left undone. How long anything took is nobody's matter here.
"""

from array import array
from datetime import timedelta
from pathlib import Path

import pytest
import sqlalchemy as sa

from bench.table import start_of_time, write_answer
from bench.timing import LIMITS, Kind, Month, growth
from bench.undone import undone
from bench.year import LOOK, Plan, Year, lived
from pbem.desk.messages.intake import store_mail
from pbem.mail.ports import StoredMail
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


def month(*, cpu: float = 10.0, statements: int = 20, blocks: int = 1000) -> Month:
    """A month in which everything happened ten times."""
    of = {
        (what, "some"): Kind(array("d", [cpu] * 10), array("i", [statements] * 10))
        for what in ("message", "close", "letter", "look")
    }
    speed = array("d", [1.0])
    return Month(of, speed, sent=10, blocks=blocks, resident_mb=blocks / 10)


def test_a_month_that_costs_more_than_another_is_told_by_what_it_costs() -> None:
    early = month()
    assert set(growth(early, month()).values()) == {1.0}
    for grown, word in (
        (month(cpu=15.1), "CPU"),
        (month(statements=21), "statements"),
        (month(blocks=1200), "memory"),
    ):
        times = growth(early, grown)
        over = {name for name, most in LIMITS.items() if not times[name] <= most}
        assert over == {name for name in LIMITS if word in name}
    slow = month(cpu=15.1)
    slow.yardstick = array("d", [1.51])
    assert growth(early, slow)["CPU a message"] == pytest.approx(1.0)
    seldom = growth(early, Month({}, early.yardstick, blocks=1, resident_mb=1.0))["CPU a close"]
    assert not seldom <= LIMITS["CPU a close"]


async def test_a_message_that_nobody_handles_is_told(tmp_path: Path) -> None:
    async with lived(Plan(tables=1, days=0), tmp_path) as year:
        assert (await undone(year.services, LOOK)).is_nothing
        raw = write_answer(1, "anna@players.example", "orders@house.example", "hello")
        await store_mail(year.services, StoredMail(raw, start_of_time(), 1, 1, oversize=False))
        year.clock.instant += 2 * LOOK
        left = await undone(year.services, LOOK)
    assert (left.waiting, left.laid_aside, left.is_nothing) == (1, 0, False)


@pytest.mark.long(held_by="tests/desk/messages, tests/desk/phases (each step by itself)")
async def test_weeks_of_four_tables_leave_nothing_undone_and_grow_nowhere(tmp_path: Path) -> None:
    async with lived(PLAN, tmp_path) as year:
        left = await undone(year.services, LOOK)
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
