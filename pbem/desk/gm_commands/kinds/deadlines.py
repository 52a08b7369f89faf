"""The deadline and the clock: longer, shorter, closed, paused; requests for more time; the game
master's own time zone.
"""

from datetime import datetime, timedelta
from typing import Any

import msgspec

from pbem.desk import gm
from pbem.desk.gm import By, Refused
from pbem.desk.gm.deadlines import check_deadline, grant, open_requests, pause, refuse, resume
from pbem.desk.gm.table_rules import set_clock
from pbem.desk.gm_commands.kind import CommandKind, Facts, Item, Outcome, Situation, uses
from pbem.desk.gm_commands.rights import NotDone
from pbem.desk.mandate import log_command
from pbem.desk.ports import Desk
from pbem.grammar.gm import commands as c
from pbem.grammar.gm.times import instant_of


async def _resolve_deadline(situation: Situation, item: Item, command: c.Deadline) -> Item:
    """Later or earlier than the deadline now."""
    until = instant_of(command.when, situation.now(), situation.person.time_zone)
    phase = situation.table.phase
    kind = c.Shorten if phase is not None and until < phase.deadline else c.Extend
    moved = kind(when=command.when, reason=command.reason, table=command.table)
    return msgspec.structs.replace(item, command=moved, until=until)


async def _resolve_move(situation: Situation, item: Item, command: c.Extend | c.Shorten) -> Item:
    """The new deadline: so much later (or earlier) than the one now, or the time that was named."""
    phase = situation.table.phase
    if phase is None:
        raise NotDone("not-running", table=situation.table.game.title)
    if isinstance(command.when, c.Span):
        span = timedelta(minutes=command.when.minutes)
        until = phase.deadline + span if isinstance(command, c.Extend) else phase.deadline - span
        return msgspec.structs.replace(item, until=until)
    until = instant_of(command.when, situation.now(), situation.person.time_zone)
    if isinstance(command, c.Shorten) and until >= phase.deadline:
        raise NotDone("later", deadline=phase.deadline)
    return msgspec.structs.replace(item, until=until)


async def _check_runs(situation: Situation, _item: Item, _command: c.Close | c.Shorten) -> None:
    game = situation.table.game
    if game.status == "paused":
        raise Refused("paused", f"{game.title} is paused; resume it first")


async def _check_shorter(situation: Situation, item: Item, command: c.Shorten) -> None:
    await _check_runs(situation, item, command)
    if situation.table.phase is not None and item.until is not None:
        check_deadline(situation.table.phase, item.until, situation.now(), shorten=True)


async def _move(services: Desk, item: Item, command: c.Extend | c.Shorten, by: By) -> object:
    if item.until is None:
        raise Refused("bad-time", "name a time")
    shorten = isinstance(command, c.Shorten)
    return await gm.extend(
        services, command.table, item.until, by, shorten=shorten, reason=command.reason
    )


async def _tell_move(outcome: Outcome, _command: c.GmCommand) -> Facts:
    detail = outcome.detail
    return {
        "old": _instant(detail.get("from")),
        "new": _instant(detail.get("to")),
        "phase": detail.get("phase"),
    }


def _instant(text: object) -> datetime | None:
    return datetime.fromisoformat(text) if isinstance(text, str) else None


async def _resolve_close(situation: Situation, item: Item, command: c.Close) -> Item:
    game = situation.table.game
    if command.phase not in (None, game.phase_number):
        raise NotDone(
            "not-the-open-phase",
            table=game.title,
            phase=command.phase,
            open_phase=game.phase_number,
        )
    closed = msgspec.structs.replace(command, phase=game.phase_number)
    return msgspec.structs.replace(item, command=closed)


async def _close(services: Desk, _item: Item, command: c.Close, by: By) -> None:
    number = command.phase or 0
    if not await gm.close_now(services, command.table, number, by):
        raise NotDone("not-the-open-phase", table=command.table, phase=number, open_phase=None)


async def _resolve_request(situation: Situation, item: Item, command: c.Grant | c.Refuse) -> Item:
    """The one that is named, or the only one there is."""
    if command.request is not None:
        return item
    game = situation.table.game
    numbers = [row.id for row in await open_requests(situation.work, game)]
    if len(numbers) != 1:
        said = (
            f"there are several: {', '.join(map(str, numbers))}; name one"
            if numbers
            else f"nobody at {game.title} asks for more time"
        )
        raise Refused("which-request" if numbers else "unknown-request", said)
    named = msgspec.structs.replace(command, request=numbers[0])
    return msgspec.structs.replace(item, command=named)


async def _set_zone(services: Desk, _item: Item, command: c.Zone, by: By) -> None:
    async with services.write() as tx:
        await log_command(tx, by, "gm zone", {"zone": command.zone}, game_id=None, public=False)
        if by.person_id is not None:
            await tx.work.people.set_time_zone(by.person_id, command.zone)


KINDS: tuple[CommandKind[Any], ...] = (
    CommandKind(c.Extend, holds_phase=True, resolve=_resolve_move, do=_move, tell=_tell_move),
    CommandKind(
        c.Shorten,
        holds_phase=True,
        resolve=_resolve_move,
        check=_check_shorter,
        do=_move,
        tell=_tell_move,
    ),
    CommandKind(c.Deadline, resolve=_resolve_deadline, tell=_tell_move),
    CommandKind(c.Close, resolve=_resolve_close, check=_check_runs, do=_close),
    CommandKind(
        c.Pause,
        do=lambda services, _, command, by: pause(services, command.table, by, command.reason),
    ),
    CommandKind(c.Resume, do=uses(resume), tell=_tell_move),
    CommandKind(c.Clock, do=uses(set_clock)),
    CommandKind(c.Grant, resolve=_resolve_request, do=uses(grant), tell=_tell_move),
    CommandKind(c.Refuse, resolve=_resolve_request, do=uses(refuse)),
    CommandKind(c.Zone, do=_set_zone),
)
