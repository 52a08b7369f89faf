"""Positions of the tests of reading, and what a text comes to in them."""

from tests.games.fortresses.reading.scoring import SCALE
from tests.games.reading.scoring import Tables

POSITIONS: dict[str, dict[str, object]] = {
    "attack": {
        "year": 2,
        "phase": "attack",
        "active": "red",
        "owners": {
            "Aquitaine": "red",
            "France": "red",
            "Saxony": "gold",
            "Lombardy": "gold",
        },
        "units": {
            "Egypt": "red 2L 1K",
            "Andalusia": "red 1D",
            "Aquitaine": "red 3K",
            "France": "red 2L 1K 1D",
            "Sicily": "red 1L",
            "Balearic Sea": "red 1G",
            "Levantine Sea": "red 2G",
            "Syria": "gold 2L",
            "Lombardy": "gold 1L",
            "Aegean Sea": "gold 1G",
            "Saxony": "gold 1L",
            "Naples": "gold 1L",
        },
    },
    "reinforce": {
        "year": 2,
        "phase": "reinforce",
        "active": "silver",
        "gold": 20,
        "units": {
            "England": "silver 2L",
            "Normandy": "silver 1K",
            "Denmark": "silver 1L",
            "Saxony": "silver 1L",
            "English Channel": "silver 1G",
            "Flanders": "silver 1L",
            "North Sea": "silver 1D",
        },
        "owners": {"Saxony": "silver"},
    },
    "battle": {
        "year": 5,
        "phase": "battle",
        "active": "red",
        "owners": {"Syria": "red", "Anatolia": "red"},
        "units": {"Constantinople": "red 3L 2K 1W 1D, gold 3L 1D", "Syria": "red 1L"},
        "moved": {"Constantinople": "3L 2K 1W 1D"},
        "instructions": ["Interactive in Constantinople"],
        "battles": [
            {
                "zone": "Constantinople",
                "attackers": "3L 2K 1W 1D",
                "started": "4L 2K 1W 1D",
                "points": 1,
                "round": 2,
                "hits": 2,
            }
        ],
    },
}


TABLES = Tables(SCALE, POSITIONS)
table = TABLES.table


def read(text: str, name: str = "attack", who: str = "") -> tuple[list[str], tuple[str, ...]]:
    """What stands of a text of the active kingdom's player, and the codes of the rest."""
    return TABLES.read(text, name, who or table(name).active)
