"""What an action comes to, by how it went: the catalogue's columns (SS-6) and the rules' default
for free-form ones (SS-8.4).
"""

import re
from collections.abc import Callable, Mapping

import msgspec
from msgspec.structs import replace

from engine.sovereigns import events as e
from engine.sovereigns.codes import ATTRIBUTES, COSTS, Attribute
from engine.sovereigns.events import Result
from engine.sovereigns.orders import Action
from engine.sovereigns.seasons.technologies import discover, obtain
from engine.sovereigns.state import Loan, Ruling
from engine.sovereigns.table import Table

SPARED = "nothing"
"""What an attack burns that spares buildings (SS-6.7)."""

NUMBER = re.compile(r"([+-])(\d{1,2})(?: ([RMH]))?")
"""An effect in numbers: `+2 M` on one's own next such roll, `-2` on the next roll of the target."""


class Spent(msgspec.Struct, frozen=True):
    """What an action has just expended: ordinary points, and depleted ones that were not lost."""

    points: int
    depleted: int


def apply(
    table: Table, player: int, way: Action, ruling: Ruling, result: Result, spent: Spent
) -> None:
    """Bring the effects about."""
    if way.kind == "Increase":
        _increase(table, player, way.raises or "M", result, spent)
    elif way.kind == "Try":
        _attempt(table, player, way, ruling, result)
    elif way.target is not None:
        _AGAINST[way.kind](table, player, way.target, way, result)
    else:
        _ALONE[way.kind](table, player, way, result)


def _research(table: Table, player: int, way: Action, result: Result) -> None:
    if result in ("success", "great"):
        discover(table, player, way.proposal, great=result == "great")
    elif result == "disaster":
        table.await_roll(player, "research", -1, "SS-6.1")


def _increase(table: Table, player: int, raises: Attribute, result: Result, spent: Spent) -> None:
    if result in ("success", "great"):
        table.gain(player, raises, 1, "SS-6.2")
    if result == "great" and (
        spent.points or spent.depleted
    ):  # of those just expended an ordinary one first (SF-9.11)
        kingdom = table.of(player)
        table.change(
            player, ex=kingdom.ex.plus("R", -1), depleted=kingdom.depleted - (not spent.points)
        )
    elif result == "disaster":
        table.press(player, -1, "SS-6.2")


def _attack(table: Table, player: int, target: int, way: Action, result: Result) -> None:
    if result in ("failure", "disaster"):
        table.lose(player, "M", "SS-6.6")
        return
    table.lose(target, "M", "SS-6.4")
    if not table.of(target).alive:
        return
    _capture(
        table,
        player,
        target,
        forever=result == "great",
        rule="SS-6.5" if result == "great" else "SS-6.4",
    )
    if result == "great":
        _burn(table, target, way.burn)


def _capture(table: Table, player: int, target: int, *, forever: bool, rule: str) -> None:
    """One free Resource changes hands, if there is any and no vault keeps it; until year end it is
    a loan (SS-6.4, SS-2.7).
    """
    if table.of(target).free("R") < 1 or table.saves(target, "R", "BLD-VAULT"):
        return
    table.give(player, "R", table.take(target, "R", 1, home=False))
    if not forever:
        table.put(loans=(*table.state.loans, Loan(target, player, "R", 1)))
    table.tell(e.Captured(target, player, forever), [rule])


def _burn(table: Table, target: int, named: str) -> None:
    """The building named, else the one of the highest cost, the oldest on ties; lasting ones stand
    (SS-6.7, SF-9.4).
    """
    standing = [building for building in table.of(target).buildings if not building.lasting]
    if named == SPARED or not standing:
        return
    gone = next(
        (building for building in standing if building.code == named),
        max(standing, key=lambda building: COSTS[building.code]),
    )
    table.change(
        target,
        buildings=tuple(building for building in table.of(target).buildings if building != gone),
    )
    table.tell(e.Destroyed(target, gone.code), ["SS-6.5", "SS-6.7", "SS-7.13"])


def _expedition(table: Table, player: int, _way: Action, result: Result) -> None:
    if result in ("success", "great"):
        table.put(expeditions=table.state.expeditions + 1)
        table.gain(player, "R", 2 if result == "great" else 1, "SS-6.8")
    elif result == "disaster":
        table.lose(player, "M", "SS-6.8")


def _espionage(table: Table, player: int, target: int, way: Action, result: Result) -> None:
    spied = table.of(target)
    if result in ("success", "great"):
        table.tell(report_on(table, player, target), ["SS-6.9", "SS-1.9"], (player,))
    if result == "great":
        lacking = [name for name in spied.tech if name not in table.of(player).tech]
        if lacking:
            obtain(table, player, way.seek if way.seek in lacking else lacking[0], "SS-6.9")
    elif result == "disaster":
        defence = {**spied.next.defence, player: spied.next.defence.get(player, 0) + 1}
        table.change(target, next=replace(spied.next, defence=defence))
        table.tell(e.Exposed(player, target), ["SS-6.9"])


def report_on(table: Table, player: int, target: int) -> e.Reported:
    """What spies see: free points, open loans, effects of buildings not used yet."""
    kingdom = table.of(target)
    resources, military, harmony = (max(0, kingdom.free(attribute)) for attribute in ATTRIBUTES)
    loans = tuple(
        (loan.lender, loan.borrower, loan.points, loan.attribute, loan.due or 0)
        for loan in table.state.loans
        if target in (loan.lender, loan.borrower)
    )
    charged = (
        "BLD-HOSPITAL",
        "BLD-TEMPLE",
        "BLD-VAULT",
        "BLD-CAMP",
        "BLD-WORKS R",
        "BLD-WORKS M",
        "BLD-WORKS H",
    )
    charges = tuple(
        b.code for b in kingdom.buildings if b.code in charged and b.code not in kingdom.used
    )
    return e.Reported(player, target, resources, military, harmony, loans, charges)


def _theft(table: Table, player: int, target: int, _way: Action, result: Result) -> None:
    if result in ("success", "great"):
        _capture(table, player, target, forever=result == "great", rule="SS-6.10")
    elif result == "disaster":
        table.lose(player, "M", "SS-6.10")


def _security(table: Table, player: int, _way: Action, result: Result) -> None:
    if result in ("success", "great"):
        level = 2 if result == "great" else 1
        table.change(player, security=max(level, table.of(player).security))
        table.tell(e.SecurityRaised(player, level > 1), ["SS-6.11"])


def _found(table: Table, player: int, _way: Action, result: Result) -> None:
    if result in ("success", "great"):
        table.change(player, faith=2 if result == "great" else 1)
        table.tell(e.FaithFounded(player), ["SS-6.12"])
    elif result == "disaster":
        table.await_roll(player, "year_start", -1, "SS-6.12")


def _spread(table: Table, player: int, target: int, _way: Action, result: Result) -> None:
    if result in ("success", "great"):
        _convert(table, target, player)
        if result == "great":
            table.await_roll(target, "year_start", -1, "SS-6.13")
    elif result == "disaster" and table.of(target).faith:
        _convert(table, player, target)


def _convert(table: Table, number: int, by: int) -> None:
    """Conversions of several faiths stand side by side, for good (SF-9.8)."""
    converted = table.of(number).converted_by
    table.change(number, converted_by=converted if by in converted else (*converted, by))
    table.tell(e.Converted(number, by), ["SS-6.13"])


def _contact(table: Table, player: int, _way: Action, result: Result) -> None:
    if result in ("success", "great"):
        boon = "dice" if result == "great" else "bonus"
        table.change(player, boons=(*table.of(player).boons, boon))
        table.tell(e.BoonGranted(player, boon), ["SS-6.14"])
    elif result == "disaster":
        table.press(player, -1, "SS-6.14")


def _foment(table: Table, player: int, target: int, _way: Action, result: Result) -> None:
    if result in ("success", "great"):
        table.press(target, -1, "SS-6.15")
        if result == "great":
            table.lose(target, "H", "SS-6.15")
    elif result == "disaster":
        table.press(player, -1, "SS-6.15")


_ALONE: Mapping[str, Callable[[Table, int, Action, Result], None]] = {
    "Research": _research,
    "Expedition": _expedition,
    "Security": _security,
    "Found": _found,
    "Contact": _contact,
}
_AGAINST: Mapping[str, Callable[[Table, int, int, Action, Result], None]] = {
    "Attack": _attack,
    "Espionage": _espionage,
    "Theft": _theft,
    "Spread": _spread,
    "Foment": _foment,
}


def _attempt(table: Table, player: int, way: Action, ruling: Ruling, result: Result) -> None:
    """A free-form action: as ruled, else by the rules' default. Its words have no effect of their
    own, and all read them (SS-8.4, SS-8.5).
    """
    if result in ("success", "great"):
        _bring(
            table,
            player,
            way,
            way.effect if ruling.effect is None else ruling.effect,
            2 if result == "great" else 1,
        )
    elif result == "disaster":
        said = "-1" if ruling.repercussion is None else ruling.repercussion
        if ruled := NUMBER.fullmatch(said):
            table.await_roll(player, "roll", int(ruled[1] + ruled[2]), "SS-8.4")
        elif said:
            table.tell(e.Ruled(said), ["SS-8.3"])


def _bring(table: Table, player: int, way: Action, effect: str, times: int) -> None:
    found = NUMBER.fullmatch(effect or ("-1" if way.target is not None else f"+1 {way.attribute}"))
    if found is None:  # in words: the game master brings it about (SF-5)
        table.tell(e.Ruled(effect), ["SS-8.3"])
        return
    amount = times * int(found[1] + found[2])
    if found[3]:
        table.await_roll(player, found[3], amount, "SS-8.4")
    elif way.target is not None:
        table.await_roll(way.target, "roll", amount, "SS-8.4")
