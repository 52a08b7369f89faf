"""A player asked for more time: the game master gives it, or does not, in one word."""

from dataclasses import replace
from datetime import datetime

from pbem.desk.gm.deadlines import check_deadline, tell_moved
from pbem.desk.letters.asking import ask_for_delivery
from pbem.desk.letters.post import read_post
from pbem.desk.mandate import By, Refused, check_not_done, find_open_phase, log_command
from pbem.desk.phases.more_time import REQUEST
from pbem.desk.phases.motion_kinds import detail_of
from pbem.desk.ports import Context, Desk, Transaction
from pbem.desk.table import OpenTable
from pbem.store.repositories.games import GameRow
from pbem.store.repositories.motions import MotionRow
from pbem.store.work import Work


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
    async with services.write() as tx:
        await check_not_done(tx.work, by)
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
        entry = await log_command(tx, by, "game grant", detail, game_id=game.id)
        await tx.work.motions.settle(number, "granted", now)
        await tell_moved(tx, table, phase, deadline, by, f"deadline:{entry}")
        services.steps.reached("gm.grant.written")
    await ask_for_delivery(services, now)
    return deadline


async def refuse(services: Desk, slug: str, number: int, by: By) -> None:
    """The deadline stays; whoever asked is told, and nobody else."""
    now = services.clock.now()
    async with services.write() as tx:
        await check_not_done(tx.work, by)
        game, table, phase = await find_open_phase(tx, slug, paused_too=True)
        request = await _find(tx.work, game, number)
        await log_command(
            tx,
            by,
            "game refuse",
            {"phase": phase.number, "request": number},
            game_id=game.id,
            public=False,
        )
        await tx.work.motions.settle(number, "refused", now)
        await _tell_asker(tx, table, request, by, now)
        services.steps.reached("gm.refuse.written")
    await ask_for_delivery(services, now)


async def _tell_asker(
    tx: Transaction[Context], table: OpenTable, request: MotionRow, by: By, now: datetime
) -> None:
    post = await read_post(tx, table, now)
    post = replace(post, number=request.phase_number)
    for reader, to in post.seats():
        joined_at = to.seat.joined_at
        if to.seat.id == request.seat_id and (joined_at is None or joined_at <= request.opened_at):
            page = tx.services.pages.times.more_time_refused(post.facts(to), reader, by.name)
            await post.send(tx.work, [post.letter(to, page, "answer", f"refused:{request.id}")])
