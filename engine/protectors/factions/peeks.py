"""Looking at the top of a deck: Weather forecast, ash-reading and the Palantír (PR-11.2, PR-11.3,
PR-12.4, PR-6.17).

A peek takes effect at once, and nobody else learns of it. Orders to peek that still stand when the
window closes are carried out then, before everything else; what was done already is not done again.
"""

from collections.abc import Mapping, Sequence
from typing import Literal

import msgspec

from engine.protectors.abilities import ASH_READING, ASHES_COST, PALANTIR_COST
from engine.protectors.ability_events import CardMoved, CardSeen
from engine.protectors.cards import THERE_BE_DRAGONS
from engine.protectors.events import CostPaid, OrderFailed
from engine.protectors.factions.seeing import is_movable, seen_card
from engine.protectors.orders import (
    ISLAND,
    AtOnce,
    Forecast,
    Order,
    Palantir,
    PlaceDragon,
    PutAtBottom,
    ReadDragonDeck,
)
from engine.protectors.phases.decks import look_at_top
from engine.protectors.state import DeckName, Peek
from engine.protectors.table import Table

LOOKS = Forecast | ReadDragonDeck | Palantir
MOVES = PutAtBottom | PlaceDragon
PEEKS = LOOKS | MOVES
"""The orders that are carried out at once: to look at a card, and to move the one looked at."""


def take_peeks(table: Table, given: Mapping[int, Sequence[Order]]) -> None:
    """The peeks among the orders of a window that closes, the highest ranked player's first
    (PR-3.11).
    """
    for player in table.ranking:
        for order in given.get(player, ()):
            if isinstance(order, AtOnce) and not _was_done(table, player, order):
                peek(table, player, order)


def peek(table: Table, player: int, order: PEEKS) -> None:
    """Look at a card, or deal with the one looked at. Only the player learns what cannot be
    done.
    """
    match order:
        case Forecast() if table.has(player, "forecast"):
            _look(table, player, "event", ["PR-11.2"])
        case ReadDragonDeck() if table.can_use(player, "forecast", ASH_READING):
            if _pay(table, player, order, "ashes", ASHES_COST, ["PR-11.2", "PR-6.17"]):
                table.use(player, ASH_READING, 0, ["PR-11.2"])
                _look(table, player, "dragons", ["PR-11.2"])
        case Palantir(deck=deck) if table.owner[ISLAND] == player and table.units[ISLAND]:
            if _pay(table, player, order, "palantir", PALANTIR_COST, ["PR-12.4", "PR-6.17"]):
                _look(table, player, deck, ["PR-12.4"])
        case PutAtBottom() | PlaceDragon() if table.has(player, "forecast") and table.reads_ashes(
            player
        ):
            _move(table, player, order)
        case _:
            _fail(table, player, order, "not-in-force", ["PR-6.19"])


def _was_done(table: Table, player: int, order: PEEKS) -> bool:
    """Whether an order that still stands took effect when it came."""
    decks = [seen.deck for seen in table.peeks if seen.player == player]
    match order:
        case Forecast():
            return "event" in decks
        case ReadDragonDeck():
            return "dragons" in decks
        case Palantir(deck=deck):
            return deck in decks
        case PutAtBottom():
            return "event" in decks and seen_card(table.peeks, player, "event") is None
        case PlaceDragon():
            return "dragons" in decks and seen_card(table.peeks, player, "dragons") is None


def _look(table: Table, player: int, deck: DeckName, rules: list[str]) -> None:
    top = look_at_top(table, deck, player)
    if top is not None:
        table.peeks.append(Peek(player, deck, top))
    table.tell(CardSeen(player, deck, top), rules, (player,))


def _pay(
    table: Table,
    player: int,
    order: PEEKS,
    what: Literal["palantir", "ashes"],
    cost: int,
    rules: list[str],
) -> bool:
    """At once, from the player's own purse (PR-6.17)."""
    if table.realm[player] < cost:
        _fail(table, player, order, "cannot-pay", rules)
        return False
    table.realm[player] -= cost
    table.tell(CostPaid(player, what, ISLAND, cost), rules, (player,))
    return True


def _move(table: Table, player: int, order: PutAtBottom | PlaceDragon) -> None:
    """Put the card looked at to the bottom, or a new There be Dragons! in its place (PR-11.3)."""
    deck: DeckName = "event" if isinstance(order, PutAtBottom) else "dragons"
    card, pile = seen_card(table.peeks, player, deck), table.pile(deck)
    if card is None or not is_movable(order, card):
        _fail(table, player, order, "not-in-force", ["PR-11.3"])
        return
    del pile.draw[0]
    if isinstance(order, PutAtBottom):
        pile.draw.append(card)
    else:
        pile.removed.append(card)
        pile.draw.insert(0, THERE_BE_DRAGONS)
    table.peeks = [
        msgspec.structs.replace(seen, lies_there=False) if seen.deck == deck else seen
        for seen in table.peeks
    ]
    table.tell(
        CardMoved(player, deck, card, "bottom" if deck == "event" else "removed"),
        ["PR-11.3"],
        (player,),
    )


def _fail(
    table: Table,
    player: int,
    order: PEEKS,
    reason: Literal["cannot-pay", "not-in-force"],
    rules: list[str],
) -> None:
    table.tell(OrderFailed(player, order, reason), rules, (player,))
