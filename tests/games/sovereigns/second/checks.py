"""Which lines of a message stand and which are refused, and with what code (SF-4)."""

from typing import Any

from tests.games.sovereigns.second import words
from tests.games.sovereigns.second.goods import Ground, Told, free


def out_of_time(t: Ground, line: Told) -> bool:
    """`not-now`: a line of another phase."""
    phase, season = t.g["phase"], t.g.get("season")
    do = line["do"]
    if do == "split":
        return bool(phase != "setup")
    if phase in ("setup", "over"):
        return phase == "over" or do not in ("done", "cancel")
    if do == "year":
        return not (phase == "year-start" or season == "Winter")
    return do in ("pass", "camp", "build", "act", "offer", "answer") and bool(phase != "season")


def owns(t: Ground, name: str, building: str) -> list[int]:
    """What this building would cost by each technology owned that allows it."""
    held = [t.g["technologies"][tech] for tech in t.k(name)["tech"]]
    cost = words.COST[building]
    return [cost for code in held if code == building] + [
        cost - 1 for code in held if code == f"ANA-CHEAP {building}"
    ]


def stands(k: Told, building: str) -> bool:
    return any(code.removesuffix(" lasting") == building for code in k["bld"])


def anachronism(code: str) -> bool:
    return code.startswith("ANA-")


def reading_code(t: Ground, who: str, order: Told) -> str | None:
    """The first refusal of a rolled action or an answer's reading, all alternatives: by the list of
    codes, not by place.
    """
    found: set[str] = set()
    kingdoms = t.g["kingdoms"]
    named = [one["who"] for one in order["alts"] if one.get("who")]
    if order["cond"]:
        condition = order["cond"]
        found |= {
            "unknown-kingdom"
            for name in (condition["who"], condition.get("other"))
            if name and name not in kingdoms
        }
    found |= {"unknown-kingdom" for name in named if name not in kingdoms}
    for one in order["alts"]:
        name, target = one["name"], one.get("who")
        if (
            (name in words.CONTESTED and not target)
            or target == who
            or (target in kingdoms and not kingdoms[target]["alive"])
        ):
            found.add("bad-target")
        if name == "Try" and one["effect"] == "-1" and not target:
            found.add("bad-target")
        if name == "Increase" and one["raised"] == "R":
            found.add("no-increase")
        code = one.get("code")
        if code and not words.is_code(code):  # the rest shows when it succeeds (SF-9.12)
            found.add("no-code")
        if one.get("burn") and one["burn"] not in words.COST:
            found.add("no-code")
    for code in ("unknown-kingdom", "bad-target", "no-increase", "no-code"):
        if code in found:
            return code
    return None


def act_codes(t: Ground, who: str, order: Told) -> tuple[str | None, list[str]]:
    """The refusal of a rolled action's points, or its warnings. What stands is used as it is when
    the action resolves (SS-3.7, SS-3.8): nothing is taken from the order now.
    """
    k = t.k(who)
    warnings: list[str] = []
    for one in order["alts"]:
        attr, left = one["attr"], free(k, one["attr"])
        if one["name"] == "Found" and k["faith"]:
            return "already-owned", []
        if one["name"] == "Spread" and not k["faith"]:
            return "no-faith", []
        if one["dep"] and (attr != "R" or one["dep"] > k["ex"]["R"] - k["depleted"]):
            return "nothing-to-deplete", []
        if one["points"] == 0 and not one["dep"]:
            return "min-one", []
        if left == 0 and not one["dep"]:
            return "not-enough", []
        if one["points"] != "all" and one["points"] > left:
            warnings.append("not-enough")
        if one["boon"] and not k["boons"]:
            warnings.append("no-boon")
        works = f"BLD-WORKS {attr}"
        if one["works"] and (not stands(k, works) or works in k["used"]):
            warnings.append("no-building")
    return None, warnings


def year_codes(t: Ground, who: str, order: Told, standing: bool) -> tuple[str | None, list[str]]:
    """Of an answer at the year start; one sent in Winter is judged when the year starts, and is only
    warned of before (SS-12.8).
    """
    k = t.k(who)
    warnings: list[str] = []
    for one in order["alts"]:
        fear = one["name"] == "Fear"
        if standing:
            if not fear and one["points"] == 0:
                return "min-one", []
            continue
        if not possible(k, one):
            code = "confirm" if fear else "min-one"
            if t.g["phase"] == "year-start":
                return code, []
            warnings.append(code)
        if fear:
            continue
        if isinstance(one["points"], int) and one["points"] > k["H"]:
            warnings.append("not-enough")
        for key, works in (
            ("works", "BLD-WORKS H"),
            ("rebellion_works", "BLD-WORKS M"),
            ("coup_works", "BLD-WORKS M"),
        ):
            if one[key] and not stands(k, works):
                warnings.append("no-building")
    return None, warnings


def possible(k: Told, one: Told) -> bool:
    """SS-4.2, SS-4.9: at least one point of who has any; fear at Harmony 0 has to be sure."""
    if one["name"] == "Fear":
        return bool(k["H"] > 0 or one["sure"])
    return bool(one["points"] != 0 or k["H"] == 0)


def offer_code(t: Ground, who: str, line: Told) -> str | None:
    kingdoms, target = t.g["kingdoms"], line["who"]
    if target not in kingdoms:
        return "unknown-kingdom"
    if target == who or not kingdoms[target]["alive"]:
        return "bad-target"
    for item in line["gives"] + line["wants"]:
        if item.get("attr") == "H":
            return "harmony-trade"
        if "building" in item:
            return "building-trade"
        if item.get("n") == 0:
            return "min-one"
        if isinstance(item.get("term"), int) and not 1 <= item["term"] <= 8:
            return "out-of-range"
    if not line["gives"] and not line["wants"]:
        return "min-one"
    if not 1 <= line["hours"] <= 48:
        return "out-of-range"
    for giver, taker, items in ((who, target, line["gives"]), (target, who, line["wants"])):
        for item in items:
            if "tech" in item and item["tech"] not in kingdoms[giver]["tech"]:
                return "no-tech"
            if "tech" in item and item["tech"] in kingdoms[taker]["tech"]:
                return "already-owned"
    return None


def build_code(t: Ground, who: str, line: Told, mine: Told) -> str | None:
    code, k = line["code"], t.k(who)
    if code not in words.COST:
        return "no-code"
    costs = owns(t, who, code)
    if not costs:
        return "no-tech"
    if stands(k, code) or code in mine["builds"]:
        return "already-owned"
    if min(costs) > free(k, "R") - promised(t, who, mine):
        return "not-enough"
    return None


def promised(t: Ground, who: str, mine: Told) -> int:
    """What constructions and the camp ordered so far will take."""
    spent = sum(min(owns(t, who, code), default=0) for code in mine["builds"])
    return spent + (2 if mine["camp"] else 0)


def camp_code(t: Ground, who: str, mine: Told) -> str | None:
    k = t.k(who)
    if not stands(k, "BLD-CAMP"):
        return "no-building"
    if "BLD-CAMP" in k["used"] or mine["camp"]:
        return "used-up"
    if free(k, "R") - promised(t, who, mine) < 2 or k["ex"]["M"] == 0:
        return "not-enough"  # it makes an expended point free
    return None


def proposal_code(t: Ground, who: str, line: Told) -> str | None:
    k = t.k(who)
    kept = [found for found in k["discoveries"] if not found.get("name")]
    if not words.is_code(line["code"]):
        return "no-code"
    if not kept:
        return "no-discovery"
    if anachronism(line["code"]):
        if line["origin"] not in k["tech"] or not any(found.get("great") for found in kept):
            return "no-code"
    return None


def new_name(t: Ground, name: str) -> str:
    """SF-9.12: a name in use gets a number behind it."""
    taken: set[Any] = set(t.g["technologies"])
    for kingdom in t.g["kingdoms"].values():
        taken |= {found.get("name") for found in kingdom.get("discoveries", ())}
    number, tried = 1, name
    while tried in taken:
        number += 1
        tried = f"{name} {number}"
    return tried
