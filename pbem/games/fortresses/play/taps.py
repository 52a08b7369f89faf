"""The way through the menu of a chat to an order: the words of the buttons as a player reads them."""

from engine.fortresses import orders as o
from engine.fortresses.atlas import facts_of, zones
from engine.fortresses.units import UnitCode, Units
from pbem.games.fortresses.pages.at_hand import AtHand
from pbem.play import Seen

TAKE = "Take it"


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
    """All who can go of some types; the counters of the others are set to none."""
    hand = AtHand(seen.view, seen.view.held)
    codes = hand.reach(seen.legal).get(origin, {}).get(target, ())
    able = hand.free(origin).only(codes)
    if not able.holds(units) or any(units.of(code) not in (0, able.of(code)) for code in codes):
        return ()
    others: list[UnitCode] = [code for code, _ in able.pairs() if not units.of(code)]
    left_out = (f"{facts_of(code).name}s:?" for code in others)
    return (verb, f"{origin}:", f"{target}:", *left_out, TAKE)
