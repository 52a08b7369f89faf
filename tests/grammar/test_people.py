"""What people say of their place at a table."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.grammar import people as p
from pbem.grammar.gm.commands import Span, WallTime
from pbem.grammar.house.lines import parse_wish, parse_wishes
from tests.rows import each_row

CODE = "heron-k7m2qd"


@each_row(
    ("line", "wish"),
    [
        (f"observe {CODE}", p.Observe(CODE)),
        (f"WATCH {CODE.upper()}", p.Observe(CODE)),
        (f"Hello, I'd like to watch {CODE}, please", p.Observe(CODE)),
        ("OBSERVE heron", p.Observe("heron")),
        (f"observe {CODE} as Olga", p.Observe(CODE, "Olga")),
        (f"Please observe {CODE}, as Olga Petrova.", p.Observe(CODE, "Olga Petrova")),
        ("stop observing", p.StopObserving()),
        ("stop watching heron.", p.StopObserving("heron")),
        ("TAKEOVER heron", p.TakeOver("heron")),
        ("take over a seat in heron", p.TakeOver("heron")),
        ("please take over Anna's seat in heron", p.TakeOver("heron", "Anna")),
        (f"I'd like to take over a vacant seat at {CODE}", p.TakeOver(CODE)),
        ("Ben plays for me until 10 July", p.StandIn("Ben", WallTime(7, 10, 23, 59))),
        (
            "Ben will play for me from 3 to 10 July",
            p.StandIn("Ben", WallTime(7, 10, 23, 59), WallTime(7, 3, 0, 0)),
        ),
        (
            "ben@example.org plays for me for a week",
            p.StandIn("", Span(10080), None, "ben@example.org"),
        ),
        (
            "Ben <ben@Example.org> sits in for me until Monday 18:00",
            p.StandIn("Ben", WallTime(0, 0, 18, 0, weekday=0), None, "ben@example.org"),
        ),
        (
            "away from 3 to 10 July, Ben plays for me",
            p.StandIn("Ben", WallTime(7, 10, 23, 59), WallTime(7, 3, 0, 0)),
        ),
        (
            "I'm away for 5 days, and Ben ben@example.org plays for me",
            p.StandIn("Ben", Span(7200), None, "ben@example.org"),
        ),
        (
            "away from 3 to 10 July, Ben plays for me: Ben@example.org",
            p.StandIn("Ben", WallTime(7, 10, 23, 59), WallTime(7, 3, 0, 0), "ben@example.org"),
        ),
        (
            "Ben plays for me until 10 July: <ben@example.org>",
            p.StandIn("Ben", WallTime(7, 10, 23, 59), None, "ben@example.org"),
        ),
        (
            "Ben plays for me from 3 July for 5 days",
            p.StandIn("Ben", Span(7200), WallTime(7, 3, 0, 0)),
        ),
        ("my substitute is Ben until 10 July 18:00", p.StandIn("Ben", WallTime(7, 10, 18, 0))),
        ("I can substitute", p.Available(yes=True)),
        ("I can't substitute any more", p.Available(yes=False)),
        ("I could substitute in heron", p.Available(yes=True, table="heron")),
        ("take me off the list of substitutes", p.Available(yes=False)),
        ("I'm back", p.Back()),
        ("concede to Anna", p.Concede("Anna")),
        ("SET CONCEDE Anna", p.Concede("Anna")),
        ("propose a draw", p.Draw()),
        ("SET DRAW", p.Draw()),
        ("forget me", p.ForgetMe()),
        ("Please delete my data!", p.ForgetMe()),
        ("my data", p.OwnData()),
        ("Please send me my personal data!", p.OwnData()),
        ("log", p.ReadLog()),
        ("audit", p.ReadLog()),
        ("show the audit log", p.ReadLog()),
        ("observers", p.Watchers()),
        ("who is watching?", p.Watchers()),
    ],
)
def test_a_wish_is_read_in_plain_words_and_in_the_old_judges(line: str, wish: p.Wish) -> None:
    assert parse_wish(line) == wish


@each_row(
    "line",
    [
        *("watch out", "watch heron fly", "Ben plays for me"),
        *("Ben plays for me until the cows come home", "Ben plays for me until 3/4"),
        *("march 2 from P1 to P2", "I will take over P3", "forget P3"),
        "forget address anna@work.example",
        "x" * 300,
    ],
)
def test_what_is_no_wish_is_left_alone(line: str) -> None:
    assert parse_wish(line) is None


REAL = (
    *("Chloé", "Mary Ann", "O'Brien", "Dr. No", "J.R.", "Ben Jr.", "Łukasz", "Мария", "李"),
    *("Anna-Lena", "Ben & Co", "Ben the 2nd", "Now", "Will", "Rule", "May"),
)
"""Names that people have, or might."""
names = st.sampled_from([name for name in REAL if name != "Now"]) | st.text(
    alphabet="abcdefgé", min_size=1, max_size=8
).map(str.capitalize)
tables = st.sampled_from(["heron", "grey-egret", CODE])
walls = st.builds(
    WallTime,
    month=st.integers(1, 12),
    day=st.integers(1, 28),
    hour=st.integers(0, 23),
    minute=st.integers(0, 59),
    year=st.none() | st.integers(2026, 2030),
)
wishes = st.one_of(
    st.builds(p.Observe, tables, st.just("") | names),
    st.builds(p.StopObserving, st.just("") | tables),
    st.builds(p.TakeOver, tables, st.just("") | names),
    st.builds(p.StandIn, names, walls, st.none() | walls, st.sampled_from(["", "ben@example.org"])),
    st.builds(p.StandIn, names, st.integers(1, 20).map(lambda days: Span(days * 1440))),
    st.builds(p.Available, st.booleans(), st.just("") | tables),
    st.builds(p.Back, st.just("") | tables),
    st.builds(p.Concede, names),
    st.sampled_from([p.Draw(), p.ForgetMe(), p.OwnData(), p.ReadLog(), p.Watchers()]),
)


@given(wishes)
def test_every_wish_is_read_back_from_its_one_spelling(wish: p.Wish) -> None:
    assert parse_wish(p.format_wish(wish)) == wish


@given(st.text(max_size=80))
def test_nothing_that_can_be_written_makes_it_fail(text: str) -> None:
    parse_wish(text)
    parse_wishes(text)


def test_a_message_is_a_wish_only_if_it_is_nothing_else() -> None:
    assert parse_wishes(f"Hello,\n\nobserve {CODE}\n\nBest wishes") == (p.Observe(CODE),)
    assert parse_wishes(f"observe {CODE}\nbid 3") is None
    assert parse_wishes("") is None


@each_row("name", ["Ben!", "x@y", "Ben.", " Ben", "Ben:", "'Ben'", "a" * 41])
def test_no_wish_holds_a_name_that_no_line_can_say(name: str) -> None:
    with pytest.raises(ValueError, match="no line can say"):
        p.Concede(name)
