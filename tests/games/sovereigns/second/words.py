"""Canonical texts (SF-4) to plain dicts and back."""

import re
from typing import Any

Told = dict[str, Any]

COST = {
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
ATTRIBUTE = {
    "Research": "R",
    "Increase": "R",
    "Attack": "M",
    "Expedition": "M",
    "Espionage": "M",
    "Theft": "M",
    "Security": "M",
    "Found": "H",
    "Spread": "H",
    "Contact": "H",
    "Foment": "H",
}
CONTESTED = ("Attack", "Espionage", "Theft", "Spread", "Foment")
POINTS = r"(?:(?P<all>all)|(?P<n>\d+)) ?(?P<attr>[RMH])(?: \+ (?P<dep>\d+) depleted)?"
CODE = r"[A-Z]{3,4}-[A-Z]+[^,]*?"
WHO = r"(?P<who>[\w-]+)"


def is_code(code: str) -> bool:
    if code.startswith("ANA-DOUBLE "):
        halves = code[11:].split(" + ")
        return len(halves) == 2 and all(
            half.startswith("STAT-") and is_code(half) for half in halves
        )
    if code.startswith("ANA-CHEAP "):
        return code[10:] in COST
    if code in COST or code in ("STAT-YEAR", "STAT-CALM", "STAT-DEPL"):
        return True
    head, _, tail = code.rpartition(" ")
    if head == "STAT-ACT":
        return tail in ATTRIBUTE
    return head in ("STAT-ROLL", "STAT-DEF", "ANA-DIE") and tail in ("R", "M", "H")


def codes_in(code: str) -> list[str]:
    return code[11:].split(" + ") if code.startswith("ANA-DOUBLE ") else [code]


def read(text: str) -> Told | None:
    """What a line says; None if it says nothing known."""
    for pattern, make in SIMPLE:
        found = re.fullmatch(pattern, text)
        if found:
            return {"do": make, **found.groupdict()}
    for prefix, do in (
        ("Every year: ", "every-year"),
        ("Every season: ", "every-season"),
        ("Redo: ", "redo"),
    ):
        if text.startswith(prefix):
            rest = text[len(prefix) :]
            if do == "redo" and rest == "Pass":
                return {"do": "redo", "order": {"do": "pass"}}
            order = read(rest)
            wanted = "year" if do == "every-year" else "act"
            return {"do": do, "order": order} if order and order["do"] == wanted else None
    if text.startswith("Offer "):
        return _offer(text)
    return _with_alternatives(text)


SIMPLE = (
    (r"Pass", "pass"),
    (r"Done", "done"),
    (r"Cancel all", "cancel"),
    (r"Camp", "camp"),
    (r"Abdicate", "abdicate"),
    (r"Claim victory", "claim"),
    (r"Forget every (?P<what>year|season)", "forget"),
    (r"Build (?P<code>BLD-[A-Z]+(?: [RMH])?)", "build"),
    (r"(?P<what>Accept|Decline|Withdraw) offer (?P<id>\d+)", "answer"),
    (rf"Vote (?P<what>yes|no) on {WHO}", "vote"),
    (r"Object to action (?P<n>\d+): (?P<why>.+)", "object"),
    (r"Propose (?P<name>.+?) = (?P<code>.+?)(?: from (?P<origin>.+))?", "propose"),
    (r"Split (?P<R>\d+)/(?P<M>\d+)/(?P<H>\d+)(?:, (?P<name>.+))?", "split"),
)


def _offer(text: str) -> Told | None:
    found = re.fullmatch(
        rf"Offer {WHO}: (?P<gives>.+?) against (?P<wants>.+?)(?: within (?P<hours>\d+) hours)?",
        text,
    )
    if not found:
        return None
    sides: list[list[Told]] = []
    for side in (found["gives"], found["wants"]):
        items: list[Told] = []
        for part in [] if side == "nothing" else side.split(", "):
            item = _item(part)
            if item is None:
                return None
            items.append(item)
        sides.append(items)
    return {
        "do": "offer",
        "who": found["who"],
        "gives": sides[0],
        "wants": sides[1],
        "hours": int(found["hours"] or 48),
    }


def _item(part: str) -> Told | None:
    if part.startswith("tech "):
        return {"tech": part[5:]}
    if part.startswith("BLD-"):
        return {"building": part}
    found = re.fullmatch(
        r"(\d+)([RMH])(?: (permanent|until year end|for (\d+) seasons))?( expended too)?", part
    )
    if not found:
        return None
    term: int | str = (
        int(found[4]) if found[4] else "permanent" if found[3] == "permanent" else "year-end"
    )
    return {"n": int(found[1]), "attr": found[2], "term": term, "expended": bool(found[5])}


def write_item(item: Told) -> str:
    if "tech" in item:
        return f"tech {item['tech']}"
    term = {"permanent": "permanent", "year-end": "until year end"}.get(
        item["term"], f"for {item['term']} seasons"
    )
    return f"{item['n']}{item['attr']} {term}" + (" expended too" if item["expended"] else "")


def _with_alternatives(text: str) -> Told | None:
    """A rolled action or an answer for the year start: up to three alternatives, one condition on
    the first.
    """
    quotes: list[str] = []

    def hide(found: re.Match[str]) -> str:
        quotes.append(found[0])
        return f'"{len(quotes) - 1}"'

    masked = re.sub(r'"[^"]*"', hide, text)
    alternatives: list[Told] = []
    condition: Told | None = None
    kinds = set()
    parts = masked.split(" else ")
    for number, part in enumerate(parts):
        words, _, told = part.partition(" if ")
        if told:
            condition = _condition(told)
            if number or condition is None:
                return None
        one = _answer(words) or _action(words, quotes)
        if one is None:
            return None
        kinds.add("year" if one["name"] in ("Harmony", "Fear") else "act")
        alternatives.append(one)
    if len(kinds) != 1 or len(parts) > 3:
        return None
    return {"do": kinds.pop(), "alts": alternatives, "cond": condition}


def _condition(told: str) -> Told | None:
    for pattern, kind in (
        (rf"{WHO} lives", "lives"),
        (rf"{WHO} has fallen", "fallen"),
        (rf"{WHO} has more (?P<attr>[RMH]) than (?P<other>[\w-]+)", "more"),
        (rf"{WHO} has at least (?P<n>\d+)(?P<attr>[RMH])", "least"),
        (rf"{WHO} has at most (?P<n>\d+)(?P<attr>[RMH])", "most"),
    ):
        found = re.fullmatch(pattern, told)
        if found:
            return {"kind": kind, **found.groupdict()}
    return None


def _answer(words: str) -> Told | None:
    if words in ("Rule by Fear", "Rule by Fear, sure"):
        return {"name": "Fear", "sure": words.endswith("sure")}
    found = re.fullmatch(
        r"Harmony: (?:(\d+)H|(all but \d+)|(all))(?:, rebellion (\d+)M( with works)?)?(?:, coup (\d+)M( with works)?)?(, works)?",
        words,
    )
    if not found:
        return None
    points: int | str = int(found[1]) if found[1] else found[2] or "all"
    return {
        "name": "Harmony",
        "points": points,
        "rebellion": None if found[4] is None else int(found[4]),
        "rebellion_works": bool(found[5]),
        "coup": None if found[6] is None else int(found[6]),
        "coup_works": bool(found[7]),
        "works": bool(found[8]),
    }


FORMS = (
    (
        "Research",
        rf"Research: {POINTS}(?:, (?P<title>[^,]+?) = (?P<code>{CODE})(?: from (?P<origin>[^,]+?))?)?",
    ),
    ("Increase", rf"Increase (?P<raised>[RMH]): {POINTS}"),
    (
        "Attack",
        rf"Attack(?: {WHO})?: {POINTS}(?:, (?:burn (?P<burn>BLD-[A-Z]+(?: [RMH])?)|(?P<spare>spare buildings)))?",
    ),
    ("Espionage", rf"Espionage(?: {WHO})?: {POINTS}(?:, seek (?P<seek>[^,]+))?"),
    ("Theft", rf"Theft(?: {WHO})?: {POINTS}"),
    ("Spread", rf"Spread(?: {WHO})?: {POINTS}"),
    ("Foment", rf"Foment(?: {WHO})?: {POINTS}"),
    ("Expedition", rf"Expedition: {POINTS}"),
    ("Security", rf"Security: {POINTS}"),
    ("Found", rf"Found: {POINTS}"),
    ("Contact", rf"Contact: {POINTS}"),
    (
        "Try",
        rf'Try: {POINTS}(?: against {WHO})?(?: for (?P<effect>\+1 [RMH]|-1))? "(?P<quote>\d+)"',
    ),
)


def _action(words: str, quotes: list[str]) -> Told | None:
    works = words.endswith(", works")
    words = words.removesuffix(", works")
    boon = words.endswith(", boon")
    words = words.removesuffix(", boon")
    for name, pattern in FORMS:
        found = re.fullmatch(pattern, words)
        if not found:
            continue
        told = found.groupdict()
        if name != "Try" and told["attr"] != ATTRIBUTE[name]:
            return None
        told["points"] = "all" if told.pop("all") else int(told.pop("n"))
        told["dep"] = int(told["dep"] or 0)
        if name == "Try":
            told["words"] = quotes[int(told.pop("quote"))]
        return {"name": name, "boon": boon, "works": works, **told}
    return None


def write(order: Told) -> str:
    """The canonical text of a rolled action or a year start's answer."""
    texts = [_write_one(one) for one in order["alts"]]
    condition = order["cond"]
    if condition:
        kind = condition["kind"]
        tail = {"lives": "lives", "fallen": "has fallen"}.get(kind)
        if kind == "more":
            tail = f"has more {condition['attr']} than {condition['other']}"
        elif tail is None:
            tail = f"has at {kind} {condition['n']}{condition['attr']}"
        texts[0] += f" if {condition['who']} {tail}"
    return " else ".join(texts)


def _write_one(one: Told) -> str:
    name = one["name"]
    if name == "Fear":
        return "Rule by Fear" + (", sure" if one["sure"] else "")
    if name == "Harmony":
        text = f"Harmony: {one['points']}" + ("H" if isinstance(one["points"], int) else "")
        for roll in ("rebellion", "coup"):
            if one[roll] is not None:
                text += f", {roll} {one[roll]}M" + (" with works" if one[roll + "_works"] else "")
        return text + (", works" if one["works"] else "")
    points = (
        ("all " if one["points"] == "all" else str(one["points"]))
        + one["attr"]
        + (f" + {one['dep']} depleted" if one["dep"] else "")
    )
    head = (
        f"Increase {one['raised']}"
        if name == "Increase"
        else f"{name} {one['who']}"
        if one.get("who") and name != "Try"
        else name
    )
    text = f"{head}: {points}"
    if one.get("title"):
        text += f", {one['title']} = {one['code']}" + (
            f" from {one['origin']}" if one["origin"] else ""
        )
    if one.get("burn"):
        text += f", burn {one['burn']}"
    if one.get("spare"):
        text += ", spare buildings"
    if one.get("seek"):
        text += f", seek {one['seek']}"
    if name == "Try":
        text += (
            (f" against {one['who']}" if one["who"] else "")
            + (f" for {one['effect']}" if one["effect"] else "")
            + f" {one['words']}"
        )
    return text + (", boon" if one["boon"] else "") + (", works" if one["works"] else "")
