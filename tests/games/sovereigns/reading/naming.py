"""What may be named in this game, found by plain patterns: no word of it is the reader's."""

from collections.abc import Mapping

from engine.sovereigns.state import State

UNITS: Mapping[str, str] = {}


def names_of(state: State) -> Mapping[str, tuple[str, ...]]:
    """How somebody or something is written, and how an order may tell it."""
    kingdoms = {
        name: (kingdom.name or kingdom.ruler, kingdom.ruler)
        for kingdom in state.kingdoms
        for name in (kingdom.name, kingdom.ruler)
        if name
    }
    return kingdoms | {name: (name,) for name in state.technologies}
