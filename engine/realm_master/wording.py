"""Canonical texts read back: the exact inverse of `format_order` (what people write is the
grammar's).
"""

import re
from collections.abc import Callable, Mapping

from engine.realm_master import orders as o
from engine.realm_master.conditions import (
    ALWAYS,
    When,
    card_key,
    face_named,
    hero_key,
    land_key,
    parse_when,
    token_named,
)

_PLAIN: Mapping[str, o.Order] = {
    o.PLAIN_TEXTS[type(order)]: order for order in (o.Wait(), o.GoOn(), o.RevealNow(), o.Concede())
}
_COUNT = r"0|[1-9]\d{0,8}"
_TARGET = (
    r"(?: on the (?P<hero>\w+)| on (?P<die>die \d|[a-z ]+|R) for (?P<face>[a-z ]+|R)| on"
    r" (?P<land>\w+))?"
)


def parse_order(text: str) -> o.Order:
    """The order of a canonical text. ValueError if it is none."""
    order = _parse(text)
    if o.format_order(order) != text:  # only the one text counts
        raise ValueError(f"{text!r} is no canonical text of an order")
    return order


def _parse(text: str) -> o.Order:
    if text in _PLAIN:
        return _PLAIN[text]
    always = text.endswith(" (always)")
    body = text.removesuffix(" (always)")
    head, colon, rest = body.partition(": ")
    if colon and head in _LINES:
        return _LINES[head](rest, always)
    for pattern, build in _FORMS:
        if found := pattern.fullmatch(text):
            return build(found)
    raise ValueError(f"{text!r} is no canonical text of an order")


def _items(text: str, empty: str) -> list[tuple[str, When]]:
    """The entries of a list, each with its condition."""
    if text == empty:
        return []
    parted = [item.partition(" if ") for item in text.split(", ")]
    return [(head, parse_when(condition) if sign else ALWAYS) for head, sign, condition in parted]


def _reroll(text: str, always: bool, second: bool) -> o.Reroll:
    rules: list[o.DieRule] = []
    rest = "blanks"
    for item, when in _items(text, o.AS_USUAL):
        verb, _, what = item.partition(" ")
        if what == "the rest":
            rest = verb
            continue
        if what == "a lone half banner":
            what = "lone"
        elif found := re.fullmatch(r"die ([1-5])", what):
            what = found[1]
        else:
            what = face_named(what)
        rules.append(o.DieRule(what, verb == "reroll", when))
    return o.Reroll(
        tuple(rules),
        "keep" if rest == "keep" else "reroll" if rest == "reroll" else "blanks",
        second,
        always,
    )


def _face_rules(text: str, always: bool) -> o.Faces:
    rules: list[o.FaceRule] = []
    for item, when in _items(text, o.AS_USUAL):
        found = re.fullmatch(rf"(?:({_COUNT}) as )?(.+)", item)
        count, name = (found[1], found[2]) if found else (None, item)
        face = o.FIVE if name == "complete five" else face_named(name)
        rules.append(o.FaceRule(face, None if count is None else int(count), when))
    return o.Faces(tuple(rules), always)


def _choices(text: str) -> tuple[o.Choice, ...]:
    return tuple(o.Choice(word, when) for word, when in _items(text, ""))


def _attack(text: str, always: bool) -> o.Choose:
    return o.Choose("attack", _choices(text), always)


def _place(words: str) -> str:
    named = {"the richest land": o.BEST, "the cheapest land": o.CHEAPEST, "nothing": o.NOWHERE}
    return named[words] if words in named else land_key(words)


def _enter(text: str, always: bool) -> o.Enter:
    return o.Enter(tuple(o.Choice(_place(words), when) for words, when in _items(text, "")), always)


def _realm(text: str, always: bool) -> o.Realm:
    return o.Realm(
        tuple(o.Choice(_stance(words), when) for words, when in _items(text, "")), always
    )


def _stance(words: str) -> str:
    return words if words in ("stay", "leave") else _place(words.removeprefix("move to "))


def _tribute(text: str, always: bool) -> o.PayTribute:
    parted = [item.partition(" to ") for item in text.split(", ")]
    return o.PayTribute(
        tuple((token_named(token), land_key(land)) for token, _, land in parted), always
    )


def _buy(text: str, always: bool) -> o.Buy:
    wishes: list[o.Wish] = []
    early, keep = False, 0
    for item, when in _items(text, "nothing"):
        if item == "before rolling":
            early = True
        elif found := re.fullmatch(rf"keep ({_COUNT}) gold", item):
            keep = int(found[1])
        else:
            name = item.removeprefix("hope for ")
            wishes.append(o.Wish(card_key(name), name != item, when))
    return o.Buy(tuple(wishes), early, keep, always)


def _play(text: str, always: bool) -> o.Play:
    head, sign, condition = text.partition(" if ")
    return _played(
        head.removesuffix(", before rolling"),
        head.endswith(", before rolling"),
        parse_when(condition) if sign else ALWAYS,
        always,
    )


def _played(text: str, early: bool, when: When, always: bool, now: bool = False) -> o.Play:
    found = re.fullmatch(rf"(?P<card>[A-Z][A-Za-z' ]+?){_TARGET}", text)
    if found is None:
        raise ValueError(f"{text!r} plays no card")
    hero, land, die, face = found["hero"], found["land"], found["die"], found["face"]
    return o.Play(
        card_key(found["card"]),
        hero=hero_key(hero) if hero else None,
        land=land_key(land) if land else None,
        die=(
            None
            if die is None
            else die.removeprefix("die ")
            if die.startswith("die ")
            else face_named(die)
        ),
        face=face_named(face) if face else None,
        early=early,
        when=when,
        always=always,
        now=now,
    )


def _reveal(text: str, always: bool) -> o.Reveal:
    head, sign, condition = text.partition(" if ")
    times, most, cover = 1, None, None
    cards: list[str] = []
    for item in head.split(", "):
        if found := re.fullmatch(rf"up to ({_COUNT})", item):
            times = int(found[1])
        elif found := re.fullmatch(rf"at most ({_COUNT}) gold", item):
            most = int(found[1])
        elif item.startswith("cover "):
            cover = card_key(item.removeprefix("cover "))
        else:
            cards.append(card_key(item))
    return o.Reveal(
        times, most, tuple(cards), cover, parse_when(condition) if sign else ALWAYS, always
    )


def _life(text: str, always: bool) -> o.Life:
    amount, sign, condition = text.partition(" if ")
    if not re.fullmatch(_COUNT, amount):
        raise ValueError(f"{amount!r} is no number")
    return o.Life(int(amount), parse_when(condition) if sign else ALWAYS, always)


_LINES: Mapping[str, Callable[[str, bool], o.Order]] = {
    "Hero": lambda text, _: o.PickHero(tuple(map(hero_key, text.split(", ")))),
    "Reroll": lambda text, always: _reroll(text, always, second=False),
    "Second reroll": lambda text, always: _reroll(text, always, second=True),
    "R": _face_rules,
    "Attack": _attack,
    "When hit": lambda text, always: o.Choose("hit", _choices(text), always),
    "Smoke Pot": lambda text, always: o.Choose("smoke", _choices(text), always),
    "Ultimatum": lambda text, always: o.Choose("ultimatum", _choices(text), always),
    "Tribute": _tribute,
    "Enter": _enter,
    "In the Realm": _realm,
    "Buy": _buy,
    "Play": _play,
    "Reveal": _reveal,
    "Life": _life,
    "Loot": lambda text, always: o.Loot(tuple(map(card_key, text.split(", "))), always),
}
_KEYS: Mapping[str, o.Key] = {words: key for key, words in o.KEY_WORDS.items()}


def _drop(words: str) -> o.Drop:
    if words != "everything" and words not in _KEYS:
        raise ValueError(f"nothing to forget under {words!r}")
    return o.Drop(_KEYS.get(words))


_FORMS: tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], o.Order]], ...] = tuple(
    (re.compile(pattern), build)
    for pattern, build in (
        (r"Attack only the (\w+)", lambda m: o.AttackOne(hero_key(m[1]))),
        (r"Forget (.+)", lambda m: _drop(m[1])),
        (r"Auto (on|off)", lambda m: o.Auto(m[1] == "on")),
        (r"Take the revealed card", lambda _: o.PlaceCard(None)),
        (r"Cover (.+)", lambda m: o.PlaceCard(card_key(m[1]))),
        (r"Buy (.+) now", lambda m: o.BuyNow(card_key(m[1]))),
        (
            r"Play (.+) now",
            lambda m: _played(m[1], early=False, when=ALWAYS, always=False, now=True),
        ),
        (rf"Trade ({_COUNT}) gold for life now", lambda m: o.Life(int(m[1]), now=True)),
        (rf"Object to turn ({_COUNT}): (.+)", lambda m: o.Objection(int(m[1]), m[2])),
    )
)
