"""How people word their orders."""

import random
from collections.abc import Sequence

from engine.forms import tag_of
from engine.fortresses import orders as o
from engine.fortresses.atlas import facts_of, zones
from engine.fortresses.units import UnitCode, Units
from engine.fortresses.view import TableView
from pbem.games.fortresses.pages.at_hand import AtHand
from pbem.phrases import NUMBERS, PhraseBook, listed

LAST_FIRST = " first, then "


def phrase_all(orders: Sequence[o.Order], view: TableView, rng: random.Random) -> list[str]:
    """A line for each; what is kept for later says so."""
    whole = whole_groups(orders, view)
    return [phrase(order, rng, whole) for order in orders]


def phrase(order: o.Order, rng: random.Random, whole: frozenset[o.Group] = frozenset()) -> str:
    """One of the ways to say it."""
    if isinstance(order, o.Then):
        return f"then: {phrase(order.order, rng)}"
    more = {"origin": place(order.groups[0].origin, rng)} if isinstance(order, o.Attack) else {}
    return BOOK.phrase(order, rng, None, heading_of(order, whole), **more)


def whole_groups(orders: Sequence[o.Order], view: TableView) -> frozenset[o.Group]:
    """The groups that are everybody there: nobody else leaves from where they come, and nobody
    stays.
    """
    groups = [group for order in orders if isinstance(order, o.Attack) for group in order.groups]
    riders = [order.origin for order in orders if isinstance(order, o.Carry)]
    origins = [*(group.origin for group in groups), *riders]
    hand = AtHand(view, ())
    return frozenset(
        group
        for group in groups
        if origins.count(group.origin) == 1 and group.units == hand.free(group.origin)
    )


def heading_of(order: o.Order, whole: frozenset[o.Group] = frozenset()) -> str:
    """The heading of an order whose kind has several; "" for any other."""
    match order:
        case o.Attack(groups=(group,)):
            return "attack with all" if group in whole else ""
        case o.Attack():
            return "attack from many"
        case o.Move(units=units, via=(), every="") if units == Units(D=units.D):
            return "fly"
        case o.Keep(on=True) | o.Interactive(on=True) if order.zone:
            return f"{tag_of(order)} there"
        case o.Retreat(policy=((o.Condition(what="first-loss"),),)) if order.zone:
            return "at first loss"
    return ""


def place(name: str, rng: random.Random, names: object = None) -> str:
    """A zone by its name, now and then by its code or another name of it."""
    zone = zones()[name]
    luck = rng.random()
    if luck < 0.1:
        return zone.code
    aliases = [alias for alias in zone.aliases if alias.replace(" ", "").isalpha()]
    if luck < 0.2 and aliases:
        return rng.choice(aliases)
    return name if zone.is_land else f"the {name}"


def say_units(units: Units, rng: random.Random, names: object = None) -> str:
    """`2L 1K`, `2 legions and 1 knight`, `two legions and a knight`."""
    luck = rng.random()
    if luck < 0.2:
        return units.text
    in_words = luck > 0.6
    return listed(
        [
            f"{_number(count) if in_words else count}"
            f" {_type(code) if count > 1 else facts_of(code).name.lower()}"
            for code, count in units.pairs()
        ]
    )


def _number(count: int) -> str:
    return "a" if count == 1 else NUMBERS[count] if count < len(NUMBERS) else str(count)


def _type(code: UnitCode) -> str:
    return f"{facts_of(code).name.lower()}s"


def _groups(groups: Sequence[o.Group], rng: random.Random, names: object) -> str:
    return listed(
        [f"{say_units(group.units, rng)} from {place(group.origin, rng)}" for group in groups]
    )


def _codes(codes: Sequence[UnitCode], rng: random.Random, names: object) -> str:
    types = LAST_FIRST.join(map(_type, codes))
    return types if len(codes) > 1 else f"{types} first"


BOOK: PhraseBook[o.Order] = PhraseBook(
    __package__,
    o.FORMS,
    {
        "zone": place,
        "way": place,
        "units": say_units,
        "moved": say_units,
        "groups": _groups,
        "codes": _codes,
    },
)
