"""How people word their orders: several phrasings for each kind, from a data file; a kind without
any is written in its canonical text.
"""

import random
from collections.abc import Sequence

from engine.realm_master import orders as o
from engine.realm_master.conditions import Amount, OnLand, card_name, land_name
from engine.realm_master.wording import format_order
from pbem.phrases import listed, read_phrases


def phrase(order: o.Order, rng: random.Random) -> str:
    """One of the ways to say it."""
    kind, words = kind_of(order)
    if not kind:
        return format_order(order)
    return rng.choice(read_phrases(__package__)[kind]).format(**words)


def kind_of(order: o.Order) -> tuple[str, dict[str, str]]:
    """Under which heading of the phrase book an order stands, with what is filled in; "": under
    none.
    """
    match order:
        case o.PickHero(heroes=heroes):
            return "hero", {"heroes": ", else ".join(f"the {hero}" for hero in heroes)}
        case o.Reroll(second=False):
            return _reroll(order)
        case o.Faces(rules=rules) if len(rules) > 1 and rules[0].when:
            return "faces", {}
        case o.Choose():
            return _choice(order)
        case o.Enter(choices=choices):
            return _entry(choices)
        case o.Realm(choices=(first, second)):
            return _own_turn(first, second)
        case o.Buy(wishes=(wish,)):
            return "buy", {"card": card_name(wish.card)}
        case o.Play(hero=hero, now=False) if order.land is None and order.die is None:
            return ("play on a hero" if hero else "play"), {
                "card": card_name(order.card),
                "hero": hero or "",
            }
        case o.GoOn():
            return "go on", {}
    return "", {}


def _reroll(order: o.Reroll) -> tuple[str, dict[str, str]]:
    told = [rule.what for rule in order.rules]
    if order.rest == "reroll":
        return ("reroll for hearts" if "h" in told else "reroll for swords"), {}
    if order.rest == "blanks":
        return ("reroll blanks", {}) if told == ["-", "lone"] else ("", {})
    if not told:
        return "reroll nothing", {}
    return "reroll dice", {"dice": listed(told) if len(told) > 1 else f"die {told[0]}"}


def _choice(order: o.Choose) -> tuple[str, dict[str, str]]:
    first = order.choices[0]
    if order.key == "hit" and first.when and isinstance(first.when[0][0], Amount):
        return "hit below", {"hearts": str(first.when[0][0].number)}
    kind = f"{order.key} {first.word}"
    return (kind, {}) if kind in read_phrases(__package__) and not first.when else ("", {})


def _entry(choices: Sequence[o.Choice]) -> tuple[str, dict[str, str]]:
    words = {o.NOWHERE: "enter nothing", o.BEST: "enter richest"}
    if len(choices) == 1:
        word = choices[0].word
        return (words[word], {}) if word in words else ("enter one", {"land": land_name(word)})
    first, second = choices[:2]
    filled = {"land": land_name(first.word), "other": land_name(second.word)}
    if first.when and isinstance(first.when[0][0], Amount):
        return "enter two with hearts", filled | {"hearts": str(first.when[0][0].number)}
    return "enter two", filled


def _own_turn(first: o.Choice, second: o.Choice) -> tuple[str, dict[str, str]]:
    asked = first.when[0][0] if first.when else None
    if isinstance(asked, OnLand):
        return "realm by banners", {"land": land_name(asked.land), "other": land_name(second.word)}
    if isinstance(asked, Amount):
        return "realm by hearts", {"above": str(asked.number - 1)}
    return "", {}
