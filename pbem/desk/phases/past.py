"""A game's past: what led to a phase, and which questions make one whole. Phases that were rolled
back stay in the store and are no part of it.
"""

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any

import msgspec

from engine.ruleset import Event, Phase, PlayerNumber
from pbem.desk.envelope.answers import MAY_WAIT
from pbem.desk.envelope.letter import Draft, NewLetter
from pbem.desk.envelope.message import MAIL, TELEGRAM
from pbem.desk.table import OpenTable
from pbem.game import Game
from pbem.pages.page import PastPhase
from pbem.store.repositories.events import EventRow, NewEvent
from pbem.store.repositories.phases import PhaseRow, parse_label
from pbem.store.repositories.post.outbox import OutboxRow
from pbem.store.work import Work

TOLD_PHASES = 12
LAST_PHASES = 16
"""How many phases are read at first to find those that a picture tells of."""


def lineage(phases: Sequence[PhaseRow], number: int) -> tuple[int, ...]:
    """The phases whose closes led to phase `number`, the first first; 0 stands for the start.
    `phases` are all of the game.

    A phase that was opened by a roll back takes the place of the one it went back to: their past is
    the same.
    """
    origins = {phase.number: parse_label(phase).rolled_back_to for phase in phases}
    path: list[int] = []
    at = number
    while at > 0:
        origin = origins.get(at)
        if origin is not None and 0 < origin < at:
            at = origin
            continue
        at -= 1
        path.append(at)
    return tuple(reversed(path))


def since_asked(phases: Sequence[PhaseRow], number: int, player: PlayerNumber) -> tuple[int, ...]:
    """The phases that led to phase `number`, from the last one on in which this player was asked;
    or from the first that the last letter told of, if that is earlier. All of them for a player who
    was not asked yet.
    """
    line, asked = lineage(phases, number), {phase.number: phase.asked for phase in phases}
    last = max((one for one in line if player in asked.get(one, ())), default=0)
    first = min(last, _first_untold(phases, line[-1]) if line else 0)
    return tuple(one for one in line if one >= first)


def count_pictured(spans: Sequence[str], most: int) -> int:
    """How many of the last phases a picture tells of, by the span of each ("": of none): those of
    one span in a row count as one.
    """
    count, wholes, later = 0, 0, ""
    for span in reversed(spans):
        wholes += not span or span != later
        if wholes > most:
            break
        later, count = span, count + 1
    return count


async def read_events_before(
    work: Work, kind: Game, game_id: int, number: int, *, with_acts: bool
) -> tuple[Event, ...]:
    """The public events of the last few phases that led to phase `number`, for a picture;
    `with_acts`: and of its own acts so far.
    """
    past = await _read_last(work, kind, game_id, number)
    wanted = {*past, number} if with_acts else set(past)
    rows = await work.events.list_of_game(game_id, min(wanted, default=number))
    return decode_events(kind, [row for row in rows if row.phase_number in wanted], None)


async def _read_last(work: Work, kind: Game, game_id: int, number: int) -> tuple[int, ...]:
    """The last phases that led to phase `number`, as many as a picture tells of. Of a long game
    only its end is read, as far back as it takes.
    """
    width = LAST_PHASES
    while True:
        first = max(0, number - width)
        rows = await work.phases.list_between(game_id, first, number)
        phases = {phase.number: phase for phase in rows}
        line = lineage(rows, number)
        spans = [parse_label(phases[told]).span if told in phases else "" for told in line]
        past = line[len(line) - count_pictured(spans, kind.pictured) :]
        if first == 0 or not past or past[0] >= first:
            return past
        width *= LAST_PHASES


@dataclass(frozen=True, slots=True)
class Told:
    """A phase as the history tells of it; 0 is the start, which has no row."""

    number: int
    phase: PhaseRow | None
    events: tuple[EventRow, ...]
    is_undone: bool


async def read_past(work: Work, table: OpenTable) -> tuple[Told, ...]:
    """The last phases of a game, the first first, with the open one; what was rolled back tells
    nothing.
    """
    game = table.game
    phases = {phase.number: phase for phase in await work.phases.list_of_game(game.id)}
    line = {*lineage(tuple(phases.values()), game.phase_number), game.phase_number}
    told = []
    for number in range(max(0, game.phase_number - TOLD_PHASES), game.phase_number + 1):
        rows = await work.events.list_of_phase(game.id, number) if number in line else []
        if number < game.phase_number or rows:
            told.append(Told(number, phases.get(number), tuple(rows), number not in line))
    return tuple(told)


def tell_past(
    table: OpenTable, past: Sequence[Told], view: Any, player: int | None
) -> list[PastPhase]:
    """The same in words, as far as this player may know: an open phase of which that is nothing is
    as if nothing had happened in it.
    """
    kind = table.kind
    found = []
    for told in past:
        lines = tuple(
            filter(
                None,
                (
                    kind.pages.describe_event(event, view)
                    for event in decode_events(kind, told.events, player)
                ),
            )
        )
        if not lines and told.number == table.game.phase_number:
            continue
        turn = parse_label(told.phase).turn if told.phase is not None else 0
        found.append(
            PastPhase(
                turn, told.phase.kind if told.phase is not None else "start", lines, told.is_undone
            )
        )
    return found


@dataclass(frozen=True, slots=True)
class Untold:
    """What happened in closes of which the table has not been told yet, each event with those who
    may know; what is `held` back besides, by what distinguishes the letters of its readers; and the
    `answers` that wait for a letter, by seat, receipts first. `is_told_of`: acts of the open phase
    were told.
    """

    events: tuple[Event, ...] = ()
    held: Mapping[str, "Held"] = field(default_factory=dict)
    answers: Mapping[int, Sequence[OutboxRow]] = field(default_factory=dict)
    is_told_of: bool = False

    def then(self, events: tuple[Event, ...]) -> "Untold":
        """The same, and then these events."""
        return replace(self, events=(*self.events, *events))


ALL_TOLD = Untold()


def goes_on(open_phase: PhaseRow | None, phase: Phase) -> bool:
    """Whether the next question is of the span of the open one, so that the table is told later."""
    return (
        open_phase is not None
        and phase.span is not None
        and phase.over is None
        and parse_label(open_phase).span == phase.span.key
    )


def began_at(open_phase: PhaseRow | None, phase: Phase, opened_at: datetime) -> datetime | None:
    """When the span of the next question began; None: it is of none."""
    if phase.span is None:
        return None
    if open_phase is None or not goes_on(open_phase, phase):
        return opened_at
    return parse_label(open_phase).span_began_at or open_phase.opened_at


def within_span(
    deadline: datetime, phase: Phase, span_began_at: datetime | None, opened_at: datetime
) -> datetime:
    """The deadline, not later than the whole span may last, and not before the question was
    asked.
    """
    if phase.span is None or span_began_at is None:
        return deadline
    return max(opened_at, min(deadline, span_began_at + timedelta(hours=phase.span.hours)))


async def read_untold(work: Work, table: OpenTable, now: datetime) -> Untold:
    """What led to the open question since the table, and its players, were told last."""
    held = await _read_held(work, table, now)
    if table.phase is None or not parse_label(table.phase).is_untold:
        return held
    first = _first_untold(await work.phases.list_of_game(table.game.id), table.phase.number)
    rows = await work.events.list_of_game(table.game.id, first)
    return replace(
        held,
        events=tuple(
            _decode(table.kind, row.body)
            for row in rows
            if first <= row.phase_number < table.phase.number
        ),
    )


async def list_untold(work: Work, table: OpenTable) -> list[PhaseRow]:
    """The open phase, with those before it of whose closes the table has not been told yet."""
    if table.phase is None or not parse_label(table.phase).is_untold:
        return [table.phase] if table.phase is not None else []
    phases = await work.phases.list_of_game(table.game.id)
    first = _first_untold(phases, table.phase.number)
    return [phase for phase in phases if first <= phase.number <= table.phase.number]


BULLETIN = "bulletin"
_KEY = re.compile(
    rf"{BULLETIN}:\d+:(?P<since>\d+):(?P<own>.+?)(?:@{TELEGRAM}(?:\.\d+)?)?", re.DOTALL
)


@dataclass(frozen=True, slots=True)
class Held:
    """What somebody is not told yet: the `letters` of the outbox that hold it until `due_at`, what
    happened `since` the close of that phase, and the calendar entries that the letters take back.
    `is_long`: that was all of the turn, or more.
    """

    letters: tuple[int, ...]
    since: int
    due_at: datetime
    events: tuple[Event, ...]
    cancelled: tuple[str, ...]
    is_long: bool

    def told_in(self, letter: NewLetter) -> NewLetter:
        """A letter that tells all this instead."""
        cancelled = (*self.cancelled, *letter.draft.cancelled)
        draft = msgspec.structs.replace(letter.draft, cancelled=cancelled)
        instead = (*letter.instead, *self.letters)
        return msgspec.structs.replace(letter, draft=draft, instead=instead)


async def _read_held(work: Work, table: OpenTable, now: datetime) -> Untold:
    """What is held back at a table."""
    if not table.kind.pages.in_turns or table.phase is None:
        return ALL_TOLD
    game, rows = table.game, dict[tuple[str, int], list[OutboxRow]]()
    acted = await work.events.list_of_phase(game.id, game.phase_number)
    for row in await work.outbox.list_held(game.id, BULLETIN, now):
        key = _KEY.fullmatch(row.dedupe_key or "")
        if key is not None:
            rows.setdefault((key["own"], int(key["since"])), []).append(row)
    first = min((since for _, since in rows), default=game.phase_number)
    phases = await work.phases.list_of_game(game.id) if rows else []
    line = lineage(phases, game.phase_number)
    told = await work.events.list_of_game(game.id, first) if rows else []
    events = [(row.phase_number, row) for row in told if row.phase_number in line]
    turn = parse_label(table.phase).turn
    begins = min((one.number for one in phases if parse_label(one).turn == turn), default=0)
    held = {
        own: Held(
            tuple(row.id for row in found),
            since,
            found[0].due_at,
            tuple(_decode(table.kind, row.body) for phase, row in events if phase >= since),
            tuple(ics for row in found for ics in _cancelled(row)),
            since <= begins,
        )
        for (own, since), found in rows.items()
    }
    answers = defaultdict[int, list[OutboxRow]](list)
    for kind in MAY_WAIT:
        for row in await work.outbox.list_held(game.id, kind, now):
            answers[row.seat_id or 0].append(row)
    return Untold(held=held, answers=answers, is_told_of=bool(acted))


def _cancelled(row: OutboxRow) -> tuple[str, ...]:
    """The calendar entries that a mail takes back."""
    return msgspec.json.decode(row.letter, type=Draft).cancelled if row.channel == MAIL else ()


def _first_untold(phases: Sequence[PhaseRow], number: int) -> int:
    """The first of the phases in a row whose closes are untold; `number` is the open one."""
    untold = {phase.number for phase in phases if parse_label(phase).is_untold}
    while number in untold:
        number -= 1
    return number


def _decode(kind: Game, body: str) -> Event:
    event: Event = kind.ruleset.decode_event(body.encode())
    return event


def encode_events(kind: Game, events: Sequence[Event]) -> list[NewEvent]:
    return [
        NewEvent(event.kind, kind.ruleset.encode_event(event).decode(), event.audience, event.rules)
        for event in events
    ]


def decode_events(kind: Game, rows: Sequence[EventRow], player: int | None) -> tuple[Event, ...]:
    """The events among these that the player (None: the public) may know."""
    events = (kind.ruleset.decode_event(row.body.encode()) for row in rows)
    return tuple(event for event in events if event.is_for(player))
