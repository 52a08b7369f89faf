"""What need not be kept for ever: raw mails go after some time, orders and events stay."""

from datetime import timedelta

from pbem.desk.ports import Parts
from pbem.store.marks import TIDIED

EVERY = timedelta(days=1)


async def keep_house(parts: Parts) -> int:
    """Drop the raw mails that are old enough, once a day; how many."""
    now = parts.clock.now()
    async with parts.database.write() as work:
        last = await work.marks.find(TIDIED)
        if last is not None and now - last.at < EVERY:
            return 0
        await work.marks.put(TIDIED, now)
        return await work.inbox.drop_raw_before(now - timedelta(days=parts.policy.keep_raw_days))
