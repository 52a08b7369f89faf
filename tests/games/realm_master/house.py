"""What tests of the house ask of this game: how its players speak."""

from functools import lru_cache

from engine.realm_master.state import State
from engine.ruleset import Standing
from pbem.games.realm_master.reading.reader import READER
from pbem.grammar.house.reading import read_alone
from tests.games.realm_master.engine.playing import table
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
