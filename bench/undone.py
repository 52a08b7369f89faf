"""What a desk has left undone at the end: messages without an answer, phases that are due, letters
that wait.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta

import sqlalchemy as sa

from pbem.desk.ports import Services
from pbem.store import tables


@dataclass(frozen=True, slots=True)
class Undone:
    """What was left at the end: numbers, all 0 where all is well."""

    waiting: int
    laid_aside: int
    unanswered: Mapping[str, int]
    overdue: int
    unsent: int

    @property
    def is_nothing(self) -> bool:
        return not (
            self.waiting or self.laid_aside or self.unanswered or self.overdue or self.unsent
        )


async def undone(services: Services, look: timedelta) -> Undone:
    """What the desk should have done and has not; `look` is how often it looks what is due."""
    now = services.clock.now()
    inbox, outbox, phases, games = tables.inbox, tables.outbox, tables.phases, tables.games
    answered = sa.exists().where(  # or the result went out at once, as the message ended the phase
        (outbox.c.correlation == sa.literal("m") + sa.cast(inbox.c.id, sa.String))
        | ((outbox.c.seat_id == inbox.c.seat_id) & (outbox.c.created_at == inbox.c.stored_at))
    )
    async with services.database.read() as work:
        states = {state: len(await work.inbox.list_by_state(state)) for state in ("new", "shunted")}
        silent = await work.connection.execute(
            sa.select(inbox.c.outcome, sa.func.count())
            .where(inbox.c.state.in_(("handled", "ignored")), ~answered)
            .group_by(inbox.c.outcome)
        )
        overdue = await work.connection.execute(
            sa.select(sa.func.count())
            .select_from(phases.join(games, games.c.id == phases.c.game_id))
            .where(
                phases.c.status != "closed",
                games.c.status == "running",
                phases.c.deadline < now - look,
            )
        )
        unsent = await work.connection.execute(
            sa.select(sa.func.count()).where(
                outbox.c.state.in_(("queued", "sending")), outbox.c.next_try_at <= now - look
            )
        )
        return Undone(
            states["new"],
            states["shunted"],
            {str(outcome): count for outcome, count in silent.all()},
            overdue.scalar_one(),
            unsent.scalar_one(),
        )
