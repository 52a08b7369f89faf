"""Carets, quotes, suggestions, slips, sizes, and what a message does to what stood before."""

import pytest

from engine.protectors import orders as o
from engine.ruleset import Problem, Standing
from pbem.games.protectors.reading.reader import LONGEST, MOST_CLAUSES, READER
from pbem.grammar.house.reading import read_alone
from pbem.grammar.kit.normalise import normalise
from tests.games.protectors.reading.positions import ANNA, CHLOE, MAY, codes, read, table, texts
from tests.rows import each_row


@each_row(
    ("text", "quote", "pointed"),
    [
        ("P1 works. fortfyy P2", "fortfyy P2", "fortfyy"),
        ("support Charles in P3 from P2", "support Charles in P3 from P2", "Charles"),
        ("work P1, fortify Province 11", "fortify Province 11", "Province 11"),
        ("fortify P3", "fortify P3", "P3"),
        ("march 1 from P2 to P4", "march 1 from P2 to P4", "P4"),
        ("march 5 from P2 to P3", "march 5 from P2 to P3", "5"),
        ("golden march 1 from P2 to P3", "golden march 1 from P2 to P3", "golden"),
        ("send 200 to May", "send 200 to May", "200"),
        ("bid 20", "bid 20", "bid"),
        ("“P1” — works… and ﬁne; support Ma in P10", "support Ma in P10", "Ma"),
        ("😀 Grüße! don’t march from P2", "don’t march from P2", "don’t"),
    ],
)
def test_the_caret_points_at_the_word_that_is_the_trouble(
    text: str, quote: str, pointed: str
) -> None:
    item = next(item for item in read(text).items if item.problems)
    assert item.quote == quote
    assert item.caret is not None
    assert item.quote[slice(*item.caret)] == pointed


def test_a_refused_clause_leaves_the_good_ones_standing() -> None:
    reading = read("fortify P3. work P1. march 1 from P2 to P4")
    assert texts(reading) == ["Work, work! P1"]
    assert [len(item.orders) for item in reading.items] == [0, 1, 0]


def test_a_warning_leaves_its_order_standing() -> None:
    reading = read("march 5 from P2 to P3")
    assert reading.items[0].texts == ("March! 5 from P2 to P3",)
    assert [problem.warning for problem in reading.items[0].problems] == [True]


@pytest.mark.parametrize(
    ("text", "offered"),
    [("fortfyy P1", "Fortify! P1"), ("wrok P2", "Work, work! P2")],
)
def test_the_order_that_says_what_was_written_is_offered_under_a_number(
    text: str, offered: str
) -> None:
    suggestion = read(text).items[0].suggestion
    assert suggestion is not None
    assert (suggestion.number, suggestion.text) == (1, offered)
    names = {seat.number: seat.name for seat in table().players}
    assert [o.format_order(order, names) for order in suggestion.orders] == [offered]


@each_row(
    "text",
    [
        *("golden march 1 from P2 to P3", "send 200 to May", "march 1 from P2 to P4", "attack P3"),
        *("P1 moves to P10", "march 2 from P2"),
    ],
)
def test_f72_f73_no_other_number_or_place_is_offered(text: str) -> None:
    (item,) = read(text).items
    assert item.suggestion is None


@pytest.mark.parametrize(
    "text",
    [
        *("if Mark attacks fortify P1", "do not fortify P1", "P2 works. fortify P1?"),
        *("maybe fortify P1", "snitch zzz qqq"),
    ],
)
def test_nothing_is_offered_for_what_was_no_order_or_when_nothing_is_near(text: str) -> None:
    assert all(item.suggestion is None for item in read(text).items)


def test_all_of_a_message_is_offered_under_one_number() -> None:
    (suggestion,) = [
        item.suggestion for item in read("fortfyy P1\nwrok P2").items if item.suggestion is not None
    ]
    assert suggestion.number == 1
    assert suggestion.text.split("\n") == ["Fortify! P1", "Work, work! P2"]


def offered(text: str, standing: Standing[o.Order] | None = None) -> list[str]:
    reading = read(text, standing=standing) if standing is not None else read(text)
    return [item.suggestion.text for item in reading.items if item.suggestion is not None]


@pytest.mark.parametrize(
    ("text", "stands"),
    [
        ("P2 works. march 5 from P2 to P10", "Work, work! P2"),
        ("P1 works. golden march 1 from P1 to P2", "Work, work! P1"),
    ],
)
def test_f26_nothing_is_offered_for_a_province_that_has_an_order(text: str, stands: str) -> None:
    assert texts(read(text)) == [stands]
    assert codes(read(text)), "part of it was not taken"
    assert offered(text) == []


def test_f26_nothing_is_offered_for_a_province_whose_order_came_before() -> None:
    assert offered("fortfyy P1") == ["Fortify! P1"]
    assert offered("fortfyy P1", Standing[o.Order]((o.Work(1),))) == []


@pytest.mark.parametrize(
    "text", ["send my army over to Chloé", "send my men to May", "support May in P10 from P2"]
)
def test_f26_what_is_offered_is_of_the_kind_that_was_written(text: str) -> None:
    assert not [words for words in offered(text) if words.startswith("Send ")]


def test_words_read_with_a_slip_are_told() -> None:
    reading = read("Marhc 2 from P2 to P3, fotrify P1")
    assert reading.slips == ("Marhc", "fotrify")
    assert texts(reading) == ["March! 2 from P2 to P3", "Fortify! P1"]


def test_a_message_that_corrects_itself_says_so() -> None:
    assert read("fortify P1, no wait, P2 instead").corrected
    assert not read("fortify P1").corrected


def test_the_rest_is_what_neither_this_message_nor_an_earlier_one_names() -> None:
    stood = Standing[o.Order]((o.Work(1),))
    assert texts(read("fortify everything else", standing=stood)) == ["Fortify! P2"]


def test_buying_nothing_takes_an_earlier_purchase_back_and_keeps_the_bid() -> None:
    state = table("consolidation")
    stood = Standing[o.Order]((o.Buy(1, 1), o.Bid(5)))
    reading = read("buy nothing", state=state, standing=stood)
    assert reading.checked is not None
    assert reading.checked.standing.orders == (o.Bid(5), o.BuyNothing())


def test_what_is_final_stays() -> None:
    reading = read("fortify P1", standing=Standing(final=True))
    assert codes(reading) == {"already-final"}
    assert texts(reading) == []


def test_engine_problems_reach_the_clause_they_are_about() -> None:
    reading = read("work P1, fortify P1, fortify P2")
    assert [[problem.code for problem in item.problems] for item in reading.items] == [
        [],
        ["second-order"],
        [],
    ]
    assert isinstance(reading.items[1].problems[0], Problem)


def test_a_name_that_is_also_a_word_of_ours_is_a_player_where_a_player_stands() -> None:
    state = table(names=("Will", "Mark", "Hope", "May", "Art"))
    assert texts(
        read_alone(
            READER.read,
            state,
            ANNA,
            Standing(),
            "I will work in P1 and give Will nothing, send 5 to May",
        ),
        state,
    ) == ["Work, work! P1", "Send 5 to May"]
    assert texts(read_alone(READER.read, state, MAY, Standing(), "send 10 to will"), state) == [
        "Send 10 to Will"
    ]


def test_names_of_several_words_and_signs_are_found_whole() -> None:
    state = table(names=("Dr. No", "Mary Ann", "O'Neil", "Łukasz W.", "Jean-Luc"))
    sent = "send 1 to mary ann\nsend 2 to O’Neil\nsend 3 to lukasz w.\nsend 4 to jean-luc"
    assert texts(read_alone(READER.read, state, ANNA, Standing(), sent), state) == [
        *("Send 1 to Mary Ann", "Send 2 to O'Neil", "Send 3 to Łukasz W.", "Send 4 to Jean-Luc"),
    ]


def test_a_signature_is_nobody_s_order() -> None:
    assert texts(read("send 10 to May\nAnna")) == ["Send 10 to May"]
    assert texts(read("fortify all\n\nBest regards,\nChloé", CHLOE)) == [
        "Fortify! P5",
        "Fortify! P6",
    ]


@pytest.mark.sample(3)
@pytest.mark.parametrize(
    "text",
    [
        "(" * 30_000,
        "1 " * 15_000,
        "P1," * 9_000,
        "no wait, P1, " * 2_000,
        "\n" * 30_000,
        "if not, " * 4_000,
        "work P1. " * 3_000,
    ],
)
def test_a_huge_message_is_read_only_so_far_and_says_so(text: str) -> None:
    assert read(text).cut


def test_more_clauses_than_a_message_may_have_are_not_read() -> None:
    assert read("hello, " * (MOST_CLAUSES + 5)).cut
    assert not read("fortify P1. " * 20).cut
    assert len("hello, ") * (MOST_CLAUSES + 5) < LONGEST


def test_folding_keeps_where_everything_stood() -> None:
    plain = normalise("Grüße – ﬁnal… “P１” → ŁÓDŹ")
    assert plain.text == 'grusse - final… "p1" → lodz'
    at = plain.text.index("lodz")
    assert plain.quote(at, at + 4) == "ŁÓDŹ"
    at = plain.text.index("p1")
    assert plain.quote(at, at + 2) == "P１"


@pytest.mark.parametrize(
    ("text", "facts"),
    [("fortufi P1", ("fortufi", "fortifies")), ("frobnicate P2", ("frobnicate", None))],
)
def test_an_unknown_word_is_named_with_the_nearest_known_one(
    text: str, facts: tuple[str, str | None]
) -> None:
    (problem,) = (problem for item in read(text).items for problem in item.problems)
    assert (problem.facts["word"], problem.facts.get("nearest")) == facts


@pytest.mark.parametrize(
    ("text", "quotes"),
    [
        ("2 from P1 (sac 1)", ["2 from P1 (sac 1)"]),
        ("1 from P1 (sac 1), burn P1.", ["1 from P1 (sac 1)", "burn P1"]),
        ("(1 from P1)", ["1 from P1"]),
    ],
)
def test_a_bracket_that_is_opened_in_a_quote_is_closed_in_it(text: str, quotes: list[str]) -> None:
    assert [item.quote for item in read(text, state=table(phase="dragon")).items] == quotes


@pytest.mark.parametrize(
    "text", ["march both units to P2", "march 2 from P1 to P2", "attack P3 with all", "work"]
)
def test_what_cannot_be_said_in_this_window_is_told_so_whatever_its_number_is(text: str) -> None:
    bids = table("bidding")
    assert codes(read(text, state=bids)) == {"not-now"}


def test_a_yes_with_its_number_may_stand_before_orders_on_the_same_line() -> None:
    reading = read("yes 1, and also P1 works")
    assert reading.answers == (1,)
    assert texts(reading) == ["Work, work! P1"]
    assert read("yes 2 units march from P1 to P2").answers is None


@pytest.mark.parametrize(
    "text",
    ["could you please, no wait move 2 from P1 to P2?", "Would you mind, no wait fortifying P1?"],
)
def test_politeness_before_a_correction_is_no_fault(text: str) -> None:
    reading = read(text)
    assert texts(reading) or codes(reading), "taken or answered"
