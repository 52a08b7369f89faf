"""Asking for letters to be sent."""

from collections.abc import Sequence
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


async def ask_for_queued(services: Desk, queued: Sequence[int | None], now: datetime) -> None:
    """Ask for what a unit of work has queued: one letter goes without a look at what is due."""
    if len(queued) == 1 and queued[0] is not None:
        services.jobs.ask(Job("deliver", (queued[0],)))
    elif queued:
        await ask_for_delivery(services, now)
