"""Shorthand: words and numbers without a gap (`buy2`, `P10x2`, `s3`), and order words of a letter
or two, which count only next to a province or a player (`P2 F`, `P4: s Anna P5`).
"""

import re
from collections.abc import Sequence

from msgspec.structs import replace

from pbem.games.protectors.reading.dialect import DIALECT, IN_PLACE, lexicon
from pbem.games.protectors.reading.position import Position
from pbem.grammar.kit.lexemes import Lexeme
from pbem.grammar.kit.lexicon import read_lexemes

_GLUED = re.compile(r"(?=\D*\d)(?=\d*\D)\w+")
_PIECE = re.compile(r"x\d+|\d+x(?=p\d|$)|p\d+|\d+|[^\W\d_]{1,24}?(?=p\d|x\d|\d|$)")
_BRIEF = "-"
_PARTS = frozenset({"PLACE", "NUM", "MONEY", "UNITS", "FROM", "TO", "IN", "FOR", "AND", "ARROW"})
_FITS = _PARTS | DIALECT.verbs | DIALECT.flags | DIALECT.marks
_OPENS = frozenset({"NL", "COMMA", "SEMI", "DOT", "SLASH", "AND"})
_ENDINGS = frozenset({"DOT", "COLON", "DASH", "RPAR"})
"""Behind a word that is written short, or a letter that marks a list."""
_WITH = "w"
_COUNTS = frozenset({"NUM", "ALL", "BOTH", "HALF", "UNITS", "THEUNITS", "MONEY", "WHO"})
_NEIGHBOURS = frozenset({"PLACE", "WHO"}) | DIALECT.flags


def spelt_out(lexemes: Sequence[Lexeme], position: Position) -> list[Lexeme]:
    """The lexemes with what is glued together taken apart, and the short words as what they are."""
    told: list[Lexeme] = []
    for lexeme in lexemes:
        glued = lexeme.kind == "WORD" and _GLUED.fullmatch(lexeme.text)
        parts = None
        if glued and told and told[-1].end == lexeme.start and told[-1].text.isalpha():
            ahead = told[-1]  # `bi` and `d30`
            whole = replace(lexeme, text=ahead.text + lexeme.text, start=ahead.start)
            parts = _parts_of(whole, position)
            del told[len(told) - bool(parts) :]
        if glued and not parts:
            parts = _parts_of(lexeme, position)
        told += parts or [lexeme]
    for i, lexeme in enumerate(told):
        if lexeme.text == _WITH and lexeme.kind.endswith(_BRIEF):
            told[i] = replace(lexeme, kind=_with_or_work(told, i, position))
        elif lexeme.kind.endswith(_BRIEF):
            kind = lexeme.kind[:-1] if _stands_beside(told, i, position) else "WORD"
            told[i] = replace(lexeme, kind=kind)
    return told


def _with_or_work(lexemes: list[Lexeme], i: int, position: Position) -> str:
    """`P1 to P2 w 2 guys`: before what is counted it is `with`; `P2 w` is work."""
    after = next((x.kind for x in lexemes[i + 1 : i + 5] if x.kind != "FILLER"), "NL")
    if after in _COUNTS:
        return "WITH"
    return "WORK" if _stands_beside(lexemes, i, position) else "WORD"


def _parts_of(word: Lexeme, position: Position) -> list[Lexeme] | None:
    """The parts of a glued word, if each of them is a word of orders."""
    if word.text in lexicon().phrases:
        return None
    parts: list[Lexeme] = []
    for found in _PIECE.finditer(word.text):
        read = read_lexemes(found[0], lexicon(), position.people)
        if found[0] == "u" and parts and parts[-1].kind == "NUM":
            read = [replace(read[0], kind="UNITS")]  # `3u`
        if len(read) != 1 or read[0].kind.removesuffix(_BRIEF) not in _FITS:
            return None
        kind = read[0].kind
        if kind.endswith(_BRIEF):
            kind = "SAC" if position.fights_dragon and kind == "SUPPORT-" else kind
            if kind not in {"SAC", "BID-"} or position.state.stage == "orders":
                return None  # `P1-P2 w2` is with two
            kind = kind.removesuffix(_BRIEF)
        at = word.start + found.start()
        parts.append(replace(read[0], kind=kind, start=at, end=at + len(found[0])))
    whole = sum(part.end - part.start for part in parts) == len(word.text)
    return parts if whole and len(parts) > 1 else None


def _stands_beside(lexemes: Sequence[Lexeme], i: int, position: Position) -> bool:
    """Whether a short word stands where its long one would."""
    if position.state.stage != "orders":
        return False
    silent = {"COLON", "BAR"} if lexemes[i].kind == "GOLD-" else {"COLON", "BAR", "DASH"}
    ahead = [x.kind for x in lexemes[max(i - 4, 0) : i] if x.kind not in silent]  # `... P3 - G.`
    behind = [x.kind for x in lexemes[i + 1 : i + 3] if x.kind not in _ENDINGS]
    after = behind[0] if behind else ""
    beside = ahead[-1] if ahead else "NL"
    is_flag = lexemes[i].kind.removesuffix(_BRIEF) in DIALECT.flags
    opens = beside in _OPENS and after in _NEIGHBOURS | (DIALECT.verbs if is_flag else set())
    chooses = beside == "SLASH" and ahead[-2:-1] != [] and ahead[-2] in DIALECT.verbs
    closes = beside in _NEIGHBOURS - {"WHO"}
    closes = closes and not set(ahead[-2:-1]) & IN_PLACE
    return opens or closes or chooses


def with_cells(lexemes: list[Lexeme]) -> list[Lexeme]:
    """`P1; march; 2; P5`: a row of cells, if a province alone begins it."""
    settled, row = list(lexemes), False
    for i, lexeme in enumerate(lexemes):
        ahead = [x.kind for x in lexemes[max(i - 2, 0) : i]]
        if lexeme.kind == "NL":
            row = False
        elif lexeme.kind == "SEMI":
            row = row or ahead in (["PLACE"], ["NL", "PLACE"])
            settled[i] = replace(lexeme, kind="BAR") if row else lexeme
    return settled
