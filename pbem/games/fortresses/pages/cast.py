"""Names of players, kingdoms and units in the words of one reader: what every sentence about a game
of Fortresses needs.
"""

from dataclasses import dataclass

from engine.fortresses.atlas import KINGDOMS, Kingdom, cost_of, facts_of, zones
from engine.fortresses.orders import Order, format_order
from engine.fortresses.units import CODES, UnitCode, Units, parse_units
from engine.fortresses.view import TableView, ZoneView
from pbem.games.fortresses.coats import COATS
from pbem.pages.kit import usual
from pbem.pages.kit.rules import Book
from pbem.pages.rendering import clean_line

BOOK = Book("pbem.games.fortresses", "FW")
"""The rules guide of this game."""
HELD = "\N{NO-BREAK SPACE}"


Groups = tuple[tuple[tuple[str, ...], str], ...]
"""Zones that are held alike, and who is there."""
_MARKS = {"none": "", "castle": "*", "fortress": "**"}


@dataclass(frozen=True, slots=True)
class Cast(usual.Cast):
    """Besides the names: who commands each kingdom, in turn order."""

    commanders: tuple[int, ...] = ()

    def kingdom(self, kingdom: str) -> str:
        """`Silver`."""
        return kingdom.capitalize()

    def sign(self, kingdom: str) -> str:
        """The sign of its banner on the board, as phones show it."""
        return next(arms.emoji for of, arms in COATS.items() if of == kingdom)

    def commander(self, kingdom: str) -> int:
        """Who gives its orders; 0 for what is no kingdom."""
        names: tuple[str, ...] = KINGDOMS
        return self.commanders[names.index(kingdom)] if kingdom in names else 0

    def realm(self, kingdom: str) -> str:
        """`Silver (Ann)`."""
        commander = self.commander(kingdom)
        return f"{kingdom.capitalize()} ({self.name(commander)})" if commander else "The attacker"

    def units(self, text: str) -> str:
        """`2 Legions and 1 Knight` of `2L 1K`."""
        return say_units(parse_units(text))

    def kinds(self, text: str) -> str:
        """`Legions then Knights` of `L then K`."""
        named = (f"{facts_of(code).name}s" if code in CODES else code for code in text.split())
        return " ".join(named)

    def count(self, text: str) -> int:
        return parse_units(text).total

    def worth(self, text: str) -> int:
        """The gold that this many units cost."""
        return sum(facts_of(code).cost * count for code, count in parse_units(text).pairs())

    def code(self, zone: str) -> str:
        return zones()[zone].code if zone in zones() else zone

    def is_sea(self, zone: str) -> bool:
        return zone in zones() and not zones()[zone].is_land

    def is_fortress(self, zone: str) -> bool:
        return zone in zones() and zones()[zone].structure == "fortress"

    def garrisons(self, view: TableView, kingdom: Kingdom) -> Groups:
        """Its Lands, those held alike together and the strongest first: names with the marks of
        the legend, and who stands there.
        """
        found: dict[str, list[str]] = {}
        own = [zone for zone in view.zones if zone.owner == kingdom]
        own.sort(key=lambda zone: -sum(cost_of(units) for _, units in zone.units))
        for zone in own:
            there = (
                units.text if of == kingdom else f"{units.text} of {self.kingdom(of)}"
                for of, units in zone.units
            )
            found.setdefault(", ".join(there) or "empty", []).append(marked(zone))
        return tuple((tuple(names), who) for who, names in found.items())

    def fleets(self, view: TableView) -> Groups:
        """The Seas with units in them, in the same form."""
        found: dict[str, list[str]] = {}
        for zone in view.zones:
            if not zone.is_land and zone.units:
                there = (f"{self.kingdom(of)} {units.text}" for of, units in zone.units)
                found.setdefault(", ".join(there), []).append(zone.name)
        return tuple((tuple(names), who) for who, names in found.items())

    def order(self, order: Order) -> str:
        return format_order(order)

    def no_purchases(self, lines: tuple[str, ...]) -> list[str]:
        """The lines of Reinforce that move something, or keep an instruction."""
        return [line for line in lines if not line.startswith("Buy ")]

    def unit(self, code: UnitCode) -> str:
        return facts_of(code).name


def marked(zone: ZoneView) -> str:
    """Its name with the marks of the legend: `Kiev**+`."""
    return f"{zone.name}{_MARKS[zone.structure]}{'+' if zone.great_city else ''}"


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
