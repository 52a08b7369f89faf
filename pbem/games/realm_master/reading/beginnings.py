"""Lands, heroes and cards by the beginnings of their names: `enter Jeru`, `buy the Stand`."""

from collections.abc import Sequence
from functools import cache

from msgspec.structs import replace

from pbem.games.realm_master.reading.words import cards_by_name, heroes_by_name, lands_by_name
from pbem.grammar.kit.common import is_everyday
from pbem.grammar.kit.lexemes import Lexeme

SHORTEST = 4
_WANTS = {"ENTER": "LAND", "BUY": "CARD", "PLAY": "CARD", "LOOT": "CARD"}
"""What must stand behind a verb; there also a word that means something else is a beginning."""


@cache
def begun_by(word: str) -> tuple[str, str] | None:
    """Kind and whole name of the one land, hero or card that is called so from its beginning on."""
    if len(word) < SHORTEST:
        return None
    named = (("LAND", lands_by_name()), ("HERO", heroes_by_name()), ("CARD", cards_by_name()))
    found = {
        (kind, key): name
        for kind, names in named
        for name, key in names.items()
        if name.startswith(word)
    }
    if len(found) != 1:
        return None
    ((kind, _), name), *_ = found.items()
    return kind, name


def with_beginnings(lexemes: Sequence[Lexeme]) -> list[Lexeme]:
    """An unknown word that is the beginning of one name alone is that name."""
    told: list[Lexeme] = []
    led = ""
    """The kind of the word before that says something."""
    for lexeme in lexemes:
        begun = begun_by(lexeme.text) if lexeme.kind in {"WORD", "COMMON"} else None
        if begun is not None and (
            lexeme.kind == "WORD" or (_WANTS.get(led) == begun[0] and not is_everyday(lexeme.text))
        ):
            lexeme = replace(lexeme, kind=begun[0], text=begun[1])
        told.append(lexeme)
        led = led if lexeme.kind == "FILLER" else lexeme.kind
    return told
