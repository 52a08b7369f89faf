"""What may be named in this game, found by plain patterns: no word of it is the reader's."""

from collections.abc import Mapping

from engine.protectors.state import State

UNITS: Mapping[str, str] = {}


def names_of(state: State) -> Mapping[str, tuple[str, ...]]:
    """How somebody or something is written, and how an order may tell it."""
    places = {f"P{place}": (f"P{place}",) for place in range(1, len(state.board))}
    return places | {seat.name: (seat.name,) for seat in state.players}
