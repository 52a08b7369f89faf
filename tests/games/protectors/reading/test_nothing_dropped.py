"""No word of substance is dropped in silence: a word put into an order changes what is read, or is
told.
"""

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tests.games.protectors.reading.positions import codes, read, texts
from tests.rings import at_length

_ORDERS = st.sampled_from(
    [
        *("fortify P1", "work P2", "hold P1", "fortify P1 and P2", "fortify all"),
        *("march 2 from P2 to P3", "march all from P2 to P3", "move one from P1 to P2"),
        *("support Mark in P10 from P1", "support Annabel in P3 from P2", "send 10 to May"),
        *("P1 works and P2 fortifies", "fortify all except P1", "work P1, fortify everywhere else"),
    ]
)
_INSERTED = st.sampled_from(
    [
        *("not", "don't", "never", "no", "?", "maybe", "perhaps", "unless", "if", "or", "either"),
        *("flurb", "zwonk", "P3"),
    ]
)


@settings(max_examples=at_length(33, 100))
@given(_ORDERS, _INSERTED, st.data())
def test_a_word_put_into_an_order_changes_the_reading_or_is_told(
    order: str, inserted: str, data: st.DataObject
) -> None:
    words = order.split()
    at = data.draw(st.integers(inserted == "?", len(words)), label="before the word")
    text = " ".join([*words[:at], inserted, *words[at:]])
    assume(inserted != "P3" or f"P3 {inserted}" not in text)
    reading = read(text)
    assert texts(reading) != texts(read(order)) or codes(reading), text


@given(
    _ORDERS,
    st.sampled_from(["should I", "can I", "if Mark attacks,", "maybe", "unless Mark attacks,"]),
    st.sampled_from(["P1 holds", "work P1", "hold P2"]),
)
def test_a_doubtful_sentence_beside_an_order_is_never_an_order(
    order: str, opening: str, doubtful: str
) -> None:
    reading = read(
        f"{order}. {opening} {doubtful}?"
        if opening.endswith(" I")
        else f"{order}. {opening} {doubtful}."
    )
    assert texts(reading) == texts(read(order)) or codes(reading)


@pytest.mark.parametrize("joint", [", ", " and ", " but ", ". ", "; ", "\n"])
@pytest.mark.parametrize(
    "denied", ["don't march from P2", "P2 doesn't march", "no support for Mark", "never work P2"]
)
def test_a_negation_beside_an_order_is_told_whatever_joins_them(joint: str, denied: str) -> None:
    reading = read(f"fortify P1{joint}{denied}")
    assert texts(reading) in (["Fortify! P1"], [])
    assert "not-understood" in codes(reading)


@pytest.mark.parametrize(
    "text",
    ["P1 works. 30 for May from my chest", "30 for May from my chest. P1 works."],
)
def test_f3_money_without_a_verb_is_told(text: str) -> None:
    reading = read(text)
    assert texts(reading) == ["Work, work! P1"]
    assert codes(reading) == {"not-understood"}
