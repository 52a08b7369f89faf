"""What a player can tell, and the one canonical text of each order (FW-11, FF-4)."""

import re
from collections.abc import Mapping
from typing import ClassVar, Literal, get_args

import msgspec

from engine.forms import ANY, Forms, Slot, choice, listed, tag_of
from engine.fortresses.atlas import KINGDOMS, Kingdom, zones
from engine.fortresses.units import CODES, NONE, UnitCode, Units, parse_units

Every = Literal["", "all", "L", "K", "W", "G", "D"]
"""Where a number would stand: all unmoved units, or all of a type (in kept lines only)."""


class _Told(msgspec.Struct, frozen=True):
    """A part of an order's text; `form` is the template of its canonical text (`engine.forms`)."""

    form: ClassVar[str] = ""


# ------------------------------------------------------------------------------------------- moving
class Group(_Told, frozen=True, omit_defaults=True):
    """Units from one zone; `via` is what was said of the way."""

    form = "{units:units} from {origin:zone}[ via {via:zones}]"
    units: Units
    origin: str
    via: tuple[str, ...] = ()


class Attack(_Told, frozen=True, omit_defaults=True, tag="attack"):
    form = "Attack {target:zone} with {groups:groups}"
    target: str
    groups: tuple[Group, ...]


class Carry(_Told, frozen=True, omit_defaults=True, tag="carry"):
    """A Galleon of `sea` picks up in `board` (empty: where the passenger stands) and drops from
    `final` (empty: where it lay).
    """

    form = (
        "Galleon in {sea:zone} carries {units:units} from {origin:zone}"
        "[ via {board,final:way}] to {drop:zone}"
    )
    sea: str
    units: Units
    origin: str
    drop: str
    board: str = ""
    final: str = ""


class Move(_Told, frozen=True, omit_defaults=True, tag="move"):
    form = "Move {units,every:moved} from {origin:zone} to {target:zone}[ via {via:zones}]"
    units: Units
    origin: str
    target: str
    via: tuple[str, ...] = ()
    every: Every = ""


class Buy(_Told, frozen=True, omit_defaults=True, tag="buy"):
    """`land`: whose limit is used for Galleons; empty: the engine chooses (FW-8.6)."""

    form = "Buy {units:units} in {zone:zone}[ from {land:zone}]"
    units: Units
    zone: str
    land: str = ""


class BuyNothing(_Told, frozen=True, tag="buy-nothing"):
    """Switches the default purchase off (FW-8.15)."""

    form = "Buy nothing"


class NoAttacks(_Told, frozen=True, tag="no-attacks"):
    """Closes Attack (FW-4.5)."""

    form = "No attacks"


class Done(_Told, frozen=True, tag="done"):
    """Closes the open phase (FW-4.5)."""

    form = "Done"


class Cancel(_Told, frozen=True, omit_defaults=True, tag="cancel"):
    """Takes back a stored line by its number; 0: all (FW-4.4)."""

    form = "Cancel {number:line}"
    number: int = 0


# ---------------------------------------------------------------------------- standing instructions
class Condition(msgspec.Struct, frozen=True, omit_defaults=True):
    what: Literal["never", "after", "outnumbered", "alone", "first-loss"]
    rounds: int = 0


class Lose(_Told, frozen=True, omit_defaults=True, tag="lose"):
    form = "Lose {codes:codes}[ in {zone:zone}]"
    codes: tuple[UnitCode, ...]
    zone: str = ""


class Keep(_Told, frozen=True, omit_defaults=True, tag="keep"):
    form = "Keep {on:article} conqueror[ in {zone:zone}]"
    on: bool
    zone: str = ""


class Retreat(_Told, frozen=True, omit_defaults=True, tag="retreat"):
    """Alternatives (or), each of conditions that all hold (and)."""

    form = "Retreat dragons {policy:policy}[ in {zone:zone}]"
    policy: tuple[tuple[Condition, ...], ...]
    zone: str = ""


class Interactive(_Told, frozen=True, omit_defaults=True, tag="interactive"):
    form = "{on:interactive}[ in {zone:zone}]"
    on: bool
    zone: str = ""


Instruction = Lose | Keep | Retreat | Interactive


class BattleOrder(_Told, frozen=True, tag="battle-order"):
    form = "Battle order: {zones:zones}"
    zones: tuple[str, ...]


class Always(_Told, frozen=True, tag="always"):
    """An instruction kept as the kingdom's preset (FW-10.8)."""

    form = "Always: {order:instruction}"
    order: Instruction


# ------------------------------------------------------------------------------ answers in a battle
class LoseNow(_Told, frozen=True, tag="lose-now"):
    form = "Lose {units:units}"
    units: Units


class RetreatNow(_Told, frozen=True, tag="retreat-now"):
    """All fliers leave before the next roll."""

    form = "Retreat dragons"


class Stay(_Told, frozen=True, tag="stay"):
    """The fliers fight on."""

    form = "Stay"


# ----------------------------------------------------------------------------------- table commands
class Draw(_Told, frozen=True, tag="draw"):
    """Proposes or accepts (FW-9.3)."""

    form = "Draw"


class Concede(_Told, frozen=True, tag="concede"):
    """Proposes or accepts (FW-9.5)."""

    form = "Concede"


class Resign(_Told, frozen=True, tag="resign"):
    """FW-9.4."""

    form = "Resign"


class TakeCommand(_Told, frozen=True, tag="take-command"):
    """FW-9.8."""

    form = "Take command"


class ClaimWin(_Told, frozen=True, tag="claim"):
    """FW-9.8."""

    form = "Claim the win"


TableCommand = Draw | Concede | Resign | TakeCommand | ClaimWin
Line = (
    Attack
    | Carry
    | Move
    | Buy
    | BuyNothing
    | NoAttacks
    | Done
    | Cancel
    | Instruction
    | BattleOrder
    | Always
    | LoseNow
    | RetreatNow
    | Stay
    | TableCommand
)


class Then(_Told, frozen=True, tag="then"):
    """A line kept for Reinforce (FW-4.8)."""

    form = "Then: {order:order}"
    order: Line


class Named(_Told, frozen=True, tag="named"):
    """A line with the kingdom that it is for. A line that stands no longer names it (FW-4.14)."""

    form = "{kingdom:kingdom}: {order:plain}"
    kingdom: Kingdom
    order: Line | Then


Order = Line | Then | Named
INSTRUCTIONS: tuple[type[Instruction], ...] = get_args(Instruction)
COMMANDS: tuple[type[TableCommand], ...] = get_args(TableCommand)
ANSWERS = (LoseNow, RetreatNow, Stay)


def plain(order: Order) -> Line | Then:
    """What is said, whichever kingdom it is said for; a table command acts at once, also among the
    lines kept for Reinforce.
    """
    line = order.order if isinstance(order, Named) else order
    if isinstance(line, Then) and isinstance(line.order, TableCommand):
        return line.order
    return line


PLAIN: Mapping[str, Line] = {
    tag_of(kind): kind()
    for kind in get_args(Line)
    if all(field.default is not msgspec.NODEFAULT for field in msgspec.structs.fields(kind))
}
"""The lines of which nothing needs to be told, by their tags."""


# ---------------------------------------------------------------------------------- canonical texts
def _zone(text: str, names: object = None) -> str:
    if text not in zones():
        raise ValueError(f"unknown zone {text!r}")
    return text


def _way(text: str, names: object) -> tuple[str, str]:
    """Where a passenger boards, and from where it drops: a Land, a Sea, or both."""
    passed = [*map(_zone, text.split(", "))]
    board = passed.pop(0) if zones()[passed[0]].is_land else ""
    final = passed.pop(0) if passed and not zones()[passed[0]].is_land else ""
    if passed:
        raise ValueError(f"{text!r}: a boarding Land, then a Sea")
    return board, final


def _moved(text: str, names: object) -> tuple[Units, str]:
    return (parse_units(text), "") if text[0].isdigit() else (NONE, text.removeprefix("all "))


def _show_moved(moved: tuple[Units, Every], names: object) -> str:
    units, every = moved
    return f"all {every}".replace("all all", "all") if every else units.text


_CONDITIONS: dict[str, Condition] = {
    "never": Condition("never"),
    "when outnumbered": Condition("outnumbered"),
    "when alone": Condition("alone"),
    "at first loss": Condition("first-loss"),
}
_WORDS = {condition.what: text for text, condition in _CONDITIONS.items()}


def _condition(text: str, names: object) -> Condition:
    found = _AFTER.fullmatch(text)
    if not found and text not in _CONDITIONS:
        raise ValueError(f"{text!r} is no condition of a retreat")
    return Condition("after", int(found[1])) if found else _CONDITIONS[text]


def _show_condition(condition: Condition, names: object) -> str:
    rounds = f"after {condition.rounds} round{'s' if condition.rounds != 1 else ''}"
    return _WORDS.get(condition.what, rounds)


_NUMBER = r"[1-9]\d{0,2}"
_UNITS = rf"{_NUMBER}[LKWGD](?>(?: {_NUMBER}[LKWGD])*)"
_ZONE = Slot(r"[A-Z][a-z]{1,20}(?: (?:of|[A-Z][a-z]{1,20})){0,2}", _zone)
_ZONES = listed(_ZONE, ", ")
_UNIT = choice({code: code for code in CODES})
_AFTER = re.compile(rf"after (1(?= round$)|(?!1 ){_NUMBER}(?= rounds)) rounds?")
_SLOTS = {
    "zone": _ZONE,
    "zones": _ZONES,
    "way": Slot(_ZONES.pattern, _way, lambda way, _: ", ".join(filter(None, way))),
    "units": Slot(_UNITS, lambda text, _: parse_units(text), lambda units, _: units.text),
    "moved": Slot(rf"(?:all(?: [LKWGD])?|{_UNITS})", _moved, _show_moved),
    "codes": listed(_UNIT, " then "),
    "line": Slot(
        f"(?:{_NUMBER}|all)",
        lambda text, _: 0 if text == "all" else int(text),
        lambda number, _: str(number or "all"),
    ),
    "article": choice({"a": True, "no": False}),
    "interactive": choice({"Interactive": True, "Not interactive": False}),
    "policy": listed(listed(Slot(ANY, _condition, _show_condition), " and "), " or "),
    "kingdom": choice({kingdom.capitalize(): kingdom for kingdom in KINGDOMS}),
}
_SLOTS["groups"] = listed(Forms("a group of units", (Group,), _SLOTS).slot(), "; ")
_SLOTS["instruction"] = Forms("an instruction", INSTRUCTIONS, _SLOTS).slot()
_SLOTS["order"] = Forms("a line", get_args(Line), _SLOTS).slot()
_SLOTS["plain"] = Forms("a line of a kingdom", (*get_args(Line), Then), _SLOTS).slot()
FORMS: Forms[Order] = Forms("an order", get_args(Order), _SLOTS)
format_order = FORMS.format
"""The canonical text (FF-4)."""
parse_order = FORMS.parse
"""The order of a canonical text; ValueError if it is not one. What people write is the grammar's.
"""
