"""A message is read in one pass: its statements partition it."""

from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.grammar.addressees import Member, Roll
from pbem.grammar.addresses import AddAddress
from pbem.grammar.house import commands as c
from pbem.grammar.house.message import Context, read_message
from pbem.grammar.house.statements import (
    Address,
    Called,
    More,
    Note,
    Orders,
    Press,
    Reply,
    Said,
    Statement,
    Unclear,
    Vote,
    Word,
    Yes,
    left_of,
)
from pbem.grammar.house.vocabulary import load_words
from pbem.grammar.press import Press as PressPiece
from tests.played import PLAYED, spoken
from tests.rings import at_length
from tests.rows import each_row

HEARD = spoken(PLAYED).heard[0]
ROLL = Roll((Member(1, "Anna"), Member(2, "Bartek"), Member(3, "Chloé")), 1)
PLAIN = Context(ROLL)
CONTEXTS = (
    PLAIN,
    Context(ROLL, asks="vote"),
    Context(ROLL, answered=frozenset({None})),
    Context(ROLL, answered=frozenset({1, 2})),
)
LINES = (
    *load_words().lines,
    *HEARD.orders,
    *("press to Bartek: peace?", "to Chloé: hello", "PRESS TO ALL", "ENDPRESS", "to Nobody: x"),
    *("GM: the clock is wrong", "reply: no", "reply all:", "reply 2: well", "reply to"),
    *("my address is also anna@work.example", "my addresses", "CLEAR", "yes 1, status", "yes 2"),
    *("why P6? status", "what if I hold", "status what if", "history 3. what if that", "no", "2"),
    *("> status", "~~status~~", "turns by pigeon", "I want to leave the game", "SIGNOFF", "statsu"),
)
breaks = st.sampled_from(["\n", "\n\n", "\r\n", "\r\n\r\n", " ", ". ", "\r", "\u2028", "\x0b"])
odd = (
    st.sampled_from("\u200b\ufffd\x00½⁇㏂…ß\U0001f600\ufe0f\u0301é\ud800\xad\t×→№")
    | st.characters()
)
pieces = st.sampled_from(LINES) | st.text(odd, max_size=5) | st.text(max_size=12)


@st.composite
def messages(draw: st.DrawFn) -> str:
    """Words, orders and headings, line by line or not, with odd characters between them."""
    parts = draw(st.lists(st.tuples(pieces, breaks), max_size=12))
    return "".join(part for pair in parts for part in pair)


@given(messages(), st.sampled_from(CONTEXTS))
@settings(max_examples=at_length(100, 400))
def test_joined_the_statements_are_the_text(text: str, context: Context) -> None:
    statements = read_message(text, context)
    assert "".join(text[slice(*one.span)] for one in statements) == text
    said = left_of(text, statements)
    assert "".join(said.text[slice(*one.span)] for one in said.statements) == said.text


def told(text: str, context: Context = PLAIN) -> Iterator[tuple[type[Statement], str]]:
    for one in read_message(text, context):
        yield type(one), text[slice(*one.span)]


def test_each_kind_of_statement_has_its_part_of_the_message() -> None:
    text = (
        "status\nfortify P1\npress to Bartek\nhello\nENDPRESS\nyes 2\nmy addresses\n"
        "work P2. what if I hold?\n\nGM: late\nas ever\n\nhold P3"
    )
    assert [*told(text)] == [
        (Word, "status\n"),
        (Orders, "fortify P1\n"),
        (Press, "press to Bartek\nhello\nENDPRESS\n"),
        (Yes, "yes 2\n"),
        (Address, "my addresses\n"),
        (Orders, "work P2. "),
        (Unclear, "what if I hold?\n\n"),
        (Note, "GM: late\nas ever\n\n"),
        (Orders, "hold P3"),
    ]


@pytest.mark.parametrize(
    ("text", "note"),
    [
        ("GM: away until Sunday. Orders below.\n{order}", "GM: away until Sunday. Orders below.\n"),
        ("GM: I thought of\n{order}\nbut no", "GM: I thought of\n{order}\nbut no"),
        ("GM: late\nas ever", "GM: late\nas ever"),
    ],
)
def test_a_note_ends_where_the_lines_below_it_are_orders(text: str, note: str) -> None:
    text, note = (one.replace("{order}", HEARD.orders[0]) for one in (text, note))
    kinds = dict(told(text, Context(ROLL, HEARD.read)))
    assert kinds[Note] == note
    assert kinds.get(Orders, "") == text.removeprefix(note)


def test_what_is_left_for_the_game_is_without_what_is_for_others() -> None:
    text = "press to Bartek\nx\nENDPRESS\nGM: a\nmy address is also a@b.example\nb\n\nCLEAR\nhold"
    statements = read_message(text, PLAIN)
    assert [type(one) for one in statements] == [Press, Note, Address, More, Orders]
    assert statements[2] == Address(statements[2].span, AddAddress("a@b.example"))
    said = left_of(text, statements)
    assert said.text == "GM: a\nb\n\ncancel all\nhold"
    assert said.note == "a\nb"
    assert [said.text[slice(*one.span)] for one in said.statements] == [
        "GM: a\n",
        "b\n\n",
        "cancel all\nhold",
    ]


@each_row(
    ("text", "context", "kinds"),
    [
        ("no", Context(ROLL, asks="vote"), [Vote]),
        ("no", PLAIN, [Orders]),
        ("no thanks to you all", Context(ROLL, asks="vote"), [Orders]),
        ("I agree.", Context(ROLL, answered=frozenset({None})), [Reply]),
        ("I agree.\nto Chloé: hello\nENDPRESS\nand so on", CONTEXTS[2], [Reply, Press, More]),
        ("status", CONTEXTS[2], [Word]),
        ("GM: help", CONTEXTS[2], [Note]),
        ("reply:", CONTEXTS[2], [Orders]),
        ("reply:", CONTEXTS[3], [Reply]),
        ("reply 1:\nx\nENDPRESS\nhold", CONTEXTS[3], [Reply, Orders]),
    ],
)
def test_the_context_decides_what_an_answer_is(
    text: str, context: Context, kinds: list[type[Statement]]
) -> None:
    assert [kind for kind, _ in told(text, context)] == kinds


@pytest.mark.parametrize(
    ("text", "why"),
    [("yes\nGM: no", "mixed"), ("x" * 10_001, "too-long"), (HEARD.orders[0], "orders"), ("x", "")],
)
def test_an_answer_that_cannot_go_says_why(text: str, why: str) -> None:
    (reply,) = read_message(text, Context(ROLL, HEARD.read, answered=frozenset({None})))
    assert isinstance(reply, Reply)
    assert reply.why == why
    assert bool(reply.found) == (why == "orders")


def test_press_that_reads_as_an_order_is_held() -> None:
    text = f"to Bartek: {HEARD.orders[0]}"
    (held,) = read_message(text, Context(ROLL, HEARD.read))
    (sent,) = read_message(text, PLAIN)
    assert isinstance(held, Press)
    assert not isinstance(held.piece, PressPiece)
    assert isinstance(sent, Press)
    assert isinstance(sent.piece, PressPiece)


def test_what_stands_below_or_above_is_a_statement_too() -> None:
    said = left_of("status\nhold", read_message("status\nhold", PLAIN))
    for more in (said.below(("a", "b")), said.with_order("final"), said.with_note("x\n\n y ")):
        assert "".join(more.text[slice(*one.span)] for one in more.statements) == more.text
        assert more.commands == (c.Status(),)
    assert said.below(("a", "b")).text == "a\nb\nstatus\nhold"
    assert Said("hold").with_order("final").text == "hold\n\nfinal"
    assert said.with_note("x\n\n y ").note == "x\ny"


def test_a_line_for_a_table_by_its_name_is_read_below_an_order() -> None:
    """F-99: `heron: status` on the second line."""
    text = f"{HEARD.orders[0]}\nHeron: status\nheron:  deadlines"
    said = left_of(text, read_message(text, Context(ROLL, tables=("heron", "The Heron"))))
    assert said.commands == (c.Status(), c.Deadlines())
    assert [text[slice(*one.span)] for one in said.statements if isinstance(one, Called)] == [
        "Heron: ",
        "heron:  ",
    ]


def test_a_line_for_a_table_may_be_an_order() -> None:
    """F-99: the name of the table is none of the game's words."""
    text = f"heron: {HEARD.orders[0]}"
    said = left_of(text, read_message(text, Context(ROLL, tables=("heron",))))
    assert [text[slice(*one.span)] for one in said.statements] == ["heron: ", HEARD.orders[0]]
    assert [type(one) for one in said.statements] == [Called, Orders]
