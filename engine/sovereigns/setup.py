"""Laying out a new game (SS-1): seats are shuffled, then every ruler is asked for a split."""

from collections.abc import Mapping, Sequence

import msgspec

from engine.chance import Chance
from engine.ruleset import Event, Outcome, Seat
from engine.sovereigns import events as e
from engine.sovereigns.orders import Order, Split
from engine.sovereigns.seasons.running_phase import WINDOWS
from engine.sovereigns.state import Kingdom, Options, Points, State
from engine.sovereigns.table import Table

FEWEST_PLAYERS, MOST_PLAYERS = 2, 12
START_SUM, LEAST = 9, 1
"""The three totals at the start, and the least of each (SS-1.2)."""
MOST_NAME = 40
MOST_YEARS = 1000


def check_options(options: Mapping[str, object]) -> Options:
    """The options of a table; ValueError, saying what, if there is no such option or value."""
    try:
        chosen = msgspec.convert(dict(options), Options)
    except msgspec.ValidationError as wrong:
        raise ValueError(f"the only option is max_years, a number of years: {wrong}") from wrong
    if chosen.max_years is not None and not 1 <= chosen.max_years <= MOST_YEARS:
        raise ValueError(f"max_years is 1 to {MOST_YEARS}, not {chosen.max_years}")
    return chosen


def check_players(options: Mapping[str, object], players: int) -> None:
    """ValueError if this many cannot play (SS-1.4)."""
    check_options(options)
    if not FEWEST_PLAYERS <= players <= MOST_PLAYERS:
        raise ValueError(f"{FEWEST_PLAYERS} to {MOST_PLAYERS} players, not {players}")


def set_up(options: Mapping[str, object], seats: Sequence[Seat], chance: Chance) -> Outcome[State]:
    """Seat order is one shuffle of the players (SS-0.3)."""
    chosen = check_options(options)
    check_players(options, len(seats))
    _check_seats(seats)
    numbers = {seat.name: seat.number for seat in seats}
    seating = tuple(numbers[name] for name in chance.shuffle("seating", tuple(numbers)))
    state = State(
        chosen, tuple(Kingdom(seat.number, seat.name, seat.colour) for seat in seats), seating
    )
    rules = ("SS-0.1", "SS-0.3", "SS-1.1", "SS-1.4")
    window = e.WindowOpened("setup", WINDOWS["setup"])
    return Outcome(state, (Event(e.GameSetUp(seating), rules), Event(window, ("SS-12.1",))))


def close_setup(table: Table, orders: Mapping[int, Sequence[Order]]) -> None:
    """The splits are revealed to all at once; who sent none gets 3/3/3 (SS-1.3, SS-1.4)."""
    seats = range(1, len(table.state.seating) + 1)
    taken = {kingdom.ruler.casefold() for kingdom in table.state.kingdoms}
    taken |= {f"kingdom {seat}" for seat in seats}
    for seat, number in enumerate(table.state.seating, start=1):
        split = next((order for order in orders.get(number, ()) if isinstance(order, Split)), None)
        default = f"Kingdom {seat}"
        wanted = split.name if split is not None and split.name else default
        own = {table.of(number).ruler.casefold(), default.casefold()}
        is_taken = wanted.casefold() in taken - own
        name = default if is_taken else wanted
        taken.add(name.casefold())
        told = split or Split(3, 3, 3)
        total = Points(told.resources, told.military, told.harmony)
        table.change(number, total=total, name=name)
        three = (total.R, total.M, total.H)
        facts = e.SplitMade(number, *three, name, split is not None, wanted if is_taken else "")
        table.tell(facts, ["SS-1.2", "SS-1.3", "SS-1.4", "SS-12.1"])
    table.put(stage="year-start")
    table.tell(e.YearBegan(1), ["SS-2.1"])


def _check_seats(seats: Sequence[Seat]) -> None:
    if [seat.number for seat in seats] != list(range(1, len(seats) + 1)):
        raise ValueError("players are numbered from 1 in the order of joining")
    if len({seat.name for seat in seats}) < len(seats):
        raise ValueError("two players have the same name")
    for seat in seats:
        if not seat.name.strip():
            raise ValueError(f"player {seat.number} has no name")
        if seat.team is not None or seat.place is not None or seat.faction is not None:
            raise ValueError(f"{seat.name} has a team or a faction in a game without them")
