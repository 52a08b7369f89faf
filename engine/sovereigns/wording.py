"""The one canonical text of every order, and the order of a text (SF-4); whether it is good is
`checking`'s to say.
"""

import re
from collections.abc import Callable, Mapping
from typing import Any, get_args

from engine.forms import ANY, Forms, Slot, choice, digits, listed
from engine.sovereigns import orders as o
from engine.sovereigns.codes import ATTRIBUTES, ActionKind, Attribute
from engine.sovereigns.seasons.effects import SPARED
from engine.sovereigns.state import State

NOBODY = "nobody"
"""The text of a kingdom that does not exist; it reads back as unknown."""
_AIMED = ("Attack", "Espionage", "Theft", "Spread", "Foment")
_SPENDS: Mapping[ActionKind, Attribute] = {
    **dict.fromkeys(("Research", "Increase"), "R"),
    **dict.fromkeys(("Expedition", "Security", "Attack", "Espionage", "Theft"), "M"),
    **dict.fromkeys(("Found", "Contact", "Spread", "Foment"), "H"),
}
_TAKES = ("Research", "Attack", "Espionage")
"""Those that take a proposal, a building to burn, a technology to seek."""
_COUNT = r"\d{1,4}"


def format_order(state: State, order: o.Order) -> str:
    """The canonical text of an order; kingdoms by their rulers' names."""
    return FORMS.format(order, state)


def parse_order(state: State, text: str) -> o.Order:
    """The order of a canonical text; kingdoms by their rulers' or their own names, 0 where there is
    none of the name. A ValueError if it is not one.
    """
    numbers = {x.name.casefold(): x.number for x in state.kingdoms if x.name}
    numbers |= {x.ruler.casefold(): x.number for x in state.kingdoms}
    return FORMS.parse(text, numbers)


def format_item(item: o.OfferItem) -> str:
    """`2M for 2 seasons`, `tech steel`."""
    return ITEMS.format(item)


def parse_item(text: str) -> o.OfferItem:
    """`1R permanent`, `2M for 2 seasons expended too`, `tech steel`; a building reads too, to be
    refused.
    """
    return ITEMS.parse(text)


def name_of(state: State, number: int) -> str:
    return state.kingdom(number).ruler if 1 <= number <= len(state.kingdoms) else NOBODY


def _who(pattern: str) -> Slot:
    return Slot(
        pattern,
        lambda name, numbers: numbers.get(name.casefold(), 0),
        lambda number, state: name_of(state, number or 0),
    )


def _until(sign: str) -> str:
    return f"(?>(?:(?!{sign}).)+)"


# ----------------------------------------------------------------------------------- parts of texts
def _attribute(letter: str, names: object = None) -> Attribute:
    return next(attribute for attribute in ATTRIBUTES if attribute == letter)


def _filled(text: str, names: object) -> str:
    if not text:
        raise ValueError("it is something else")
    return text


def _head(text: str, numbers: Mapping[str, int]) -> tuple[ActionKind, Attribute | None, int | None]:
    verb, sign, more = text.partition(" ")
    if verb == "Increase" and more in ATTRIBUTES:
        return "Increase", _attribute(more), None
    known = next((kind for kind in _SPENDS if kind == verb != "Increase"), None)
    if known is None or (sign and not (more and known in _AIMED)):
        raise ValueError(f"{text!r} is no action")
    return known, None, numbers.get(more.casefold(), 0) if more else None


def _show_head(head: tuple[ActionKind, Attribute | None, int | None], state: State) -> str:
    kind, raises, target = head
    if kind == "Increase":
        return f"Increase {raises}"
    return f"{kind} {name_of(state, target)}" if kind in _AIMED and target is not None else kind


def _more(text: str, numbers: object) -> tuple[o.Proposal | None, str, str]:
    """What stands behind the points of an action of the catalogue."""
    word, _, what = text.partition(" ")
    if " = " in text:
        return _PROPOSALS.parse(text), "", ""
    if text == "spare buildings" or (word == "burn" and what):
        return None, SPARED if word == "spare" else what, ""
    if word == "seek" and what:
        return None, "", what
    raise ValueError(f"{text!r} is nothing such an action takes")


def _show_more(more: tuple[o.Proposal | None, str, str], state: object) -> str:
    proposal, burn, seek = more
    if proposal is not None:
        return _PROPOSALS.format(proposal)
    if burn:
        return "spare buildings" if burn == SPARED else f"burn {burn}"
    return f"seek {seek}"


def _action(text: str, numbers: Mapping[str, int]) -> o.Action:
    action = _ACTIONS.parse(text, numbers)
    more = (action.proposal is not None, action.burn, action.seek)
    fits = [kind == action.kind or not told for kind, told in zip(_TAKES, more, strict=True)]
    if _SPENDS.get(action.kind, action.attribute) != action.attribute or not all(fits):
        raise ValueError(f"{text!r} is no action")
    return action


def _chain(pattern: str, read: Callable[[str, Any], Any], show: Callable[[Any, Any], str]) -> Slot:
    """Up to two alternatives behind the first way, which may have a condition; words in quotes may
    hold anything.
    """

    def read_all(text: str, numbers: Any) -> tuple[tuple[Any, ...], o.Condition | None]:
        quoted = iter(_QUOTED.findall(text))
        first, *others = _QUOTED.sub('""', text).split(" else ")
        head, sign, condition = first.rpartition(" if ")
        texts = (
            _QUOTED.sub(lambda _: next(quoted), one) for one in (head if sign else first, *others)
        )
        ways = tuple(read(one, numbers) for one in texts)
        return ways, CONDITIONS.parse(condition, numbers) if sign else None

    def show_all(told: tuple[tuple[Any, ...], o.Condition | None], state: Any) -> str:
        first, *others = (show(way, state) for way in told[0])
        condition = "" if told[1] is None else f" if {CONDITIONS.format(told[1], state)}"
        return " else ".join([first + condition, *others])

    return Slot(pattern, read_all, show_all)


def _items(pattern: str) -> Slot:
    some = listed(ITEMS.slot(), ", ")
    return Slot(
        pattern,
        lambda text, names: () if text == "nothing" else some.read(text, names),
        lambda items, names: some.show(items, names) if items else "nothing",
    )


def _term(text: str, names: object) -> tuple[o.Stretch, int]:
    if text.startswith(" for "):
        return "seasons", int(text.split(" ")[2])
    return "permanent" if text == " permanent" else "year", 0


def _show_term(term: tuple[o.Stretch, int], names: object) -> str:
    stretch, seasons = term
    told = {"permanent": "permanent", "year": "until year end", "seasons": f"for {seasons} seasons"}
    return f" {told[stretch]}"


def _harmony(text: str, names: object) -> tuple[int | None, int]:
    return (
        (int(text[:-1]), 0)
        if text[-1] == "H"
        else (None, int(text.removeprefix("all but ") if " " in text else 0))
    )


def _show_harmony(told: tuple[int | None, int], names: object) -> str:
    points, but = told
    return f"{points}H" if points is not None else f"all but {but}" if but else "all"


_QUOTED = re.compile(r'"[^"]*"')
_SLOTS = {
    "count": digits(_COUNT),
    "text": Slot(r".+"),
    "attribute": Slot("[RMH]", _attribute),
    "who": _who(ANY),
    # conditions and proposals
    "alive": choice({"lives": "lives", "has fallen": "fallen"}),
    "more": choice({"more": "more"}),
    "bound": choice({"least": "least", "most": "most"}),
    "name": Slot(_until(" = ")),
    "code": Slot(_until(" from ")),
    # actions
    "try": choice({"Try": "Try"}),
    "head": Slot(_until(": "), _head, _show_head),
    "points": Slot(
        f"(?:all |{_COUNT})",
        lambda text, _: None if text == "all " else int(text),
        lambda points, _: "all " if points is None else str(points),
    ),
    "effect": Slot(r"(?:\+1 [RMH]|-1)"),
    "quote": Slot(r'[^"]*'),
    "extra": Slot(rf"(?!(?:boon, )?works\Z|boon\Z){ANY}", _more, _show_more),
    # trades
    "tech": Slot(r".*", show=_filled),
    "house": Slot(r"BLD-.*", show=_filled),
    "term": Slot(rf"(?: permanent| until year end| for {_COUNT} seasons|)", _term, _show_term),
    "verb": choice({verb: verb for verb in ("Accept", "Decline", "Withdraw")}),
    "receiver": _who(_until(": ")),
    # answers at the start of a year
    "fear": choice({"Rule by Fear": True}),
    "harmony": Slot(rf"(?:{_COUNT}H|all(?: but {_COUNT})?)", _harmony, _show_harmony),
    # the rest
    "building": Slot(r"\S+(?: [RMH])?"),
    "yes": choice({"yes": True, "no": False}),
    "why": Slot("(?s: ?.*)", lambda text, _: text.removeprefix(" "), lambda why, _: f" {why}"),
    "what": choice({"year": "year", "season": "season"}),
}
CONDITIONS = Forms("a condition", (o.Condition,), _SLOTS)
_PROPOSALS = Forms("a proposal", (o.Proposal,), _SLOTS)
ITEMS = Forms("what is traded", (o.OfferItem,), _SLOTS)
_ACTIONS = Forms("an action", (o.Action,), _SLOTS)
WAYS = Forms("an answer at year start", (o.Way,), _SLOTS)
_SLOTS |= {
    "proposal": _PROPOSALS.slot(),
    "given": _items(_until(" against ")),
    "items": _items(ANY),
    "actions": _chain("(?!Harmony: |Rule by Fear)(?s:.+)", _action, _ACTIONS.format),
    "answers": _chain("(?=Harmony: |Rule by Fear)(?s:.+)", WAYS.parse, WAYS.format),
}
_SLOTS |= {
    "year": Forms("an answer at year start", (o.Year,), _SLOTS).slot(),
    "season": Forms("an action", (o.Do,), _SLOTS).slot(),
    "again": Forms[o.Do | o.Pass]("an action", (o.Do, o.Pass), _SLOTS).slot(),
}
FORMS: Forms[o.Order] = Forms("an order", get_args(o.Order), _SLOTS)
