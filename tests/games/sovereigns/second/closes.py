"""The closes of set-up, year start and seasons, and a season done again from one of its actions
(SF-7, SS-2.7, SS-4, SS-9.2, SS-11.8).
"""

from dataclasses import dataclass, field
from typing import Any

from tests.games.sovereigns.second import words
from tests.games.sovereigns.second.checks import act_codes, owns, possible, reading_code, stands
from tests.games.sovereigns.second.deeds import holds, resolve
from tests.games.sovereigns.second.goods import (
    Ground,
    Told,
    clone,
    close_ballot,
    end,
    fall,
    free,
    lose,
    return_loans,
)
from tests.games.sovereigns.second.rolls import Roll, judge, throw

SEASONS = ["Spring", "Summer", "Autumn", "Winter"]
CHART = (
    (16, "full-support"),
    (13, "support"),
    (9, "indifference"),
    (6, "protest"),
    (3, "strike"),
    (1, "rebellion"),
    (0, "coup"),
)


NOTHING: Told = {"act": None, "camp": False, "abdicate": False, "year": None}
"""Nothing ordered; besides there is a list of buildings."""


@dataclass
class Book:
    """What is kept of the season closed last: its actions in order, each with the position just
    before it.
    """

    played: list[Told] = field(default_factory=list)


def pending(t: Ground, name: str) -> Told:
    mine: Told = t.g["pending"].setdefault(name, {**NOTHING, "builds": []})
    return mine


def abdications(t: Ground) -> None:
    for name in t.seat():
        if not t.over and t.g["pending"].get(name, {}).get("abdicate"):
            t.note("abdicated", kingdom=name)
            fall(t, name)


def close_setup(t: Ground) -> None:
    taken: set[Any] = set()
    for seat, (name, k) in enumerate(t.g["kingdoms"].items(), 1):
        split = t.g["pending"].get(name, {}).get("split")
        for attr in "RMH":
            k[attr] = int(split[attr]) if split else 3
        wanted = split["name"] if split else None
        k["name"] = wanted if wanted and wanted not in taken else f"Kingdom {seat}"
        taken.add(k["name"])
    t.g["phase"] = "year-start"


def open_phase(t: Ground) -> None:
    t.g["hour"] = 0
    t.g["pending"] = {}


def close_year_start(t: Ground) -> None:
    abdications(t)
    if t.over:
        return
    for name in t.luck.shuffle(t.seat()):
        if not t.over:
            harmony_action(t, name)
    if t.g["phase"] != "year-start":
        return
    for name in t.seat():
        t.k(name)["year_order"] = None
    open_phase(t)
    t.g.update(phase="season", season="Spring")


def chosen(t: Ground, name: str) -> Told:
    """SF-9.15: the first alternative that fits, of the first answer that has one."""
    k = t.k(name)
    told = [pending(t, name)["year"]]
    for text in (k["year_order"], k["standing"].get("year")):
        told.append(words.read(text) if text else None)
    for answer in told:
        for place, one in enumerate(answer["alts"] if answer else ()):
            if answer and place == 0 and answer["cond"] and not holds(t, answer["cond"]):
                continue
            if not possible(k, one):
                continue
            found: Told = one
            return found
    return {"name": "Harmony", "points": "all", "rebellion": None, "coup": None, "works": False}


def harmony_action(t: Ground, name: str) -> None:
    k, answer = t.k(name), chosen(t, name)
    if answer["name"] == "Fear":
        t.note("fear", kingdom=name)
        k["support"] = "full-support"
        lose(t, name, "H", None)
        return
    left = free(k, "H")
    points = answer["points"]
    if isinstance(points, str):
        points = left if points == "all" else max(1, left - int(points.removeprefix("all but ")))
    points = min(points, left)
    k["ex"]["H"] += points
    total, dice = throw(t, Roll(name, "H", "year", points, works=answer["works"] and k["H"] > 0))
    k["support"] = next(row for least, row in CHART if total >= least)
    t.note("support", kingdom=name, points=points, dice=dice, total=total, support=k["support"])
    if k["support"] not in ("rebellion", "coup"):
        return
    kind = k["support"]
    left = free(k, "M")
    points = min(
        left, answer[kind] if answer[kind] is not None else {"rebellion": 2, "coup": left}[kind]
    )
    k["ex"]["M"] += points
    total, dice = throw(t, Roll(name, "M", kind, points, works=bool(answer.get(kind + "_works"))))
    good = judge(total, {"rebellion": 5, "coup": 10}[kind]) in ("success", "great")
    t.note(
        kind,
        kingdom=name,
        points=points,
        dice=dice,
        total=total,
        result="success" if good else "failure",
    )
    if not good and kind == "coup":
        fall(t, name)
    elif not good:
        lose(t, name, "H", "BLD-TEMPLE")


def close_season(t: Ground, book: Book) -> None:
    g = t.g
    g["offers"] = []
    book.played = []
    abdications(t)
    if t.over:
        return
    for name in t.seat():
        construct(t, name)
    acting = []
    for name in t.seat():
        mine = pending(t, name)
        text = t.k(name)["standing"].get("season")
        if mine["act"] is None and text:
            order = words.read(text)
            assert order is not None
            if reading_code(t, name, order) is None and act_codes(t, name, order)[0] is None:
                mine["act"] = order
        if mine["act"] is not None and mine["act"]["do"] == "act":
            acting.append(name)
    for name in t.luck.shuffle(acting):
        g["counts"]["actions"] += 1
        book.played.append(
            {
                "n": g["counts"]["actions"],
                "kingdom": name,
                "order": pending(t, name)["act"],
                "rows": {},
            }
        )
    go_on(t, book, 0)


def go_on(t: Ground, book: Book, place: int) -> None:
    """The actions from this one on, and the rest of the close."""
    for played in book.played[place:]:
        played["before"] = clone(t.g)
        if not t.over:
            resolve(t, played)
    if t.over:
        return
    g = t.g
    for loan in g["loans"]:
        if loan["due"] != "year-end":
            loan["due"] -= 1
    return_loans(t, lambda loan: loan["due"] == 0)
    for name in t.seat():
        k = t.k(name)
        k["mods"] = [mod for mod in k["mods"] if mod["until"] != "season"]
        year = g["pending"].get(name, {}).get("year")
        if year:
            k["year_order"] = words.write(year)
    if g["season"] != "Winter":
        g["season"] = SEASONS[SEASONS.index(g["season"]) + 1]
        open_phase(t)
        return
    return_loans(t, lambda loan: loan["due"] == "year-end")
    if g["max_years"] and g["year"] >= g["max_years"]:
        best = max(rank(t.k(name)) for name in t.seat())
        winners = [name for name in t.seat() if rank(t.k(name)) == best]
        end(t, winners[0] if len(winners) == 1 else winners)
        return
    for name in t.seat():
        k = t.k(name)
        k.update(
            ex={"R": 0, "M": 0, "H": 0},
            depleted=0,
            used=[],
            support="none",
            rest=0,
            mods=[],
            boons=[],
            security=0,
            claimed=False,
        )
        k["next"].pop("defence", None)
    g["year"] += 1
    g["phase"] = "year-start"
    open_phase(t)


def rank(k: Told) -> tuple[int, int, int]:
    return k["R"] + k["M"] + k["H"], k["H"], k["R"]


def construct(t: Ground, name: str) -> None:
    k, mine = t.k(name), pending(t, name)
    for code in mine["builds"]:
        costs = owns(t, name, code)
        if stands(k, code) or not costs or free(k, "R") < min(costs):
            t.note("build-void", kingdom=name, building=code)
            continue
        k["ex"]["R"] += min(costs)
        k["bld"].append(code if min(costs) == words.COST[code] else f"{code} lasting")
        t.note("built", kingdom=name, building=code)
        if code == "BLD-WONDER":
            k["H"] += 1
    if (
        mine["camp"]
        and stands(k, "BLD-CAMP")
        and "BLD-CAMP" not in k["used"]
        and free(k, "R") >= 2
        and k["ex"]["M"]
    ):
        k["ex"]["R"] += 2
        k["ex"]["M"] -= 1
        k["used"].append("BLD-CAMP")
        t.note("camp", kingdom=name)
    mine["builds"], mine["camp"] = [], False


def expire_ballot(t: Ground, ballot: Told) -> None:
    close_ballot(t, ballot, False)
