"""From what was written to what is meant: the table, the player at it, the phase, the instant.
Nothing is done here.
"""

from collections.abc import Iterator
from datetime import datetime, timedelta

import msgspec

from pbem.desk.gm import Refused
from pbem.desk.gm.requests import open_requests
from pbem.desk.gm_commands.rights import NotDone, Rights
from pbem.desk.people.names import skeleton
from pbem.desk.ports import Services
from pbem.desk.table import OpenTable, load_table
from pbem.grammar.gm import commands as c
from pbem.grammar.gm.commands import AnyCommand, GmLine
from pbem.grammar.gm.lines import format_gm, nearest_name
from pbem.grammar.gm.times import instant_of
from pbem.store.repositories.games import GameRow
from pbem.store.repositories.seats import SeatRow
from pbem.store.work import Work

ASKING = (c.Status, c.Games, c.Notes, c.Help)
"""Commands that only look, and are no secret."""

_BOUND = (
    c.Extend,
    c.Shorten,
    c.Close,
    c.Pause,
    c.Resume,
    c.Unlock,
    c.Strike,
    c.Correct,
    c.Look,
    c.RollBack,
    c.Deadline,
    c.Eject,
    c.Predict,
    c.Substitute,
    c.Defaults,
    c.Remove,
)
_OF_A_PLAYER = (
    c.Replace,
    c.Eject,
    c.Unlock,
    c.Strike,
    c.Pardon,
    c.Look,
    c.Team,
    c.Faction,
    c.Substitute,
    c.Defaults,
    c.Remove,
)


class Item(msgspec.Struct, frozen=True):
    """A command that can be carried out: its table is a short name that exists, its player a name
    at that table.

    `index` is its line. `until` is the instant that is meant (and `since` where something begins),
    `phase` the open phase it is about: once that is over the command means nothing any more.
    """

    index: str
    quote: str
    command: AnyCommand
    until: datetime | None = None
    phase: int | None = None
    since: datetime | None = None


def spread(lines: tuple[GmLine, ...]) -> Iterator[tuple[str, GmLine]]:
    """Every line under its index; an invitation of several people, or several notes dismissed, is
    one for each.
    """
    for number, line in enumerate(lines):
        if isinstance(line.command, c.Invite) and len(line.command.people) > 1:
            for at, who in enumerate(line.command.people):
                one = msgspec.structs.replace(line.command, people=(who,))
                yield f"{number}.{at}", GmLine(format_gm(one), one)
        elif isinstance(line.command, c.Dismiss) and line.command.also:
            for at, note in enumerate((line.command.note, *line.command.also)):
                one_note = msgspec.structs.replace(line.command, note=note, also=())
                yield f"{number}.{at}", GmLine(format_gm(one_note), one_note)
        else:
            yield str(number), line


async def resolve(
    work: Work, services: Services, rights: Rights, index: str, quote: str, command: AnyCommand
) -> Item:
    """What a command means as things stand. NotDone, Refused or the grammar's Unread when it means
    nothing.
    """
    if isinstance(command, c.NewGame):
        if not rights.every_table:
            raise NotDone("only-your-tables")
        return Item(index, quote, command)
    if isinstance(command, c.Zone):
        return Item(index, quote, command)
    game = (
        await _note_game(work, rights, command)
        if isinstance(command, c.Answer | c.Dismiss)
        else rights.find(command.table)
    )
    command = msgspec.structs.replace(command, table=game.slug)
    if game.status in ("over", "ended") and isinstance(command, c.Correct):
        raise Refused("over", f"{game.title} is over; nothing of it can be set right any more")
    if game.status not in ("running", "paused") and isinstance(command, _BOUND):
        raise NotDone("not-running", table=game.title)
    table = await load_table(work, services.games, game)
    now = services.clock.now()
    until = since = None
    if isinstance(command, c.Deadline):
        until = instant_of(command.when, now, rights.person.time_zone)
        command = _moved(table, command, until)
    if isinstance(command, _OF_A_PLAYER):
        command = msgspec.structs.replace(
            command, player=(await find_player(work, table, command.player)).name
        )
    if isinstance(command, c.Substitute):
        since, until = _span(command, now, rights.person.time_zone)
    if isinstance(command, c.Correct):
        command = msgspec.structs.replace(
            command, what=table.kind.read_correction(table.state, command.what).text
        )
    if isinstance(command, c.Close):
        command = msgspec.structs.replace(command, phase=_open_phase(game, command))
    if isinstance(command, c.RollBack) and not 1 <= command.phase <= game.phase_number:
        raise Refused(
            "no-such-phase",
            f"{game.title} has no phase {command.phase}; it is in phase {game.phase_number}",
        )
    if isinstance(command, c.Extend | c.Shorten) and until is None:
        until = _instant(table, command, now, rights.person.time_zone)
    if isinstance(command, c.Grant | c.Refuse):
        command = msgspec.structs.replace(command, request=await _request(work, game, command))
    if isinstance(command, c.End) and game.status in ("over", "ended"):
        raise Refused("over", f"{game.title} is over already")
    return Item(
        index,
        quote,
        command,
        until,
        game.phase_number if isinstance(command, _BOUND) else None,
        since,
    )


def _span(command: c.Substitute, now: datetime, zone: str) -> tuple[datetime | None, datetime]:
    """From when (None: from now on) until when a substitute is wanted."""
    since = instant_of(command.since, now, zone) if command.since is not None else None
    if isinstance(command.until, c.Span):
        return since, (since or now) + timedelta(minutes=command.until.minutes)
    return since, instant_of(command.until, since or now, zone)


async def _note_game(work: Work, rights: Rights, command: c.Answer | c.Dismiss) -> GameRow:
    """The table of a note is known by the note."""
    note = await work.notes.find(command.note)
    for game in rights.games:
        if note is not None and note.game_id == game.id:
            return game
    waiting = [
        str(row.id)
        for game in rights.games
        for state in ("waiting", "passed")
        for row in await work.notes.list_by_state(state, game.id)
    ]
    raise NotDone("unknown-note", note=command.note, waiting=tuple(waiting[:20]))


async def _request(work: Work, game: GameRow, command: c.Grant | c.Refuse) -> int:
    """The one that is named, or the only one there is."""
    numbers = [row.id for row in await open_requests(work, game)]
    if command.request is not None:
        return command.request
    if len(numbers) == 1:
        return numbers[0]
    said = (
        f"there are several: {', '.join(map(str, numbers))}; name one"
        if numbers
        else f"nobody at {game.title} asks for more time"
    )
    raise Refused("which-request" if numbers else "unknown-request", said)


async def find_player(work: Work, table: OpenTable, written: str) -> SeatRow:
    """The seat of a player as names are compared, or of a number; or of whoever sits there now by
    their own name, if that is one alone.
    """
    people = {
        person.id: person.name
        for person in await work.people.list_by_ids(
            [s.person_id for s in table.seats if s.person_id is not None]
        )
    }
    own = {seat.id: people.get(seat.person_id or 0, "") for seat in table.seats}
    for seat in table.seats:
        if str(seat.number) == written:
            return seat
    bare = skeleton(written)
    found = [
        seat
        for seat in table.seats
        if bare and bare in (skeleton(seat.name), skeleton(own[seat.id]))
    ]
    if len(found) == 1:
        return found[0]
    if found:
        seats = tuple(
            f"{seat.name} (seat"
            f" {seat.number}{', ' + own[seat.id] if own[seat.id] != seat.name else ''})"
            for seat in found
        )
        raise NotDone("which-player", table=table.game.title, written=written, players=seats)
    players = tuple(
        f"{seat.name} ({own[seat.id]})" if own[seat.id] not in ("", seat.name) else seat.name
        for seat in table.seats
    )
    names = [name for seat in table.seats for name in (seat.name, own[seat.id]) if name]
    raise NotDone(
        "unknown-player",
        table=table.game.title,
        written=written,
        nearest=nearest_name(written, names) or "",
        players=players,
    )


def _open_phase(game: GameRow, command: c.Close) -> int:
    if command.phase not in (None, game.phase_number):
        raise NotDone(
            "not-the-open-phase",
            table=game.title,
            phase=command.phase,
            open_phase=game.phase_number,
        )
    return game.phase_number


def _moved(table: OpenTable, command: c.Deadline, until: datetime) -> c.Extend | c.Shorten:
    """Later or earlier than the deadline now."""
    kind = c.Shorten if table.phase is not None and until < table.phase.deadline else c.Extend
    return kind(when=command.when, reason=command.reason, table=command.table)


def _instant(table: OpenTable, command: c.Extend | c.Shorten, now: datetime, zone: str) -> datetime:
    """The new deadline: so much later (or earlier) than the one now, or the time that was named."""
    phase = table.phase
    if phase is None:
        raise NotDone("not-running", table=table.game.title)
    if isinstance(command.when, c.Span):
        span = timedelta(minutes=command.when.minutes)
        return phase.deadline + span if isinstance(command, c.Extend) else phase.deadline - span
    until = instant_of(command.when, now, zone)
    if isinstance(command, c.Shorten) and until >= phase.deadline:
        raise NotDone("later", deadline=phase.deadline)
    return until
