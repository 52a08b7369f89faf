"""Reveal Cards: one card at a time, with the Dragon in between (sections 4 and 5 of the rules)."""

from engine.protectors.cards import (
    BLACK_SWAN,
    FLOOD,
    PLAGUE,
    POWER_OVERWHELMING,
    THE_END_IS_NIGH,
    THERE_BE_DRAGONS,
    card_named,
    decks_drawn,
)
from engine.protectors.events import (
    CardRevealed,
    CardsLocked,
    CardStayed,
    DeckRenewed,
    PlagueStruck,
)
from engine.protectors.numbers import step_of
from engine.protectors.phases.decks import draw_card
from engine.protectors.phases.dragon import call_dragon
from engine.protectors.state import DeckName
from engine.protectors.table import Table


def reveal_cards(table: Table, waiting: tuple[str, ...] = ()) -> bool:
    """Play the cards still due this turn; False when a Dragon Attack interrupts (PR-4.6).

    `waiting` are the staying cards of an interrupted type that have not taken effect yet. A type of
    which no card lies in play is still due as a whole, its staying cards included.
    """
    if (
        waiting
        and table.has_played(card_named(waiting[0]).deck)
        and not _play_staying(table, waiting)
    ):
        return False
    for deck in decks_drawn(table.turn):
        if table.has_played(deck):
            continue
        if not _play_new(table, deck):
            return False
        if not _play_staying(
            table, tuple(played.card for played in table.locked if played.deck == deck)
        ):
            return False
    return True


def put_cards_away(table: Table) -> None:
    """The end of a turn: cards go to the discard piles, or stay for good under The End is Nigh!
    (PR-4.20).
    """
    stays = any(played.card == THE_END_IS_NIGH for played in table.in_play)
    for played in table.in_play:
        if stays and played.card != THE_END_IS_NIGH:
            table.locked.append(played)
        else:
            table.pile(played.deck).discard.append(played.card)
    table.in_play = []
    table.read_cards()


def _play_new(table: Table, deck: DeckName) -> bool:
    """Reveal and play a card of this deck, and another one after each Black Swan; False when the
    Dragon attacks.
    """
    while True:
        card = draw_card(table, deck)
        if card is None:
            return True
        kind = card_named(card)
        tier = table.tier
        step, extra = (
            step_of(tier, table.provinces),
            table.provinces if kind.effect == "raise" else 0,
        )
        table.dpl += step + extra
        if kind.effect != "reshuffle":
            table.put_in_play(deck, card)
        rules = [
            "PR-4.2",
            "PR-4.5",
            "PR-5.2",
            *kind.rules,
            *(["PR-4.3"] if table.turn == 1 else []),
        ]
        table.tell(CardRevealed(deck, card, tier, step, extra, table.dpl, table.threshold), rules)
        over = table.dpl >= table.threshold
        if kind.effect == "attack":
            call_dragon(
                table,
                "reveal",
                "card",
                more=1 if over else 0,
                waiting=_staying(table, deck),
                deck=deck,
            )
            return False
        _take_effect(table, card)
        if over:
            call_dragon(
                table,
                "reveal",
                "threshold",
                waiting=() if card == BLACK_SWAN else _staying(table, deck),
                deck=deck,
            )
            return False
        if card != BLACK_SWAN:
            return True


def _play_staying(table: Table, cards: tuple[str, ...]) -> bool:
    """The staying cards of a type, in the order they were played, without a step of their own
    (PR-4.20).
    """
    for i, card in enumerate(cards):
        kind = card_named(card)
        extra = table.provinces if card == POWER_OVERWHELMING else 0
        table.dpl += extra
        table.tell(CardStayed(kind.deck, card, extra, table.dpl), ["PR-4.20", *kind.rules])
        if card == THERE_BE_DRAGONS:
            call_dragon(table, "reveal", "staying-card", waiting=cards[i + 1 :], deck=kind.deck)
            return False
        _take_effect(table, card)
    return True


def _take_effect(table: Table, card: str) -> None:
    """What a card does at once; those that only change a later rule do nothing here."""
    if card == BLACK_SWAN:
        pile = table.pile("event")
        pile.draw = list(
            table.chance.shuffle("Black Swan: event deck", (*pile.draw, *pile.discard, card))
        )
        pile.discard = []
        table.tell(DeckRenewed("event", "black-swan"), ["PR-4.7"])
    elif card == PLAGUE:
        _strike_plague(table)
    elif card == THE_END_IS_NIGH:
        locked = tuple(played.card for played in table.in_play if played.card != THE_END_IS_NIGH)
        table.tell(CardsLocked(locked), ["PR-4.20"])


def _strike_plague(table: Table) -> None:
    """Province by province, on the counts as they stand when it is reached (PR-4.19); Flood! leaves
    no neighbours.
    """
    losses: list[tuple[int, int]] = []
    for player in table.active:
        for i in range(1, table.provinces + 1):
            if table.owner[i] == player and table.units[i] and FLOOD not in table.force:
                if any(table.owner[j] == player and table.units[j] for j in table.near[i]):
                    table.lose_units(i, 1)
                    losses.append((i, player))
    table.tell(
        PlagueStruck(tuple(losses)), ["PR-4.19", *(["PR-4.15"] if FLOOD in table.force else [])]
    )


def _staying(table: Table, deck: DeckName) -> tuple[str, ...]:
    return tuple(played.card for played in table.locked if played.deck == deck)
