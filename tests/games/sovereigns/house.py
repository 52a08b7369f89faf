"""What tests of the house ask of this game: how its players speak."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from engine.ruleset import Standing
from pbem.games.sovereigns.reading.reader import READER
from pbem.grammar.house.reading import read_alone
from tests.games.sovereigns.engine.playing import table
from tests.played import HEARD, Heard, Spoken

_SEASON = (
    "attack Borland with 2 military, burn the hospital",
    "expedition with 3 military",
    "research with 2 resources: steel weapons, +1 to military rolls",
    "raise our army by one, spending 3 resources",
    "send spies (1) into Borland",
    "offer Borland 1 military until year end for 1 resource for keeps",
    "found a faith with 2 harmony",
    "build the hospital",
    "every season: expedition with 1 military",
    "claim victory",
    "pass",
    "abdicate",
    "cancel all",
    "done",
    "away until Friday",
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
