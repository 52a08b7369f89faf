"""What need not be kept for ever, tidied once a day.

Raw mails go after some time, except those laid aside, which wait for somebody; orders and events
stay. The words of letters go as well, once their game is over for that long, except each seat's
last ones, which `resend` sends again. A game that runs keeps all its letters. Games that ended
before results were booked are booked then.
"""

from datetime import timedelta

import structlog

from pbem.desk.letters.queue import ask_for_delivery
from pbem.desk.messages.refusals import tell_who_knocked
from pbem.desk.people.profiles import book_missing
from pbem.desk.ports import Desk
from pbem.store.repositories.marks import TIDIED
from pbem.store.repositories.retention import Retention

EVERY = timedelta(days=1)

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
    if mails or letters:
        _log.info("tidied", inbox=mails, outbox=letters)
    return mails
