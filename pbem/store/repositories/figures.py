"""How the house stands, in numbers: what waits, for how long, and what went wrong. Counts and
instants only, nobody's anything.
"""

from datetime import datetime, timedelta
from typing import Any

import msgspec
import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from pbem.store.tables import addresses, games, inbox, marks, outbox, phases


class Figures(msgspec.Struct, frozen=True):
    """The house at one look.

    `inbox_oldest_at` is when the longest waiting message was stored (those parked for a close do
    not wait for us), `outbox_oldest_at` when the longest unsent letter should have gone out.
    `overdue_closes` are open phases whose deadline is over for longer than the grace, without the
    held ones and those whose close failed too often.
    """

    marks: dict[str, datetime]
    inbox_waiting: int
    inbox_oldest_at: datetime | None
    shunted: int
    outbox_waiting: int
    outbox_oldest_at: datetime | None
    outbox_refused_lately: int
    games_running: int
    overdue_closes: int
    held_closes: int
    failed_closes: int
    suspended_addresses: int


async def read_figures(
    connection: AsyncConnection,
    now: datetime,
    *,
    grace: timedelta,
    most_attempts: int,
    lately: timedelta,
    last_lane: int,
) -> Figures:
    """Count, in a few small statements over indexes. What waits in `last_lane` of the inbox waits
    for its budget: that is no delay.
    """
    waiting = sa.and_(inbox.c.state == "new", inbox.c.game_id.is_(None))
    unsent = sa.and_(outbox.c.state.in_(("queued", "sending")), outbox.c.due_at <= now)
    current = sa.and_(
        games.c.id == phases.c.game_id,
        games.c.phase_number == phases.c.number,
        games.c.status == "running",
        phases.c.status != "closed",
    )
    failed = games.c.attempts >= most_attempts
    overdue = sa.and_(phases.c.deadline < now - grace, phases.c.status != "held", ~failed)

    async def first(statement: sa.Executable) -> Any:
        return (await connection.execute(statement)).one()

    async def count(table: sa.Table, *where: sa.ColumnElement[bool]) -> int:
        (found,) = await first(sa.select(sa.func.count()).select_from(table).where(*where))
        return int(found)

    in_lanes = sa.func.min(inbox.c.stored_at).filter(inbox.c.lane < last_lane)
    inbox_waiting, inbox_oldest_at = await first(
        sa.select(sa.func.count(), in_lanes).where(waiting)
    )
    outbox_waiting, outbox_oldest_at = await first(
        sa.select(sa.func.count(), sa.func.min(outbox.c.due_at)).where(unsent)
    )
    closes = (overdue, sa.and_(phases.c.status == "held", ~failed), failed)
    overdue_closes, held_closes, failed_closes = await first(
        sa.select(*(sa.func.count().filter(wanted) for wanted in closes)).select_from(
            phases.join(games, current)
        )
    )
    rows = await connection.execute(sa.select(marks.c.name, marks.c.at))
    refused_lately = (outbox.c.state == "refused", outbox.c.created_at >= now - lately)
    return Figures(
        marks=dict(rows.all()),
        inbox_waiting=inbox_waiting,
        inbox_oldest_at=inbox_oldest_at,
        shunted=await count(inbox, inbox.c.state == "shunted"),
        outbox_waiting=outbox_waiting,
        outbox_oldest_at=outbox_oldest_at,
        outbox_refused_lately=await count(outbox, *refused_lately),
        games_running=await count(games, games.c.status == "running"),
        overdue_closes=overdue_closes,
        held_closes=held_closes,
        failed_closes=failed_closes,
        suspended_addresses=await count(addresses, addresses.c.state == "suspended"),
    )
