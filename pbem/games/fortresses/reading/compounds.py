"""What is one thing joined into one lexeme for offers: what dragons fly off at, the zones of an
order of battles.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache

from msgspec.structs import replace

from engine.fortresses import orders as o
from engine.fortresses.orders import format_order
from pbem.games.fortresses.reading.kinds import DIALECT, UNITS
from pbem.games.fortresses.reading.lexer import zone_of
from pbem.games.fortresses.reading.words import codes, vocabulary
from pbem.grammar.kit.lexemes import Lexeme, set_of
from pbem.grammar.kit.slots import SILENT
from pbem.reading.items import ENDS
from pbem.reading.words import ByRule

POLICIES = {
    "OUTNUMBERED": "when outnumbered",
    "ALONE": "when alone",
    "FIRSTLOSS": "at first loss",
    "NEVERRETREAT": "never",
}
JOINED = frozenset({"POLICY", "ZONES"})
_LEAVES = set_of("leave leaves leaving off quit quits home gone")
_FAR = 8
"""The most words between dragons and what they fly off at."""
_LISTING = set_of("COMMA AND THEN FIRST BEFORE COLON LAST")


def mended(lexemes: Sequence[Lexeme]) -> list[Lexeme]:
    """The lexemes with order words and units that are cut short, or have a letter wrong, and what
    dragons fly off at as one.
    """
    found = [*_with_policies([*_in_order(_spellings().mended(lexemes))])]
    for i, lexeme in enumerate(found):
        if lexeme.kind == "POLICY":
            _read_back(found, i)
    return found


def _read_back(lexemes: list[Lexeme], policy: int) -> None:
    """Whom a policy is about, and that they go: `my dragon leaves after 2 rounds`."""
    for i in range(policy - 1, max(policy - _FAR, -1), -1):
        lexeme = lexemes[i]
        if lexeme.kind in ENDS:
            break
        if lexeme.kind == "UD" and (not i or lexemes[i - 1].kind != "NUM"):
            lexemes[i] = replace(lexeme, kind="FILLER")
        elif lexeme.text in _LEAVES:
            lexemes[i] = replace(lexeme, kind="RETREAT")


def _in_order(lexemes: Sequence[Lexeme]) -> Iterator[Lexeme]:
    """The zones behind `battle order` as one list."""
    listed: list[Lexeme] = []
    orders = False
    for lexeme in lexemes:
        is_place = lexeme.kind == "PLACE" and (lexeme.value or 0) >= 0
        if orders and is_place:
            listed.append(lexeme)
        elif orders and lexeme.kind == "COMMON" and not listed and lexeme.text not in codes():
            yield lexeme  # `my battle order reads ...`
        elif orders and (lexeme.kind in _LISTING or lexeme.kind in SILENT):
            continue
        else:
            yield from _listed(listed)
            listed, orders = [], lexeme.kind == "BATTLEORDER"
            yield lexeme
    yield from _listed(listed)


def _listed(places: Sequence[Lexeme]) -> Iterator[Lexeme]:
    if places:
        text = ", ".join(map(zone_of, places))
        yield replace(places[0], kind="ZONES", text=text, end=places[-1].end)


def _with_policies(lexemes: Sequence[Lexeme]) -> Iterator[Lexeme]:
    """`after 2 rounds`, `when outnumbered`: one thing each."""
    last = -1
    for i, lexeme in enumerate(lexemes):
        kinds = [x.kind for x in lexemes[i : i + 3]]
        if i <= last:
            continue
        if kinds == ["AFTER", "NUM", "ROUND"]:
            last = i + 2
            yield _policy(lexeme, lexemes[last], o.Condition("after", lexemes[i + 1].value or 0))
        elif lexeme.kind in POLICIES:
            yield replace(lexeme, kind="POLICY", text=POLICIES[lexeme.kind])
        else:
            yield lexeme


def _policy(first: Lexeme, last: Lexeme, condition: o.Condition) -> Lexeme:
    text = format_order(o.Retreat(((condition,),))).removeprefix("Retreat dragons ")
    return replace(first, kind="POLICY", text=text, end=last.end)


@lru_cache(maxsize=1)
def _spellings() -> ByRule:
    return ByRule(vocabulary(), DIALECT.verbs | UNITS)
