"""Canonical texts as people type them: without capitals, and the headings of a plan before words of
one's own (`enter: jerum`).
"""

import re
from collections.abc import Mapping
from functools import lru_cache

from engine.realm_master import orders as o
from engine.realm_master.cards import all_buy_cards, all_heroes, all_lands, all_turn_cards
from engine.realm_master.wording import parse_order
from pbem.grammar.kit.normalise import fold


def parse_carelessly(text: str) -> o.Order | None:
    """The order of a canonical text, capitals or none; None if it is no such text."""
    for written in (text, _with_capitals(text)):
        try:
            order = parse_order(written)
        except ValueError:
            continue
        if not isinstance(order, o.Choose) or all(
            choice.word in o.WORDS[order.key] for choice in order.choices
        ):
            return order
    return None


@lru_cache(maxsize=1)
def _names() -> Mapping[str, str]:
    names = [
        *(land.short for land in all_lands().values()),
        *(card.name for card in all_buy_cards().values()),
        *all_turn_cards(),
        *all_heroes(),
        "R",
        "Rs",
    ]
    return {fold(name): name for name in names}


@lru_cache(maxsize=1)
def _named() -> re.Pattern[str]:
    words = sorted(map(re.escape, _names()), key=len, reverse=True)
    return re.compile(rf"(?<!\w)(?:{'|'.join(words)})(?!\w)")


@lru_cache(maxsize=1)
def _heads() -> Mapping[str, str]:
    keys: Mapping[str, o.Key] = {
        "reroll2": "second",
        "hit": "hit",
        "realm": "realm",
        "smoke": "smoke",
    }
    return {fold(head): head for head in o.KEY_WORDS.values()} | {
        told: o.KEY_WORDS[key] for told, key in keys.items()
    }


def _with_capitals(text: str) -> str:
    """The text with the capitals it has as a canonical one."""
    plain = re.sub(r"\s+", " ", fold(text)).strip(" .")
    head, colon, rest = plain.replace(" = ", ": ", 1).partition(":")
    if colon and head.strip() in _heads():
        rest = _named().sub(lambda found: _names()[found[0]], rest)
        return f"{_heads()[head.strip()]}: {rest.strip()}"
    whole = _named().sub(lambda found: _names()[found[0]], plain)
    if whole.startswith("forget "):
        what = whole.removeprefix("forget ")
        return f"Forget {_heads().get(fold(what), what)}"
    return whole[:1].upper() + whole[1:]
