"""Judge deeds that take effect at once in one's own turn (RM-11.2, RM-6.1), and the answer to a
revealed card.
"""

from collections.abc import Iterable

from engine.realm_master import orders as o
from engine.realm_master.cards import all_buy_cards
from engine.realm_master.decisions import hearts_to_buy
from engine.realm_master.state import PlaceRevealed
from engine.realm_master.table import Table
from engine.realm_master.turns.market import (
    REVEAL_PRICE,
    can_reveal,
    on_offer,
    price,
    take_from_row,
)
from engine.realm_master.turns.plays import play, why_not
from engine.realm_master.turns.shop import trade_for_life
from engine.ruleset import Fact, Problem

MOST_REASON = 500
OWN_QUESTIONS = ("reroll", "second", "knuckle", "faces", "attack", "enter", "realm", "last")
"""While one of these is open its player may buy, play and reveal."""


def judge_deed(table: Table, player: int, order: o.Order) -> Problem | None:
    """The first reason against a deed, or None."""
    match order:
        case o.Concede():
            return (
                _refuse("already-conceded", "RM-7.9") if table.players[player].conceding else None
            )
        case o.Objection(turn=turn, reason=reason):
            return _judge_objection(table, turn, reason)
        case o.PlaceCard():
            return _judge_place(table, player, order)
    if (
        table.turn is None
        or table.turn.player != player
        or table.asked != (player,)
        or table.stage not in OWN_QUESTIONS
    ):
        return _refuse("not-now", "RM-11.2", "RM-6.1", phase=table.stage)
    return _judge_own(table, player, order)


def foresee(table: Table, player: int, deeds: Iterable[o.Order]) -> None:
    """Change a copy of the table as these deeds will, one after the other, without a look at any
    hidden card.

    Each deed in one's own turn is judged on what those before it leave: gold, cards, the row,
    hearts (RM-6.1, RM-6.3, RM-8.8).
    """
    for deed in deeds:
        if judge_deed(table, player, deed) is not None:
            continue
        match deed:
            case o.BuyNow(card=card):
                place, _ = take_from_row(table, player, card)
                if not table.row[place]:  # what the deck puts there is hidden
                    del table.row[place]
            case o.RevealNow():
                table.earn(player, -REVEAL_PRICE)
                (table.buy_deck or table.discard).pop(0)
            case o.Play(now=True):
                play(table, player, deed)
            case o.Life(now=True):
                trade_for_life(table, deed.amount)


def contestable(table: Table) -> tuple[int, ...]:
    """The turns that can be taken back (RM-11.9)."""
    return tuple(record.turn + 1 for record in table.records if record.what == "turn")


def _judge_own(table: Table, player: int, order: o.Order) -> Problem | None:
    gold = table.players[player].gold
    match order:
        case o.BuyNow(card=card) if card not in all_buy_cards():
            return _refuse("not-understood", "RM-6.1")
        case o.BuyNow(card=card) if card not in on_offer(table):
            return _refuse("not-on-offer", "RM-6.1", card=card, row=tuple(on_offer(table)))
        case o.BuyNow(card=card) if price(table, player, card) > gold:
            return _refuse(
                "not-enough-gold", "RM-6.1", card=card, cost=price(table, player, card), gold=gold
            )
        case o.RevealNow() if gold < REVEAL_PRICE:
            return _refuse("not-enough-gold", "RM-6.3", cost=REVEAL_PRICE, gold=gold)
        case o.RevealNow() if not can_reveal(table, player):
            return _refuse("no-card-left", "RM-6.6")
        case o.Play():
            why = why_not(table, player, order)
            return None if why is None else _refuse(why, "RM-6.4", card=order.card)
        case o.Life():
            return _judge_life(table, player, order)
    return None


def _judge_life(table: Table, player: int, order: o.Life) -> Problem | None:
    card = table.effect("exchange")
    if card is None:
        return _refuse("no-exchange-now", "RM-8.8", "RM-T08")
    if order.amount + table.now().lives > card.amount:
        return _refuse("life-max-3", "RM-8.8", most=card.amount - table.now().lives)
    if order.amount > table.players[player].gold:
        return _refuse(
            "not-enough-gold", "RM-8.8", cost=order.amount, gold=table.players[player].gold
        )
    if order.amount < 1 or hearts_to_buy(table, player, order, card.amount) < order.amount:
        return _refuse("out-of-range", "RM-8.8", number=order.amount)
    return None


def _judge_place(table: Table, player: int, order: o.PlaceCard) -> Problem | None:
    task = table.agenda[0] if table.agenda else None
    if not isinstance(task, PlaceRevealed):
        return _refuse("not-now", "RM-6.3", phase=table.stage)
    gold, cost = table.players[player].gold, price(table, player, task.card)
    if order.cover is None and cost > gold:
        return _refuse("not-enough-gold", "RM-6.3", card=task.card, cost=cost, gold=gold)
    if order.cover is not None and order.cover not in on_offer(table):
        return _refuse("not-on-offer", "RM-6.3", card=order.cover, row=tuple(on_offer(table)))
    return None


def _judge_objection(table: Table, turn: int, reason: str) -> Problem | None:
    if turn not in contestable(table):
        return _refuse("no-such-turn", "RM-11.9", turns=contestable(table))
    if not reason.strip() or len(reason) > MOST_REASON or "\n" in reason:
        return _refuse("not-understood", "RM-11.9")
    return None


def _refuse(code: str, *rules: str, **facts: Fact) -> Problem:
    return Problem(code, rules, facts)
