"""Dice: how many, what is added, and what they leave behind (SS-3, SS-4.10, SF-9.5 to 9.7)."""

from dataclasses import dataclass, field
from typing import Any

from tests.games.sovereigns.second import words
from tests.games.sovereigns.second.checks import stands
from tests.games.sovereigns.second.goods import Ground, Told, free

Rows = dict[str, list[int]]


@dataclass
class Roll:
    """What is asked of one side's dice. `rows` are the recorded dice of this side of this action:
    the front ones are used first.
    """

    who: str
    attr: str
    role: str  # action, defence, year, rebellion, coup
    points: int
    depleted: int = 0
    action: str = ""
    foe: str | None = None
    boon: bool = False
    works: bool = False
    rows: Rows = field(default_factory=dict)


def held(t: Ground, k: Told) -> list[str]:
    return [code for tech in k["tech"] for code in words.codes_in(t.g["technologies"][tech])]


def use_next(k: Told, key: str) -> int:
    amount: int = k["next"].pop(key, 0)
    return amount


def technology(k: Told, codes: list[str], r: Roll) -> tuple[int, int]:
    """Flat bonuses, at most three, and dice, at most two, of technologies and buildings
    (SS-3.10).
    """
    flat, dice = codes.count(f"STAT-ROLL {r.attr}"), codes.count(f"ANA-DIE {r.attr}")
    if r.role == "action":
        flat += 2 * codes.count(f"STAT-ACT {r.action}")
    if r.role == "defence":
        flat += 2 * codes.count(f"STAT-DEF {r.attr}")
        dice += r.attr == "M" and stands(k, "BLD-WALL")
    if r.role == "year":
        flat += codes.count("STAT-YEAR")
    works = f"BLD-WORKS {r.attr}"
    if r.works and stands(k, works) and works not in k["used"]:
        k["used"].append(works)
        dice += 1
    return min(3, flat), min(2, dice)


def modifiers(k: Told, codes: list[str], role: str) -> tuple[int, int, int]:
    """Flat, dice won and dice lost by the year: support (not at the year start, SS-4.5, 4.6, 4.10),
    effects, the game master's.
    """
    flat, gained, lost = k["rest"], 0, 0
    if role in ("action", "defence"):
        support = k["support"]
        gained += support == "full-support"
        lost += support in ("strike", "rebellion", "coup")
        flat += support == "support"
        flat -= support == "protest" and "STAT-CALM" not in codes
    for mod in k["mods"]:
        flat += mod.get("flat", 0)
        gained += max(0, mod.get("die", 0))
        lost += max(0, -mod.get("die", 0))
    return flat, gained, lost


def waiting(k: Told, r: Roll) -> int:
    """What waits for such a roll, all of it used now (SF-9.6)."""
    flat = use_next(k, "roll") + use_next(k, r.attr)
    if r.role == "year":
        flat += use_next(k, "year-start")
    if r.role == "action" and r.action == "Research":
        flat += use_next(k, "research")
    if r.role == "defence":
        against = k["next"].get("defence", {})
        flat += against.pop(r.foe, 0)
        if not against:
            k["next"].pop("defence", None)
    return flat


def throw(t: Ground, r: Roll) -> tuple[int, list[int]]:
    """The total of a roll and its dice as drawn; points are expended before."""
    k = t.k(r.who)
    codes = held(t, k)
    flat, gained = technology(k, codes, r)
    more, bonus, lost = modifiers(k, codes, r.role)
    flat += more + waiting(k, r)
    gained += bonus
    if r.role == "year":
        flat += k["faith"]
    if r.role == "defence":
        flat += 2 if k["security"] else 0
        gained += k["security"] == 2
    if r.foe and r.attr == "H" and r.who in t.k(r.foe)["converted_by"]:
        flat += 1
    if r.boon and k["boons"]:
        boon = k["boons"].pop(0)
        flat += 3 if boon == "bonus" else 0
        gained += 2 if boon == "dice" else 0

    sorts = {"ordinary": r.points, "bonus": gained, "depletion": r.depleted}
    if r.role == "year" and k["H"] == 0:
        return 0, []
    for sort in sorts:
        cut = min(lost, sorts[sort])
        sorts[sort] -= cut
        lost -= cut
    thrown: list[int] = []
    for sort, number in sorts.items():
        row = r.rows.setdefault(sort, [])
        while len(row) < number:
            row.append(t.luck.die())
        thrown += row[:number]
        if sort == "depletion":
            risky = 2 if "STAT-DEPL" in codes else 3
            for die in row[:number]:
                if die <= risky:
                    k["R"] -= 1
                    k["ex"]["R"] -= 1
                    k["depleted"] -= 1
                    t.note("lost", kingdom=r.who, attribute="R")
    return max(0, sum(thrown) + flat), thrown


def judge(total: int, difficulty: int) -> str:
    margin = total - difficulty
    if margin >= 0:
        return "great" if margin >= 7 else "success"
    return "disaster" if margin <= -7 else "failure"


def cut_points(k: Told, attr: str, points: Any, depleted: int) -> tuple[int, int]:
    """SS-3.8: what is left of the points ordered."""
    left = free(k, attr)
    ordinary = left if points == "all" else min(points, left)
    return ordinary, min(depleted, k["ex"]["R"] - k["depleted"]) if attr == "R" else 0
