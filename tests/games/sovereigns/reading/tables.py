"""Positions of the tests of reading, and what a text comes to in them."""

from collections.abc import Sequence
from functools import lru_cache

from engine.ruleset import Checked, Standing
from engine.sovereigns import orders as o
from engine.sovereigns.positions.position import parse_position
from engine.sovereigns.positions.position_words import names_of
from engine.sovereigns.state import State
from pbem.games.sovereigns.reading.reader import SovereignsReader
from tests.games.sovereigns.reading.scoring import outcome_of, read_at_table

KINGDOMS = {
    "Ann": {
        "name": "Aldermark",
        "R": 6,
        "M": 5,
        "H": 4,
        "ex": {"R": 2, "H": 1},
        "tech": ["steel", "medicine"],
        "bld": ["BLD-CAMP", "BLD-WORKS R"],
        "faith": 1,
        "boons": ["bonus"],
        "discoveries": [{"great": True}],
    },
    "Ben": {"name": "Borland", "R": 4, "M": 4, "H": 3, "tech": ["sails"], "bld": ["BLD-VAULT"]},
    "Chloé": {"name": "Cyrene", "R": 3, "M": 3, "H": 4},
    "Dmitri": {"name": "Dunmore", "alive": False},
}
POSITIONS: dict[str, dict[str, object]] = {
    "season": {
        "year": 2,
        "season": "Winter",
        "hour": 5,
        "kingdoms": KINGDOMS,
        "technologies": {
            "steel": "STAT-ROLL M",
            "medicine": "BLD-HOSPITAL",
            "sails": "STAT-ACT Expedition",
        },
        "counts": {"offers": 2},
        "offers": [
            {
                "id": 1,
                "from": "Ben",
                "to": "Ann",
                "gives": ["1R permanent"],
                "wants": ["tech steel"],
                "left": 40,
            },
            {"id": 2, "from": "Ann", "to": "Chloé", "gives": ["1M"], "wants": ["1R"], "left": 40},
        ],
        "ballots": [{"claimant": "Ben", "ayes": [], "left": 40}],
    },
    "year": {
        "year": 2,
        "phase": "year-start",
        "kingdoms": {"Ann": {"H": 5}, "Ben": {}, "Cara": {}},
    },
    "setup": {"phase": "setup", "kingdoms": {"Ann": {}, "Ben": {}, "Cara": {}}},
}


@lru_cache(maxsize=8)
def table(name: str) -> State:
    return parse_position(POSITIONS[name], {}, name)


def read(text: str, name: str = "season", who: str = "Ann") -> tuple[list[str], tuple[str, ...]]:
    """What stands of a text, and the codes of the rest."""
    state = table(name)
    return outcome_of(state, read_at_table(state, names_of(state)[who], text))


def accept(
    state: State, player: int, standing: Standing[o.Order], orders: Sequence[o.Order]
) -> Checked[o.Order]:
    """An engine to which everything is right."""
    return Checked(tuple(orders), Standing(orders=tuple(orders)))


READ_ALL = SovereignsReader(accept, suggests=False).read
"""Reads, and refuses nothing for the rules."""
