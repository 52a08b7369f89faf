"""Canonical texts read back: the exact inverse of `format_order` (what people write is the
grammar's).
"""

import re
from collections.abc import Callable, Mapping

from engine.fortresses import orders as o
from engine.fortresses.atlas import KINGDOMS, zones
from engine.fortresses.units import CODES, UnitCode, parse_units

_PLAIN: Mapping[str, o.Order] = {
    o.PLAIN_TEXTS[type(order)]: order
    for order in (
        o.BuyNothing(),
        o.NoAttacks(),
        o.Done(),
        o.RetreatNow(),
        o.Stay(),
        o.Draw(),
        o.Concede(),
        o.Resign(),
        o.TakeCommand(),
        o.ClaimWin(),
    )
}
_NUMBER = r"[1-9]\d{0,2}"
_UNITS = rf"{_NUMBER}[LKWGD](?: {_NUMBER}[LKWGD])*"
_ZONE = r"[A-Z][a-z]{1,20}(?: (?:of|[A-Z][a-z]{1,20})){0,2}"
_CODE_LIST = r"[LKWGD](?: then [LKWGD])*"
_IN = rf"(?: in (?P<zone>{_ZONE}))?"
_VIA = rf"(?: via (?P<via>{_ZONE}(?:, {_ZONE})*))?"
_GROUP = re.compile(rf"(?P<units>{_UNITS}) from (?P<origin>{_ZONE}){_VIA}")


def parse_order(text: str) -> o.Order:
    """The order of a canonical text. ValueError if it is none."""
    order = _parse(text)
    if o.format_order(order) != text:  # only the one text counts
        raise ValueError(f"{text!r} is no canonical text of an order")
    return order


def _parse(text: str) -> o.Order:
    for kingdom in KINGDOMS:
        if text.startswith(f"{kingdom.capitalize()}: "):
            inner = _parse(text.partition(": ")[2])
            if isinstance(inner, o.Named):
                raise ValueError(f"{text!r} names two kingdoms")
            return o.Named(kingdom, inner)
    if text.startswith("Then: "):
        return o.Then(_line(text.removeprefix("Then: ")))
    return _line(text)


def _line(text: str) -> o.Line:
    if text.startswith("Always: "):
        instruction = _line(text.removeprefix("Always: "))
        if not isinstance(instruction, o.INSTRUCTIONS):
            raise ValueError(f"{text!r} keeps no instruction")
        return o.Always(instruction)
    if text in _PLAIN:
        plain = _PLAIN[text]
        assert not isinstance(plain, o.Then | o.Named)  # noqa: S101 - none of the plain texts is
        return plain
    for pattern, build in _FORMS:
        if found := pattern.fullmatch(text):
            return build(found)
    raise ValueError(f"{text!r} is no canonical text of an order")


def _zone(text: str | None) -> str:
    if text is None:
        return ""
    if text not in zones():
        raise ValueError(f"unknown zone {text!r}")
    return text


def _zone_list(text: str | None) -> tuple[str, ...]:
    return () if text is None else tuple(map(_zone, text.split(", ")))


def _code(text: str) -> UnitCode:
    return next(code for code in CODES if code == text)


def _attack(found: re.Match[str]) -> o.Attack:
    groups: list[o.Group] = []
    for part in found["groups"].split("; "):
        group = _GROUP.fullmatch(part)
        if group is None:
            raise ValueError(f"{part!r} is no group of units")
        groups.append(
            o.Group(parse_units(group["units"]), _zone(group["origin"]), _zone_list(group["via"]))
        )
    return o.Attack(_zone(found["target"]), tuple(groups))


def _carry(found: re.Match[str]) -> o.Carry:
    board = final = ""
    for zone in _zone_list(found["via"]):
        if zones()[zone].is_land and not board and not final:
            board = zone
        elif not zones()[zone].is_land and not final:
            final = zone
        else:
            raise ValueError(f"{found[0]!r}: a boarding Land, then a Sea")
    return o.Carry(
        _zone(found["sea"]),
        parse_units(found["units"]),
        _zone(found["origin"]),
        _zone(found["drop"]),
        board,
        final,
    )


def _move(found: re.Match[str]) -> o.Move:
    said = found["units"]
    every: o.Every = ""
    if said == "all":
        every = "all"
    elif said.startswith("all "):
        every = _code(said.removeprefix("all "))
    units = parse_units("-" if every else said)
    return o.Move(
        units, _zone(found["origin"]), _zone(found["target"]), _zone_list(found["via"]), every
    )


def _condition(text: str) -> o.Condition:
    if found := re.fullmatch(rf"after ({_NUMBER}) rounds?", text):
        return o.Condition("after", int(found[1]))
    match text:
        case "never":
            return o.Condition("never")
        case "when outnumbered":
            return o.Condition("outnumbered")
        case "when alone":
            return o.Condition("alone")
        case "at first loss":
            return o.Condition("first-loss")
    raise ValueError(f"{text!r} is no condition of a retreat")


def _retreat(found: re.Match[str]) -> o.Retreat:
    policy = tuple(
        tuple(map(_condition, all_of.split(" and "))) for all_of in found["policy"].split(" or ")
    )
    return o.Retreat(policy, _zone(found["zone"]))


_FORMS: tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], o.Line]], ...] = tuple(
    (re.compile(pattern), build)
    for pattern, build in (
        (rf"Attack (?P<target>{_ZONE}) with (?P<groups>.+)", _attack),
        (
            (
                rf"Galleon in (?P<sea>{_ZONE}) carries (?P<units>{_UNITS}) from"
                rf" (?P<origin>{_ZONE}){_VIA} to (?P<drop>{_ZONE})"
            ),
            _carry,
        ),
        (
            (
                rf"Move (?P<units>all(?: [LKWGD])?|{_UNITS}) from (?P<origin>{_ZONE}) to"
                rf" (?P<target>{_ZONE}){_VIA}"
            ),
            _move,
        ),
        (
            rf"Buy (?P<units>{_UNITS}) in (?P<zone>{_ZONE})(?: from (?P<land>{_ZONE}))?",
            lambda m: o.Buy(parse_units(m["units"]), _zone(m["zone"]), _zone(m["land"])),
        ),
        (
            rf"Cancel (?P<number>{_NUMBER}|all)",
            lambda m: o.Cancel(0 if m["number"] == "all" else int(m["number"])),
        ),
        (rf"Lose (?P<units>{_UNITS})", lambda m: o.LoseNow(parse_units(m["units"]))),
        (
            rf"Lose (?P<codes>{_CODE_LIST}){_IN}",
            lambda m: o.Lose(tuple(map(_code, m["codes"].split(" then "))), _zone(m["zone"])),
        ),
        (
            rf"Keep (?P<word>a|no) conqueror{_IN}",
            lambda m: o.Keep(m["word"] == "a", _zone(m["zone"])),
        ),
        (rf"Retreat dragons (?P<policy>[a-z0-9 ]+?){_IN}", _retreat),
        (
            rf"(?P<word>Interactive|Not interactive){_IN}",
            lambda m: o.Interactive(m["word"] == "Interactive", _zone(m["zone"])),
        ),
        (
            rf"Battle order: (?P<zones>{_ZONE}(?:, {_ZONE})*)",
            lambda m: o.BattleOrder(_zone_list(m["zones"])),
        ),
    )
)
