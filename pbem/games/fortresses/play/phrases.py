"""How people word their orders: several phrasings for each kind, from a data file; a kind without
any is written in its canonical text.
"""

import random
from collections.abc import Sequence
from functools import lru_cache
from importlib import resources

import msgspec
import yaml

from engine.fortresses import orders as o
from engine.fortresses.atlas import facts_of, zones
from engine.fortresses.units import UnitCode, Units
from engine.fortresses.view import TableView
from pbem.games.fortresses.pages.at_hand import AtHand

NUMBERS = ("no", "a", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
LAST_FIRST = " first, then "


@lru_cache(maxsize=1)
def phrase_book() -> dict[str, tuple[str, ...]]:
    """The data file, read once."""
    raw = resources.files(__package__).joinpath("data/phrases.yaml").read_bytes()
    return msgspec.convert(yaml.safe_load(raw), type=dict[str, tuple[str, ...]])


def phrase_all(orders: Sequence[o.Order], view: TableView, rng: random.Random) -> list[str]:
    """A line for each; what is kept for later says so."""
    whole = whole_groups(orders, view)
    return [phrase(order, rng, whole) for order in orders]


def phrase(order: o.Order, rng: random.Random, whole: frozenset[o.Group] = frozenset()) -> str:
    """One of the ways to say it."""
    if isinstance(order, o.Then):
        return f"then: {phrase(order.order, rng)}"
    kind = kind_of(order, whole)
    if not kind:
        return o.format_order(order)
    return rng.choice(phrase_book()[kind]).format(**_words(order, rng))


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


def kind_of(order: o.Order, whole: frozenset[o.Group] = frozenset()) -> str:
    """Under which heading of the phrase book an order stands; "": under none."""
    match order:
        case o.Attack(groups=(group,)):
            return "attack with all" if group in whole else "attack"
        case o.Attack():
            return "attack from many"
        case o.Carry():
            if order.board:
                return ""
            return "carry by sail" if order.final else "carry"
        case o.Move(units=units, via=()):
            return "fly" if units == Units(D=units.D) else "move"
        case o.Buy(land=land):
            return "buy a ship" if land else "buy"
        case o.Keep(on=True, zone=str() as zone) if zone:
            return "keep"
        case o.Lose(zone=zone) if zone:
            return "lose"
        case o.Retreat(policy=((o.Condition(what="first-loss"),),), zone=zone) if zone:
            return "at first loss"
        case o.Interactive(on=True, zone=zone) if zone:
            return "interactive"
    return _PLAIN.get(type(order), "")


_PLAIN: dict[type[o.Order], str] = {
    o.BuyNothing: "buy nothing",
    o.NoAttacks: "no attacks",
    o.Done: "done",
    o.LoseNow: "lose now",
    o.RetreatNow: "retreat now",
    o.Stay: "stay",
}


def _words(order: o.Order, rng: random.Random) -> dict[str, str]:
    """What is filled in."""
    match order:
        case o.Attack(target, groups):
            first = groups[0]
            told = [
                f"{say_units(group.units, rng)} from {place(group.origin, rng)}" for group in groups
            ]
            return {
                "target": place(target, rng),
                "units": say_units(first.units, rng),
                "origin": place(first.origin, rng),
                "groups": _joined(told),
                "listed": "; ".join(
                    f"{group.units.text} from {place(group.origin, rng)}" for group in groups
                ),
            }
        case o.Carry():
            return {
                "units": say_units(order.units, rng),
                **{
                    name: place(getattr(order, name) or order.sea, rng)
                    for name in ("sea", "origin", "drop", "final")
                },
            }
        case o.Move(units, origin, target):
            return {
                "units": say_units(units, rng),
                "origin": place(origin, rng),
                "target": place(target, rng),
            }
        case o.Buy(units, zone, land):
            return {
                "units": say_units(units, rng),
                "zone": place(zone, rng),
                "land": place(land, rng) if land else "",
            }
        case o.LoseNow(units):
            return {"units": say_units(units, rng)}
        case o.Lose(codes, zone):
            types = LAST_FIRST.join(_type(code) for code in codes)
            return {
                "types": types if len(codes) > 1 else f"{types} first",
                "zone": place(zone, rng),
            }
        case o.Keep(_, zone) | o.Retreat(_, zone) | o.Interactive(_, zone):
            return {"zone": place(zone, rng)}
    return {}


def place(name: str, rng: random.Random) -> str:
    """A zone by its name, now and then by its code or another name of it."""
    zone = zones()[name]
    luck = rng.random()
    if luck < 0.1:
        return zone.code
    aliases = [alias for alias in zone.aliases if alias.replace(" ", "").isalpha()]
    if luck < 0.2 and aliases:
        return rng.choice(aliases)
    return name if zone.is_land else f"the {name}"


def say_units(units: Units, rng: random.Random) -> str:
    """`2L 1K`, `2 legions and 1 knight`, `two legions and a knight`."""
    luck = rng.random()
    if luck < 0.2:
        return units.text
    in_words = luck > 0.6
    return _joined(
        [
            f"{NUMBERS[count] if in_words and count < len(NUMBERS) else count}"
            f" {_type(code) if count > 1 else facts_of(code).name.lower()}"
            for code, count in units.pairs()
        ]
    )


def _type(code: UnitCode) -> str:
    return f"{facts_of(code).name.lower()}s"


def _joined(parts: Sequence[str]) -> str:
    *others, last = parts
    return f"{', '.join(others)} and {last}" if others else last
