"""When the machine's clock has gone back: nothing is closed, reminded of or begun until it has
caught up with what was done before.

A phase closed by a clock that is behind would hand on a deadline that has long gone by once the
clock is set right. Whatever the mail server dates itself is not touched: messages are taken and
answered all the while.
"""

from datetime import datetime, timedelta

import structlog

from pbem.desk.ports import Desk
from pbem.store.database import Database
from pbem.store.repositories.marks import CLOCK, CLOSED, DELIVERED, DRAINED, SERVED, SWEPT
from pbem.store.work import Work

TOLERANCE = timedelta(minutes=5)

_log = structlog.get_logger("clock")


async def is_behind(work: Work, now: datetime) -> bool:
    """Whether the clock shows clearly less than at the last sweep; once it did, until it shows as
    much again.
    """
    last = await work.marks.find(SWEPT)
    if last is None or last.at <= now:
        return False
    return last.at - now > TOLERANCE or await work.marks.find(CLOCK) is not None


async def watch_clock(services: Desk, now: datetime) -> bool:
    """As `is_behind`; says in the log and by the mark CLOCK when it begins and when it is over."""
    async with services.database.read() as work:
        behind = await is_behind(work, now)
        last, told = await work.marks.find(SWEPT), await work.marks.find(CLOCK)
    if behind and told is None and last is not None:
        async with services.database.write() as work:
            await work.marks.put(CLOCK, now, last.at.isoformat())
        _log.error("clock-went-back", now=now.isoformat(), last=last.at.isoformat())
    elif told is not None and not behind:
        async with services.database.write() as work:
            await work.marks.remove(CLOCK)
        _log.warning("clock-caught-up", now=now.isoformat())
    return behind


async def accept_clock(database: Database, now: datetime) -> bool:
    """Take the clock as it is: it was ahead before, and is right now. Forgets the marks of a time
    to come; False: there was none.
    """
    async with database.write() as work:
        future = [
            row.name
            for row in await work.marks.list_all()
            if row.name in (SWEPT, DRAINED, CLOSED, DELIVERED, SERVED) and row.at > now
        ]
        for name in future:
            await work.marks.remove(name)
        await work.marks.remove(CLOCK)
    return bool(future)
