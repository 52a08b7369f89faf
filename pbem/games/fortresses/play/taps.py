"""The way through the menu of a chat to an order: the words of the buttons, as people see them."""

from engine.fortresses import orders as o
from engine.fortresses.atlas import facts_of, zones
from engine.fortresses.units import Units
from pbem.games.fortresses.pages.at_hand import AtHand
from pbem.play import Seen

TAKE = "Take it"
MOST_COUNTED = 5
"""Nobody taps a counter more often than that."""


def taps_of(order: o.Order, seen: Seen) -> tuple[str, ...]:
    """Button by button; () for what is sooner written."""
    match order:
        case o.Attack(target, (group,)):
            return _march("Attack", seen, group.units, group.origin, target)
        case o.Move(units, origin, target, via=()):
            return _march("Move", seen, units, origin, target)
        case o.Carry(board=""):
            unit = " ".join(f"{count} {facts_of(code).name}" for code, count in order.units.pairs())
            return (
                "Carry by ship",
                f"{order.sea}:",
                f"{order.origin}:",
                unit,
                f"{order.drop}:",
                TAKE,
            )
        case o.Buy(units, zone) if zones()[zone].structure == "castle":
            return ("Buy", f"{zone}:", *(f"{facts_of(code).name}," for code, _ in units.pairs()))
        case o.Buy(units, zone) if zones()[zone].is_land and units.total <= MOST_COUNTED:
            added = [
                f"+ {facts_of(code).name}" for code, count in units.pairs() for _ in range(count)
            ]
            return ("Buy", f"{zone}:", *added, TAKE)
        case o.NoAttacks():
            return ("No attacks", TAKE)
        case o.BuyNothing():
            return ("Buy nothing", TAKE)
        case o.RetreatNow():
            return ("Dragons retreat", TAKE)
        case o.Stay():
            return ("Dragons stay", TAKE)
    return ()


def _march(verb: str, seen: Seen, units: Units, origin: str, target: str) -> tuple[str, ...]:
    """All who can go, and then fewer of each type by its counter."""
    hand = AtHand(seen.view, seen.view.held)
    able = hand.free(origin).only(hand.reach(seen.legal).get(origin, {}).get(target, ()))
    counters: list[str] = []
    for code, count in able.pairs():
        name, wanted = facts_of(code).name, units.of(code)
        if not wanted:
            counters.append(f"{name}s:")
        elif count - wanted <= wanted:
            counters += [f"\N{MINUS SIGN} {name}"] * (count - wanted)
        else:
            counters += [f"{name}s:", *[f"+ {name}"] * wanted]
    is_short = able.holds(units) and len(counters) <= MOST_COUNTED
    return (verb, f"{origin}:", f"{target}:", *counters, TAKE) if is_short else ()
