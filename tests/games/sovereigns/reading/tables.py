"""Positions of the tests of reading, and what a text comes to in them."""

from pbem.games.sovereigns.reading.reader import SovereignsReader
from tests.games.reading.scoring import Tables, accept
from tests.games.sovereigns.reading.scoring import SCALE

KINGDOMS = {
    "Ann": {
        "name": "Aldermark",
        "R": 6,
        "M": 6,
        "H": 4,
        "ex": {"R": 2, "M": 1, "H": 1},
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


TABLES = Tables(SCALE, POSITIONS)
table = TABLES.table


def read(text: str, name: str = "season", who: str = "Ann") -> tuple[list[str], tuple[str, ...]]:
    """What stands of a text, and the codes of the rest."""
    return TABLES.read(text, name, who)


READ_ALL = SovereignsReader(accept, suggests=False).read
"""Reads, and refuses nothing for the rules."""
