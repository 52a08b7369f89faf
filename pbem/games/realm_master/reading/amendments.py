"""Two orders about the same: whether they are, and what both come to."""

from msgspec.structs import replace

from engine.realm_master import orders as o
from pbem.games.realm_master.reading.entries import PieceEntry
from pbem.games.realm_master.reading.parts import VERBS

_DEEDS = (o.BuyNow, o.RevealNow, o.Play, o.Life)


def amended(order: o.Order, new: o.Order) -> o.Order | None:
    """A line as it is corrected; None where a part of a list is and the others may still count."""
    match order, new:
        case o.PayTribute(), o.PayTribute():
            said = {token for token, _ in new.ways}
            kept = (way for way in order.ways if way[0] not in said)
            return replace(new, ways=(*kept, *new.ways))
        case o.Reroll(), o.Reroll():
            shorter = len(new.rules) < len(order.rules)
            loses = bool(order.rules) and order.rest != "blanks" and new.rest == "blanks"
            return None if shorter or loses else new
        case o.Faces(), o.Faces() if len(new.rules) < len(order.rules):
            return None
        case o.PickHero(), o.PickHero() if len(new.heroes) < len(order.heroes):
            return None
        case o.Loot(), o.Loot() if len(new.cards) < len(order.cards):
            return None
        case o.Buy(), o.Buy() if len(new.wishes) < len(order.wishes):
            return None
    return new


def is_same(one: o.Order, other: o.Order) -> bool:
    """Whether the second speaks of what the first does: the same line, the same deed, or that there
    be none.
    """
    if isinstance(other, o.Drop) or isinstance(one, o.Drop):
        drop, line = (other, one) if isinstance(other, o.Drop) else (one, other)
        return isinstance(drop, o.Drop) and drop.key in (None, o.key_of(line))
    if isinstance(one, o.PlaceCard) and isinstance(other, o.PlaceCard):
        return True
    if isinstance(one, _DEEDS) and isinstance(other, _DEEDS):
        return type(one) is type(other)
    return o.is_same_line(one, other)


def join_both(one: PieceEntry, other: PieceEntry) -> bool:
    """Whether two became one: `Keep swords. Keep hearts. Reroll the rest.` is one line of a plan,
    and so is a list of heroes below one another.
    """
    pairs = [*zip(one.orders, other.orders, strict=False)]
    joined = [both for pair in pairs if (both := _together(*pair, other)) is not None]
    whole = bool(joined) and len(joined) == len(one.orders) == len(other.orders)
    if not whole or one.problems or other.problems or one.doubted:
        return False
    one.orders, one.end, one.pieces = joined, other.end, [*one.pieces, *other.pieces]
    return True


def _together(one: o.Order, other: o.Order, said: PieceEntry) -> o.Order | None:
    """Two lines about the same thing as one, None where one of them would be lost in the other."""
    bare = not any(lexeme.kind in VERBS for lexeme in said.lexemes)
    match one, other:
        case o.Reroll(), o.Reroll() if (one.second, one.always) == (other.second, other.always):
            apart = not {rule.what for rule in one.rules} & {rule.what for rule in other.rules}
            adds = said.adds and other.rules and other.rest == "blanks"
            if one.rules and apart and (adds or one.rest == "blanks"):
                rest = one.rest if adds else other.rest
                return replace(one, rules=(*one.rules, *other.rules), rest=rest)
        case o.PickHero(), o.PickHero() if bare and not {*one.heroes} & {*other.heroes}:
            return o.PickHero((*one.heroes, *other.heroes))
        case o.Loot(), o.Loot() if bare and not {*one.cards} & {*other.cards}:
            return replace(one, cards=(*one.cards, *other.cards))
        case o.PayTribute(), o.PayTribute() if one.always == other.always:
            if not {token for token, _ in one.ways} & {token for token, _ in other.ways}:
                return replace(one, ways=(*one.ways, *other.ways))
    if isinstance(one, o.Choose | o.Realm) and isinstance(other, o.Choose | o.Realm):
        told = is_same(one, other) and one != other and one.always == other.always
        if told and all(choice.when for choice in one.choices):
            return replace(one, choices=(*one.choices, *other.choices))
    return None
