"""The map as plain dicts, and positions as cases tell them (FF-2), taken apart and put together
again.
"""

import re
from collections import deque
from functools import lru_cache
from pathlib import Path
from typing import Any

import yaml

Board = dict[str, Any]

DATA = Path(__file__).parents[4] / "engine" / "fortresses" / "data"
PLACES: dict[str, Any] = yaml.safe_load((DATA / "map.yaml").read_text("utf-8"))["places"]


def _told(kind: str) -> dict[str, Any]:
    """The zones of a kind, each with its borders and what else the file says of it."""
    usual: dict[str, Any] = {
        "structure": "none",
        "great_city": None,
        "start_kingdom": None,
        "start": {},
    }
    return {
        name: {**usual, **told.get("facts", {}), **told["borders"], "code": told["code"]}
        for name, told in PLACES.items()
        if told["kind"] == kind
    }


LANDS, SEAS = _told("land"), _told("sea")
ZONES = [*LANDS, *SEAS]
KINGDOMS = ["silver", "red", "blue", "gold"]
SIDE = {"silver": "silver_gold", "red": "red_blue", "blue": "red_blue", "gold": "silver_gold"}
UNITS: dict[str, Any] = yaml.safe_load((DATA / "units.yaml").read_text("utf-8"))
FORTRESSES = sorted(land for land in LANDS if LANDS[land]["structure"] == "fortress")
CASTLES = sorted(land for land in LANDS if LANDS[land]["structure"] == "castle")
POINTS = {"fortress": 5, "castle": 1, "none": 0}


# ------------------------------------------------------------------------------------------ the map
def _neighbours() -> dict[str, dict[str, list[str]]]:
    ways: dict[str, dict[str, list[str]]] = {"land": {}, "sea": {}, "air": {}}
    for land, told in LANDS.items():
        ways["land"][land] = list(told["land"])
        ways["sea"][land] = []
        ways["air"][land] = ways["land"][land] + told["coast"]
    for sea, told in SEAS.items():
        ways["land"][sea] = []
        ways["sea"][sea] = list(told["sea"])
        ways["air"][sea] = told["sea"] + told["coast"]
    return ways


WAYS = _neighbours()


@lru_cache(maxsize=200_000)
def steps(kind: str, start: str, goal: str, closed: frozenset[str] = frozenset()) -> int:
    """How many zones from here to there for units of this kind, none of the `closed` being passed
    through; 99: there is no way.
    """
    far = {start: 0}
    queue = deque([start])
    while queue:
        here = queue.popleft()
        if here == goal:
            return far[here]
        if here in closed and here != start:
            continue
        for there in WAYS[kind][here]:
            if there not in far:
                far[there] = far[here] + 1
                queue.append(there)
    return 99


def coast(land: str) -> list[str]:
    return list(LANDS[land]["coast"])


# ----------------------------------------------------------------------------------------- counting
def counts(text: str) -> dict[str, int]:
    """`2L 1K` as {L: 2, K: 1}."""
    return {code: int(number) for number, code in re.findall(r"(\d+)([LKWGD])", text)}


def count_text(units: dict[str, int]) -> str:
    return " ".join(f"{units[code]}{code}" for code in UNITS if units.get(code)) or "-"


def add(heap: dict[str, int], units: dict[str, int], sign: int = 1) -> None:
    for code, number in units.items():
        heap[code] = heap.get(code, 0) + sign * number
        assert heap[code] >= 0, f"{code}: {heap[code]}"
        if not heap[code]:
            del heap[code]


def here(board: Board, zone: str, kingdom: str) -> dict[str, int]:
    """The units of a kingdom in a zone: a dict that may be changed."""
    found: dict[str, int] = board["units"].setdefault(zone, {}).setdefault(kingdom, {})
    return found


def moved(board: Board, zone: str) -> dict[str, int]:
    found: dict[str, int] = board["moved"].setdefault(zone, {})
    return found


def enemies(board: Board, zone: str) -> dict[str, dict[str, int]]:
    """The units of the other alliance there, kingdom by kingdom in turn order."""
    side = SIDE[board["active"]]
    there = board["units"].get(zone, {})
    return {
        kingdom: there[kingdom]
        for kingdom in KINGDOMS
        if SIDE[kingdom] != side and there.get(kingdom)
    }


def is_friendly(board: Board, land: str) -> bool:
    return bool(SIDE[board["owners"][land]] == SIDE[board["active"]])


def held_by_enemies(board: Board) -> frozenset[str]:
    return frozenset(zone for zone in ZONES if enemies(board, zone))


def on_board(board: Board, kingdom: str) -> dict[str, int]:
    total: dict[str, int] = {}
    for there in board["units"].values():
        add(total, there.get(kingdom, {}))
    return total


def income(board: Board, kingdom: str) -> int:
    """FW-8.2: a gold for each Land, another for each Great City."""
    gold = 0
    for land, owner in board["owners"].items():
        if owner == kingdom:
            gold += 2 if LANDS[land]["great_city"] else 1
    return gold


# ----------------------------------------------------------------------------------- told positions
def take_apart(told: dict[str, Any], options: dict[str, Any]) -> Board:
    board: Board = {"options": {"year_limit": 30, **options}}
    for key in ("year", "phase", "active", "gold", "answered", "winner", "by"):
        board[key] = told.get(key)
    for key in ("owners", "carried", "missed", "command"):
        board[key] = dict(told[key])
    for key in ("presets", "seats", "agreed"):
        board[key] = {name: list(inside) for name, inside in told[key].items()}
    board["held"] = list(told["held"])
    board["units"] = {}
    for zone, text in told["units"].items():
        for part in text.split(", "):
            kingdom, _, units = part.partition(" ")
            here(board, zone, kingdom).update(counts(units))
    board["moved"] = {zone: counts(text) for zone, text in told["moved"].items()}
    board["instructions"] = list(told.get("instructions", []))
    board["battles"] = []
    for battle in told.get("battles", []):
        inside = {**battle, "attackers": counts(battle["attackers"])}
        if "started" in battle:
            inside["started"] = counts(battle["started"])
        board["battles"].append(inside)
    board["passengers"] = [dict(passenger) for passenger in told.get("passengers", [])]
    return board


def put_together(board: Board) -> dict[str, Any]:
    told: dict[str, Any] = {
        key: board[key] for key in ("year", "phase", "active", "gold", "answered", "command")
    }
    told["seats"] = {name: kingdoms for name, kingdoms in board["seats"].items() if kingdoms}
    told["owners"] = {land: board["owners"][land] for land in LANDS}
    told["units"] = {}
    for zone in ZONES:
        there = board["units"].get(zone, {})
        parts = [
            f"{kingdom} {count_text(there[kingdom])}" for kingdom in KINGDOMS if there.get(kingdom)
        ]
        if parts:
            told["units"][zone] = ", ".join(parts)
    told["moved"] = {
        zone: count_text(board["moved"][zone]) for zone in ZONES if board["moved"].get(zone)
    }
    told["carried"] = {zone: board["carried"][zone] for zone in ZONES if board["carried"].get(zone)}
    told["missed"] = {kingdom: number for kingdom, number in board["missed"].items() if number}
    told["presets"] = {kingdom: texts for kingdom, texts in board["presets"].items() if texts}
    told["agreed"] = {what: names for what, names in board["agreed"].items() if names}
    told["held"] = list(board["held"])
    if board["phase"] == "battle":
        told["instructions"] = list(board["instructions"])
        told["battles"] = []
        for battle in board["battles"]:
            inside = {**battle, "attackers": count_text(battle["attackers"])}
            if "started" in battle:
                inside["started"] = count_text(battle["started"])
            told["battles"].append(inside)
        told["passengers"] = [dict(passenger) for passenger in board["passengers"]]
    if board["phase"] == "over":
        told["winner"], told["by"] = board["winner"], board["by"]
    return told
