"""What holds for every text: canonical texts come back, prose orders nothing, names are never
guessed, nothing raises.
"""

import string

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from engine.protectors import orders as o
from engine.protectors.checking.legal import legal
from engine.protectors.state import State
from pbem.games.protectors.reading.reader import READER
from pbem.games.protectors.reading.settled import about
from pbem.grammar.house.commands import word_of
from pbem.grammar.house.reading import read_alone
from tests.games.protectors.reading.positions import (
    ANNA,
    EMPTY,
    NAMES,
    codes,
    random_tables,
    read,
    table,
    texts,
)
from tests.rings import at_length


@settings(max_examples=25)
@given(random_tables(), st.data())
def test_every_legal_order_is_read_back_from_its_canonical_text(
    position: tuple[State, int], data: st.DataObject
) -> None:
    state, player = position
    names = {seat.number: seat.name for seat in state.players}
    for order in data.draw(st.permutations(list(legal(state, player))))[:25]:
        text = o.format_order(order, names)
        assert READER.read_canonical(state, text) == order
        reading = read_alone(READER.read, state, player, EMPTY, text)
        assert reading.checked is not None, text
        assert reading.checked.accepted == (order,), text
        assert not codes(reading)


@settings(max_examples=20)
@given(random_tables(), st.data())
def test_several_canonical_texts_in_one_message_are_read_in_their_order(
    position: tuple[State, int], data: st.DataObject
) -> None:
    state, player = position
    names = {seat.number: seat.name for seat in state.players}
    drawn = data.draw(st.permutations(list(legal(state, player))))[:6]
    spoken = o.Cancel | o.Final | o.CommitNothing | o.BuyNothing
    sent = list({about(x): x for x in drawn if not isinstance(x, spoken)}.values())
    separator = data.draw(st.sampled_from(["\n", "; ", ". ", ", "]))
    reading = read_alone(
        READER.read,
        state,
        player,
        EMPTY,
        separator.join(o.format_order(order, names) for order in sent),
    )
    direct = READER.check(state, player, EMPTY, sent)
    assert (reading.checked.accepted if reading.checked is not None else ()) == direct.accepted


@settings(max_examples=at_length(33, 100))
@given(st.text(max_size=300))
def test_no_text_whatever_raises(text: str) -> None:
    reading = read(text)
    assert (
        reading.items or reading.commands or reading.answers is not None or reading.note is not None
    )


_WORDS = st.sampled_from(
    [
        *("fortify", "march", "support", "work", "hold", "golden", "delayed", "P1", "P2", "P3"),
        *("p4", "6", "from", "to", "in", "and", "then", "not", "if", "or", "no", "wait", "sorry"),
        *("Anna", "Mark", "May", "?", "!", ".", ",", ":", ";", "(", ")", "->", "-", "all"),
        *("everything", "else", "except", "rest", "send", "20", "bid", "buy", "snitch", "final"),
        *("cancel", "yes", "status", "please", "the", "\n", "can", "i", "should", "both", "half"),
        *("two", "sac", "commit", "burn"),
    ]
)


@settings(max_examples=at_length(33, 100))
@given(st.lists(_WORDS, max_size=25), st.sampled_from(["orders", "dragon", "consolidation"]))
def test_no_heap_of_order_words_raises_and_every_caret_lies_in_its_quote(
    words: list[str], phase: str
) -> None:
    text = " ".join(words)
    reading = read(text, state=table(phase))
    for item in reading.items:
        assert item.quote in text or item.quote == text.strip()[:200]
        if item.caret is not None:
            assert 0 <= item.caret[0] < item.caret[1] <= len(item.quote)


_PROSE = st.sampled_from(
    [
        *("I", "you", "we", "they", "Anna", "Mark", "Chloé", "think", "hope", "believe", "saw"),
        *("was", "were", "nice", "terrible", "turn", "dragon", "snow", "weather", "holiday"),
        *("family", "yesterday", "really", "never", "quite", "again", "with", "about", "because"),
        *("maybe", "the", "a", "of", "for", "map", "letter", "friend", "great", "bad", "luck"),
        *("fun", "lovely", "cold", "battle", "peace", "war", "time", "home", "game"),
    ]
)


@settings(max_examples=at_length(20, 60))
@given(st.lists(_PROSE, min_size=1, max_size=30), st.sampled_from([".", "!", "?", "", "..."]))
def test_talk_without_order_words_orders_nothing(words: list[str], end: str) -> None:
    assert texts(read(" ".join(words) + end)) == []


_QUESTIONS = st.sampled_from(
    [
        *("can I", "could I", "should I", "may I", "what if I", "why should I", "is it legal to"),
        *("am I allowed to", "shall I", "what happens if I", "how do I"),
    ]
)
_ORDERS = st.sampled_from(
    [
        *("march 2 from P2 to P3", "fortify P1", "work P1 and P2", "support Mark in P10 from P1"),
        *("send 10 to May", "hold"),
    ]
)


@given(_QUESTIONS, _ORDERS)
def test_no_question_is_an_order(opening: str, order: str) -> None:
    reading = read(f"{opening} {order}?")
    assert texts(reading) == []
    if opening in ("what if I", "what happens if I"):
        assert [*map(word_of, reading.commands)] == ["what-if"]
    else:
        assert codes(reading) == {"no-order"}


_CONDITIONS = st.sampled_from(
    [
        *("if", "unless", "when", "only if", "provided that", "as soon as", "in the event that"),
        *("assuming", "once"),
    ]
)


@given(_CONDITIONS, _ORDERS, st.booleans())
def test_no_condition_is_an_order(condition: str, order: str, leads: bool) -> None:
    text = f"{condition} Mark attacks, {order}" if leads else f"{order} {condition} Mark attacks"
    assert texts(read(text)) == []
    assert codes(read(text)) == {"not-understood"}


@given(
    st.sampled_from(["do not", "don't", "I will not", "I won't", "never", "please do not"]), _ORDERS
)
def test_no_negation_is_an_order(refusing: str, order: str) -> None:
    assert texts(read(f"{refusing} {order}")) == []
    assert codes(read(f"{refusing} {order}")) == {"not-understood"}


@settings(max_examples=at_length(33, 100))
@given(
    st.sampled_from(NAMES),
    st.integers(0, 8),
    st.sampled_from(string.ascii_lowercase),
    st.sampled_from(["swap", "drop", "double", "change"]),
)
def test_a_slip_in_a_name_never_becomes_another_player(
    name: str, at: int, letter: str, how: str
) -> None:
    at %= len(name)
    match how:
        case "swap":
            written = name[:at] + name[at + 1 : at + 2] + name[at] + name[at + 2 :]
        case "drop":
            written = name[:at] + name[at + 1 :]
        case "double":
            written = name[:at] + name[at] + name[at:]
        case _:
            written = name[:at] + letter + name[at + 1 :]
    folded = written.casefold().replace("é", "e")
    assume(not any(other.casefold().replace("é", "e").startswith(folded) for other in NAMES))
    reading = read(f"send 10 to {written}")
    assert texts(reading) == []
    assert codes(reading) <= {"unknown-player", "not-understood"}


@given(st.integers(1, 10), st.sampled_from(["P{}x", "PP{}", "P{}{}", "Q{}", "O{}", "p{}p"]))
def test_a_slip_in_a_province_never_becomes_another_province(number: int, form: str) -> None:
    reading = read(f"fortify {form.format(number, number)}")
    assert texts(reading) == []
    assert codes(reading)


def test_the_reader_takes_nothing_on_its_own_that_it_only_suggests() -> None:
    reading = read("wrok P1", ANNA)
    assert texts(reading) == []
    assert [item.suggestion.number for item in reading.items if item.suggestion is not None] == [1]


def test_what_cannot_be_offered_whole_is_not_offered() -> None:
    reading = read("wrok P1. support Anabel in P3 from P2. march 1 from P2 to P5", ANNA)
    assert texts(reading) == []
    assert [item.suggestion for item in reading.items if item.suggestion is not None] == []
