"""What tests of the house ask of this game: how its players speak."""

from functools import lru_cache

from engine.ruleset import Standing
from pbem.games.fortresses.reading.reader import READER
from pbem.grammar.house.reading import read_alone
from tests.games.fortresses.engine.playing import table
from tests.played import Heard, Spoken

_ATTACKS = (
    "attack Flanders with 2 legions from Saxony",
    "everything from Hungary into Bulgaria",
    "lose knights first",
    "retreat dragons when outnumbered",
    "keep a conqueror in Bulgaria",
    "ask me each round in Bulgaria",
    "always: lose legions then knights",
    "galleon in Baltic Sea carries a legion from Sweden to Denmark",
    "then: buy 3 legions in Kiev",
    "battle order: Flanders, Bulgaria",
    "I concede",
    "resign",
    "cancel all",
    "done",
    "away until Friday",
)
_PURCHASES = (
    "buy 3 legions in Kiev",
    "move a legion from Poland to Bohemia",
    "fly the dragon from Kiev to Hungary",
    "buy nothing",
    "done",
)
_SEATS = {"Anna": ["blue"], "Annabel": ["gold", "silver"], "Mark": ["red"]}


def _heard(phase: str, orders: tuple[str, ...]) -> Heard:
    state = table(phase, "blue", base="start", seats=_SEATS)
    return Heard(
        lru_cache(None)(lambda text: read_alone(READER.read, state, 1, Standing(), text)), orders
    )


SPOKEN = Spoken(
    answer="Buy nothing",
    asides=("attack Flanders with 2 legions from Saxony", "buy 3 legions in Kiev"),
    heard=(_heard("attack", _ATTACKS), _heard("reinforce", _PURCHASES)),
    windows=frozenset({"attack", "reinforce"}),
    ways=({},),
)
