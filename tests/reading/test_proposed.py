"""What somebody proposes is offered only if it says all that is named, and nothing beside."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.grammar.kit.lexemes import set_of
from pbem.reading.forms import Form, FormRow, FormTable
from pbem.reading.items import Mention, Said, Value
from pbem.reading.proposed import MOST_TOLD, agreeing, told_of
from pbem.reading.search import COSTS
from tests.reading.phrases import JARS, MOST, SHELVES, offering_of, tables
from tests.rows import each_row

ASKED = "2 of the honey from P2 for the place by the window"
"""Where it goes is said in words of no game."""


def proposed(text: str, *lines: str) -> tuple[str, ...]:
    return offering_of(text, propose=lambda _: lines)


@each_row(
    ("text", "lines"),
    [
        (ASKED, ("Carry 2 honey from S2 to S3",)),
        ("carry 2 honey to P3, not the near one", ()),
        ("carry 2 honey to P3 the long way", ("Carry 2 honey from S1 to S3",)),
        ("all honey from P1 for the place by the window", ("Carry 3 honey from S1 to S3",)),
        ("P2 wants to be clean", ("Dust S2",)),
        ("carry 2 honey to the grumbolo from P2", ("Carry 2 honey from S2 to S3",)),
        ("honey and salt from P1 for the window", ()),
        ("P3, dear P3: 2 honey from P2 for that place", ("Carry 2 honey from S2 to S3",)),
    ],
)
def test_words_of_no_game_may_say_what_names_do_not(text: str, lines: Sequence[str]) -> None:
    assert proposed(text) == ()
    assert proposed(text, "Carry 1 tea from S1 to S5", *lines) == ()
    assert proposed(text, *lines) == tuple(lines)


@each_row(
    "lines",
    [
        ("Carry 1 honey from S2 to S3",),
        ("Carry 2 salt from S2 to S3",),
        ("Carry 2 honey from S4 to S3",),
        ("Carry 2 honey from S3 to S2",),
        ("Carry 2 honey from S2 to S2",),
        ("Carry 9 honey from S2 to S3",),
        ("carry 2 honey from S2 to S3",),
        ("Carry 2 honey from S2 to S3.",),
        ("Dust S2",),
        ("Carry 2 honey from S2 to S3", "Dust S2"),
        ("Carry 2 honey from S2 to S3", "Carry 2 honey from S2 to S4"),
        ("Carry 2 honey from S2 to S3", "Carry 1 honey from S2 to S3"),
        ("Carry 2 honey from S2 to S3", "Carry 2 honey from S2 to S3"),
        ("Carry 2 honey from S2 to S3", "Resign"),
    ],
)
def test_what_leaves_out_changes_or_adds_is_not_offered(lines: Sequence[str]) -> None:
    assert proposed(ASKED, *lines) == ()


def test_what_is_named_twice_has_its_role_at_least_once() -> None:
    text = "P3, dear P3: 2 honey from P2 for that place"
    assert proposed(text, "Carry 2 honey from S2 to S4") == ()


@each_row(
    "text",
    [
        *("carry 2 honey from P2", "if it rains, {}", "{}?", "maybe {}", "do not do this: {}"),
        "Anna said: {}",
    ],
)
def test_nobody_is_asked_to_guess_or_to_read_what_is_turned(text: str) -> None:
    """Without a word that may say it nothing is guessed; a condition or a doubt is no order."""
    assert proposed(text.format(ASKED), "Carry 2 honey from S2 to S3") == ()


@given(
    st.sampled_from(SHELVES), st.sampled_from(SHELVES), st.sampled_from(JARS[:2]),
    st.integers(1, MOST), st.sampled_from(SHELVES), st.integers(1, MOST), st.sampled_from(JARS),
)  # fmt: skip
def test_whatever_is_proposed_what_is_offered_says_what_was_written(
    origin: int, target: int, jar: str, count: int, other: int, more: int, kind: str
) -> None:
    text = f"{count} of the {jar} from P{origin} for the place by the window"
    found = proposed(text, f"Carry {more} {kind} from S{other} to S{target}")
    if found:
        assert (more, kind, other) == (count, jar, origin)
        assert target != origin


WRAP = Form(
    "{care?Gently }Wrap {jar:jar}[ in {n:num} sheets]",
    roles={"n": set_of("in")},
)


@pytest.mark.parametrize(
    ("line", "is_meant"),
    [("Wrap honey", True), ("Gently Wrap honey", False), ("Wrap honey in 2 sheets", False)],
)
def test_what_may_be_left_out_is_left_out_unless_it_is_said(line: str, is_meant: bool) -> None:
    """Nothing is added to an order of which the message says nothing."""
    table = FormTable(WRAP, [FormRow({"jar": jar}, {"n": (1, 3)}) for jar in JARS])
    honey = Mention(0, 0, 3, (Value("jar", "honey"),))
    said = Said((honey,), {0: 2}, {0: 1}, frozenset(), frozenset())
    assert (agreeing([line], [table], said, COSTS) is not None) == is_meant
    assert told_of([table])[0] == "[Gently ]Wrap honey[ in <1-3> sheets]"


def test_all_that_may_be_ordered_is_told() -> None:
    carry, dust = tables()
    assert told_of([dust]) == tuple(f"Dust S{i}" for i in SHELVES)
    assert told_of([carry]) == tuple(
        f"Carry <1-3> {row.values['jar']} from {row.values['o']} to {row.values['to']}"
        for row in carry.rows
    )
    assert len(carry.rows) <= MOST_TOLD
