"""When the machine's clock has gone back: nothing is closed, reminded of or begun until it has
caught up with what was done before.

A phase closed by a clock that is behind would hand on a deadline that has long gone by once the
clock is set right. Whatever the mail server dates itself is not touched: messages are taken and
answered all the while.
"""

from collections.abc import Mapping
from datetime import datetime, timedelta

import structlog

from pbem.store.database import Database
from pbem.store.repositories.marks import CLOCK, CLOSED, DELIVERED, DRAINED, SERVED, SWEPT, MarkRow

TOLERANCE = timedelta(minutes=5)

_log = structlog.get_logger("clock")


def is_behind(marks: Mapping[str, MarkRow], now: datetime) -> bool:
    """Whether the clock shows clearly less than at the last sweep; once it did, until it shows as
    much again.
    """
    last = marks.get(SWEPT)
    if last is None or last.at <= now:
        return False
    return last.at - now > TOLERANCE or CLOCK in marks


async def tell_of_clock(database: Database, marks: Mapping[str, MarkRow], now: datetime) -> None:
    """Say in the log and by the mark CLOCK when the clock begins to be behind, and when that
    ends.
    """
    behind, last = is_behind(marks, now), marks.get(SWEPT)
    if behind and CLOCK not in marks and last is not None:
        async with database.write() as work:
            await work.marks.put(CLOCK, now, last.at.isoformat())
        _log.error("clock-went-back", now=now.isoformat(), last=last.at.isoformat())
    elif CLOCK in marks and not behind:
        async with database.write() as work:
            await work.marks.remove(CLOCK)
        _log.warning("clock-caught-up", now=now.isoformat())


async def accept_clock(database: Database, now: datetime) -> bool:
    """Take the clock as it is: it was ahead before, and is right now. Forgets the marks of a time
    to come; False: there was none.
    """
    async with database.write() as work:
        future = [
            row.name
            for row in (await work.marks.read()).values()
            if row.name in (SWEPT, DRAINED, CLOSED, DELIVERED, SERVED) and row.at > now
        ]
        for name in future:
            await work.marks.remove(name)
        await work.marks.remove(CLOCK)
    return bool(future)
