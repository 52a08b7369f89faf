"""The sweep: finds in the database whatever is due, and asks for it. The queue may lose everything; this does not."""

from datetime import datetime

from pbem.desk.close import MAX_ATTEMPTS, may_close_early, read_standings
from pbem.desk.ports import Parts
from pbem.desk.remind import next_reminder_at
from pbem.desk.table import load_table

BATCH = 200


async def sweep(parts: Parts) -> int:
    """Ask for everything that is due now; how many jobs that were."""
    now = parts.clock.now()
    asked = 0
    async with parts.database.read() as work:
        for message in await work.inbox.next_new(BATCH):
            parts.jobs.receive(message.id)
            asked += 1
        for letter in await work.outbox.due(now, BATCH):
            parts.jobs.deliver(letter.id)
            asked += 1
        for phase in await work.phases.list_running():
            game = await work.games.find(phase.game_id)
            if game is None or game.attempts >= MAX_ATTEMPTS:
                continue
            if phase.deadline <= now:
                parts.jobs.close_phase(game.id, phase.number)
                asked += 1
                continue
            remind_at = next_reminder_at(phase, parts.policy.remind_hours)
            if remind_at is not None and remind_at <= now:
                parts.jobs.remind(game.id, phase.number)
                asked += 1
            table = await load_table(work, parts.games, game)
            if may_close_early(table, await read_standings(work, table)):
                parts.jobs.close_phase(game.id, phase.number)
                asked += 1
    return asked


async def next_due_at(parts: Parts) -> datetime | None:
    """The next instant at which something becomes due by itself; None when nothing will."""
    instants: list[datetime] = []
    async with parts.database.read() as work:
        for phase in await work.phases.list_running():
            instants.append(phase.deadline)
            remind_at = next_reminder_at(phase, parts.policy.remind_hours)
            if remind_at is not None:
                instants.append(remind_at)
        letter_at = await work.outbox.next_due_at()
    if letter_at is not None:
        instants.append(letter_at)
    return min(instants, default=None)
