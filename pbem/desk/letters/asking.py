"""Asking for letters to be sent."""

from datetime import datetime

from pbem.desk.jobs import Job
from pbem.desk.ports import Desk
from pbem.desk.slots import AT_ONCE


async def ask_for_delivery(services: Desk, now: datetime) -> None:
    """Ask for turns to send what is due, in each of which more is sent; what gets lost here the
    sweep asks for again.
    """
    async with services.database.read() as work:
        for outbox_id in await work.outbox.due_ids(now, AT_ONCE):
            services.jobs.ask(Job("deliver", (outbox_id,)))
