"""Both readers side by side: what only one takes is asked, never taken and never gone (F-3)."""

from hypothesis import given, settings
from hypothesis import strategies as st

from engine.protectors import orders as o
from pbem.games.protectors.reading.reader import READER as PRESENT
from pbem.games.protectors.slots.agreeing import READER
from pbem.games.protectors.slots.reader import READER as BY_SLOTS
from pbem.grammar.house.reading import read_alone
from pbem.grammar.kit.reading import Reading
from tests.games.protectors.reading.positions import ANNA, EMPTY, codes, table, texts
from tests.games.protectors.reading.scoring import all_phrases, reading_of, score

_DISPUTED = {"PB-22.20", "HR-21.07", "HR-15.12"}


def _accepted(reading: Reading) -> tuple[o.Order, ...]:
    return reading.checked.accepted if reading.checked is not None else ()


def test_of_all_phrases_none_is_misread_and_none_is_lost() -> None:
    scores = {name: score(case, told, READER) for name, case, told in all_phrases()}
    wrong = {name for name, come in scores.items() if come in {"misread", "lost"}}
    assert wrong <= _DISPUTED
    assert list(scores.values()).count("asked") <= 135


def test_what_stands_is_what_both_take_and_the_rest_is_asked() -> None:
    for name, case, told in all_phrases():
        both, _ = reading_of(case, told, READER)
        first, state = reading_of(case, told, PRESENT)
        second, _ = reading_of(case, told, BY_SLOTS)
        stands, ours, theirs = _accepted(both), _accepted(first), _accepted(second)
        assert all(order in ours and order in theirs for order in stands), name
        if sorted(map(repr, ours)) == sorted(map(repr, theirs)):
            assert both == first, name
        else:
            assert codes(both), name
        listed = [order for item in both.items for order in item.orders]
        assert sorted(map(repr, listed)) == sorted(map(repr, stands)), name
        numbers = [item.suggestion.number for item in both.items if item.suggestion is not None]
        assert len(numbers) == len(set(numbers)), name
        taken = {o.ordered_province(order) for order in stands} - {None}
        for item in both.items:
            if item.suggestion is not None and item.suggestion not in [
                other.suggestion for other in first.items
            ]:
                offered = {o.ordered_province(order) for order in item.suggestion.orders}
                assert not offered & taken, name
        assert state is not None


def test_what_only_one_takes_is_offered_under_a_number() -> None:
    text = "forget what I said; fortify P1. Golden! Work P2."
    both = read_alone(READER.read, table(), ANNA, EMPTY, text)
    assert texts(both) == [
        order
        for order in texts(read_alone(PRESENT.read, table(), ANNA, EMPTY, text))
        if order in texts(read_alone(BY_SLOTS.read, table(), ANNA, EMPTY, text))
    ]
    assert codes(both)


@settings(max_examples=60)
@given(st.text(max_size=200))
def test_no_text_raises(text: str) -> None:
    read_alone(READER.read, table(), ANNA, EMPTY, text)
