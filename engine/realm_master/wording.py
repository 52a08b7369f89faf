"""The one canonical text of every order, and the order of a text."""

import re
from collections.abc import Mapping
from typing import get_args

from engine.forms import ANY, Forms, Slot, choice, listed
from engine.realm_master import orders as o
from engine.realm_master.cards import TOKENS, Token
from engine.realm_master.conditions import (
    FACE_NAMES,
    SLOTS,
    card_key,
    card_name,
    hero_key,
    land_key,
    land_name,
)

REST_WORDS = {"keep": "keep the rest", "reroll": "reroll the rest"}
AS_USUAL = "as usual"
_FACES = {name: face for face, name in FACE_NAMES.items()}
_DICE = {f"{name}s": face for name, face in _FACES.items()} | {"a lone half banner": "lone"}
_PLACES = {"the richest land": o.BEST, "the cheapest land": o.CHEAPEST, "nothing": o.NOWHERE}


def _show_die(what: str, names: object) -> str:
    return next((words for words, die in _DICE.items() if die == what), f"die {what}")


def _place(words: str, names: object = None) -> str:
    return _PLACES[words] if words in _PLACES else land_key(words)


def _show_place(word: str, names: object = None) -> str:
    return next((words for words, place in _PLACES.items() if place == word), land_name(word))


def _stance(words: str, names: object) -> str:
    if words in ("stay", "leave"):
        return words
    if not words.startswith("move to "):
        raise ValueError(f"{words!r} is neither stay, leave nor move to a land")
    return _place(words.removeprefix("move to "))


def _show_stance(word: str, names: object) -> str:
    return word if word in ("stay", "leave") else f"move to {_show_place(word)}"


def _way(text: str, names: object) -> tuple[Token, str]:
    told, _, land = text.partition(" to ")
    token = next((token for token in TOKENS if token == told), None)
    if token is None:
        raise ValueError(f"no token {told!r}")
    return token, land_key(land)


def _dice(text: str, names: object) -> tuple[tuple[o.DieRule, ...], str]:
    items = [] if text == AS_USUAL else text.split(", ")
    rest = next((rest for rest, words in REST_WORDS.items() if [words] == items[-1:]), "blanks")
    return tuple(map(_DIE_RULES.parse, items[:-1] if rest != "blanks" else items)), rest


def _show_dice(told: tuple[tuple[o.DieRule, ...], str], names: object) -> str:
    rules, rest = told
    return (
        ", ".join([*map(_DIE_RULES.format, rules), *filter(None, [REST_WORDS.get(rest)])])
        or AS_USUAL
    )


def _bought(text: str, names: object) -> tuple[tuple[o.Wish, ...], bool, int]:
    items = [] if text == "nothing" else text.split(", ")
    kept = _KEPT.fullmatch(items[-1]) if items else None
    items = items[:-1] if kept else items
    early = items[-1:] == [_EARLY]
    wishes = tuple(map(_WISHES.parse, items[:-1] if early else items))
    return wishes, early, int(kept[1]) if kept else 0


def _show_bought(told: tuple[tuple[o.Wish, ...], bool, int], names: object) -> str:
    wishes, early, keep = told
    more = [_EARLY] * early + ([f"keep {keep} gold"] if keep else [])
    return ", ".join([*map(_WISHES.format, wishes), *more]) or "nothing"


Target = tuple[str | None, str | None, str | None, str | None]


def _target(text: str, names: object) -> Target:
    """The hero, the land, or the die and what it is to show."""
    words = text.removeprefix(" on ")
    where, sign, face = words.partition(" for ")
    if words.startswith("the "):
        return hero_key(words.removeprefix("the ")), None, None, None
    if not sign:
        return None, land_key(words) if words else None, None, None
    die = where.removeprefix("die ") if where.startswith("die ") else _FACES[where]
    return None, None, die, _FACES[face]


def _show_target(target: Target, names: object) -> str:
    hero, land, die, face = target
    if hero is not None:
        return f" on the {hero}"
    if land is not None:
        return f" on {land_name(land)}"
    shown: Mapping[str, str] = {face: name for name, face in _FACES.items()}
    if die is None or face is None:
        return ""
    return f" on {shown.get(die, f'die {die}')} for {shown[face]}"


def _some(kind: type[o.Choice | o.FaceRule], empty: str = "", **types: Slot) -> Slot:
    """Entries, each with its condition; `empty` where there is none."""
    entries = listed(Forms("an entry", (kind,), {**SLOTS, **types}).slot(), ", ")
    return Slot(
        ANY if empty else "(?s:.*?)",
        lambda text, names: () if text == empty else entries.read(text, names),
        lambda values, names: entries.show(values, names) or empty,
    )


_EARLY = "before rolling"
_KEPT = re.compile(r"keep ([1-9]\d{0,8}) gold")
_FACE = SLOTS["face"].pattern
_TARGET = rf"(?: on the \w+| on (?:die \d|{_FACE}) for {_FACE}| on \w+)?"
_WORD = r"(?:(?! if ).)+"
_DIE = choice({**_DICE, **{f"die {number}": str(number) for number in range(1, 6)}})
_DIE_RULES = Forms(
    "what to do with a die",
    (o.DieRule,),
    {
        **SLOTS,
        "verb": choice({"reroll": True, "keep": False}),
        "die": Slot(_DIE.pattern, _DIE.read, _show_die),
    },
)
_CARDS = listed(SLOTS["card"], ", ")
_WISHES = Forms("a card to buy", (o.Wish,), SLOTS)
_SLOTS = {
    **SLOTS,
    "heroes": listed(SLOTS["hero"], ", "),
    "again": choice({"Reroll": False, "Second reroll": True}),
    "dice": Slot(ANY, _dice, _show_dice),
    "faces": _some(o.FaceRule, AS_USUAL, becomes=choice({**_FACES, "complete five": o.FIVE})),
    "decision": choice({words: key for key, words in o.KEY_WORDS.items() if key in o.WORDS}),
    "choices": _some(o.Choice, word=Slot(_WORD)),
    "ways": listed(Slot(ANY, _way, lambda way, _: f"{way[0]} to {land_name(way[1])}"), ", "),
    "places": _some(o.Choice, word=Slot(_WORD, _place, _show_place)),
    "stances": _some(o.Choice, word=Slot(_WORD, _stance, _show_stance)),
    "bought": Slot(ANY, _bought, _show_bought),
    "target": Slot(_TARGET, _target, _show_target),
    "now": choice({"now": True}),
    "cards": _CARDS,
    "shown": Slot(rf"(?!cover ){ANY}", _CARDS.read, _CARDS.show),
    "key": choice({"everything": None, **{words: key for key, words in o.KEY_WORDS.items()}}),
    "on": choice({"on": True, "off": False}),
    "revealed": Slot(
        "(?:Take the revealed card|Cover .+)",
        lambda text, _: card_key(text.removeprefix("Cover ")) if text[0] == "C" else None,
        lambda card, _: "Take the revealed card" if card is None else f"Cover {card_name(card)}",
    ),
    "reason": Slot("(?s:.+)"),
}
FORMS: Forms[o.Order] = Forms("an order", get_args(o.Order), _SLOTS)
format_order = FORMS.format
"""The canonical text of an order."""
parse_order = FORMS.parse
"""The order of a canonical text; ValueError if it is not one. What people write is the grammar's.
"""
