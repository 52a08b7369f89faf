"""The open deadline on its way: moved within a unit of work, with everything that hangs on it. Who is told, and how, is the caller's."""

from datetime import datetime, timedelta

import msgspec

from pbem.desk.ports import Policy
from pbem.store.phases import PhaseRow
from pbem.store.work import Work


def count_passed(deadline: datetime, remind_hours: tuple[float, ...], now: datetime) -> int:
    """How many reminders of a phase that ends then have had their moment."""
    return sum(deadline - timedelta(hours=hours) <= now for hours in remind_hours)


async def move_deadline(work: Work, policy: Policy, phase: PhaseRow, deadline: datetime, now: datetime) -> PhaseRow | None:
    """Move it, send again whatever reminder is ahead again, and let in what is in time now. The phase as it is then, its calendar entry
    one further; None if the deadline was moved, or the phase closed, at the same moment. The game is locked by the caller.
    """
    moved = phase
    if deadline != phase.deadline:
        moved = msgspec.structs.replace(phase, deadline=deadline, ics_sequence=phase.ics_sequence + 1)
        if not await work.phases.move_deadline(phase.game_id, phase.number, phase.deadline, deadline):
            return None
    if phase.status == "held":
        await work.phases.reopen(phase.game_id, phase.number)
    await work.phases.arm_reminders(phase.game_id, phase.number, count_passed(deadline, policy.remind_hours, now))
    await work.games.forget_attempts(phase.game_id)
    await work.inbox.release(phase.game_id)  # what came too late may now be in time
    return moved
