"""What a technology does, as codes of the menus (SS-7.6 to SS-7.8): which there are, and what they
come to.
"""

import re
from collections.abc import Mapping
from typing import Literal

Attribute = Literal["R", "M", "H"]
ATTRIBUTES: tuple[Attribute, ...] = ("R", "M", "H")

ActionKind = Literal[
    "Research",
    "Increase",
    "Attack",
    "Expedition",
    "Espionage",
    "Theft",
    "Security",
    "Found",
    "Spread",
    "Contact",
    "Foment",
    "Try",
]
ACTIONS: tuple[ActionKind, ...] = (
    "Research",
    "Increase",
    "Attack",
    "Expedition",
    "Espionage",
    "Theft",
    "Security",
    "Found",
    "Spread",
    "Contact",
    "Foment",
)
"""The catalogue (SS-6), without free-form actions."""

COSTS: Mapping[str, int] = {
    "BLD-HOSPITAL": 3,
    "BLD-TEMPLE": 3,
    "BLD-VAULT": 3,
    "BLD-WALL": 3,
    "BLD-WORKS R": 4,
    "BLD-WORKS M": 4,
    "BLD-WORKS H": 4,
    "BLD-CAMP": 4,
    "BLD-WONDER": 5,
}
"""Every building, with the free Resources it takes (SS-7.7)."""

_STATIC = re.compile(rf"STAT-(ROLL [RMH]|ACT ({'|'.join(ACTIONS)})|DEF [RMH]|YEAR|CALM|DEPL)")
_DIE = re.compile(r"ANA-DIE [RMH]")
_DOUBLE, _CHEAP = "ANA-DOUBLE ", "ANA-CHEAP "


def is_code(code: str) -> bool:
    """Whether it is on the lists, anachronistic ones included."""
    if is_anachronistic(code):
        if code.startswith(_DOUBLE):
            parts = code.removeprefix(_DOUBLE).split(" + ")
            return len(parts) == 2 and all(_STATIC.fullmatch(part) for part in parts)
        return _DIE.fullmatch(code) is not None or (
            code.startswith(_CHEAP) and code.removeprefix(_CHEAP) in COSTS
        )
    return code in COSTS or _STATIC.fullmatch(code) is not None


def is_anachronistic(code: str) -> bool:
    """Whether it takes a great discovery and a technology it grows from (SS-7.8)."""
    return code.startswith("ANA-")


def effects_of(code: str) -> tuple[str, ...]:
    """The constant effects of a technology one by one: ANA-DOUBLE has two."""
    return tuple(code.removeprefix(_DOUBLE).split(" + ")) if code.startswith(_DOUBLE) else (code,)


def plan_of(code: str, building: str) -> tuple[int, bool] | None:
    """What this building costs by a technology of this code, and whether it lasts; None if the
    technology does not allow it.
    """
    if code == building:
        return COSTS[building], False
    if code == _CHEAP + building:
        return COSTS[building] - 1, True
    return None
