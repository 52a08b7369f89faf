"""The sweep: finds in the database whatever is due, and asks for it. The queue may lose everything;
this does not.
"""

from datetime import datetime

import structlog

from pbem.desk.authentication.kept import PURPOSES
from pbem.desk.envelope.lanes import STRANGERS, leave_strangers
from pbem.desk.jobs import Job
from pbem.desk.people.leaving import next_people_at
from pbem.desk.phases.close import end_of_deadline, may_close_early, read_standings
from pbem.desk.phases.remind import next_reminder_at
from pbem.desk.phases.retries import next_try_at
from pbem.desk.phases.tending import next_tending_at
from pbem.desk.phases.timekeeping import watch_clock
from pbem.desk.ports import Context, Desk, Services
from pbem.desk.slots import AT_ONCE
from pbem.desk.table import load_table
from pbem.desk.upkeep.housekeeping import EVERY
from pbem.store.errors import StoreError
from pbem.store.repositories.marks import TIDIED
from pbem.store.repositories.phases import PhaseRow
from pbem.store.work import Work

BATCH = 200

_log = structlog.get_logger("sweep")


async def sweep(services: Services) -> frozenset[Job]:
    """Ask for everything that is due now; which jobs these were. A close is due once its deadline's
    own second is over.

    While the machine's clock is behind, messages are handled and letters sent, and nothing else.
    """
    now = services.clock.now()
    behind = await watch_clock(services, now)
    await leave_strangers(services.database)
    async with services.database.read() as work:
        asked = await _find_work_in_hand(work, services, now)
        if not behind:
            asked |= await _find_due(work, services, now)
    for job in asked:
        services.jobs.ask(job)
    return frozenset(asked)


async def _find_work_in_hand(work: Work, services: Services, now: datetime) -> dict[Job, None]:
    """Messages to be handled and letters to be sent, in their order."""
    but_not = services.intake.strangers.exhausted(now)
    messages = await work.inbox.next_new(BATCH, bound=STRANGERS, but_not=but_not)
    letters = await work.outbox.due_ids(now, AT_ONCE)
    jobs = [Job("receive", (message.id,)) for message in messages]
    return dict.fromkeys((*jobs, *(Job("deliver", (letter,)) for letter in letters)))


async def _find_due(work: Work, context: Context, now: datetime) -> dict[Job, None]:
    """What the time has come for."""
    asked = [
        Job("tend_table", (game.id,))
        for game in await work.games.list_by_status("open")
        if (tend_at := next_tending_at(game)) is not None and tend_at <= now
    ]
    asked += [Job("tell_press", (person,)) for person in await work.press.readers_waiting(now)]
    asked += [Job("settle_motion", (motion.id,)) for motion in await work.motions.list_due(now)]
    over = await work.pending.list_over(PURPOSES, now)
    asked += [Job("end_question", (pending.id,)) for pending in over]
    for game in await work.games.list_by_status("running", "paused"):
        people_at = await next_people_at(work, game)
        if people_at is not None and people_at <= now:
            asked.append(Job("tend_table", (game.id,)))
    tidied = await work.marks.find(TIDIED)
    if tidied is None or now - tidied.at >= EVERY:
        asked.append(Job("keep_house"))
    for phase in await work.phases.list_running():
        try:
            asked += await _look_at(work, context, phase, now)
        except StoreError:
            raise
        # a table that cannot be read must not keep the others waiting
        except Exception as error:  # noqa: BLE001
            _log.error("table-unreadable", game=phase.game_id, phase=phase.number, exc_info=error)
    return dict.fromkeys(asked)


async def _look_at(work: Work, context: Context, phase: PhaseRow, now: datetime) -> list[Job]:
    """What is due at one table. A close that went wrong is asked for all the same: it knows when it
    may be tried, and tells why not.
    """
    game = await work.games.find(phase.game_id)
    if game is None:
        return []
    close = Job("close_phase", (game.id, phase.number))
    if end_of_deadline(phase.deadline) <= now or next_try_at(game) is not None:
        return [close]
    asked: list[Job] = []
    remind_at = next_reminder_at(phase, context.policy.remind_hours)
    if remind_at is not None and remind_at <= now:
        asked.append(Job("remind", (game.id, phase.number)))
    table = await load_table(work, context.games, game)
    if may_close_early(table, await read_standings(work, table)):
        asked.append(close)
    return asked


async def next_due_at(services: Desk) -> datetime | None:
    """The next instant at which something becomes due by itself; None when nothing will."""
    instants: list[datetime] = []
    async with services.database.read() as work:
        for phase in await work.phases.list_running():
            game = await work.games.find(phase.game_id)
            if game is None:
                continue
            again_at = next_try_at(game)
            if again_at is not None:
                instants.append(again_at)
                continue
            instants.append(end_of_deadline(phase.deadline))
            remind_at = next_reminder_at(phase, services.policy.remind_hours)
            if remind_at is not None:
                instants.append(remind_at)
        instants += [
            at
            for game in await work.games.list_by_status("open")
            if (at := next_tending_at(game)) is not None
        ]
        for game in await work.games.list_by_status("running", "paused"):
            instants += [at for at in (await next_people_at(work, game),) if at is not None]
        letter_at = await work.outbox.next_due_at()
        vote_at = await work.motions.next_due_at()
        press_at = await work.press.next_due_at()
        question_at = await work.pending.next_over_at(PURPOSES)
    instants += [at for at in (letter_at, press_at, question_at) if at is not None]
    if vote_at is not None:
        instants.append(vote_at)
    return min(instants, default=None)
