"""Canonical texts back to orders (SF-4). What is no canonical text is a ValueError; whether an
order is good is `checking`'s to say.
"""

import re
from collections.abc import Callable, Mapping
from typing import Any

from engine.sovereigns import orders as o
from engine.sovereigns.codes import ATTRIBUTES, ActionKind, Attribute
from engine.sovereigns.seasons.effects import SPARED
from engine.sovereigns.state import State
from engine.sovereigns.wording import CONTEST_WORDS, PLAIN

_COUNT = r"\d{1,4}"
_PLAIN: Mapping[str, o.Order] = {text: sort() for sort, text in PLAIN.items()}
_SPENDS: Mapping[str, tuple[ActionKind, Attribute]] = {
    "Research": ("Research", "R"),
    "Expedition": ("Expedition", "M"),
    "Security": ("Security", "M"),
    "Found": ("Found", "H"),
    "Contact": ("Contact", "H"),
    "Attack": ("Attack", "M"),
    "Espionage": ("Espionage", "M"),
    "Theft": ("Theft", "M"),
    "Spread": ("Spread", "H"),
    "Foment": ("Foment", "H"),
    "Increase R": ("Increase", "R"),
    "Increase M": ("Increase", "R"),
    "Increase H": ("Increase", "R"),
}
_ACTION = re.compile(
    rf"(?P<head>.+?): (?:(?P<all>all) |(?P<points>{_COUNT}))(?P<attribute>[RMH])(?: \+"
    rf" (?P<depleted>{_COUNT}) depleted)?"
    r"(?P<more>.*?)(?P<boon>, boon)?(?P<works>, works)?"
)
_TRY = re.compile(
    r"(?: against (?P<target>.+?))?(?: for (?P<effect>\+1 [RMH]|-1))? \"(?P<words>[^\"]*)\""
)
_WAY = re.compile(
    rf"Harmony: (?:(?P<points>{_COUNT})H|all(?: but (?P<but>{_COUNT}))?)"
    rf"(?:, rebellion (?P<rebellion>{_COUNT})M(?P<rebellion_works> with works)?)?"
    rf"(?:, coup (?P<coup>{_COUNT})M(?P<coup_works> with works)?)?(?P<works>, works)?"
)
_CONDITION = re.compile(
    rf"(?P<kingdom>.+?) (?:(?P<lives>lives)|(?P<fallen>has fallen)|has more (?P<more>[RMH]) than"
    rf" (?P<other>.+)"
    rf"|has at (?P<bound>least|most) (?P<number>{_COUNT})(?P<attribute>[RMH]))"
)
_ITEM = re.compile(
    rf"(?P<points>{_COUNT})(?P<attribute>[RMH])"
    rf"(?: (?:(?P<permanent>permanent)|until year end|for (?P<seasons>{_COUNT})"
    r" seasons))?(?P<expended> expended too)?"
)
_PROPOSAL = re.compile(r"(?P<name>.+?) = (?P<code>.+?)(?: from (?P<origin>.+))?")


def parse_order(state: State, text: str) -> o.Order:
    """The order of a canonical text; kingdoms by their rulers' or their own names, 0 where there is
    none of the name.
    """
    return _Reader(state).order(text)


class _Reader:
    def __init__(self, state: State) -> None:
        self.names = {
            kingdom.name.casefold(): kingdom.number for kingdom in state.kingdoms if kingdom.name
        }
        self.names |= {kingdom.ruler.casefold(): kingdom.number for kingdom in state.kingdoms}

    def order(self, text: str) -> o.Order:
        if text in _PLAIN:
            return _PLAIN[text]
        for pattern, build in _FORMS:
            if found := pattern.fullmatch(text):
                return build(self, found)
        if text.startswith(("Harmony: ", "Rule by Fear")):
            return self.year(text)
        return self.do(text)

    def kingdom(self, name: str) -> int:
        return self.names.get(name.casefold(), 0)

    # ---------------------------------------------------------------------------- with alternatives
    def do(self, text: str) -> o.Do:
        plain, quoted = _mask(text)
        first, *others = plain.split(" else ")
        head, sign, condition = first.rpartition(" if ")
        texts = [head if sign else first, *others]
        return o.Do(
            tuple(self.action(_unmask(one, quoted)) for one in texts),
            self.condition(condition) if sign else None,
        )

    def year(self, text: str) -> o.Year:
        first, *others = text.split(" else ")
        head, sign, condition = first.rpartition(" if ")
        return o.Year(
            tuple(_way(one) for one in (head if sign else first, *others)),
            self.condition(condition) if sign else None,
        )

    def condition(self, text: str) -> o.Condition:
        found = _match(_CONDITION, text)
        kingdom = self.kingdom(found["kingdom"])
        if found["lives"] or found["fallen"]:
            return o.Condition("lives" if found["lives"] else "fallen", kingdom)
        if found["more"]:
            return o.Condition(
                "more", kingdom, _attribute(found["more"]), self.kingdom(found["other"])
            )
        subject: o.Subject = "least" if found["bound"] == "least" else "most"
        return o.Condition(
            subject, kingdom, _attribute(found["attribute"]), number=int(found["number"])
        )

    def action(self, text: str) -> o.Action:
        found = _match(_ACTION, text)
        head, more = found["head"], found["more"]
        points = None if found["all"] else int(found["points"])
        told: dict[str, Any] = {
            "depleted": int(found["depleted"] or 0),
            "boon": bool(found["boon"]),
            "works": bool(found["works"]),
        }
        attribute = _attribute(found["attribute"])
        if head == "Try":
            tried = _match(_TRY, more)
            target = None if tried["target"] is None else self.kingdom(tried["target"])
            return o.Action(
                "Try",
                attribute,
                points,
                target=target,
                effect=tried["effect"] or "",
                words=tried["words"],
                **told,
            )
        verb, _, whom = head.partition(" ")
        target = self.kingdom(whom) if verb in CONTEST_WORDS and whom else None
        known = _SPENDS.get(verb if verb in CONTEST_WORDS else head)
        if known is None or known[1] != attribute:
            raise ValueError(f"{text!r} is no action")
        raises = _attribute(whom) if verb == "Increase" else None
        return o.Action(
            known[0], attribute, points, target=target, raises=raises, **_more(verb, more), **told
        )

    def offer(self, found: "re.Match[str]") -> o.Offer:
        gives, wants = _items(found["gives"]), _items(found["wants"])
        return o.Offer(
            self.kingdom(found["to"]), gives, wants, int(found["hours"] or o.OFFER_HOURS)
        )


def _match(pattern: "re.Pattern[str]", text: str) -> "re.Match[str]":
    found = pattern.fullmatch(text)
    if found is None:
        raise ValueError(f"{text!r} is no canonical text of an order")
    return found


def _attribute(letter: str) -> Attribute:
    return next(attribute for attribute in ATTRIBUTES if attribute == letter)


def _mask(text: str) -> tuple[str, list[str]]:
    """Quoted words, which may hold anything, out of the way."""
    quoted = re.findall(r'"[^"]*"', text)
    return re.sub(r'"[^"]*"', '""', text), quoted


def _unmask(text: str, quoted: list[str]) -> str:
    return re.sub('""', lambda _: quoted.pop(0), text)


def _more(verb: str, text: str) -> dict[str, Any]:
    """What stands behind the points of an action of the catalogue."""
    if not text:
        return {}
    body = text.removeprefix(", ")
    if verb == "Research":
        return {"proposal": parse_proposal(body)}
    if verb == "Attack" and body == "spare buildings":
        return {"burn": SPARED}
    if verb == "Attack" and body.startswith("burn "):
        return {"burn": body.removeprefix("burn ")}
    if verb == "Espionage" and body.startswith("seek "):
        return {"seek": body.removeprefix("seek ")}
    raise ValueError(f"{text!r} is nothing such an action takes")


def parse_proposal(text: str) -> o.Proposal:
    """`steel = STAT-ROLL M`, an anachronistic one with ` from X`."""
    found = _match(_PROPOSAL, text)
    return o.Proposal(found["name"], found["code"], found["origin"] or "")


def _way(text: str) -> o.Way:
    if text.startswith("Rule by Fear"):
        if text not in ("Rule by Fear", "Rule by Fear, sure"):
            raise ValueError(f"{text!r} is no canonical text of an order")
        return o.Way(fear=True, sure=text.endswith("sure"))
    found = _match(_WAY, text)
    return o.Way(
        points=None if found["points"] is None else int(found["points"]),
        but=int(found["but"] or 0),
        works=bool(found["works"]),
        rebellion=None if found["rebellion"] is None else int(found["rebellion"]),
        rebellion_works=bool(found["rebellion_works"]),
        coup=None if found["coup"] is None else int(found["coup"]),
        coup_works=bool(found["coup_works"]),
    )


def _items(text: str) -> tuple[o.Item, ...]:
    return () if text == "nothing" else tuple(parse_item(item) for item in text.split(", "))


def parse_item(text: str) -> o.Item:
    """`1R permanent`, `2M for 2 seasons expended too`, `tech steel`; a building reads too, to be
    refused.
    """
    if text.startswith("tech "):
        return o.Item(technology=text.removeprefix("tech "))
    if text.startswith("BLD-"):
        return o.Item(building=text)
    found = _match(_ITEM, text)
    stretch: o.Stretch = (
        "permanent" if found["permanent"] else "seasons" if found["seasons"] else "year"
    )
    points, seasons = int(found["points"]), int(found["seasons"] or 0)
    return o.Item(points, _attribute(found["attribute"]), stretch, seasons, bool(found["expended"]))


def _redo(reader: _Reader, found: "re.Match[str]") -> o.Order:
    return o.Redo(o.Pass() if found["order"] == "Pass" else reader.do(found["order"]))


_FORMS: tuple[tuple["re.Pattern[str]", Callable[[_Reader, "re.Match[str]"], o.Order]], ...] = (
    (re.compile(r"Build (?P<code>\S+(?: [RMH])?)"), lambda _, f: o.Build(f["code"])),
    (
        re.compile(
            r"Offer (?P<to>.+?): (?P<gives>.+?) against (?P<wants>.+?)(?: within"
            rf" (?P<hours>{_COUNT}) hours)?"
        ),
        lambda r, f: r.offer(f),
    ),
    (re.compile(rf"Accept offer (?P<id>{_COUNT})"), lambda _, f: o.Answer("Accept", int(f["id"]))),
    (
        re.compile(rf"Decline offer (?P<id>{_COUNT})"),
        lambda _, f: o.Answer("Decline", int(f["id"])),
    ),
    (
        re.compile(rf"Withdraw offer (?P<id>{_COUNT})"),
        lambda _, f: o.Answer("Withdraw", int(f["id"])),
    ),
    (
        re.compile(rf"Split (?P<R>{_COUNT})/(?P<M>{_COUNT})/(?P<H>{_COUNT})(?:, (?P<name>.+))?"),
        lambda _, f: o.Split(int(f["R"]), int(f["M"]), int(f["H"]), f["name"] or ""),
    ),
    (re.compile(r"Propose (?P<what>.+)"), lambda _, f: o.Propose(parse_proposal(f["what"]))),
    (
        re.compile(r"Vote (?P<yes>yes|no) on (?P<who>.+)"),
        lambda r, f: o.Vote(f["yes"] == "yes", r.kingdom(f["who"])),
    ),
    (
        re.compile(rf"Object to action (?P<n>{_COUNT}): ?(?P<why>.*)"),
        lambda _, f: o.Object(int(f["n"]), f["why"]),
    ),
    (re.compile(r"Redo: (?P<order>.+)"), _redo),
    (re.compile(r"Every year: (?P<order>.+)"), lambda r, f: o.Every(r.year(f["order"]))),
    (re.compile(r"Every season: (?P<order>.+)"), lambda r, f: o.Every(r.do(f["order"]))),
    (re.compile(r"Forget every year"), lambda _, __: o.Forget("year")),
    (re.compile(r"Forget every season"), lambda _, __: o.Forget("season")),
)
