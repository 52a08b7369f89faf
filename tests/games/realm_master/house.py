"""What tests of the house ask of this game: how its players speak."""

from collections.abc import Iterator
from functools import lru_cache
from random import Random

from engine.chance import Chance
from engine.realm_master import orders as o
from engine.realm_master.ruleset import REALM_MASTER
from engine.realm_master.state import State
from engine.ruleset import Standing
from pbem.games.realm_master.reading.reader import READER
from pbem.grammar.house.reading import read_alone
from tests.games.realm_master.engine.playing import seats, table
from tests.games.realm_master.engine.test_machine import random_orders
from tests.played import Heard, Spoken

_ORDERS = (
    "attack",
    "reroll blanks",
    "enter Arub",
    "leave if below 4",
    "stay",
    "buy Iron Shield",
    "no reroll; attack; stay out",
    "Reroll: keep swords",
    "when hit: leave",
    "same as last time",
    "trade 3 gold for life",
    "plan: attack; enter Arub",
    "in the realm: stay",
    "I concede",
    "buy the Iron Shield if it is still there",
    "resign",
    "away until Friday",
)
_PLAYERS = {"Anna": {"hero": "elf", "hgb": "7/9/0"}, "Annabel": {"hero": "wizard", "hgb": "7/0/0"}}
_STATE: State = table(_PLAYERS, row=["B01", "B02", "B12"], card="T08")

SPOKEN = Spoken(
    answer="Hero: elf",
    asides=("enter Arub", "reroll blanks"),
    heard=(
        Heard(
            lru_cache(None)(lambda text: read_alone(READER.read, _STATE, 1, Standing(), text)),
            _ORDERS,
        ),
    ),
    windows=frozenset({"round", "reroll"}),
    ways=({}, {"mode": "interactive"}),
)

SKIPS = False
"""Whether `windows` comes upon windows that are skipped."""


def says(order: o.Order) -> bool:
    """Whether it is more than to go on, or to wait."""
    return not isinstance(order, o.GoOn | o.Wait | o.Drop)


def windows(seed: int) -> Iterator[tuple[tuple[State, ...], State]]:
    """A game by chance, after each close: what was skipped is not seen from outside here."""
    rng, stream = Random(seed), Chance(seed.to_bytes(8, "big"))
    mode = rng.choice(("standing", "interactive"))
    state = REALM_MASTER.setup({"mode": mode}, seats(rng.randint(2, 5)), stream).state
    for _ in range(40):
        state = REALM_MASTER.adjudicate(state, random_orders(state, rng), stream).state
        if state.stage == "over":
            return
        yield (), state
