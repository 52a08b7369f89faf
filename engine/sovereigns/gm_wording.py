"""The game master's commands as texts (SF-5), read into acts."""

import re
from collections.abc import Mapping

import msgspec

from engine.sovereigns.orders import Do, Order
from engine.sovereigns.refusals import Refused
from engine.sovereigns.state import State

_RULE = re.compile(
    r"gm rule (?P<who>.+?)(?P<parts>(?: (?:diff \d+|contest [RMH]|attribute [RMH]"
    r"|(?:effect|repercussion) (?:[+-]\d+(?: [RMH])?|\"[^\"]*\")),?)+)"
)
_PART = re.compile(
    r"(?P<word>diff|contest|attribute|effect|repercussion) (?P<value>[+-]\d+(?:"
    r" [RMH])?|\"[^\"]*\"|\d+|[RMH])"
)
_TECH = re.compile(r'gm tech "(?P<name>[^"]+)" (?P<verdict>approve|refuse|amend)(?: (?P<code>.+))?')
_VERDICT = re.compile(r"gm verdict (?P<n>\d+) (?P<how>uphold|deny)")
_ROLLBACK = re.compile(r"gm rollback (?P<n>\d+)")
_SET = re.compile(r"gm set (?P<who>.+) (?P<attribute>[RMH]) (?P<total>-?\d+)(?: ex (?P<ex>\d+))?")
_MOD = re.compile(
    r"gm mod (?P<who>.+) (?P<amount>[+-]\d+) (?P<sort>flat|die) until (?P<until>season|year)"
)
_GIVE = re.compile(r'gm give (?P<who>.+) tech "(?P<name>[^"]+)"')
_END = re.compile(r"gm end (?P<who>.+)")


def parse_command(
    state: State, text: str, standing: Mapping[int, tuple[Order, ...]]
) -> dict[str, object]:
    """The act of a command. `standing` are the orders that stand, for a ruling is for an order as
    it stands.

    ValueError if it is no command; Refused (`no-action`) if there is nothing to rule on.
    """
    if found := _RULE.fullmatch(text):
        return _rule(_who(state, found["who"]), found["parts"], standing)
    if found := _TECH.fullmatch(text):
        return {
            "act": "tech",
            "name": found["name"],
            "verdict": found["verdict"],
            "code": found["code"] or "",
        }
    if found := _VERDICT.fullmatch(text):
        return {"act": "verdict", "objection": int(found["n"]), "upheld": found["how"] == "uphold"}
    if found := _ROLLBACK.fullmatch(text):
        return {"act": "rollback", "action": int(found["n"])}
    if found := _SET.fullmatch(text):
        told = {
            "act": "set",
            "player": _who(state, found["who"]),
            "attribute": found["attribute"],
            "total": int(found["total"]),
        }
        return told if found["ex"] is None else {**told, "ex": int(found["ex"])}
    if found := _MOD.fullmatch(text):
        return {
            "act": "mod",
            "player": _who(state, found["who"]),
            found["sort"]: int(found["amount"]),
            "until": found["until"],
        }
    if found := _GIVE.fullmatch(text):
        return {"act": "give", "player": _who(state, found["who"]), "technology": found["name"]}
    if found := _END.fullmatch(text):
        return {
            "act": "end",
            "winner": None if found["who"] == "draw" else _who(state, found["who"]),
        }
    raise ValueError(f"{text!r} is no command")


def _who(state: State, name: str) -> int:
    for kingdom in state.kingdoms:
        if name.casefold() in (kingdom.ruler.casefold(), kingdom.name.casefold()):
            return kingdom.number
    raise Refused("unknown-kingdom")


def _rule(player: int, parts: str, standing: Mapping[int, tuple[Order, ...]]) -> dict[str, object]:
    order = next((order for order in standing.get(player, ()) if isinstance(order, Do)), None)
    if order is None:
        raise Refused("no-action")
    told: dict[str, object] = {
        "act": "rule",
        "player": player,
        "order": msgspec.json.decode(msgspec.json.encode(order)),
    }
    for part in _PART.finditer(parts):
        value = part["value"].strip('"')
        told |= {"difficulty": int(value)} if part["word"] == "diff" else {part["word"]: value}
    return told
