"""What a player can tell, and the one canonical text of each order (FW-11, FF-4);
`wording.parse_order` is its exact inverse.
"""

from collections.abc import Mapping
from typing import Literal

import msgspec

from engine.fortresses.atlas import Kingdom
from engine.fortresses.units import UnitCode, Units

Every = Literal["", "all", "L", "K", "W", "G", "D"]
"""Where a number would stand: all unmoved units, or all of a type (in kept lines only)."""


# ------------------------------------------------------------------------------------------- moving
class Group(msgspec.Struct, frozen=True, omit_defaults=True):
    """Units from one zone; `via` is what was said of the way."""

    units: Units
    origin: str
    via: tuple[str, ...] = ()


class Attack(msgspec.Struct, frozen=True, omit_defaults=True, tag="attack"):
    target: str
    groups: tuple[Group, ...]


class Carry(msgspec.Struct, frozen=True, omit_defaults=True, tag="carry"):
    """A Galleon of `sea` picks up in `board` (empty: where the passenger stands) and drops from
    `final` (empty: where it lay).
    """

    sea: str
    units: Units
    origin: str
    drop: str
    board: str = ""
    final: str = ""


class Move(msgspec.Struct, frozen=True, omit_defaults=True, tag="move"):
    units: Units
    origin: str
    target: str
    via: tuple[str, ...] = ()
    every: Every = ""


class Buy(msgspec.Struct, frozen=True, omit_defaults=True, tag="buy"):
    """`land`: whose limit is used for Galleons; empty: the engine chooses (FW-8.6)."""

    units: Units
    zone: str
    land: str = ""


class BuyNothing(msgspec.Struct, frozen=True, tag="buy-nothing"):
    """Switches the default purchase off (FW-8.15)."""


class NoAttacks(msgspec.Struct, frozen=True, tag="no-attacks"):
    """Closes Attack (FW-4.5)."""


class Done(msgspec.Struct, frozen=True, tag="done"):
    """Closes the open phase (FW-4.5)."""


class Cancel(msgspec.Struct, frozen=True, omit_defaults=True, tag="cancel"):
    """Takes back a stored line by its number; 0: all (FW-4.4)."""

    number: int = 0


# ---------------------------------------------------------------------------- standing instructions
class Condition(msgspec.Struct, frozen=True, omit_defaults=True):
    what: Literal["never", "after", "outnumbered", "alone", "first-loss"]
    rounds: int = 0


class Lose(msgspec.Struct, frozen=True, omit_defaults=True, tag="lose"):
    codes: tuple[UnitCode, ...]
    zone: str = ""


class Keep(msgspec.Struct, frozen=True, omit_defaults=True, tag="keep"):
    on: bool
    zone: str = ""


class Retreat(msgspec.Struct, frozen=True, omit_defaults=True, tag="retreat"):
    """Alternatives (or), each of conditions that all hold (and)."""

    policy: tuple[tuple[Condition, ...], ...]
    zone: str = ""


class Interactive(msgspec.Struct, frozen=True, omit_defaults=True, tag="interactive"):
    on: bool
    zone: str = ""


Instruction = Lose | Keep | Retreat | Interactive


class BattleOrder(msgspec.Struct, frozen=True, tag="battle-order"):
    zones: tuple[str, ...]


class Always(msgspec.Struct, frozen=True, tag="always"):
    """An instruction kept as the kingdom's preset (FW-10.8)."""

    order: Instruction


# ------------------------------------------------------------------------------ answers in a battle
class LoseNow(msgspec.Struct, frozen=True, tag="lose-now"):
    units: Units


class RetreatNow(msgspec.Struct, frozen=True, tag="retreat-now"):
    """All fliers leave before the next roll."""


class Stay(msgspec.Struct, frozen=True, tag="stay"):
    """The fliers fight on."""


# ----------------------------------------------------------------------------------- table commands
class Draw(msgspec.Struct, frozen=True, tag="draw"):
    """Proposes or accepts (FW-9.3)."""


class Concede(msgspec.Struct, frozen=True, tag="concede"):
    """Proposes or accepts (FW-9.5)."""


class Resign(msgspec.Struct, frozen=True, tag="resign"):
    """FW-9.4."""


class TakeCommand(msgspec.Struct, frozen=True, tag="take-command"):
    """FW-9.8."""


class ClaimWin(msgspec.Struct, frozen=True, tag="claim"):
    """FW-9.8."""


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
    | Lose
    | Keep
    | Retreat
    | Interactive
    | BattleOrder
    | Always
    | LoseNow
    | RetreatNow
    | Stay
    | Draw
    | Concede
    | Resign
    | TakeCommand
    | ClaimWin
)


class Then(msgspec.Struct, frozen=True, tag="then"):
    """A line kept for Reinforce (FW-4.8)."""

    order: Line


class Named(msgspec.Struct, frozen=True, tag="named"):
    """A line that says for which kingdom it is; a line that stands says it no more (FW-4.14)."""

    kingdom: Kingdom
    order: Line | Then


Order = (
    Attack
    | Carry
    | Move
    | Buy
    | BuyNothing
    | NoAttacks
    | Done
    | Cancel
    | Lose
    | Keep
    | Retreat
    | Interactive
    | BattleOrder
    | Always
    | LoseNow
    | RetreatNow
    | Stay
    | Draw
    | Concede
    | Resign
    | TakeCommand
    | ClaimWin
    | Then
    | Named
)

INSTRUCTIONS = (Lose, Keep, Retreat, Interactive)
COMMANDS = (Draw, Concede, Resign, TakeCommand, ClaimWin)
ANSWERS = (LoseNow, RetreatNow, Stay)
PLAIN_TEXTS: Mapping[type[Order], str] = {
    BuyNothing: "Buy nothing",
    NoAttacks: "No attacks",
    Done: "Done",
    RetreatNow: "Retreat dragons",
    Stay: "Stay",
    Draw: "Draw",
    Concede: "Concede",
    Resign: "Resign",
    TakeCommand: "Take command",
    ClaimWin: "Claim the win",
}


def plain(order: Order) -> Line | Then:
    """What is said, whichever kingdom it is said for; a table command acts at once, also among the
    lines kept for Reinforce.
    """
    line = order.order if isinstance(order, Named) else order
    if isinstance(line, Then) and isinstance(line.order, TableCommand):
        return line.order
    return line


def format_order(order: Order) -> str:
    """The canonical text (FF-4)."""
    match order:
        case Attack(target, groups):
            return f"Attack {target} with {'; '.join(map(_group, groups))}"
        case Carry():
            via = [zone for zone in (order.board, order.final) if zone]
            return (
                f"Galleon in {order.sea} carries {order.units.text} from {order.origin}{_via(via)}"
                f" to {order.drop}"
            )
        case Move():
            what = order.every if order.every in ("", "all") else f"all {order.every}"
            return (
                f"Move {what or order.units.text} from {order.origin} to"
                f" {order.target}{_via(order.via)}"
            )
        case Buy(units, zone, land):
            return f"Buy {units.text} in {zone}{f' from {land}' if land else ''}"
        case Cancel(number):
            return f"Cancel {number or 'all'}"
        case Lose(codes, zone):
            return f"Lose {' then '.join(codes)}{_in(zone)}"
        case Keep(on, zone):
            return f"Keep {'a' if on else 'no'} conqueror{_in(zone)}"
        case Retreat(policy, zone):
            return (
                "Retreat dragons"
                f" {' or '.join(' and '.join(map(_condition, all_of)) for all_of in policy)}"
                f"{_in(zone)}"
            )
        case Interactive(on, zone):
            return f"{'Interactive' if on else 'Not interactive'}{_in(zone)}"
        case BattleOrder(zones):
            return f"Battle order: {', '.join(zones)}"
        case Always(instruction):
            return f"Always: {format_order(instruction)}"
        case LoseNow(units):
            return f"Lose {units.text}"
        case Then(line):
            return f"Then: {format_order(line)}"
        case Named(kingdom, line):
            return f"{kingdom.capitalize()}: {format_order(line)}"
    return PLAIN_TEXTS[type(order)]


def _group(group: Group) -> str:
    return f"{group.units.text} from {group.origin}{_via(group.via)}"


def _via(zones: tuple[str, ...] | list[str]) -> str:
    return f" via {', '.join(zones)}" if zones else ""


def _in(zone: str) -> str:
    return f" in {zone}" if zone else ""


def _condition(condition: Condition) -> str:
    match condition.what:
        case "never":
            return "never"
        case "after":
            return f"after {condition.rounds} {'round' if condition.rounds == 1 else 'rounds'}"
        case "outnumbered" | "alone":
            return f"when {condition.what}"
        case "first-loss":
            return "at first loss"
