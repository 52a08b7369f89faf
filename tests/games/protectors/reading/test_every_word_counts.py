"""Words deleted, added, changed and swapped in every phrase: the reading changes, or the answer speaks
of it (F-3, F-22).
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

import pytest

from engine.protectors.state import State
from pbem.games.protectors.reading.dialect import DIALECT, lexicon
from pbem.games.protectors.reading.reader import people_of
from pbem.grammar.kit.lexemes import Lexeme
from pbem.grammar.kit.lexicon import read_lexemes
from pbem.grammar.kit.normalise import normalise
from pbem.grammar.kit.reading import Reading
from tests.games.protectors.reading.positions import codes, texts
from tests.games.protectors.reading.scoring import reading_of
from tests.games.reading.phrases import FOLDERS, Phrase, kept_phrases
from tests.rings import some_of

_NUMBERS = re.compile(r"(?i)(?<![\w.])(?:p|province ?#?|#)?(?:\d+|one|two|three)\b")
_WEIGHTY = DIALECT.flags | {"NEG", "COND", "TURN", "HEDGE", "EXCEPT", "CONTRAST"}
"""Kinds of words without which an order is another one."""
_WAYS = frozenset({"FROM", "TO"})


def _order_spans(text: str, reading: Reading) -> Iterator[tuple[int, int]]:
    """Where the orders of a phrase stand in it, if that is plain."""
    for item in reading.items:
        if item.orders and text.count(item.quote) == 1:
            at = text.index(item.quote)
            yield at, at + len(item.quote)


def _lexemes(text: str, state: State) -> list[Lexeme]:
    """Those of a text whose places are those of the folded one; else none."""
    plain = normalise(text)
    same = plain.where == tuple(range(len(text) + 1))
    return read_lexemes(plain.text, lexicon(), people_of(state, None)) if same else []


def _changed(text: str, reading: Reading, state: State) -> Iterator[str]:
    lexemes = _lexemes(text, state)
    for start, end in _order_spans(text, reading):
        for found in _NUMBERS.finditer(text, start, end):
            other = "P99" if found[0][0] in "pP#" else "58"
            yield text[: found.start()] + other + text[found.end() :]
        for found in list(re.finditer(r"\S+", text[start:end]))[1:]:
            at = start + found.start()
            yield from (f"{text[:at]}{word} {text[at:]}" for word in ("not", "wenn", "blorvix"))
        inside = [x for x in lexemes if start <= x.start and x.end <= end]
        for lexeme in inside:
            if lexeme.kind in _WEIGHTY:
                yield f"{text[: lexeme.start]} {text[lexeme.end :]}"
        yield from _swapped(text, inside)


def _swapped(text: str, lexemes: list[Lexeme]) -> Iterator[str]:
    """The two provinces of a way, each in the place of the other."""
    ways = [
        place for way, place in pairwise(lexemes) if way.kind in _WAYS and place.kind == "PLACE"
    ]
    if len(ways) == 2 and ways[0].value != ways[1].value:
        first, second = ways
        yield (
            text[: first.start]
            + text[second.start : second.end]
            + text[first.end : second.start]
            + text[first.start : first.end]
            + text[second.end :]
        )


def _silent(phrases: list[Phrase]) -> Iterator[str]:
    """Changed phrases whose orders are the same, without a word about it."""
    for phrase in phrases:
        before, state = reading_of(phrase)
        orders = sorted(texts(before, state))
        if not orders or codes(before) or before.corrected:
            continue
        for new in _changed(phrase.text, before, state):
            after, _ = reading_of(replace(phrase, text=new))
            if sorted(texts(after, state)) == orders and not codes(after):
                yield f"{phrase.name}: {new}"


_PARTS = 4
_THE_SAME = {
    "UA-04.1: everything works but not P1, P1 fortifies",
    "VA-01.31: fortify everywhere but not P2; P2 goes 3 to P3",
    "TB-12.24: P8 into P9 (Gwen's not ashes) with both",
    "TB-09.8: P4 to P3 with two, the not third stays, and the other provinces work",
} | {
    f"TA-05.2: 2 from P8 to P7 but in {stage} (delayed) stage; P1 fortify with gold"
    for stage in ("the second not", "not the second", "the not second")
}
"""`but P1` and `but not P1` say one thing; `(delayed)` says which stage, in any words; the ashes are
talk, and `the not third` is nothing that anybody writes."""


@pytest.mark.parametrize("part", range(_PARTS))
def test_no_word_deleted_added_changed_or_swapped_leaves_the_same_orders_in_silence(
    part: int,
) -> None:
    phrases = some_of(list(kept_phrases(FOLDERS["protectors"]))[part::_PARTS], 40)
    assert set(_silent(phrases)) <= _THE_SAME
