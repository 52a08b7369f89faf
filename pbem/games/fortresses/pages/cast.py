"""Names of players, kingdoms and units in the words of one reader: what every sentence about a game
of Fortresses needs.
"""

from dataclasses import dataclass

from engine.fortresses.atlas import KINGDOMS, facts_of, zones
from engine.fortresses.orders import Order, format_order
from engine.fortresses.units import UnitCode, Units, parse_units
from engine.fortresses.view import TableView
from pbem.pages.kit import usual
from pbem.pages.kit.rules import Book
from pbem.pages.rendering import clean_line

BOOK = Book("pbem.games.fortresses", "FW")
"""The rules guide of this game."""
HELD = "\N{NO-BREAK SPACE}"


@dataclass(frozen=True, slots=True)
class Cast(usual.Cast):
    """Besides the names: who commands each kingdom, in turn order."""

    commanders: tuple[int, ...] = ()

    def kingdom(self, kingdom: str) -> str:
        """`Silver`."""
        return kingdom.capitalize()

    def realm(self, kingdom: str) -> str:
        """`Silver (Ann)`."""
        for commander, name in zip(self.commanders, KINGDOMS, strict=True):
            if name == kingdom:
                return f"{kingdom.capitalize()} ({self.name(commander)})"
        return "The attacker"

    def units(self, text: str) -> str:
        """`2 Legions and 1 Knight` of `2L 1K`."""
        return say_units(parse_units(text))

    def count(self, text: str) -> int:
        return parse_units(text).total

    def worth(self, text: str) -> int:
        """The gold that so many units cost."""
        return sum(facts_of(code).cost * count for code, count in parse_units(text).pairs())

    def code(self, zone: str) -> str:
        return zones()[zone].code if zone in zones() else zone

    def is_sea(self, zone: str) -> bool:
        return zone in zones() and not zones()[zone].is_land

    def order(self, order: Order) -> str:
        return format_order(order)

    def no_purchases(self, lines: tuple[str, ...]) -> list[str]:
        """The lines of Reinforce that move something, or keep an instruction."""
        return [line for line in lines if not line.startswith("Buy ")]

    def unit(self, code: UnitCode) -> str:
        return facts_of(code).name


def say_units(units: Units) -> str:
    """`2 Legions and 1 Knight`, each number held to its word."""
    words = [
        f"{count}{HELD}{facts_of(code).name}{'' if count == 1 else 's'}"
        for code, count in units.pairs()
    ]
    return " and ".join(filter(None, (", ".join(words[:-1]), *words[-1:]))) or "nobody"


def cast_of(view: TableView, you: int | None) -> Cast:
    """The cast of this table for one reader."""
    names = tuple(clean_line(player.name) for player in view.players)
    return Cast(names, you or 0, tuple(realm.commander for realm in view.kingdoms))
