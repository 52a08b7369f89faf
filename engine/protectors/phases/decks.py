"""Drawing from the decks: piles that run empty are made again from what was discarded (PR-4.3,
PR-4.4).
"""

from msgspec import UNSET

from engine.protectors.cards import CALMS_OF_SUMMER, MISTY_MOUNTAINS
from engine.protectors.events import DeckRenewed
from engine.protectors.state import DeckName
from engine.protectors.table import Table

FIRST_TURN: dict[DeckName, str] = {"event": CALMS_OF_SUMMER, "dragons": MISTY_MOUNTAINS}
"""What turn 1 always plays (PR-4.3)."""


def draw_card(table: Table, deck: DeckName) -> str | None:
    """The top card; None when there is no card at all."""
    pile = table.pile(deck)
    if table.turn == 1:
        return _take_out(pile.draw, FIRST_TURN[deck])
    if _renew_if_empty(table, deck) or pile.renewed is True:
        pile.renewed = UNSET
        table.tell(DeckRenewed(deck, "empty"), ["PR-4.4"])
    return pile.draw.pop(0) if pile.draw else None


def look_at_top(table: Table, deck: DeckName, player: int) -> str | None:
    """The top card, which stays there; None when there is no card at all.

    If this shuffles the deck, only the player who looked learns of it until the next card is drawn,
    because a peek is secret (PR-6.17).
    """
    pile = table.pile(deck)
    if _renew_if_empty(table, deck):
        pile.renewed = True
        table.tell(DeckRenewed(deck, "empty"), ["PR-4.4"], (player,))
    return next(iter(pile.draw), None)


def _renew_if_empty(table: Table, deck: DeckName) -> bool:
    """The shuffled discards become the draw pile when a card is needed and there is none
    (PR-4.4).
    """
    pile = table.pile(deck)
    if pile.draw or not pile.discard:
        return False
    pile.draw = list(table.chance.shuffle(f"{deck} deck", tuple(pile.discard)))
    pile.discard = []
    return True


def _take_out(cards: list[str], card: str) -> str:
    """A card by name, out of a shuffled pile if it is there (PR-4.3)."""
    if card in cards:
        cards.remove(card)
    return card
