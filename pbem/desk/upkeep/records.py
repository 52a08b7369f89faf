"""The record of a game as the store tells it: what was given, played again, with the states and
events that were kept; and the check that a replay gives these byte for byte.

It is made once when a game ends, for the letter that tells of it, and again whenever somebody asks
for it later; it never changes.
"""

import asyncio
import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import msgspec
import structlog

from engine.chance import commitment
from engine.ruleset import Actor, Seat
from pbem.desk.envelope.letter import Attachment
from pbem.desk.gm import Refused
from pbem.desk.phases.past import encode_events
from pbem.desk.ports import Desk
from pbem.desk.table import OpenTable, load_table
from pbem.game import Game
from pbem.pages.archive import Close
from pbem.record.record import Record, Votes, format_record
from pbem.record.replay import GM, GivenAct, GivenPhase, Played, Rules, Story, replay
from pbem.record.writer import Title, write_record
from pbem.store.repositories.events import ActRow, EventRow
from pbem.store.repositories.games import GameRow
from pbem.store.repositories.orders import OrdersRow
from pbem.store.repositories.seats import SeatRow
from pbem.store.repositories.states import StateRow
from pbem.store.work import Work

ROLL_BACK = "roll back"

_log = structlog.get_logger("record")


class RollBackAct(msgspec.Struct, frozen=True, tag_field="act", tag=ROLL_BACK):
    """How a roll back is kept among the acts of the phase that it ends, for the replay."""

    to: int
    reshuffle: bool = False


class VotesAct(msgspec.Struct, frozen=True, tag_field="act", tag="votes"):
    """The votes before the start, as they are kept among the acts of phase 0: the arguments of
    `Ruleset.settle_votes`.
    """

    questions: tuple[str, ...]
    votes: tuple[dict[str, str], ...]


@dataclass(frozen=True, slots=True)
class KeptPhase:
    """What the store has of a phase besides its orders: the state it opened with, those after
    its acts, and its events.
    """

    states: tuple[StateRow, ...]
    events: tuple[EventRow, ...]


@dataclass(frozen=True, slots=True)
class Kept:
    """A game as the store has it, up to its open (or last) phase. `faults` are rows that cannot be
    what they should be.
    """

    story: Story
    phases: Mapping[int, KeptPhase]
    faults: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RecordFile:
    """A record as a file, and what everybody is told of it."""

    attachment: Attachment
    fingerprint: str
    past: tuple[Close, ...] = ()
    """The closes that counted, as the public saw them."""


def rules_of_store(kind: Game) -> Rules:
    """The rules for a story whose orders are orders already."""
    return Rules(kind.ruleset, lambda _state, order: order)


def as_told(seat: SeatRow) -> Seat:
    """A seat as the rules are told of it at the set-up."""
    return Seat(seat.number, seat.name, seat.colour or "", seat.team, seat.faction, seat.place)


async def read_kept(work: Work, table: OpenTable) -> Kept:
    """Read a game that has begun."""
    game, faults = table.game, list[str]()
    acts: dict[int, list[ActRow]] = {}
    for act in await work.acts.list_of_game(game.id):
        acts.setdefault(act.phase_number, []).append(act)
    histories = {seat.id: await work.orders.history(seat.id) for seat in table.seats}
    phases: list[GivenPhase] = []
    for number in range(1, game.phase_number + 1):
        given = _given_phase(acts.get(number, []))
        if given.to is None:
            latest = {row.seat_id: row for row in await work.orders.latest(game.id, number)}
            given = dataclasses.replace(
                given, orders=_given_orders(table, number, latest, histories, faults)
            )
        phases.append(given)
    events: dict[int, list[EventRow]] = {}
    for event in await work.events.list_of_game(game.id):
        events.setdefault(event.phase_number, []).append(event)
    kept = {
        number: KeptPhase(
            tuple(await work.states.list_of_phase(game.id, number)), tuple(events.get(number, ()))
        )
        for number in range(game.phase_number + 1)
    }
    story = Story(
        seed=bytes.fromhex(await work.games.read_seed(game.id)),
        options=msgspec.json.decode(game.options, type=dict[str, Any]),
        seats=[as_told(seat) for seat in table.seats],
        votes=_votes(acts.get(0, []), faults),
        phases=phases,
    )
    return Kept(story, kept, tuple(faults))


def _votes(rows: Sequence[ActRow], faults: list[str]) -> Votes | None:
    for row in rows:
        try:
            told = msgspec.json.decode(row.body, type=VotesAct)
        except msgspec.MsgspecError as error:
            faults.append(f"the start cannot be replayed: {error}")
        else:
            return Votes(told.questions, told.votes)
    return None


def _given_phase(rows: Sequence[ActRow]) -> GivenPhase:
    """The acts of a phase up to the roll back that ended it, if one did."""
    acts: list[GivenAct] = []
    for row in rows:
        try:
            told = msgspec.json.decode(row.body, type=dict[str, Any])
        except msgspec.MsgspecError:
            return GivenPhase((*acts, GivenAct(GM, None)))
        if told.get("act") == ROLL_BACK:
            to, reshuffle = told.get("to"), told.get("reshuffle")
            return GivenPhase(
                tuple(acts), to=to if isinstance(to, int) else -1, reshuffle=reshuffle is True
            )
        acts.append(GivenAct(_actor(row.actor), told))
    return GivenPhase(tuple(acts))


def _actor(text: str) -> Actor:
    return int(text) if text.isdecimal() else "gm"


def _given_orders(
    table: OpenTable,
    number: int,
    latest: Mapping[int, OrdersRow],
    histories: Mapping[int, Sequence[OrdersRow]],
    faults: list[str],
) -> dict[int, Sequence[Any]]:
    """What counts at the close of a phase, by player: the newest version of each seat; where a seat
    changed hands, a version without orders begins the new tenure.
    """
    orders: dict[int, Sequence[Any]] = {}
    for seat in table.seats:
        history = [row for row in histories[seat.id] if row.phase_number == number]
        faults += _unlocked_otherwise(history, number, seat.name)
        row = latest.get(seat.id)
        if row is None or row.tenure < max(version.tenure for version in history):
            continue
        try:
            given = table.kind.ruleset.decode_orders(row.orders.encode())
        except (ValueError, msgspec.MsgspecError):
            faults.append(
                f"phase {number}: version {row.version} of {seat.name} holds no orders that can be"
                " read"
            )
            continue
        if given:
            orders[seat.number] = given
    return orders


def _unlocked_otherwise(history: Sequence[OrdersRow], number: int, name: str) -> list[str]:
    """A game master's version of orders only makes them open again: it says what the one before it
    said.
    """
    return [
        f"phase {number}: version {row.version} of {name} was unlocked, and says something else"
        for before, row in zip((None, *history), history, strict=False)
        if row.source == GM
        and (before is None or (before.orders, before.tenure) != (row.orders, row.tenure))
    ]


# ----------------------------------------------------------------------------------------- the file
async def record_game(work: Work, table: OpenTable) -> RecordFile | None:
    """The record of a game that is over or broken off; None (and logged) if what was kept cannot be
    played again.
    """
    return await _record(table, await read_kept(work, table))


async def record_ending(services: Desk, table: OpenTable, *acts: GivenAct) -> RecordFile | None:
    """The record of a game that ends just now, by the close of its open phase after these acts (or
    by the last of them): they are kept only afterwards.
    """
    async with services.database.read() as work:
        kept = await read_kept(work, table)
    *before, last = kept.story.phases
    last = dataclasses.replace(last, acts=(*last.acts, *acts))
    story = dataclasses.replace(kept.story, phases=(*before, last, GivenPhase()))
    return await _record(table, dataclasses.replace(kept, story=story))


async def _record(table: OpenTable, kept: Kept) -> RecordFile | None:
    try:
        return await asyncio.to_thread(_make_file, table, kept)
    except ValueError as error:  # the game's end does not wait for its record
        _log.error("record-failed", game=table.game.id, reason=str(error))
        return None


def _make_file(table: OpenTable, kept: Kept) -> RecordFile:
    played = _play(table, kept)
    record = _record_of(table, kept, played)
    return RecordFile(
        Attachment.pack(record_name(table.game), format_record(record)),
        record.fingerprint,
        _past_of(table.kind, played),
    )


def _past_of(kind: Game, played: Sequence[Played]) -> tuple[Close, ...]:
    """What was rolled back has not happened; a phase that was not closed has not either."""
    past: dict[int, Close] = {}
    rules = kind.ruleset
    for phase, following in pairwise(played):
        told = (rules.decode_event(body) for body in phase.events)
        events = tuple(event for event in told if event.is_for(None))
        view = rules.view(rules.decode_state(following.state), None)
        past[phase.number] = Close(phase.number, phase.turn, phase.kind, view, events)
        if phase.to is not None:
            past = {number: one for number, one in past.items() if number < phase.to}
    return tuple(past.values())


def record_name(game: GameRow) -> str:
    """What the file of a game is called."""
    return f"{game.slug}-record.json"


def make_record(table: OpenTable, kept: Kept) -> Record:
    """Of a game as it was kept. ValueError if that cannot be played again; nothing is said of
    whether it comes out the same.
    """
    return _record_of(table, kept, _play(table, kept))


def _play(table: OpenTable, kept: Kept) -> list[Played]:
    if kept.faults:
        raise ValueError(kept.faults[0])
    return [_as_kept(phase, kept) for phase in replay(kept.story, rules_of_store(table.kind))]


def _record_of(table: OpenTable, kept: Kept, played: Sequence[Played]) -> Record:
    first = kept.phases[1].states if 1 in kept.phases else ()
    version = first[0].ruleset_version if first else table.kind.ruleset.version
    return write_record(
        Title(table.game.ruleset, version, table.game.title, table.game.commitment),
        kept.story,
        played,
    )


def _as_kept(played: Played, kept: Kept) -> Played:
    """With the states and events that everybody was told of, as far as they are kept yet."""
    phase = kept.phases.get(played.number)
    if phase is None:
        return played
    by_ordinal = {row.ordinal: row for row in phase.states}
    acts = tuple(
        (
            dataclasses.replace(act, state=row.body, place=row.chance_place)
            if (row := by_ordinal.get(index)) is not None
            else act
        )
        for index, act in enumerate(played.acts, start=1)
    )
    opening = by_ordinal.get(0)
    if opening is not None:
        played = dataclasses.replace(played, state=opening.body, place=opening.chance_place)
    told = [row.body.encode() for row in phase.events]
    return dataclasses.replace(played, acts=acts, events=(*told, *played.events[len(told) :]))


async def verify_game(services: Desk, slug: str) -> list[str]:
    """What differs between the replay and what was kept, a line each; empty when all is as it
    should be.

    The seed is secret until the game is over, so that only the service itself can replay a running
    game.
    """
    async with services.read() as tx:
        game = await tx.work.games.find_by_slug(slug)
        if game is None:
            raise Refused("unknown-game", f"there is no game {slug!r}")
        if game.phase_number == 0:
            raise Refused("not-running", f"{slug} has not begun")
        table = await load_table(tx, game)
        kept = await read_kept(tx.work, table)
    return await asyncio.to_thread(lambda: list(_differences(table, kept)))


def _differences(table: OpenTable, kept: Kept) -> Iterator[str]:
    if commitment(kept.story.seed) != table.game.commitment:
        yield "the seed is not the one that was committed to"
    yield from kept.faults
    if any("cannot be replayed" in fault for fault in kept.faults):
        return
    end_place = 0
    for played in replay(kept.story, rules_of_store(table.kind)):
        phase = kept.phases.get(played.number, KeptPhase((), ()))
        if played.number:
            yield from _state_differences(phase, played)
        if played.stuck:
            yield played.stuck
            return
        yield from _event_differences(table, phase, played)
        end_place = played.end_place
    if end_place != table.game.chance_place:
        yield f"{end_place} draws were made in all, {table.game.chance_place} were kept"


def _state_differences(phase: KeptPhase, played: Played) -> Iterator[str]:
    """The states a phase opened with, and had after each of its acts; the one after an act that
    ended it opens the next phase.
    """
    states = {row.ordinal: row for row in phase.states}
    yield from _compare_state(
        states.pop(0, None), played.state, played.place, f"phase {played.number}"
    )
    for index, act in enumerate(played.acts):
        if index == len(played.acts) - 1 and played.ended == "act":
            break
        where = f"phase {played.number}, after act {index} ({act.act.get('act')})"
        yield from _compare_state(states.pop(index + 1, None), act.state, act.place, where)
    if not played.stuck and played.ended in ("close", "over", "broken off"):
        for ordinal in sorted(states):
            yield (
                f"phase {played.number}: a state after act {ordinal - 1} was kept, and there was no"
                " such act"
            )


def _compare_state(kept: StateRow | None, state: bytes, place: int, where: str) -> Iterator[str]:
    if kept is None or kept.body != state:
        yield f"{where}: the state differs"
    if kept is not None and kept.chance_place != place:
        yield f"{where}: {place} draws were made, {kept.chance_place} were kept"


def _event_differences(table: OpenTable, phase: KeptPhase, played: Played) -> Iterator[str]:
    """The events that a phase made: at its opening (a reshuffle), by its acts, at its close."""
    made = encode_events(
        table.kind, [table.kind.ruleset.decode_event(raw) for raw in played.events]
    )
    where = f"phase {played.number}" if played.number else "the start"
    if len(phase.events) != len(made):
        yield f"{where}: {len(made)} events come out, {len(phase.events)} were kept"
    for row, event in zip(phase.events, made, strict=False):
        if (row.kind, row.body, row.audience, row.rules) != (
            event.kind,
            event.body,
            event.audience,
            event.rules,
        ):
            yield f"{where}: event {row.ordinal} ({row.kind}) differs"
