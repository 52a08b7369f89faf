"""What the game master says (SF-5)."""

import re
from typing import TYPE_CHECKING

from tests.games.sovereigns.second import words
from tests.games.sovereigns.second.goods import Told, end, fall

if TYPE_CHECKING:
    from tests.games.sovereigns.second.table import Second


FARTHEST = 20
"""How far a `gm mod` may go: the format says that there is an end (`out-of-range`), not where."""


def master(s: "Second", text: str) -> list[str]:
    """Do one command; its refusal's code, if any."""
    t, kingdoms = s.ground, s.g["kingdoms"]
    head, _, rest = text.removeprefix("gm ").partition(" ")
    if head == "rollback":
        return [] if s.replaying else _rollback(s, int(rest))
    if head in ("rule", "set", "mod", "give") and rest.split(" ")[0] not in kingdoms:
        return ["unknown-kingdom"]
    if t.over or s.g["phase"] == "setup":
        return ["not-now"]
    if head == "verdict":
        return [] if s.replaying else _verdict(s, rest)
    if head == "tech":
        return _tech(s, rest)
    if head == "end":
        end(t, rest)
        return []
    name, _, rest = rest.partition(" ")
    if name not in kingdoms:
        return ["unknown-kingdom"]
    if not kingdoms[name]["alive"]:
        return ["fallen"]
    return _of_kingdom(s, head, name, rest)


def _of_kingdom(s: "Second", head: str, name: str, rest: str) -> list[str]:
    k = s.g["kingdoms"][name]
    if head == "rule":
        return _rule(s, name, rest)
    if head == "set":
        return _set(s, name, rest)
    if head == "mod":
        found = re.fullmatch(r"([+-]\d+) (flat|die) until (season|year)", rest)
        if not found:
            return ["not-understood"]
        if abs(int(found[1])) > FARTHEST:
            return ["out-of-range"]
        k["mods"].append({found[2]: int(found[1]), "until": found[3]})
        return []
    if head == "give":
        title = rest.removeprefix('tech "').removesuffix('"')
        if title not in s.g["technologies"]:
            return ["no-tech"]
        if title in k["tech"]:
            return ["already-owned"]
        k["tech"].append(title)
        return []
    return ["not-understood"]


def _rollback(s: "Second", n: int) -> list[str]:
    if s.redo or not any(played["n"] == n for played in s.book.played):
        return ["no-action"]
    s.roll_back(n)
    return []


def _verdict(s: "Second", rest: str) -> list[str]:
    number, word = rest.split(" ")
    objection = next((one for one in s.objections if one["id"] == int(number)), None)
    if objection is None:
        return ["no-action"]
    s.objections.remove(objection)
    if word == "uphold":
        s.roll_back(objection["action"])
    return []


def _tech(s: "Second", rest: str) -> list[str]:
    found = re.fullmatch(r'"(.+)" (approve|refuse|amend (.+))', rest)
    if not found:
        return ["not-understood"]
    title, word, code = found[1], found[2], found[3]
    if code and not words.is_code(code):
        return ["no-code"]
    g = s.g
    for k in g["kingdoms"].values():
        for proposal in k.get("discoveries", ()):
            if proposal.get("name") == title:
                if word == "refuse":
                    for key in ("name", "code", "left"):
                        del proposal[key]
                else:
                    k["discoveries"].remove(proposal)
                    k["tech"].append(title)
                    g["technologies"][title] = code or proposal["code"]
                return []
    if title not in g["technologies"]:
        return ["no-action"]
    if word == "refuse":
        del g["technologies"][title]
        for k in g["kingdoms"].values():
            if title in k.get("tech", ()):
                k["tech"].remove(title)
    elif code:
        g["technologies"][title] = code
    else:
        return ["no-action"]
    return []


def _set(s: "Second", name: str, rest: str) -> list[str]:
    found = re.fullmatch(r"([RMH]) (-?\d+)(?: ex (\d+))?", rest)
    if not found:
        return ["not-understood"]
    attr, total, k = found[1], int(found[2]), s.g["kingdoms"][name]
    if found[3] and int(found[3]) > max(0, total):
        return ["out-of-range"]
    k[attr] = total
    k["ex"][attr] = int(found[3]) if found[3] else min(k["ex"][attr], max(0, total))
    k["depleted"] = min(k["depleted"], k["ex"]["R"])
    if total < 0:
        fall(s.ground, name)
    return []


def _rule(s: "Second", name: str, rest: str) -> list[str]:
    order = s.g["pending"].get(name, {}).get("act")
    alts = order["alts"] if order and order["do"] == "act" else ()
    one = next((alt for alt in alts if alt["name"] == "Try"), None)
    if one is None:
        return ["no-action"]
    ruling: Told = dict(one.get("ruling", {}))
    for part in re.finditer(
        r'(diff|contest|attribute|effect|repercussion) ("[^"]*"|[+-]\d+ [RMH]|\S+)', rest
    ):
        key, value = part[1], part[2]
        if key == "diff":
            if not 3 <= int(value) <= 20:
                return ["out-of-range"]
            ruling["diff"] = int(value)
        elif key == "contest":
            if not one["who"]:
                return ["bad-target"]
            ruling.pop("diff", None)
            ruling["attr"] = value
        elif key == "attribute":
            ruling["attr"] = value
        elif key == "effect":
            if value.startswith("-") and not one["who"]:
                return ["bad-target"]
            ruling["effect"] = None if value.startswith('"') else value
        else:
            ruling["repercussion"] = 0 if value.startswith('"') else int(value)
    for other in order["alts"] if order else ():
        if other["name"] == "Try":
            other["ruling"] = ruling
    if order:
        s.g["pending"][name].setdefault("ruled", {})[words.write(order)] = ruling
    return []
