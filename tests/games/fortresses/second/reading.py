"""Canonical texts (FF-4) as plain dicts: `do` says what, the other keys are as written."""

import re
from typing import Any

from tests.games.fortresses.second.board import KINGDOMS, LANDS, UNITS, count_text, counts

Line = dict[str, Any]

PLAIN = {
    "No attacks": "pass",
    "Done": "done",
    "Buy nothing": "buy nothing",
    "Retreat dragons": "retreat now",
    "Stay": "stay",
    "Draw": "draw",
    "Concede": "concede",
    "Resign": "resign",
    "Take command": "take command",
    "Claim the win": "claim",
}
FORMS = frozenset("Attack Galleon Move Buy Cancel Lose Keep Not Interactive Retreat Battle".split())
NOWHERE = ("Avalon", "Ruritania")
"""Places that no map has: a line that names one is refused whatever it is for."""
COMMANDS = ("draw", "concede", "resign", "take command", "claim")
STANDING = ("lose", "keep", "retreat", "interactive")
DEFAULT_LOSSES = list(UNITS)


def read(text: str) -> Line:
    for kingdom in KINGDOMS:
        start = f"{kingdom.capitalize()}: "
        if text.startswith(start):
            return {**read(text.removeprefix(start)), "kingdom": kingdom}
    if text.startswith("Then: "):
        inner = read(text.removeprefix("Then: "))
        if inner["do"] in COMMANDS:  # it acts at once, wherever it stands
            return inner
        return {"do": "then", "text": text, "inner": inner, "code": inner.get("code", "")}
    if text.startswith("Always: "):
        return {"do": "always", "text": text, "inner": read(text.removeprefix("Always: "))}
    if text in PLAIN:
        return {"do": PLAIN[text], "text": text}
    word = text.split(" ", 1)[0]
    if word not in FORMS:
        return {"do": "unread", "text": text, "code": "not-understood"}
    if any(zone in text for zone in NOWHERE):
        return {"do": "unread", "text": text, "code": "unknown-zone"}
    line = {
        "Attack": _attack,
        "Galleon": _carry,
        "Move": _move,
        "Buy": _buy,
        "Cancel": _cancel,
        "Lose": _lose,
        "Keep": _switch,
        "Not": _switch,
        "Interactive": _switch,
        "Retreat": _retreat,
        "Battle": _battle_order,
    }[word](text)
    return {"text": text, **line}


def _place(text: str) -> tuple[str, str]:
    what, _, zone = text.partition(" in ")
    return what, zone


def _attack(text: str) -> Line:
    target, _, groups = text.removeprefix("Attack ").partition(" with ")
    found = []
    for group in groups.split("; "):
        units, _, rest = group.partition(" from ")
        found.append((counts(units), rest.partition(" via ")[0]))
    return {"do": "attack", "target": target, "groups": found}


def _carry(text: str) -> Line:
    match = re.fullmatch(r"Galleon in (.+) carries (.+) from (.+?)(?: via (.+))? to (.+)", text)
    assert match, text
    line: Line = {
        "do": "carry",
        "sea": match[1],
        "units": counts(match[2]),
        "origin": match[3],
        "drop": match[5],
        "board": "",
        "final": "",
    }
    for zone in (match[4] or "").split(", "):
        if zone:
            line["board" if zone in LANDS else "final"] = zone
    return line


def carry_text(line: Line, board: str, final: str) -> str:
    via = [
        zone
        for zone in (
            board if board != line["origin"] else "",
            final if final != line["sea"] else "",
        )
        if zone
    ]
    way = f" via {', '.join(via)}" if via else ""
    return f"Galleon in {line['sea']} carries {count_text(line['units'])} from {line['origin']}{way} to {line['drop']}"


def _move(text: str) -> Line:
    match = re.fullmatch(r"Move (.+?) from (.+?) to (.+?)(?: via (.+))?", text)
    assert match, text
    line: Line = {
        "do": "move",
        "origin": match[2],
        "target": match[3],
        "every": "",
        "units": {},
        "via": match[4],
    }
    if match[1].startswith("all"):
        line["every"] = match[1].removeprefix("all").strip() or "all"
    else:
        line["units"] = counts(match[1])
    return line


def move_text(line: Line) -> str:
    via = f" via {line['via']}" if line["via"] else ""
    return f"Move {count_text(line['units'])} from {line['origin']} to {line['target']}{via}"


def _buy(text: str) -> Line:
    match = re.fullmatch(r"Buy (.+?) in (.+?)(?: from (.+))?", text)
    assert match, text
    return {"do": "buy", "units": counts(match[1]), "zone": match[2], "land": match[3] or ""}


def buy_text(line: Line, land: str) -> str:
    return f"Buy {count_text(line['units'])} in {line['zone']} from {land}"


def _cancel(text: str) -> Line:
    number = text.removeprefix("Cancel ")
    return {"do": "cancel", "number": 0 if number == "all" else int(number)}


def _lose(text: str) -> Line:
    what, zone = _place(text.removeprefix("Lose "))
    if any(sign.isdigit() for sign in what):
        return {"do": "lose now", "units": counts(what)}
    return {"do": "lose", "order": what.split(" then "), "zone": zone}


def _switch(text: str) -> Line:
    what, zone = _place(text)
    do = "keep" if what.startswith("Keep") else "interactive"
    return {"do": do, "on": what in ("Keep a conqueror", "Interactive"), "zone": zone}


def _retreat(text: str) -> Line:
    what, zone = _place(text.removeprefix("Retreat dragons "))
    return {
        "do": "retreat",
        "policy": [part.split(" and ") for part in what.split(" or ")],
        "zone": zone,
    }


def _battle_order(text: str) -> Line:
    return {"do": "battle order", "zones": text.removeprefix("Battle order: ").split(", ")}
