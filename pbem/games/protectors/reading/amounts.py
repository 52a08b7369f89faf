"""Numbers that are not simply one amount: ranges and guesses (`2-3`, `~15`, `17%`), prices (`for
75`), and what goes before its verb.

A range or a guess becomes one lexeme of the kind RANGE, which no grammar knows: what says one is
asked about.
"""

from collections.abc import Sequence
from dataclasses import replace

from pbem.games.protectors.reading.clauses import Dialect
from pbem.grammar.kit.lexemes import Lexeme

_LEAST_PRICE = 7
_ENDS = frozenset({"NL", "DOT", "SEMI", "ASK", "BANG"})
_PRICED = frozenset(
    {
        "BUY",
        "UPGRADE",
        "BANK",
        "FAITH",
        "KING",
        "FORECAST",
        "PALANTIR",
        "NOTHINGTOSEE",
        "BID",
        "AND",
    }
)


def settle_amounts(lexemes: Sequence[Lexeme], dialect: Dialect) -> list[Lexeme]:
    """Join ranges, leave out prices, and put `1 to sacrifice` as `sacrifice 1`."""
    settled: list[Lexeme] = []
    at = 0
    while at < len(lexemes):
        taken = _range_at(lexemes, at, dialect, settled)
        if taken > 1:
            last = lexemes[at + taken - 1]
            settled.append(Lexeme("RANGE", lexemes[at].text, lexemes[at].start, last.end))
            at += taken
            continue
        taken = _price_at(lexemes, at, settled, dialect)
        if taken:
            settled += [
                replace(lexeme, kind="FILLER", value=None) for lexeme in lexemes[at : at + taken]
            ]
            at += taken
            continue
        settled.append(lexemes[at])
        at += 1
        if settled[-1].kind == "SAC":
            _turn_sacrifice(settled, lexemes[at] if at < len(lexemes) else None)
    return settled


def _range_at(lexemes: Sequence[Lexeme], at: int, dialect: Dialect, before: list[Lexeme]) -> int:
    """How many lexemes from here are one range."""
    first, second, third = (*lexemes[at : at + 3], None, None, None)[:3]
    if first is None or second is None or third is None:
        return 0
    if first.text == "up" and second.kind == "TO" and third.kind == "NUM":
        return 3
    if (
        first.kind != "NUM"
        or third.kind != "NUM"
        or not (first.text[0].isdigit() and third.text[0].isdigit())
    ):
        return 0
    tight = first.end == second.start and second.end == third.start
    parted = (
        second.kind in {"DASH", "SLASH"} or second.text == "+" or (second.kind == "COMMA" and tight)
    )
    if not parted or (before and before[-1].kind in {"IN", "TO", "FROM", "PLACE"}):
        return 0
    verb = next(
        (
            lexeme.kind
            for lexeme in reversed(before)
            if lexeme.kind in dialect.verbs or lexeme.kind in _ENDS
        ),
        "",
    )
    return 0 if verb in dialect.spreading else 3


def _price_at(lexemes: Sequence[Lexeme], at: int, before: list[Lexeme], dialect: Dialect) -> int:
    """`1 in P1 for 75`: what it costs, which is no part of the order."""
    if lexemes[at].kind != "FOR" or at + 1 == len(lexemes):
        return 0
    number = at + 2 if lexemes[at + 1].kind == "REALM" and at + 2 < len(lexemes) else at + 1
    if lexemes[number].kind != "NUM" or (lexemes[number].value or 0) < _LEAST_PRICE:
        return 0
    said: list[Lexeme] = []
    for lexeme in reversed(before):
        if lexeme.kind in _ENDS:
            break
        said.append(lexeme)
    verb = next((lexeme.kind for lexeme in said if lexeme.kind in dialect.verbs), "")
    bought = verb in _PRICED - {"BID"} or (
        verb in {"", "BID"} and any(lexeme.kind == "PLACE" for lexeme in said)
    )
    if not bought:
        return 0
    realm = number + 1 < len(lexemes) and lexemes[number + 1].kind == "REALM"
    return number + 1 - at + (1 if realm else 0)


def _turn_sacrifice(settled: list[Lexeme], after: Lexeme | None) -> None:
    """`1 to sacrifice`, `1 sacrificed`: the number stands before; `sacrifice 1` keeps its own."""
    if after is not None and after.kind in {
        "NUM",
        "ALL",
        "BOTH",
        "HALF",
        "THEM",
        "NOTHING",
        "FILLER",
    }:
        return
    place = len(settled) - 2
    while place >= 0 and settled[place].kind in {"TO", "FILLER", "UNITS"}:
        place -= 1
    before = settled[place - 1].kind if place > 0 else ""
    if (
        place >= 0
        and settled[place].kind in {"NUM", "ALL", "BOTH", "HALF"}
        and before in {"", "LPAR", "COMMA", "AND", "NL", "DOT", "SEMI"}
    ):
        settled[place:] = [settled[-1], settled[place]]
