"""What need not be kept for ever, tidied once a day; and what a restored backup must not do.

A backup knows the instant it was made. Restored, it begins a new epoch of the outbox: what an older
epoch left unsent was most likely sent by the service that is lost, and is withheld unless the
operator wants it sent. The mark RESTORED lets the next service read the mailbox again from a day
before that instant; what it knows already is known, and the rest is what would have been lost.

Raw mails go after some time, except those laid aside, which wait for somebody; orders and events
stay. The words of letters go as well, once their game is over for that long, except each seat's
last ones, which `resend` sends again. A game that runs keeps all its letters. Games that ended
before results were booked are booked then. Pictures are kept as what changed since the one before.
"""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import sqlalchemy as sa
import structlog

from pbem.desk.envelope.letter import EPOCH
from pbem.desk.letters.queue import ask_for_delivery
from pbem.desk.messages.mishaps import tell_who_knocked
from pbem.desk.people.profiles import book_missing
from pbem.desk.ports import Desk
from pbem.desk.precedence import Courtesy
from pbem.store import tables
from pbem.store.database import Database
from pbem.store.repositories.marks import BACKED_UP, PICTURED, RESTORED, SERVED, TIDIED
from pbem.store.repositories.retention import Retention
from pbem.store.work import Work

READ_BEFORE = timedelta(days=1)
"""So much earlier the mailbox is read again: servers search by the day, in whatever zone they live.
"""
LONG_AGO = datetime(1970, 1, 2, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Restored:
    """What was made of a backup. `made_at` is the newest instant that is known to be in it;
    `withheld` letters are not sent any more.
    """

    made_at: datetime
    withheld: int


async def begin_restored(database: Database, now: datetime, *, send: bool) -> Restored:
    """Make a backup ready to be served again, in one transaction. With `send` the letters it has
    not sent are sent.
    """
    async with database.write() as work:
        made_at = await _made_at(work)
        epoch = int(await work.secrets.get(EPOCH) or 0) + 1
        await work.secrets.put(EPOCH, str(epoch))
        withheld = 0
        if not send:
            withheld = await work.outbox.withhold_before_epoch(epoch)
        await work.marks.remove(BACKED_UP)
        await work.marks.remove(SERVED)
        await work.marks.put(RESTORED, made_at, now.isoformat())
    return Restored(made_at, withheld)


async def read_again_since(database: Database) -> datetime | None:
    """From when on we must read the mailbox again; None when nothing was restored, or all was
    read.
    """
    async with database.read() as work:
        mark = await work.marks.find(RESTORED)
    return None if mark is None else mark.at - READ_BEFORE


async def forget_restored(database: Database) -> None:
    """The mailbox was read again to its end."""
    async with database.write() as work:
        await work.marks.remove(RESTORED)


async def _made_at(work: Work) -> datetime:
    """When this backup was made. One that another tool made does not say; then it is the newest
    thing it knows of.
    """
    mark = await work.marks.find(BACKED_UP)
    if mark is not None:
        return mark.at
    last = await work.connection.execute(sa.select(sa.func.max(tables.inbox.c.stored_at)))
    sent = await work.connection.execute(sa.select(sa.func.max(tables.outbox.c.created_at)))
    return max(
        (at for at in (last.scalar_one(), sent.scalar_one()) if at is not None), default=LONG_AGO
    )


def kept_name(file: Path, now: datetime) -> Path:
    """The name under which the former database stays next to the restored one."""
    return file.with_name(f"{file.name}.before-restore-{now:%Y%m%dT%H%M%SZ}")


EVERY = timedelta(days=1)
PICTURES_AT_A_TIME = 2000
"""Each takes some hundredths of a second of processor time. More than come in a day: a store from
before there were differences catches up within days.
"""

_log = structlog.get_logger("housekeeping")


async def keep_house(services: Desk) -> int:
    """Drop what is old enough, once a day; how many raw mails."""
    now = services.clock.now()
    before = now - timedelta(days=services.policy.keep_raw_days)
    async with services.write() as tx:
        last = await tx.work.marks.find(TIDIED)
        if last is not None and now - last.at < EVERY:
            return 0
        await tx.work.marks.put(TIDIED, now)
        await tell_who_knocked(tx, last.at if last is not None else now - EVERY)
        mails = await tx.work.inbox.drop_raw_before(before)
        store = Retention(tx.work.connection)
        letters = await store.empty_letters_before(before)
        await store.blank_confirmations_before(before)
        await tx.work.taps.drop_before(before)
    await ask_for_delivery(services, now)
    await book_missing(services)
    await keep_differences(services.database, now, services.precedence.tidying())
    if mails or letters:
        _log.info("tidied", inbox=mails, outbox=letters)
    return mails


async def keep_differences(
    database: Database, now: datetime, courtesy: Courtesy | None = None
) -> None:
    """Keep the pictures that came since the last time as what changed in them. Each is a
    transaction of its own and gives way, so that nobody waits; what is not done today is done
    tomorrow.
    """
    async with database.read() as work:
        mark = await work.marks.find(PICTURED)
    done = int(mark.detail) if mark is not None else 0
    for _ in range(PICTURES_AT_A_TIME):
        if courtesy is not None:
            await courtesy.give_way()
        async with database.read() as work:
            found = await work.pictures.difference_after(done)
        if found is None:
            return
        done, difference = found
        async with database.write(gives_way=True, durable=False) as work:
            if difference is not None:
                await work.pictures.keep_as(done, difference)
            await work.marks.put(PICTURED, now, str(done))
