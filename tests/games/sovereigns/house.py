"""What tests of the house ask of this game: how its players speak."""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from random import Random
from typing import Any

from engine.chance import Chance
from engine.ruleset import Seat, Standing
from engine.sovereigns import orders as o
from engine.sovereigns.ruleset import SOVEREIGNS
from engine.sovereigns.state import SEASONS, State
from pbem.games.sovereigns.reading.reader import READER
from pbem.grammar.house.reading import read_alone
from tests.games.sovereigns.engine.playing import table
from tests.played import HEARD, Heard, Spoken

_SEASON = (
    *("attack Borland with 2 military, burn the hospital", "expedition with 3 military"),
    "research with 2 resources: steel weapons, +1 to military rolls",
    *("raise our army by one, spending 3 resources", "send spies (1) into Borland"),
    "offer Borland 1 military until year end for 1 resource for keeps",
    *("found a faith with 2 harmony", "build the hospital"),
    *("every season: expedition with 1 military", "claim victory", "pass", "abdicate"),
    *("cancel all", "done", "away until Friday"),
)
_YEAR = (
    "harmony: 2 dice",
    "I rule by fear",
    "every year put all harmony but one into the roll",
    "harmony 1, rebellion roll with 2",
)
_SETUP = ("4 resources, 3 military, 2 harmony. Call us Aldermark.",)
_KINGDOMS = dict(zip(HEARD, ("Aldermark", "Borland", "Cyrene", "Dunmore", "Eastfold"), strict=True))


def _heard(orders: tuple[str, ...], **told: Any) -> Heard:
    kingdoms: Mapping[str, Any] = {
        ruler: {"name": name, "R": 4, "M": 4, "H": 3, "tech": ["medicine"]}
        for ruler, name in _KINGDOMS.items()
    }
    kingdoms[HEARD[1]]["bld"] = ["BLD-HOSPITAL"]
    state = table(kingdoms, technologies={"medicine": "BLD-HOSPITAL"}, **told)
    return Heard(
        lru_cache(None)(lambda text: read_alone(READER.read, state, 1, Standing(), text)), orders
    )


SPOKEN = Spoken(
    answer="Split 4/3/2, Aldermark",
    asides=("expedition with 2 military", "harmony: 2 dice"),
    heard=(
        _heard(_SEASON),
        _heard(_YEAR, phase="year-start"),
        _heard(_SETUP, phase="setup"),
    ),
    windows=frozenset({"setup", "year-start", "season"}),
    ways=({}, {"max_years": 1}),
)

SKIPS = False
"""Whether `windows` comes upon windows that are skipped."""


def says(_: State, order: o.Order) -> bool:
    """Whether it is more than to pass, or to take back."""
    return not isinstance(order, o.Pass | o.Done | o.Forget)


def windows(seed: int) -> Iterator[tuple[tuple[State, ...], State]]:
    """A game by chance, after each close: no season is ever skipped."""
    rng, stream = Random(seed), Chance(seed.to_bytes(8, "big"))
    seats = [Seat(number, f"Player {number}", "red") for number in range(1, rng.randint(2, 4) + 1)]
    state = SOVEREIGNS.setup({}, seats, stream).state
    for _ in range(12):
        due = _next(state)
        given = {player: _some(state, player, rng) for player in SOVEREIGNS.active(state)}
        state = SOVEREIGNS.adjudicate(state, given, stream).state
        if state.stage == "over":
            return
        assert (state.stage, state.season if state.stage == "season" else "") == due
        yield (), state


def _some(state: State, player: int, rng: Random) -> tuple[o.Order, ...]:
    offered = [one for one in SOVEREIGNS.legal(state, player) if SOVEREIGNS.act_of(one) is None]
    chosen = rng.sample(offered, min(len(offered), rng.randint(0, 2)))
    return SOVEREIGNS.check(state, player, Standing(), chosen).standing.orders


def _next(state: State) -> tuple[str, str]:
    if state.stage != "season":
        return ("year-start", "") if state.stage == "setup" else ("season", SEASONS[0])
    at = SEASONS.index(state.season) + 1
    return ("season", SEASONS[at]) if at < len(SEASONS) else ("year-start", "")
