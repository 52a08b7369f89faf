"""Rolled actions: whether they happen, their rolls and their effects (SS-6, SS-8, SS-9.3)."""

from tests.games.sovereigns.second import words
from tests.games.sovereigns.second.checks import anachronism, new_name
from tests.games.sovereigns.second.goods import (
    Ground,
    Told,
    free,
    lose,
    put_points,
    saved,
    take_points,
)
from tests.games.sovereigns.second.rolls import Roll, Rows, cut_points, judge, throw


def holds(t: Ground, condition: Told) -> bool:
    kingdoms = t.g["kingdoms"]
    one, kind = kingdoms[condition["who"]], condition["kind"]
    if kind == "lives":
        return bool(one["alive"])
    if kind == "fallen":
        return not one["alive"]
    mine = one.get(condition["attr"], 0) if one["alive"] else 0
    if kind == "more":
        other = kingdoms[condition["other"]]
        return bool(mine > (other.get(condition["attr"], 0) if other["alive"] else 0))
    return bool(mine >= int(condition["n"]) if kind == "least" else mine <= int(condition["n"]))


def resolve(t: Ground, played: Told) -> None:
    """One numbered action in its turn, with its alternatives."""
    who, order = played["kingdom"], played["order"]
    t.g["pending"].get(who, {}).pop("act", None)
    if order["do"] == "pass":
        t.note("void", n=played["n"], kingdom=who, reason="pass")
        return
    if not t.k(who)["alive"]:
        t.note("void", n=played["n"], kingdom=who, reason="actor-fallen")
        return
    reason = ""
    for place, one in enumerate(order["alts"]):
        reason = why_void(t, who, one)
        if place == 0 and order["cond"] and not holds(t, order["cond"]):
            reason = "condition"
        if not reason:
            perform(t, played, one)
            return
    t.note("void", n=played["n"], kingdom=who, reason=reason)


def why_void(t: Ground, who: str, one: Told) -> str:
    k = t.k(who)
    if one.get("who") and not t.k(one["who"])["alive"]:
        return "target-fallen"
    if (one["name"] == "Found" and k["faith"]) or (one["name"] == "Spread" and not k["faith"]):
        return "faith"
    attr = one.get("ruling", {}).get("attr") or one["attr"]
    return "" if sum(cut_points(k, attr, one["points"], one["dep"])) else "no-points"


def perform(t: Ground, played: Told, one: Told) -> None:
    who, name, target = played["kingdom"], one["name"], one.get("who")
    k = t.k(who)
    ruling = one.get("ruling", {})
    attr = ruling.get("attr") or one["attr"]
    points, depleted = cut_points(k, attr, one["points"], one["dep"])
    k["ex"][attr] += points
    if depleted:
        k["depleted"] += depleted
    contest = bool(target) and "diff" not in ruling
    difficulty = 7
    if name == "Increase":
        difficulty = 7 + k[one["raised"]]
    elif name == "Expedition":
        difficulty = 7 + t.g["expeditions"]
    elif name == "Contact":
        difficulty = 9
    elif "diff" in ruling:
        difficulty = ruling["diff"]
    rows: dict[str, Rows] = played["rows"]
    resources = k["R"]
    total, dice = throw(
        t,
        Roll(
            who,
            attr,
            "action",
            points,
            depleted,
            name,
            target,
            one["boon"],
            one["works"],
            rows.setdefault("actor", {}),
        ),
    )
    spent = {"points": points, "depleted": depleted - (resources - k["R"])}
    defence: list[int] = []
    if contest and target:
        left = free(t.k(target), attr)
        difficulty, defence = throw(
            t, Roll(target, attr, "defence", left, foe=who, rows=rows.setdefault("defender", {}))
        )
    result = judge(total, difficulty)
    t.note(
        "action",
        n=played["n"],
        kingdom=who,
        action=name,
        target=target or None,
        points=points,
        depleted=depleted,
        dice=dice,
        defence=defence,
        total=total,
        difficulty=difficulty,
        margin=total - difficulty,
        result=result,
    )
    EFFECTS[name](t, who, {**one, "spent": spent}, result)


def shift(t: Ground, name: str, amount: int) -> None:
    """SS-6.20: rest-of-year effects, never beyond two."""
    k = t.k(name)
    k["rest"] = max(-2, min(2, k["rest"] + amount))


def await_next(t: Ground, name: str, key: str, amount: int) -> None:
    waiting = t.k(name)["next"]
    waiting[key] = waiting.get(key, 0) + amount
    if not waiting[key]:
        del waiting[key]


def research(t: Ground, who: str, one: Told, result: str) -> None:
    if result == "disaster":
        await_next(t, who, "research", -1)
    if result not in ("success", "great"):
        return
    great = result == "great"
    found: Told = {"great": great}
    t.note("discovery", kingdom=who, great=great)
    if one.get("code"):
        fits = not anachronism(one["code"]) or (great and one["origin"] in t.k(who)["tech"])
        if fits:
            found.update(name=new_name(t, one["title"]), code=one["code"], left=24)
        else:
            t.note("proposal-refused", kingdom=who)
    t.k(who)["discoveries"].append(found)


def increase(t: Ground, who: str, one: Told, result: str) -> None:
    k = t.k(who)
    if result == "disaster":
        shift(t, who, -1)
    if result in ("success", "great"):
        k[one["raised"]] += 1
        # of those just expended and not lost, an ordinary one first
        if result == "great" and any(one["spent"].values()):
            k["ex"]["R"] -= 1
            k["depleted"] -= not one["spent"]["points"]


def capture(t: Ground, who: str, target: str, forever: bool) -> None:
    """One free Resource, kept for the year or for good; a vault keeps the first at home."""
    k = t.k(target)
    if free(k, "R") < 1 or saved(t, target, "BLD-VAULT"):
        return
    put_points(t.k(who), "R", take_points(k, "R", 1, "f"))
    t.note("captured", **{"from": target, "to": who, "forever": forever})
    if not forever:
        t.g["loans"].append({"lender": target, "borrower": who, "points": "1R", "due": "year-end"})


def attack(t: Ground, who: str, one: Told, result: str) -> None:
    target = one["who"]
    if result in ("failure", "disaster"):
        lose(t, who, "M", "BLD-HOSPITAL")
        return
    lose(t, target, "M", "BLD-HOSPITAL")
    if t.over or not t.k(target)["alive"]:
        return
    capture(t, who, target, result == "great")
    if result == "great" and not one["spare"]:
        bld = t.k(target)["bld"]
        burning = [code for code in bld if not code.endswith(" lasting")]
        if not burning:
            return
        chosen = (
            one["burn"]
            if one["burn"] in burning
            else max(burning, key=lambda code: words.COST[code])
        )
        bld.remove(chosen)
        t.note("destroyed", kingdom=target, building=chosen)


def expedition(t: Ground, who: str, one: Told, result: str) -> None:
    if result == "disaster":
        lose(t, who, "M", "BLD-HOSPITAL")
    if result in ("success", "great"):
        t.k(who)["R"] += 2 if result == "great" else 1
        t.g["expeditions"] += 1


def espionage(t: Ground, who: str, one: Told, result: str) -> None:
    target, mine = one["who"], t.k(who)["tech"]
    if result == "disaster":
        waiting = t.k(target)["next"].setdefault("defence", {})
        waiting[who] = waiting.get(who, 0) + 1
    if result == "great":
        lacking = [tech for tech in t.k(target)["tech"] if tech not in mine]
        if lacking:
            mine.append(one["seek"] if one["seek"] in lacking else lacking[0])


def theft(t: Ground, who: str, one: Told, result: str) -> None:
    if result == "disaster":
        lose(t, who, "M", "BLD-HOSPITAL")
    if result in ("success", "great"):
        capture(t, who, one["who"], result == "great")


def security(t: Ground, who: str, one: Told, result: str) -> None:
    t.k(who)["security"] = max(t.k(who)["security"], {"success": 1, "great": 2}.get(result, 0))


def found_faith(t: Ground, who: str, one: Told, result: str) -> None:
    if result == "disaster":
        await_next(t, who, "year-start", -1)
    t.k(who)["faith"] = {"success": 1, "great": 2}.get(result, 0)


def convert(t: Ground, name: str, by: str) -> None:
    if by not in t.k(name)["converted_by"]:
        t.k(name)["converted_by"].append(by)


def spread(t: Ground, who: str, one: Told, result: str) -> None:
    target = one["who"]
    if result in ("success", "great"):
        convert(t, target, who)
    if result == "great":
        await_next(t, target, "year-start", -1)
    if result == "disaster" and t.k(target)["faith"]:
        convert(t, who, target)


def contact(t: Ground, who: str, one: Told, result: str) -> None:
    if result == "disaster":
        shift(t, who, -1)
    if result in ("success", "great"):
        t.k(who)["boons"].append("dice" if result == "great" else "bonus")


def foment(t: Ground, who: str, one: Told, result: str) -> None:
    if result == "disaster":
        shift(t, who, -1)
    if result in ("success", "great"):
        shift(t, one["who"], -1)
    if result == "great":
        lose(t, one["who"], "H", "BLD-TEMPLE")


def attempt(t: Ground, who: str, one: Told, result: str) -> None:
    """SS-8.4, as far as the game master has not ruled otherwise."""
    ruling, target = one.get("ruling", {}), one.get("who")
    effect = (
        ruling["effect"]
        if "effect" in ruling
        else one["effect"] or ("-1" if target else f"+1 {one['attr']}")
    )
    times = 2 if result == "great" else 1
    if result in ("success", "great") and effect is not None:
        if effect.startswith("-") and target:
            await_next(t, target, "roll", int(effect) * times)
        elif effect.startswith("+"):
            await_next(t, who, effect[-1], int(effect[:-2]) * times)
    if result == "disaster":
        repercussion = ruling.get("repercussion", -1)
        if repercussion:
            await_next(t, who, "roll", repercussion)


EFFECTS = {
    "Research": research,
    "Increase": increase,
    "Attack": attack,
    "Expedition": expedition,
    "Espionage": espionage,
    "Theft": theft,
    "Security": security,
    "Found": found_faith,
    "Spread": spread,
    "Contact": contact,
    "Foment": foment,
    "Try": attempt,
}
