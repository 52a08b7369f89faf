"""Saying that the bot's updates are taken by somebody else, and that we have stopped: in the marks,
and to the game masters.
"""

from pbem.desk.envelope.addressing import letter_to
from pbem.desk.letters.outgoing import queue_letter
from pbem.desk.people.masters import list_masters
from pbem.desk.ports import Desk
from pbem.desk.table import house_table
from pbem.pages.page import Reader
from pbem.store.repositories.marks import TELEGRAM_STOPPED

KIND = "telegram-stopped"


async def tell_stopped(services: Desk, told: str) -> None:
    """Once a stop. `told` is what Telegram said."""
    now = services.clock.now()
    async with services.database.write() as work:
        await work.marks.put(TELEGRAM_STOPPED, now, told[:200])
        for master in await list_masters(work, services.policy):
            name = master.name or services.policy.name
            page = services.pages.chat.stopped(
                house_table(services.policy, now),
                Reader(None, name, master.zone, master.locale),
                told,
            )
            key = f"{KIND}:{now.isoformat()}:{master.address}"
            letter = letter_to(services, master.recipient(services.key, name), page, KIND, key)
            await queue_letter(work, letter, now)
