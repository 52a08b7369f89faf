"""What may be named in this game, found by plain patterns: no word of it is the reader's."""

from collections.abc import Mapping

from engine.fortresses.atlas import zones
from engine.fortresses.state import State

UNITS = {"legions?": "L", "knights?": "K", "warbeasts?": "W", "dragons?": "D", "galleons?": "G"}


def names_of(_: State) -> Mapping[str, tuple[str, ...]]:
    """How somebody or something is written, and how an order may tell it."""
    return {name: (zone.name,) for zone in zones().values() for name in (zone.name, *zone.aliases)}
