"""Words of positions (SF-3) that reading and writing share."""

import re

from engine.positions import PositionPart
from engine.sovereigns.codes import COSTS
from engine.sovereigns.state import Building, State

POSITION_KEYS = (
    "year",
    "phase",
    "season",
    "hour",
    "expeditions",
    "counts",
    "kingdoms",
    "technologies",
    "loans",
    "offers",
    "ballots",
    "winner",
)
KINGDOM_KEYS = (
    "name",
    "R",
    "M",
    "H",
    "ex",
    "depleted",
    "alive",
    "support",
    "rest",
    "mods",
    "next",
    "tech",
    "bld",
    "used",
    "faith",
    "converted_by",
    "boons",
    "security",
    "discoveries",
    "claimed",
    "standing",
    "year_order",
)
NEXT_KEYS = ("research", "year-start", "R", "M", "H", "roll", "defence")
YEAR_END = "year-end"
LASTING = " lasting"


def names_of(state: State) -> dict[str, int]:
    """Player numbers by name."""
    return {kingdom.ruler: kingdom.number for kingdom in state.kingdoms}


def parse_building(part: PositionPart) -> Building:
    text = part.text()
    code = text.removesuffix(LASTING)
    if code not in COSTS:
        raise part.error(f"no building {text!r}")
    return Building(code, text != code)


def parse_points(part: PositionPart) -> tuple[int, str]:
    """`2M`."""
    found = re.fullmatch(r"(\d{1,4})([RM])", part.text())
    if found is None:
        raise part.error(f"{part.value!r} is no number of Resources or Military")
    return int(found[1]), found[2]
