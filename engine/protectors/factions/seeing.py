"""What was seen at the top of a deck, and whether the ashes can move it (PR-11.3)."""

from collections.abc import Sequence

from engine.protectors.cards import BLACK_SWAN, POWER_OVERWHELMING, THERE_BE_DRAGONS
from engine.protectors.orders import Order, PlaceDragon
from engine.protectors.state import DeckName, Peek

UNMOVABLE = (BLACK_SWAN, POWER_OVERWHELMING)
"""Event cards that the ashes do not move (PR-11.3)."""


def seen_card(peeks: Sequence[Peek], player: int, deck: DeckName) -> str | None:
    """The card of a deck that this player looked at and that still lies on top, if any."""
    return next(
        (
            seen.card
            for seen in reversed(peeks)
            if (seen.player, seen.deck, seen.lies_there) == (player, deck, True)
        ),
        None,
    )


def is_movable(order: Order, card: str) -> bool:
    """Whether the ashes can do this with a card that was looked at (PR-11.3)."""
    return card != THERE_BE_DRAGONS if isinstance(order, PlaceDragon) else card not in UNMOVABLE
