"""Laying out a new game: seats chosen or dealt, and the starting position (FW-1.3, FW-2)."""

from collections.abc import Mapping, Sequence

import msgspec

from engine.chance import Chance
from engine.fortresses.atlas import (
    ALLIANCES,
    KINGDOMS,
    Alliance,
    Kingdom,
    alliance_of,
    lands,
    zones,
)
from engine.fortresses.event_kinds import SeatsDealt
from engine.fortresses.flow import begin_turn, stop
from engine.fortresses.state import Garrison, Options, Player, Realm, State
from engine.fortresses.table import Table
from engine.ruleset import Outcome, Seat

FEWEST_PLAYERS, MOST_PLAYERS = 2, 4
SET_UP_RULES = (
    "FW-1.1",
    "FW-1.3",
    "FW-2.1",
    "FW-2.4",
    "FW-2.5",
    "FW-2.7",
    "FW-2.8",
    "FW-2.9",
    "FW-3.1",
)


def check_options(options: Mapping[str, object]) -> Options:
    """The options of a table; ValueError, saying what, if there is no such option or value."""
    for name in options:
        if name not in Options.__struct_fields__:
            raise ValueError(
                f"there is no option {name!r}; there are {', '.join(Options.__struct_fields__)}"
            )
    try:
        chosen = msgspec.convert(dict(options), Options)
    except msgspec.ValidationError as wrong:
        raise ValueError(
            "year_limit is a number of Years (0: none), early_close yes or no"
        ) from wrong
    if chosen.year_limit < 0:
        raise ValueError("year_limit is a number of Years (0: none)")
    return chosen


def check_players(options: Mapping[str, object], players: int) -> None:
    """ValueError if this many cannot play (FW-1.3)."""
    check_options(options)
    if not FEWEST_PLAYERS <= players <= MOST_PLAYERS:
        raise ValueError(f"{FEWEST_PLAYERS} to {MOST_PLAYERS} players, not {players}")


def set_up(options: Mapping[str, object], seats: Sequence[Seat], chance: Chance) -> Outcome[State]:
    """Deal the open seats, lay out the board, and open Silver's first turn. ValueError if options
    or seats do not fit.
    """
    chosen = check_options(options)
    check_players(options, len(seats))
    _check_seats(seats)
    dealt = deal_seats(seats, chance)
    state = State(
        options=chosen,
        players=tuple(Player(seat.number, seat.name, seat.colour) for seat in seats),
        realms=tuple(Realm(kingdom, dealt[kingdom]) for kingdom in KINGDOMS),
        owners=tuple(zones()[name].owner or "silver" for name in lands()),
        garrisons=tuple(
            Garrison(name, zone.start_kingdom, zone.start)
            for name, zone in zones().items()
            if zone.start_kingdom
        ),
    )
    table = Table(state, chance)
    table.tell(SeatsDealt(tuple(dealt.items())), *SET_UP_RULES)
    begin_turn(table)
    return stop(table)


def deal_seats(seats: Sequence[Seat], chance: Chance) -> dict[Kingdom, int]:
    """Who plays which kingdom: those chosen, then the open ones by the stream, before any other use
    of it (FW-1.3).

    ValueError if what was chosen cannot be.
    """
    chosen = {seat.number: _kingdom(seat) for seat in seats if seat.faction is not None}
    if len(set(chosen.values())) < len(chosen):
        raise ValueError("two players have chosen one kingdom")
    doubled = _alliances_of_two(
        len(seats), [alliance_of(kingdom) for kingdom in chosen.values()], chance
    )
    places: list[tuple[Kingdom, ...]] = []
    for alliance, kingdoms in ALLIANCES.items():
        places += [(kingdom,) for kingdom in kingdoms] if alliance in doubled else [kingdoms]
    found: dict[Kingdom, int] = {}
    for number, kingdom in chosen.items():
        place = next((place for place in places if kingdom in place), None)
        if place is None:
            raise ValueError("each alliance needs a human")
        places.remove(place)
        found |= dict.fromkeys(place, number)
    open_to = {seat.name: seat.number for seat in seats if seat.number not in chosen}
    order = chance.shuffle("seats", tuple(open_to)) if len(open_to) > 1 else tuple(open_to)
    for name, place in zip(order, places, strict=True):
        found |= dict.fromkeys(place, open_to[name])
    return {kingdom: found[kingdom] for kingdom in KINGDOMS}


def _alliances_of_two(
    players: int, wanted: Sequence[Alliance], chance: Chance
) -> tuple[Alliance, ...]:
    """The alliances in which each kingdom has its own human."""
    if players == MOST_PLAYERS:
        return tuple(ALLIANCES)
    if players == FEWEST_PLAYERS:
        return ()
    full = [
        alliance for alliance in ALLIANCES if wanted.count(alliance) == len(ALLIANCES[alliance])
    ]
    if full:
        return (full[0],)
    names: tuple[str, ...] = tuple(ALLIANCES)
    picked = chance.choice("seats: the alliance of two", names)
    return tuple(alliance for alliance in ALLIANCES if alliance == picked)


def _kingdom(seat: Seat) -> Kingdom:
    for kingdom in KINGDOMS:
        if kingdom == seat.faction:
            return kingdom
    raise ValueError(f"{seat.faction!r} is none of {', '.join(KINGDOMS)}")


def _check_seats(seats: Sequence[Seat]) -> None:
    if [seat.number for seat in seats] != list(range(1, len(seats) + 1)):
        raise ValueError("players are numbered from 1 in the order of joining")
    for what, told in (
        ("name", [seat.name for seat in seats]),
        ("colour", [seat.colour for seat in seats]),
    ):
        if len(set(told)) < len(told):
            raise ValueError(f"two players have the same {what}")
    for seat in seats:
        if not seat.name.strip():
            raise ValueError(f"player {seat.number} has no name")
        if seat.team is not None or seat.place is not None:
            raise ValueError(f"{seat.name} has a team; in this game a kingdom is chosen")
