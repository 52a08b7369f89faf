"""The open phase's clock: extend or shorten it, close the phase now, stop the clock and let it
continue; grant or refuse a player's request for more time.
"""

import dataclasses
from dataclasses import replace
from datetime import datetime, timedelta

import msgspec

from pbem.desk.gm.command import commanded
from pbem.desk.jobs import Job
from pbem.desk.letters.calendars import take_back_entries, take_back_open_entries
from pbem.desk.letters.post import Told, at_table, read_post
from pbem.desk.letters.queue import queue_letters
from pbem.desk.mandate import By, Refused, check_phase, find_game, find_open_phase
from pbem.desk.phases.ballots import detail_of
from pbem.desk.phases.clock import deadline_resumed, move_deadline, resume_clock, stop_clock
from pbem.desk.phases.more_time import REQUEST
from pbem.desk.ports import Context, Desk, Transaction
from pbem.desk.table import OpenTable
from pbem.pages.announcements import ClosedEarly, Paused, Resumed
from pbem.pages.notice import notice_page
from pbem.pages.notices import DeadlineChanged
from pbem.pages.time import MoreTimeRefused
from pbem.store.repositories.games import GameRow
from pbem.store.repositories.motions import MotionRow
from pbem.store.repositories.phases import PhaseRow
from pbem.store.work import Work

MAX_EXTENSION = timedelta(days=30)
MAX_WINDOW = timedelta(days=90)
LEAST_LEFT = timedelta(hours=1)


async def extend(
    services: Desk,
    slug: str,
    deadline: datetime,
    by: By,
    *,
    shorten: bool = False,
    reason: str = "",
) -> datetime:
    """Move the open deadline, announce it once to everybody, with a new calendar entry. The new
    deadline comes back.

    At most 30 days at once, and a phase lasts at most 90 in all; what is left is never shortened
    below an hour.
    """
    now = services.clock.now()
    async with commanded(services, by, "gm.extend.written") as tx:
        game, table, phase = await find_open_phase(tx, slug)
        check_phase(phase, by)
        detail: dict[str, object] = {
            "phase": phase.number,
            "from": phase.deadline.isoformat(),
            "to": deadline.isoformat(),
        }
        if reason:
            detail["reason"] = reason
        entry = await tx.log("game extend", detail, game.id)
        check_deadline(phase, deadline, now, shorten=shorten)
        await tell_moved(tx, table, phase, deadline, by, f"deadline:{entry}")
    return deadline


def check_deadline(phase: PhaseRow, deadline: datetime, now: datetime, *, shorten: bool) -> None:
    """Refused for a deadline that this phase cannot get."""
    if deadline <= now:
        raise Refused("in-the-past", "that time has passed; close closes the phase at once")
    if deadline == phase.deadline:
        raise Refused("same-deadline", "that is already the deadline; nobody was told")
    if deadline < phase.deadline and not shorten:
        raise Refused(
            "shorter",
            f"that is earlier than the present deadline ({phase.deadline:%Y-%m-%d %H:%M} UTC);"
            " shorten it if you mean it",
        )
    if deadline < phase.deadline and deadline < now + LEAST_LEFT:
        raise Refused(
            "too-soon",
            "leave at least an hour to answer; close closes the phase at once",
        )
    if deadline > max(now, phase.deadline) + MAX_EXTENSION:
        raise Refused("too-long", f"at most {MAX_EXTENSION.days} days at once")
    if deadline > phase.deadline and deadline > phase.opened_at + MAX_WINDOW:
        latest = phase.opened_at + MAX_WINDOW
        raise Refused(
            "too-long",
            f"a phase lasts at most {MAX_WINDOW.days} days; the latest deadline is"
            f" {latest:%Y-%m-%d %H:%M} UTC",
        )


async def close_now(services: Desk, slug: str, number: int, by: By) -> bool:
    """Bring the deadline of phase `number` to this moment. False: that phase is not the open one,
    and nothing happens.
    """
    now = services.clock.now()
    async with commanded(services, by, "gm.close.written") as tx:
        found = await find_game(tx.work, slug)
        if found.status in ("over", "ended") or found.phase_number != number:
            return False
        game, table, phase = await find_open_phase(tx, slug)
        if phase.number != number:
            return False
        detail: dict[str, object] = {"phase": number}
        if phase.deadline > now:
            detail |= {
                "from": phase.deadline.isoformat(),
                "to": now.replace(microsecond=0).isoformat(),
            }
        entry = await tx.log("game close", detail, game.id)
        if phase.deadline > now:
            await tx.work.phases.move_deadline(
                game.id, number, phase.deadline, now.replace(microsecond=0)
            )
            post = await read_post(tx, table)
            written = post.to(
                at_table(commander=by.person_id),
                ClosedEarly(phase.deadline, by.name),
                "closed-early",
                f"closed-early:{entry}",
            )
            letters = take_back_entries(services.policy, table, written, (phase,), now)
            await queue_letters(tx.work, letters, now)
        await tx.work.games.forget_attempts(game.id)
    services.jobs.ask(Job("close_phase", (game.id, number)))
    return True


async def pause(services: Desk, slug: str, by: By, reason: str = "") -> None:
    """Stop the clock: nothing closes, is held or reminded of. Orders are taken anyway."""
    now = services.clock.now()
    async with commanded(services, by, "gm.pause.written") as tx:
        game, table, phase = await find_open_phase(tx, slug, paused_too=True)
        check_phase(phase, by)
        entry = await tx.log("game pause", {"phase": phase.number, "reason": reason}, game.id)
        stopped = await stop_clock(tx.work, game, phase, now)
        if stopped is None:
            raise Refused("paused", f"{slug} is already paused")
        post = await read_post(tx, _with_game(table, stopped))
        written = post.to(
            at_table(commander=by.person_id),
            Paused(by.name, reason),
            "paused",
            f"paused:{entry}",
        )
        letters = await take_back_open_entries(tx, table, written, phase.asked)
        await queue_letters(tx.work, letters, now)


async def resume(services: Desk, slug: str, by: By) -> datetime:
    """Let the clock continue: the deadline has moved by the time it stood, in whole minutes and
    real time. The new deadline.

    A deadline that had passed when the clock was stopped comes at once: what came before now is in
    time.
    """
    now = services.clock.now()
    async with commanded(services, by, "gm.resume.written") as tx:
        game, table, phase = await find_open_phase(tx, slug, paused_too=True)
        deadline = deadline_resumed(game, phase, now)
        if deadline is None:
            raise Refused("not-paused", f"{slug} is not paused")
        detail = {
            "phase": phase.number,
            "from": phase.deadline.isoformat(),
            "to": deadline.isoformat(),
        }
        entry = await tx.log("game resume", detail, game.id)
        await resume_clock(tx.work, game, phase, now)
        running = msgspec.structs.replace(game, status="running", paused_at=None)

        told = Resumed(phase.deadline, deadline, by.name)
        at = _with_game(table, running)
        await _move_deadline(tx, at, phase, deadline, told, by, f"resumed:{entry}")
    return deadline


async def tell_moved(
    tx: Transaction[Context],
    table: OpenTable,
    phase: PhaseRow,
    deadline: datetime,
    by: By,
    key: str,
) -> None:
    """Move the open deadline, and tell everybody who did."""
    told = DeadlineChanged(phase.deadline, deadline, by.name)
    await _move_deadline(tx, table, phase, deadline, told, by, key)


async def _move_deadline(
    tx: Transaction[Context],
    table: OpenTable,
    phase: PhaseRow,
    deadline: datetime,
    told: Told,
    by: By,
    key: str,
) -> None:
    """Move it, with everything that hangs on it, and tell everybody."""
    now = tx.now()
    moved = await move_deadline(tx.work, tx.services.policy, phase, deadline, now)
    if moved is None:
        raise Refused("conflict", "the deadline moved at the same moment; look again")
    post = await read_post(tx, table, moved)
    await post.tell(tx.work, at_table(commander=by.person_id), told, "deadline", key)


def _with_game(table: OpenTable, game: GameRow) -> OpenTable:
    return dataclasses.replace(table, game=game)


async def open_requests(work: Work, game: GameRow) -> list[MotionRow]:
    """What players of a table ask for in its open phase, and nobody has answered."""
    return [
        row
        for row in await work.motions.list_open(game.id)
        if row.kind == REQUEST and row.phase_number == game.phase_number
    ]


async def _find(work: Work, game: GameRow, number: int) -> MotionRow:
    request = await work.motions.find(number)
    if request is None or request.kind != REQUEST or request.game_id != game.id:
        raise Refused(
            "unknown-request",
            f"nobody at {game.title} has asked for anything under the number {number}",
        )
    if request.settled_at is not None:
        raise Refused("answered", f"request {number} has been answered, or its phase has closed")
    if request.phase_number != game.phase_number:
        raise Refused("answered", f"request {number} was about a phase that has closed")
    return request


async def grant(services: Desk, slug: str, number: int, by: By) -> datetime:
    """Move the deadline as it was asked for; everybody is told of the new one, and not who asked.
    The new deadline.
    """
    now = services.clock.now()
    async with commanded(services, by, "gm.grant.written") as tx:
        game, table, phase = await find_open_phase(tx, slug)
        request = await _find(tx.work, game, number)
        deadline = detail_of(request).until or phase.deadline
        check_deadline(phase, deadline, now, shorten=False)
        detail = {
            "phase": phase.number,
            "request": number,
            "from": phase.deadline.isoformat(),
            "to": deadline.isoformat(),
        }
        entry = await tx.log("game grant", detail, game.id)
        await tx.work.motions.settle(number, "granted", now)
        await tell_moved(tx, table, phase, deadline, by, f"deadline:{entry}")
    return deadline


async def refuse(services: Desk, slug: str, number: int, by: By) -> None:
    """The deadline stays; the person who asked is told, and nobody else."""
    now = services.clock.now()
    async with commanded(services, by, "gm.refuse.written") as tx:
        game, table, phase = await find_open_phase(tx, slug, paused_too=True)
        request = await _find(tx.work, game, number)
        await tx.log(
            "game refuse", {"phase": phase.number, "request": number}, game.id, public=False
        )
        await tx.work.motions.settle(number, "refused", now)
        await _tell_asker(tx, table, request, by)


async def _tell_asker(
    tx: Transaction[Context], table: OpenTable, request: MotionRow, by: By
) -> None:
    post = await read_post(tx, table)
    post = replace(post, number=request.phase_number)
    for reader, to in post.seats():
        joined_at = to.seat.joined_at
        if to.seat.id == request.seat_id and (joined_at is None or joined_at <= request.opened_at):
            page = notice_page(MoreTimeRefused(by.name), post.facts(to), reader)
            await post.send(tx.work, [post.letter(to, page, "answer", f"refused:{request.id}")])
