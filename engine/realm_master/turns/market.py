"""Buy cards: the row, its prices, buying, revealing and covering (RM-6)."""

from engine.realm_master.cards import all_buy_cards, all_turn_cards
from engine.realm_master.events import CardBought, CardCovered, CardRevealed, DeckRebuilt
from engine.realm_master.table import Table

REVEAL_PRICE = 1


def price_of(card: str, *, hero: str | None, turn_card: str | None) -> int:
    """All reductions add up, never below 0: the wizard's for enchantments, Market Day's (RM-6.5,
    RM-T16).
    """
    shown = all_buy_cards()[card]
    market = turn_card is not None and all_turn_cards()[turn_card].effect == "market"
    return max(0, shown.cost - (hero == "wizard" and shown.enchantment) - market)


def price(table: Table, player: int, card: str) -> int:
    return price_of(card, hero=table.players[player].hero, turn_card=table.card)


def on_offer(table: Table) -> list[str]:
    """The visible cards of the row, from the left."""
    return [pile[0] for pile in table.row]


def buy(table: Table, player: int, card: str) -> None:
    """Buy a visible card of the row; what it covered is visible again, else the deck replaces it
    (RM-6.1, RM-6.2).
    """
    place, cost = take_from_row(table, player, card)
    pile = table.row[place]
    freed = pile[0] if pile else None
    drawn = None if pile else _draw(table)
    if drawn is not None:
        pile.append(drawn)
    if not pile:
        del table.row[place]
    rules = [
        "RM-6.1",
        "RM-6.2",
        *_rules_of(table, player, card),
        *(["RM-6.6"] if not freed and drawn is None else []),
    ]
    table.tell(CardBought(player, card, cost, place + 1, drawn, freed), rules)


def take_from_row(table: Table, player: int, card: str) -> tuple[int, int]:
    """Pay for a visible card and have it; the place of its pile, from 0, and what it cost."""
    place, cost = on_offer(table).index(card), price(table, player, card)
    table.row[place].pop(0)
    _own(table, player, card, cost)
    return place, cost


def can_reveal(table: Table, player: int) -> bool:
    return table.players[player].gold >= REVEAL_PRICE and bool(table.buy_deck or table.discard)


def why_no_card(table: Table, player: int) -> str:
    """The code of what is lacking where `can_reveal` does not hold."""
    return "not-enough-gold" if table.players[player].gold < REVEAL_PRICE else "no-card-left"


def reveal(table: Table, player: int) -> str:
    """Pay and turn the top card of the deck (RM-6.3); `can_reveal` must hold."""
    card = _draw(table)
    if card is None:
        raise ValueError("there is no card to reveal")
    table.earn(player, -REVEAL_PRICE)
    table.tell(CardRevealed(player, card), ["RM-6.3"])
    return card


def buy_revealed(table: Table, player: int, card: str) -> None:
    cost = price(table, player, card)
    _own(table, player, card, cost)
    table.tell(
        CardBought(player, card, cost, None, None, None),
        ["RM-6.3", *_rules_of(table, player, card)],
    )


def cover(table: Table, player: int, card: str, place: int | None, *rules: str) -> None:
    """Put a revealed card on a pile of the row, which is blocked for everyone while it is covered
    (RM-6.3).
    """
    on = None if place is None else table.row[place][0]
    if place is None:
        table.row.append([card])
    else:
        table.row[place].insert(0, card)
    table.tell(CardCovered(player, card, on), ["RM-6.3", *rules])


def _own(table: Table, player: int, card: str, cost: int) -> None:
    table.earn(player, -cost)
    table.change(player, cards=(*table.players[player].cards, card))


def _rules_of(table: Table, player: int, card: str) -> list[str]:
    shown = all_buy_cards()[card]
    rules = [shown.rule, "RM-6.7", "RM-6.4"]
    if shown.enchantment and table.players[player].hero == "wizard":
        rules += ["RM-6.5", "RM-2.13"]
    return [*rules, *(["RM-T16"] if table.effect("market") else [])]


def _draw(table: Table) -> str | None:
    """The top card of the deck; an empty deck is the discard pile shuffled (RM-6.6). None if both
    are empty.
    """
    if not table.buy_deck and table.discard:
        table.buy_deck = list(table.shuffle("buy deck", tuple(sorted(table.discard))))
        table.discard = []
        table.tell(DeckRebuilt("buy", "rules", len(table.buy_deck)), ["RM-6.6"])
    return table.buy_deck.pop(0) if table.buy_deck else None
