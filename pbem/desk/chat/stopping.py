"""Saying that the bot's updates are taken by somebody else, and that we have stopped: in the marks, and to the game masters."""

from pbem.desk.letters.addressing import letter_to_master
from pbem.desk.letters.outgoing import queue_letter
from pbem.desk.people.masters import list_masters
from pbem.desk.ports import Parts
from pbem.desk.table import house_table
from pbem.pages.page import Reader
from pbem.store.repositories.marks import TELEGRAM_STOPPED

KIND = "telegram-stopped"


async def tell_stopped(parts: Parts, told: str) -> None:
    """Once a stop. `told` is what Telegram said."""
    now = parts.clock.now()
    async with parts.database.write() as work:
        await work.marks.put(TELEGRAM_STOPPED, now, told[:200])
        for master in await list_masters(work, parts.policy):
            name = master.name or parts.policy.name
            page = parts.chat_pages.stopped(house_table(parts.policy, now), Reader(None, name, master.zone, master.locale), told)
            key = f"{KIND}:{now.isoformat()}:{master.address}"
            letter = letter_to_master(page, kind=KIND, dedupe_key=key, policy=parts.policy, key=parts.key, master=master, to_name=name)
            await queue_letter(work, letter, now)
