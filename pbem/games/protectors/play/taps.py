"""The way through the menu of a chat to an order: the words of the buttons, as a player reads
them.
"""

from collections.abc import Mapping

from engine.protectors import orders as o
from pbem.games.protectors.play.phrases import Named

_MOST_UNITS = 10
"""More have no button of their own."""


def taps_of(order: o.Order, names: Mapping[int, Named]) -> tuple[str, ...]:
    """Button by button; () for what is sooner written."""
    match order:
        case o.Fortify(province=p, golden=golden):
            return (f"Orders for {_place(p)}", "Fortify ★" if golden else "Fortify")
        case o.Work(province=p, golden=golden):
            return (f"Orders for {_place(p)}", "Work ★" if golden else "Work")
        case o.Hold(province=p):
            return (f"Orders for {_place(p)}", "Hold")
        case o.March(units=units, origin=origin, target=target, golden=golden, delayed=delayed) if (
            units <= _MOST_UNITS
        ):
            gold, late = (
                ("★ golden: off?",) if golden else (),
                ("delayed: off?",) if delayed else (),
            )
            return (
                f"Orders for {_place(origin)}",
                "March",
                _place(target),
                str(units),
                *gold,
                *late,
                "Take it",
            )
        case o.Support(player=player, target=target, origin=origin, golden=golden):
            gold = ("★ golden: off?",) if golden else ()
            return (
                f"Orders for {_place(origin)}",
                "Support",
                _place(target),
                *gold,
                f"for {names[player].name}",
            )
        case o.Commit(units=units, province=p, sacrifice=None) if units <= _MOST_UNITS:
            return (f"Against the Dragon from {_place(p)}", str(units), "Take it")
    return ()


def _place(province: int) -> str:
    return "Island" if province == o.ISLAND else f"P{province}"
