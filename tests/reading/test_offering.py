"""What is offered uses all that is named, in roles that fit, or there is no offer."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.grammar.kit.normalise import normalise
from pbem.grammar.kit.sentences import sentences_of
from pbem.reading.items import said_in
from pbem.reading.search import BEAM, MOST_STEPS, Search
from tests.reading.phrases import JARS, MOST, SHELVES, TONGUE, lexemes_in, offering_of, tables
from tests.rows import each_row

MOST_AN_ITEM = 4 * BEAM
"""So many beginnings one thing more may make, in this game."""
SHELF = st.sampled_from(SHELVES)


@each_row(
    ("text", "meant"),
    [
        ("P2: 2 honey to P3", ["Carry 2 honey from S2 to S3"]),
        ("2 honey P2 -> P3", ["Carry 2 honey from S2 to S3"]),
        ("bring two honey and one salt from P2 to P3",
         ["Carry 2 honey from S2 to S3", "Carry 1 salt from S2 to S3"]),
        ("carry all honey from P2 to P3", ["Carry 3 honey from S2 to S3"]),
        ("carry 1 tea to P3", ["Carry 1 tea from S1 to S3"]),
        ("dust P2, P4 and P5", ["Dust S2", "Dust S4", "Dust S5"]),
        ("dust all but P2", ["Dust S1", "Dust S3", "Dust S4", "Dust S5"]),
        ("bring two of the three honey from P2 to P3", ["Carry 2 honey from S2 to S3"]),
        ("carry 2 honey from P2 to P3, no wait, to P4", ["Carry 2 honey from S2 to S4"]),
        ("carry 2 honey from P2 to P3. Actually, make that 3", ["Carry 3 honey from S2 to S3"]),
        ("dust\nP2 n P4", ["Dust S2", "Dust S4"]),
        ("P2:\ndust", ["Dust S2"]),
        ("he has been awfully nice so far, but dust P2", ["Dust S2"]),
        ("could you dust P2?", ["Dust S2"]),
    ],
)  # fmt: skip
def test_what_is_said_is_offered(text: str, meant: list[str]) -> None:
    assert sorted(offering_of(text)) == sorted(meant)


@each_row(
    "text",
    [
        *("carry 9 honey from P2 to P3", "carry 2 honey from P2 to P7"),
        *("carry 2 honey from P2 to P3 and P4", "carry 2 honey to P3", "carry 2 from P2 to P3"),
        *("carry 1 tea to P3, there", "dust P2 and dust P2", "dust the grumbolo of P2"),
        *("P2 and P3", "carry 2 honey from P2 to P3 5"),
        *("bring two of the nine honey from P2 to P3", ""),
    ],
)
def test_what_leaves_something_open_or_over_is_not(text: str) -> None:
    assert offering_of(text) == ()


@pytest.mark.parametrize(
    "text",
    [
        *("if it rains, {}", "{} if it rains", "do not {}", "should I {}", "{}?", "maybe {}"),
        *("{} next turn", "I wanted to say: {}, but not yet", "{}. Just kidding.", "{}. No, wait."),
        *("{}. Or not.", "either {} or nothing", "Anna said: {}", "last turn I wrote {}"),
        *('"{}" is what he told me', "unless she objects {}", "{} or dust P4", "forget it: {}"),
        *("{}, he says", "{}, but not before she comes", "instead of this {}", "nothing: {}"),
    ],
)
@given(SHELF, SHELF, st.sampled_from(JARS[:2]), st.integers(1, MOST))
def test_what_is_turned_is_never_offered(
    text: str, origin: int, target: int, jar: str, count: int
) -> None:
    order = f"carry {count} {jar} from P{origin} to P{target}"
    assert offering_of(text.format(order)) == ()


@given(SHELF, SHELF, st.sampled_from(JARS[:2]), st.integers(1, MOST))
def test_an_offer_names_what_was_written(origin: int, target: int, jar: str, count: int) -> None:
    found = offering_of(f"please P{origin}: {count} {jar} to P{target}, my dear")
    whole = (f"Carry {count} {jar} from S{origin} to S{target}",)
    assert found == (whole if origin != target else ())


def test_what_the_reader_takes_alone_was_held_back_for_what_stands_beside_it() -> None:
    order = "Carry 2 honey from S2 to S3"
    text = "it is tempting to carry 2 honey from P2 to P3"
    assert offering_of(text) == (order,)
    assert offering_of(text, alone=[order]) == ()


def test_a_message_of_too_much_is_not_looked_at() -> None:
    assert offering_of(" ".join(["P2"] * 500)) == ()


def _steps_of(count: int) -> int:
    """What is looked at for so many orders that all leave something open."""
    search = Search(tables())
    text = ", ".join(f"{1 + i % MOST} {JARS[i % 2]} P{1 + i % 5}" for i in range(count))
    plain = normalise(text)
    lexemes = lexemes_in(plain.text)
    sentences = sentences_of(plain, lexemes, TONGUE.verbs, frozenset())
    said = said_in(lexemes, sentences, sentences[0].clauses, {}, plain, TONGUE)
    search.run(said.items)
    return search.steps


@pytest.mark.parametrize("count", [1, 2, 4, 8, 400])
def test_the_work_grows_with_the_length_and_has_a_bound(count: int) -> None:
    assert _steps_of(count) <= min(3 * count * MOST_AN_ITEM, MOST_STEPS + MOST_AN_ITEM)


@pytest.mark.parametrize("count", [6, 400])
def test_what_needs_more_steps_than_the_bound_is_not_offered(count: int) -> None:
    text = ", ".join(f"{1 + i % MOST} {JARS[i % 2]} P{1 + i % 5}" for i in range(count))
    assert offering_of(text) == ()
