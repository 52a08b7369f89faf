"""The reader by slots: canonical texts come back, a word more or less shows, nothing raises, and the
sentences partition the text (F-3, F-20 to F-24).
"""

import re
import time
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.protectors import orders as o
from engine.protectors.checking.legal import legal
from engine.protectors.state import State
from pbem.games.protectors.reading.dialect import DIALECT, lexicon
from pbem.games.protectors.reading.reader import READER, people_of
from pbem.grammar.house.reading import read_alone
from pbem.grammar.kit.normalise import normalise
from pbem.grammar.kit.reading import Reading
from pbem.grammar.reading.lexicon import read_lexemes
from pbem.grammar.reading.sentences import sentences_of
from pbem.grammar.reading.settling import settle
from tests.games.protectors.reading.positions import (
    ANNA,
    EMPTY,
    codes,
    random_tables,
    table,
    texts,
)
from tests.games.protectors.reading.scoring import all_phrases, reading_of, score

_NUMBERS = re.compile(r"(?i)(?<![\w.])(?:p|province ?#?|#)?(?:\d+|one|two|three)\b")
_DISPUTED = {
    "PB-22.20": "`buy nothing` is an order of its own: it keeps the default purchase from happening",
    "HR-21.07": "the same: `no purchases`",
    "HR-15.12": "a note to the game master that reads as orders is held by the desk, before this",
}
_MOST = {"asked": 82, "codes": 76}


def _read(text: str, phase: str = "orders") -> Reading:
    return read_alone(READER.read, table(phase), ANNA, EMPTY, text)


def test_of_all_phrases_none_is_misread_and_none_is_lost() -> None:
    scores = {name: score(case, told, READER) for name, case, told in all_phrases()}
    wrong = {name for name, come in scores.items() if come in {"misread", "lost"}}
    assert wrong == _DISPUTED.keys()
    counted = list(scores.values())
    assert all(counted.count(come) <= most for come, most in _MOST.items())


@settings(max_examples=40)
@given(random_tables(), st.data())
def test_every_legal_order_is_read_back_from_its_canonical_text(
    position: tuple[State, int], data: st.DataObject
) -> None:
    state, player = position
    names = {seat.number: seat.name for seat in state.players}
    for order in data.draw(st.permutations(list(legal(state, player))))[:25]:
        text = o.format_order(order, names)
        reading = read_alone(READER.read, state, player, EMPTY, text)
        assert reading.checked is not None, text
        assert reading.checked.accepted == (order,), text
        assert not codes(reading), text


def _order_spans(text: str, reading: Reading) -> Iterator[tuple[int, int]]:
    """Where the orders of a phrase stand in it, if that is plain."""
    for item in reading.items:
        if item.orders and text.count(item.quote) == 1:
            at = text.index(item.quote)
            yield at, at + len(item.quote)


def _silent_changes(part: int) -> Iterator[str]:
    """Changed phrases whose orders are the same, without a word about it."""
    for name, case, told in list(all_phrases())[part::_PARTS]:
        text = told["text"]
        before, state = reading_of(case, told, READER)
        orders = sorted(texts(before, state))
        if not orders or codes(before) or before.corrected:
            continue
        changed = []
        for start, end in _order_spans(text, before):
            for found in _NUMBERS.finditer(text, start, end):
                other = "P99" if found[0][0] in "pP#" else "58"
                changed.append(text[: found.start()] + other + text[found.end() :])
            for found in list(re.finditer(r"\S+", text[start:end]))[1:]:
                at = start + found.start()
                changed += [f"{text[:at]}{word} {text[at:]}" for word in ("not", "wenn", "blorvix")]
        for new in changed:
            after, _ = reading_of(case, told | {"text": new}, READER)
            if sorted(texts(after, state)) == orders and not codes(after):
                yield f"{name}: {new}"


_PARTS = 4


@pytest.mark.parametrize("part", range(_PARTS))
def test_no_number_changed_and_no_word_put_in_leaves_the_same_orders_in_silence(part: int) -> None:
    """F-3, F-22: a word inside an order has a slot, is harmless, or is spoken of."""
    assert list(_silent_changes(part)) == []


_WORDS = st.sampled_from(
    "fortify march support work hold golden delayed P1 P2 P3 p4 6 from to in and then not if or no"
    " wait sorry Anna Mark May ? ! . , : ; ( ) -> - all everything else except rest send 20 bid buy"
    ' snitch final cancel yes please the both half two sac commit burn same but instead " with'
    " should could for me gets none nothing P1-P3 1-2 \n \n\n forget draft refresh take faction".split(
        " "
    )
)


@settings(max_examples=300)
@given(
    st.lists(_WORDS, max_size=25),
    st.sampled_from(["orders", "dragon", "consolidation", "bidding"]),
)
def test_no_heap_of_words_raises_and_every_caret_lies_in_its_quote(
    words: list[str], phase: str
) -> None:
    text = " ".join(words)
    for item in _read(text, phase).items:
        assert item.quote in text or item.quote == text.strip()[:200]
        if item.caret is not None:
            assert 0 <= item.caret[0] < item.caret[1] <= len(item.quote)


@settings(max_examples=200)
@given(st.text(max_size=300))
def test_no_text_whatever_raises(text: str) -> None:
    _read(text)


@settings(max_examples=200)
@given(st.one_of(st.text(max_size=200), st.lists(_WORDS, max_size=30).map(" ".join)))
def test_the_spans_of_sentences_partition_the_text(text: str) -> None:
    plain = normalise(text)
    people = people_of(table(), ANNA)
    lexemes = settle(read_lexemes(plain.text, lexicon(), people), plain.text, frozenset({None}))
    sentences = sentences_of(plain, lexemes, DIALECT.verbs, DIALECT.flags)
    joined = "".join(plain.text[sentence.start : sentence.end] for sentence in sentences)
    assert joined == (plain.text if sentences else "")


@pytest.mark.parametrize(
    "text",
    [
        "Fortify P1. Actually don't.",
        "Fortify P1. Forget it.",
        "Fortify P1, just joking",
        "Fortify P1. These are not my orders yet.",
        "si Mark attaque, fortify P1",
        "als Mark aanvalt, fortify P1",
        "sauf P2, fortify P1",
        "If Annabel attacks:\n- fortify P1\n- work P2",
        "Mark wrote: fortify P1",
        "march 1 from P2 to P3 and back",
        "I don't want to fortify P1 and march 2 from P2 to P3",
    ],
)
def test_what_is_taken_back_supposed_or_told_does_not_stand(text: str) -> None:
    """F-20, F-22, F-23."""
    reading = _read(text)
    assert texts(reading) == []
    assert codes(reading)


@pytest.mark.parametrize(
    ("text", "means"),
    [
        ("everyone works. Wait, P2 fortifies", ["Work, work! P1", "Fortify! P2"]),
        ("march 2 from P2 to P3, no: 3", ["March! 3 from P2 to P3"]),
        ("P1 ... Fortify\nP2 ... Work", ["Fortify! P1", "Work, work! P2"]),
        ("P2, 2 units to P3, P1 works", ["March! 2 from P2 to P3", "Work, work! P1"]),
        ("to P3 march from P2 with 2", ["March! 2 from P2 to P3"]),
        (
            "fortify everything but P2, P2 marches 1 to P3",
            ["Fortify! P1", "March! 1 from P2 to P3"],
        ),
    ],
)
def test_slots_stand_in_any_order_and_corrections_reach_what_they_name(
    text: str, means: list[str]
) -> None:
    """F-21, F-23."""
    assert sorted(texts(_read(text))) == sorted(means)
    assert not codes(_read(text))


def test_a_march_that_is_not_understood_is_told_beside_what_stands() -> None:
    """F-3."""
    reading = _read("fortify P1. March my unit to the next province.")
    assert texts(reading) == ["Fortify! P1"]
    assert codes(reading)


@pytest.mark.parametrize(
    "sign", ["a", "1", " ", "\n", ",", "-", ".", "(", '"', "P1,", "no, ", "if "]
)
def test_the_time_grows_with_the_length_alone(sign: str) -> None:
    def spent(length: int) -> float:
        text = (sign * length)[:length]
        start = time.process_time()
        _read(text)
        return time.process_time() - start

    spent(200)
    assert spent(20_000) < 6 * spent(5_000) + 0.3
