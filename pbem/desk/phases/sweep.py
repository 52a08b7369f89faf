"""The sweep: finds in the database whatever is due, and asks for it. The queue may lose everything;
this does not.
"""

from collections.abc import Mapping
from datetime import datetime

import structlog

from pbem.desk.authentication.kept import PURPOSES
from pbem.desk.envelope.message import STRANGERS, leave_strangers
from pbem.desk.hours import runs_out_at
from pbem.desk.jobs import Job
from pbem.desk.lobby.resignations import CHANGES, list_changes
from pbem.desk.phases.grace import next_reminder_at
from pbem.desk.phases.hindrances import is_behind, next_try_at, tell_of_clock
from pbem.desk.phases.lobbies import next_tending_at
from pbem.desk.phases.standings import (
    end_of_deadline,
    may_close_early,
    read_standings,
    stands_to_end,
)
from pbem.desk.ports import Services, Transaction
from pbem.desk.precedence import AT_ONCE
from pbem.desk.table import load_table
from pbem.desk.upkeep.housekeeping import EVERY
from pbem.store.errors import StoreError
from pbem.store.repositories.agenda import AgendaRow
from pbem.store.repositories.marks import TIDIED, MarkRow

BATCH = 200

_log = structlog.get_logger("sweep")


async def sweep(services: Services) -> frozenset[Job]:
    """Ask for everything that is due now; which jobs these were. A close is due once its deadline's
    own second is over.

    While the machine's clock is behind, messages are handled and letters sent, and nothing else.
    """
    now = services.clock.now()
    async with services.read() as tx:
        marks = await tx.work.marks.read()
        agenda = await tx.work.agenda.read(now, lane=STRANGERS, questions=PURPOSES, changes=CHANGES)
        asked = dict[Job, None]()
        if agenda.messages or agenda.letters:
            asked |= await _find_work_in_hand(tx, now)
        if not is_behind(marks, now):
            asked |= await _find_due(tx, agenda, marks, now)
    await tell_of_clock(services.database, marks, now)
    if agenda.known:
        await leave_strangers(services.database)
        async with services.read() as tx:
            asked = await _find_work_in_hand(tx, now) | asked
    for job in asked:
        services.jobs.ask(job)
    return frozenset(asked)


async def _find_work_in_hand(tx: Transaction[Services], now: datetime) -> dict[Job, None]:
    """Messages to be handled and letters to be sent, in their order."""
    but_not = tx.services.intake.strangers.exhausted(now)
    messages = await tx.work.inbox.next_new(BATCH, now=now, bound=STRANGERS, but_not=but_not)
    letters = await tx.work.outbox.due_ids(now, AT_ONCE)
    jobs = [Job("receive", (message.id,)) for message in messages]
    return dict.fromkeys((*jobs, *(Job("deliver", (letter,)) for letter in letters)))


async def _find_due(
    tx: Transaction[Services],
    agenda: AgendaRow,
    marks: Mapping[str, MarkRow],
    now: datetime,
) -> dict[Job, None]:
    """What the time has come for."""
    asked = [
        Job("tend_table", (game.id,))
        for game in await tx.work.games.list_by_status("open", "paused")
        if (at := next_tending_at(game)) is not None and at <= now
    ]
    if agenda.press:
        asked += [
            Job("tell_press", (person,)) for person in await tx.work.press.readers_waiting(now)
        ]
    if agenda.motions:
        asked += [
            Job("settle_motion", (motion.id,)) for motion in await tx.work.motions.list_due(now)
        ]
    if agenda.questions:
        over = await tx.work.pending.list_over(PURPOSES, now)
        asked += [Job("end_question", (pending.id,)) for pending in over]
    if agenda.changes:
        over_at = [game_id for game_id, at in await list_changes(tx.work) if at <= now]
        asked += [
            Job("tend_table", (game.id,))
            for game in await tx.work.games.list_of(over_at)
            if game.status in ("running", "paused")
        ]
    tidied = marks.get(TIDIED)
    if tidied is None or now - tidied.at >= EVERY:
        asked.append(Job("keep_house"))
    asked += await _find_due_phases(tx, now)
    return dict.fromkeys(asked)


async def _find_due_phases(tx: Transaction[Services], now: datetime) -> list[Job]:
    """What is due at the tables whose clock runs. A close that went wrong is asked for
    anyway: it knows when it may be tried, and tells why not. While closes are in hand, nobody looks
    whether other tables may close before their deadline.
    """
    asked: list[Job] = []
    running = await tx.work.phases.list_running_versions()
    tx.services.unready.keep_only({row.phase.game_id for row in running})
    for row in running:
        phase, game_id = row.phase, row.phase.game_id
        close = Job("close_phase", (game_id, phase.number))
        if end_of_deadline(phase.deadline) <= now or next_try_at(row) is not None:
            asked.append(close)
            continue
        remind_at = next_reminder_at(phase, tx.services.policy.remind_hours)
        if remind_at is not None and remind_at <= now:
            asked.append(Job("remind", (game_id, phase.number)))
        seen = (phase, row.version)
        if tx.services.precedence.holds_news or tx.services.unready.is_known(game_id, seen, now):
            continue
        game = await tx.work.games.find(game_id)
        if game is None:
            continue
        try:
            table = await load_table(tx, game, phase)
            standings = await read_standings(tx.work, table)
            is_ready = may_close_early(table, standings) or stands_to_end(table, standings)
            asks = bool(table.kind.ruleset.ruling_requests(table.state, standings))
            settles = None if table.settles_at is None else end_of_deadline(table.settles_at)
            is_ready = is_ready or (settles is not None and settles <= now)
            runs_out = runs_out_at(table)
        except StoreError:
            raise
        # a table that cannot be read must not keep the others waiting
        except Exception as error:  # noqa: BLE001
            _log.error("table-unreadable", game=game_id, phase=phase.number, exc_info=error)
            continue
        if asks:
            asked.append(Job("ask_master", (game_id,)))
        if is_ready:
            asked.append(close)
        elif runs_out is not None and runs_out <= now:
            asked.append(Job("let_run_out", (game_id, phase.number)))
        else:
            ends = [at for at in (runs_out, settles) if at is not None]
            tx.services.unready.note(game_id, seen, min(ends, default=None))
    return asked


async def next_due_at(services: Services) -> datetime | None:
    """The next instant at which something becomes due by itself; None when nothing will."""
    instants: list[datetime | None] = [services.unready.next_until()]
    async with services.database.read() as work:
        games = await work.games.list_by_status("open", "running", "paused")
        begun = {game.id: game for game in games if game.status != "open"}
        for phase in await work.phases.list_running():
            again_at = next_try_at(begun[phase.game_id])
            if again_at is not None:
                instants.append(again_at)
                continue
            instants.append(end_of_deadline(phase.deadline))
            instants.append(next_reminder_at(phase, services.policy.remind_hours))
        instants += [next_tending_at(game) for game in games if game.status != "running"]
        instants += [at for game_id, at in await list_changes(work) if game_id in begun]
        instants.append(await work.outbox.next_due_at())
        instants.append(await work.parts.next_until())
        instants.append(await work.motions.next_due_at())
        instants.append(await work.press.next_due_at())
        instants.append(await work.pending.next_over_at(PURPOSES))
    return min((at for at in instants if at is not None), default=None)
