"""From the store to an `Archive`: each close as the public knew it, with its board drawn by the
painter, and of a game that is over its record.

Everything is made again from the states and events that were kept, so that it is there however old
the game is. Phases that were rolled back are left out.
"""

import asyncio
import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

import structlog

from engine.ruleset import Event
from pbem.archive.chronicle import read_chronicle
from pbem.archive.model import Archive, Person, Proof, Step
from pbem.archive.pictures import chronicle_of
from pbem.board.board import Drawing, TableFacts
from pbem.desk.gm import Refused
from pbem.desk.lobby.herald import names_behind
from pbem.desk.phases.past import count_pictured, decode_events, lineage
from pbem.desk.ports import Services
from pbem.desk.press.relay import piece_for
from pbem.desk.table import OpenTable, load_table
from pbem.desk.upkeep.record_words import read_record
from pbem.desk.upkeep.records import record_name
from pbem.pages.archive import Close
from pbem.pages.news import MOST_HEADLINE, Lead
from pbem.pages.press import Piece
from pbem.record.record import Record, format_record
from pbem.store.errors import StoreError
from pbem.store.repositories.games import GameRow
from pbem.store.repositories.phases import PhaseRow, parse_label
from pbem.store.work import Work

MOST_PRESS = 100_000
ENDED: Mapping[str, str] = {"over": "over", "ended": "broken off"}
"""What an archive says of a game that has ended, by the status of the game; any other runs."""

_log = structlog.get_logger("archive")


@dataclass(frozen=True, slots=True)
class _Told:
    """A close with its facts: `span` as in the label of its phase, `next_kind` the question asked
    then. `keys` are what permalinks call it, `numbers` the phases that were closed: several, where
    later closes are told with it.
    """

    close: Close
    at: datetime
    span: str
    next_kind: str
    keys: tuple[str, ...] = ()
    numbers: tuple[int, ...] = ()

    def with_next(self, later: "_Told") -> "_Told":
        """The same close, with a later one told in it."""
        events = (*self.close.events, *later.close.events)
        close = replace(self.close, view=later.close.view, events=events)
        keys, numbers = (*self.keys, *later.keys), (*self.numbers, *later.numbers)
        return replace(later, close=close, at=self.at, keys=keys, numbers=numbers)


@dataclass(frozen=True, slots=True)
class _Kept:
    table: OpenTable
    seed: str
    land: bytes
    told: tuple[_Told, ...]
    press: tuple[Piece, ...]
    chronicle: str
    winners: frozenset[int]
    channels: tuple[str, ...]
    names: str = ""
    """Who the players were, where that was hidden; "" until the end."""


async def read_archive(services: Services, game: GameRow) -> Archive:
    """The whole game as it stands now. Refused (`not-running`) if it has not begun; StoreError if
    its rows are gone.
    """
    if game.phase_number == 0:
        raise Refused("not-running", f"{game.title} has not begun; there is nothing to show")
    kept = await _read(services, game)
    record = await _read_record(services, game)
    drawings = await _draw(services, kept)
    table, pages = kept.table, kept.table.kind.pages
    closes = [told.close for told in kept.told]
    last = closes[-1].view
    is_open = game.status == "running" and table.phase is not None
    return Archive(
        slug=game.slug,
        title=game.title,
        game=pages.title,
        turn_word=pages.turn_word,
        status=ENDED.get(game.status, "running"),
        zone=table.settings.zone,
        lead=_lead(table, closes[-1]),
        outcome=pages.outcome(last),
        names=kept.names,
        people=_people(table, last, kept.winners),
        steps=_steps(table, kept.told, drawings, record),
        plots=tuple(pages.plots(closes)),
        press=kept.press,
        proof=_proof(table, kept.seed, record),
        book=table.kind.book,
        due=table.phase.deadline if is_open and table.phase is not None else None,
        due_name=pages.phase_name(table.phase.kind) if is_open and table.phase is not None else "",
        chronicle=kept.chronicle,
        channels=kept.channels,
        sides=tuple(pages.sides(last)),
        signs=tuple(pages.signs()),
        points=tuple(pages.turning_points(closes, table.game.commitment)),
        turns=pages.recounted(closes, table.game.commitment),
    )


# -------------------------------------------------------------------------------------- the store
async def _read(services: Services, game: GameRow) -> _Kept:
    async with services.read() as tx:
        table = await load_table(tx, game)
        rows = await tx.work.press.list_of_game(game.id, MOST_PRESS)
        won = {row.seat_id for row in await tx.work.results.list_of_game(game.id) if row.won}
        people = {seat.person_id for seat in table.seats if seat.person_id is not None}
        addresses = await tx.work.people.list_addresses_of(people)
        return _Kept(
            table,
            await tx.work.games.read_seed(game.id),
            await tx.work.games.read_land(game.id) or b"",
            await _read_closes(tx.work, table),
            tuple(piece_for(table, row, None) for row in rows if row.kind == "public" and row.text),
            await read_chronicle(tx.work, table),
            frozenset(seat.number for seat in table.seats if seat.id in won),
            tuple(sorted({row.channel for row in addresses})),
            "; ".join(f"{seat} was {names}" for seat, names in await _names_told(tx.work, table)),
        )


async def _names_told(work: Work, table: OpenTable) -> tuple[tuple[str, str], ...]:
    return () if table.hides_names else await names_behind(work, table)


async def _read_closes(work: Work, table: OpenTable) -> tuple[_Told, ...]:
    """All that count, the start first; each with the table as the next phase opened."""
    game, rules = table.game, table.kind.ruleset
    phases = {phase.number: phase for phase in await work.phases.list_of_game(game.id)}
    found = []
    for number in lineage(tuple(phases.values()), game.phase_number):
        states = await work.states.list_of_phase(game.id, number + 1)
        if not states:
            raise StoreError(f"the state after phase {number} of {game.slug} is missing")
        state, phase = rules.decode_state(states[0].body), phases.get(number)
        events = await work.events.list_of_phase(game.id, number)
        close = Close(
            number=number,
            turn=parse_label(phase).turn if phase is not None else 0,
            kind=phase.kind if phase is not None else "start",
            view=rules.view(state, None),
            events=decode_events(table.kind, events, None),
        )
        span = parse_label(phase).span if phase is not None else ""
        found.append(_Told(close, _closed_at(game, phase), span, rules.phase(state).kind))
    return _folded(table, found)


def _folded(table: OpenTable, told: Sequence[_Told]) -> tuple[_Told, ...]:
    """The same closes. Where one player acts after another, those with nothing that a timeline
    marks (purchases, an attack on nobody) are told with the one before in their turn.
    """
    pages = table.kind.pages
    found: list[_Told] = []
    for key, bare in zip(keys_of([one.close for one in told]), told, strict=True):
        one, close = replace(bare, keys=(key,), numbers=(bare.close.number,)), bare.close
        is_small = close.kind in pages.in_turns and not any(
            news.mark for news in pages.news(close.view, close.events)
        )
        if is_small and found and found[-1].close.turn == close.turn:
            found[-1] = found[-1].with_next(one)
        else:
            found.append(one)
    return tuple(found)


def _closed_at(game: GameRow, phase: PhaseRow | None) -> datetime:
    at = phase.closed_at if phase is not None else game.started_at
    return at or game.created_at


async def _read_record(services: Services, game: GameRow) -> Record | None:
    """The record of a game that has ended; None if there is none yet, or if what was kept cannot be
    played again.
    """
    if game.status not in ENDED:
        return None
    try:
        return await read_record(services, game.slug)
    except Refused as error:
        _log.warning("no-record", game=game.id, reason=str(error))
        return None


# ---------------------------------------------------------------------------------------- the steps
async def _draw(services: Services, kept: _Kept) -> list[Drawing]:
    """The board after each close, as a chronicle: with as many closes before as in letters."""
    kind, title, zone = kept.table.kind, kept.table.game.title, kept.table.settings.zone
    waiting = []
    for place, told in enumerate(kept.told):
        before = kept.told[:place]
        lately = before[len(before) - count_pictured([one.span for one in before], kind.pictured) :]
        shown: list[Event] = [event for one in (*lately, told) for event in one.close.events]
        facts = TableFacts(
            title, told.next_kind, zone=zone, chronicle=chronicle_of(kind.pages, told.close)
        )
        waiting.append(
            services.painting.painter.drawing(kind.board, told.close.view, shown, kept.land, facts)
        )
    return list(await asyncio.gather(*waiting))


def _steps(
    table: OpenTable, told: Sequence[_Told], drawings: Sequence[Drawing], record: Record | None
) -> tuple[Step, ...]:
    pages = table.kind.pages
    orders = _all_orders(record)
    steps = []
    for one, drawing in zip(told, drawings, strict=True):
        close = one.close
        steps.append(
            Step(
                key=one.keys[0],
                also=one.keys[1:],
                name=pages.step_name(close),
                at=one.at,
                lead=pages.lead(close.view, close.events),
                news=tuple(pages.news(close.view, close.events)),
                lines=tuple(pages.describe_events(close.events, close.view)),
                orders=dict(pages.ordered(close.view, close.events)),
                all_orders=_joined(orders.get(number, {}) for number in one.numbers),
                areas=tuple(pages.areas(close.view)),
                chips=tuple(pages.chips(close.view)),
                drawing=drawing,
                close=close,
            )
        )
    return tuple(steps)


def _joined(orders: Iterable[Mapping[int, tuple[str, ...]]]) -> Mapping[int, tuple[str, ...]]:
    """The orders of several phases by player."""
    found: dict[int, tuple[str, ...]] = {}
    for given in orders:
        for player, texts in given.items():
            found[player] = (*found.get(player, ()), *texts)
    return found


def keys_of(closes: Sequence[Close]) -> list[str]:
    """What permalinks call them: `start`, `t7-orders`; the second of its kind in a turn is
    `t7-orders-2`.
    """
    seen: Counter[str] = Counter()
    keys = []
    for close in closes:
        key = f"t{close.turn}-{_plain(close.kind)}" if close.number else "start"
        seen[key] += 1
        keys.append(key if seen[key] == 1 else f"{key}-{seen[key]}")
    return keys


def _all_orders(record: Record | None) -> dict[int, Mapping[int, tuple[str, ...]]]:
    """What counted in each phase of a game that has ended, by player."""
    if record is None:
        return {}
    return {
        phase.number: {given.player: given.orders for given in phase.orders if given.orders}
        for phase in record.phases
    }


# --------------------------------------------------------------------------------- the whole game
def _lead(table: OpenTable, close: Close) -> Lead:
    """Of a game that is over its own; of any other how it stands."""
    pages = table.kind.pages
    if table.game.status == "over":
        return pages.lead(close.view, close.events)
    outcome = pages.outcome(close.view)
    if len(outcome) <= MOST_HEADLINE:
        return Lead(outcome.rstrip("."), outcome)
    return Lead(pages.lead(close.view, close.events).headline, outcome)


def _people(table: OpenTable, view: Any, winners: Collection[int]) -> tuple[Person, ...]:
    """Everybody at the table by number, with the place that the end gave them."""
    pages, seats = table.kind.pages, sorted(table.seats, key=lambda seat: seat.number)
    ranked = list(pages.players(view))
    out = {chip.player for chip in pages.chips(view) if chip.is_out}
    cards = {card.name: (place, card) for place, card in enumerate(ranked, start=1)}
    people = []
    for seat, slug in zip(seats, _slugs([seat.name for seat in seats]), strict=True):
        place, card = cards[seat.name]
        is_placed = table.game.status == "over" and seat.number not in out
        coats = tuple(pages.coats_of(view, seat.number))
        people.append(
            Person(
                seat.number,
                seat.name,
                coats,
                card.fate,
                slug,
                place if is_placed else None,
                seat.number in winners,
            )
        )
    return tuple(people)


def _slugs(names: Sequence[str]) -> list[str]:
    """Names of files for these names: small Latin letters and figures, each once."""
    slugs: list[str] = []
    for number, name in enumerate(names, start=1):
        slug = _plain(name) or f"player-{number}"
        slugs.append(f"{slug}-{number}" if slug in slugs else slug)
    return slugs


def _plain(words: str) -> str:
    bare = unicodedata.normalize("NFKD", words).encode("ascii", "ignore").decode().casefold()
    return re.sub(r"[^a-z0-9]+", "-", bare).strip("-")


def _proof(table: OpenTable, seed: str, record: Record | None) -> Proof:
    game = table.game
    if game.status not in ENDED:
        return Proof(game.commitment)
    if record is None:
        return Proof(game.commitment, seed)
    return Proof(
        game.commitment, seed, record_name(game), format_record(record), record.fingerprint
    )
