"""Carriage in one sentence (FW-11.3, FW-11.7): a ship, whom it takes aboard, where they land."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from engine.fortresses import orders as o
from engine.fortresses.atlas import zones
from engine.fortresses.units import NONE
from pbem.games.fortresses.reading.lexer import AMBIGUOUS, meant_by, zone_of
from pbem.games.fortresses.reading.moves import NOT_UNDERSTOOD, Made, ambiguous
from pbem.games.fortresses.reading.pieces import Amount, Joint, Piece, Place, Run, Say
from pbem.games.fortresses.reading.position import Position
from pbem.grammar.kit.lexemes import Lexeme

_SILENT = frozenset({"CARRY", "MOVE", "PICK", "THEM", "THEN", "FIRST", "ABOARD", "WITH", "HOME"})


@dataclass(slots=True)
class Trip:
    """One ship."""

    ship: Amount | None = None
    sea: Place | None = None
    passengers: list[Amount] = field(default_factory=list)
    origin: Place | None = None
    board: Place | None = None
    final: Place | None = None
    drop: Place | None = None
    head: Place | None = None
    loose: list[Lexeme] = field(default_factory=list)
    lexemes: list[Lexeme] = field(default_factory=list)


def trips_of(pieces: Sequence[Piece], position: Position) -> Iterator[Made]:
    """What a run about ships and passengers comes to."""
    trip = Trip()
    before: Piece = Joint("")
    for piece in pieces:
        is_ship = isinstance(piece, Amount) and piece.code == "G"
        if is_ship and trip.ship is not None and trip.passengers:
            yield from _orders_of(trip, position)
            trip = Trip()
        if not isinstance(piece, Joint):
            trip.lexemes.append(piece.lexeme)
            _take(trip, piece, before)
        before = piece
    if trip.lexemes:
        yield from _orders_of(trip, position)


def ferried(run: Run, position: Position) -> Made | None:
    """What a run about a ship with others comes to that go to a land, where no ship goes: `the
    North Sea galleon brings the legion of Norway to Denmark`.
    """
    amounts = [piece for piece in run.pieces if isinstance(piece, Amount)]
    led = [x for x in run.pieces if isinstance(x, Place) and x.role == "to"]
    lands = [zones()[name].is_land for x in led if (name := zone_of(x.lexeme)) in zones()]
    ships = [amount.code == "G" for amount in amounts]
    if run.family not in {"", "move"} or lands[-1:] != [True] or ships[:1] != [True]:
        return None
    if len(ships) < 2 or any(ships[1:]):
        return None
    made = list(trips_of(run.pieces, position))
    return made[0] if len(made) == 1 and isinstance(made[0].order, o.Carry) else None


def _take(trip: Trip, piece: Amount | Place | Say, before: Piece) -> None:
    match piece:
        case Amount() if piece.code == "G" and trip.ship is None:
            trip.ship = piece
            if trip.sea is None and trip.final is not None and isinstance(before, Place):
                trip.sea, trip.final = trip.final, None  # `the Atlantic galleon`
        case Amount() if trip.origin is None and not piece.excepted:
            trip.passengers.append(piece)
            if isinstance(before, Place) and before is trip.head and not before.heads:
                trip.origin, trip.head = trip.head, None  # `Tunis legion`
        case Place():
            _place(trip, piece, before)
        case Say() if piece.kind in _SILENT or piece.kind == "DROP":
            pass
        case Say() if piece.kind == "ATTACK" and trip.ship is None:
            pass  # `attack Crete with a legion from Egypt by the Levantine ship`
        case _:
            trip.loose.append(piece.lexeme)


def _place(trip: Trip, place: Place, before: Piece) -> None:
    name = zone_of(place.lexeme)
    behind_ship = isinstance(before, Amount) and before.code == "G"
    behind_drop = isinstance(before, Say) and before.kind in {"DROP", "THEM"}
    slot = ""
    if name in zones() and not zones()[name].is_land:
        slot = "sea" if trip.sea is None and behind_ship and place.role != "to" else "final"
    elif behind_ship and name not in zones() and trip.sea is None:
        slot = "sea"
    elif place.role == "via":
        slot = "board"
    elif place.role == "to" or (behind_drop and place.role == "in"):
        slot = "drop"
    elif place.role in {"from", "in"} and trip.passengers and trip.origin is None:
        slot = "origin"
    elif not place.role and isinstance(before, Amount) and not behind_ship:
        slot = "origin" if trip.origin is None else "drop"
    elif behind_drop or (place.role == "in" and trip.origin is not None):
        slot = "drop"
    elif not place.role and isinstance(before, Joint | Say):
        slot = "head"
    if slot and getattr(trip, slot) is None:
        setattr(trip, slot, place)
    else:
        trip.loose.append(place.lexeme)


def _orders_of(trip: Trip, position: Position) -> Iterator[Made]:
    start, end = min(x.start for x in trip.lexemes), max(x.end for x in trip.lexemes)
    if trip.head is not None and trip.drop is None:
        trip.drop, trip.head = trip.head, None  # `Naples: one legion from Sicily ...`
    loose = [*trip.loose, *([trip.head.lexeme] if trip.head is not None else [])]
    places = [x for x in trip.lexemes if x.kind == "PLACE" and x.value == AMBIGUOUS]
    ship, told = trip.ship, trip.passengers
    if loose or ship is None or not (told and trip.sea and trip.origin and trip.drop):
        yield Made(NOT_UNDERSTOOD, start, end, loose[0] if loose else None)
        return
    if places:
        yield Made(ambiguous("zone", meant_by(places[0])), start, end, places[0])
        return
    sea, origin = zone_of(trip.sea.lexeme), zone_of(trip.origin.lexeme)
    free = position.free(origin)
    units = sum((amount.of(free) for amount in told), NONE)
    if ship.count not in {1, None} or not units.total:
        choices = [free.text]
        yield Made(ambiguous("units", choices) if not units.total else NOT_UNDERSTOOD, start, end)
        return
    names = [zone_of(p.lexeme) if p is not None else "" for p in (trip.board, trip.final)]
    board, final = names[0] if names[0] != origin else "", names[1] if names[1] != sea else ""
    order = o.Carry(sea, units, origin, zone_of(trip.drop.lexeme), board, final)
    position.use(order)
    yield Made(order, start, end)
