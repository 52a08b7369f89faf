"""A text is read in one pass: nothing raises, the sentences partition the text, and its time grows
with the length alone (F-3, F-9, F-20 to F-24).
"""

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from pbem.games.protectors.reading.dialect import DIALECT, lexicon
from pbem.games.protectors.reading.reader import READER, people_of
from pbem.grammar.house.reading import read_alone
from pbem.grammar.kit.lexicon import read_lexemes
from pbem.grammar.kit.normalise import normalise
from pbem.grammar.kit.reading import Reading
from pbem.grammar.kit.senses import settle
from pbem.grammar.kit.sentences import sentences_of
from tests.games.protectors.reading.positions import ANNA, EMPTY, codes, table, texts
from tests.games.reading.properties import hold_growth
from tests.rings import at_length
from tests.rows import each_row


def _read(text: str, phase: str = "orders") -> Reading:
    return read_alone(READER.read, table(phase), ANNA, EMPTY, text)


_WORDS = st.sampled_from(
    "fortify march support work hold golden delayed P1 P2 P3 p4 6 from to in and then not if or no"
    " wait sorry Anna Mark May ? ! . , : ; ( ) -> - all everything else except rest send 20 bid buy"
    ' snitch final cancel yes please the both half two sac commit burn same but instead " with'
    " should could for me gets none nothing P1-P3 1-2 \n \n\n forget draft refresh take faction".split(
        " "
    )
)


@settings(max_examples=at_length(80, 300))
@example(["wait", "wait", "if"], "orders")
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


@settings(max_examples=at_length(60, 200))
@given(st.text(max_size=300))
def test_no_text_whatever_raises(text: str) -> None:
    _read(text)


@settings(max_examples=at_length(60, 200))
@given(st.one_of(st.text(max_size=200), st.lists(_WORDS, max_size=30).map(" ".join)))
def test_the_spans_of_sentences_partition_the_text(text: str) -> None:
    plain = normalise(text)
    people = people_of(table(), ANNA)
    lexemes = settle(read_lexemes(plain.text, lexicon(), people), plain.text, frozenset({None}))
    sentences = sentences_of(plain, lexemes, DIALECT.verbs, DIALECT.flags)
    joined = "".join(plain.text[sentence.start : sentence.end] for sentence in sentences)
    assert joined == (plain.text if sentences else "")


@each_row(
    "text",
    [
        *("Fortify P1. Actually don't.", "Fortify P1. Forget it.", "Fortify P1, just joking"),
        *("Fortify P1. These are not my orders yet.", "si Mark attaque, fortify P1"),
        *("als Mark aanvalt, fortify P1", "sauf P2, fortify P1"),
        *("If Annabel attacks:\n- fortify P1\n- work P2", "Mark wrote: fortify P1"),
        *("march 1 from P2 to P3 and back", "I don't want to fortify P1 and march 2 from P2 to P3"),
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


@pytest.mark.sample(3)
@pytest.mark.parametrize(
    "sign",
    [
        *("a", "1", " ", "\n", ",", "-", ".", "(", '"', "P1,", "no, ", "if ", "1 ", "drop out. "),
        *("march 1 from P1 to P2 ", "P1: ", "bid 5 ", "P1, 2 to P3, ", "support P2 and "),
    ],
)
def test_the_work_grows_with_the_length_alone(sign: str) -> None:
    """F-9, F-111."""
    hold_growth(_read, sign)
