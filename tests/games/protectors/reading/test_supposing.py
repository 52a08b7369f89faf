"""Questions of the kind `what if ...`: where they are in a mail, whose orders they suppose, and
that nothing of them is an order.
"""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.protectors import orders as o
from engine.protectors.positions.position import parse_position
from engine.ruleset import Standing
from pbem.games.protectors.reading.suppositions import read_supposition
from pbem.grammar.house.commands import Preview, WhatIf, word_of
from pbem.grammar.kit.reading import Item, Supposition
from tests.games.protectors.reading.positions import (
    ANNA,
    ANNABEL,
    CHLOE,
    EMPTY,
    MARK,
    MAY,
    read,
    table,
    texts,
)
from tests.rings import at_length
from tests.rows import each_row

STATE = table()
NAMES = {seat.number: seat.name for seat in STATE.players}
WHAT_IF = "Annabel marches 2 from P3 to P2"


def suppose(text: str, standing: Standing[o.Order] = EMPTY) -> Supposition:
    return read_supposition(STATE, ANNA, standing, text)


def told(supposed: Supposition) -> dict[str, list[str]]:
    return {
        NAMES[number]: [o.format_order(order, NAMES) for order in given]
        for number, given in supposed.orders.items()
    }


def codes(supposed: Supposition) -> list[str]:
    return [
        problem.code
        for item in supposed.items
        for problem in item.item.problems
        if not problem.warning
    ]


# ---------------------------------------------------------------------------------------- in a mail
@each_row(
    ("text", "argument"),
    [
        (f"what if {WHAT_IF}?", f"{WHAT_IF}?"),
        (f"What if {WHAT_IF}", WHAT_IF),
        (f"whatif {WHAT_IF}", WHAT_IF),
        (f"what-if: {WHAT_IF}", WHAT_IF),
        (f"Suppose that {WHAT_IF}", WHAT_IF),
        (f"PREDICT {WHAT_IF}", WHAT_IF),
        (f"What would happen if {WHAT_IF}?", f"{WHAT_IF}?"),
        (f"what happens if {WHAT_IF}?", f"{WHAT_IF}?"),
        (f"Hi Greta, what if {WHAT_IF}?", f"{WHAT_IF}?"),
        (f"and what if {WHAT_IF}?", f"{WHAT_IF}?"),
        (f"- what if {WHAT_IF}?", f"{WHAT_IF}?"),
        ("what if I hold\nand Mark works?", "I hold\nand Mark works?"),
        ("what if?", "?"),
    ],
)
def test_a_line_that_begins_so_is_a_question_to_the_end_of_its_paragraph(
    text: str, argument: str
) -> None:
    reading = read(text)
    assert reading.commands == (WhatIf(argument),)
    assert reading.checked is None
    assert reading.items == ()
    assert reading.note is None


@each_row(
    "text", ["preview", "Preview my orders!", "what would happen?", "predict", "PREDICT", "previw"]
)
def test_a_preview_is_asked_for_in_a_word(text: str) -> None:
    assert read(text).commands == (Preview(),)


def test_real_orders_beside_a_question_are_orders_and_the_question_is_none() -> None:
    reading = read(
        "Fortify P1\n\nwhat if I march 2 from P1 to P2\nand work P2?\n\nmarch 1 from P2 to P3"
    )
    assert texts(reading) == ["Fortify! P1", "March! 1 from P2 to P3"]
    assert reading.commands == (WhatIf("I march 2 from P1 to P2\nand work P2?"),)


def test_several_questions_are_several_commands() -> None:
    reading = read("what if Mark holds\nwhat if May holds\n\nstatus")
    assert sorted(getattr(command, "question", "") for command in reading.commands) == [
        "",
        "Mark holds",
        "May holds",
    ]


@pytest.mark.parametrize(
    "text",
    [
        "P1 fortify. what if I march 2 from P2 to P3? and P2 works",
        "P1 fortify, and what if I march 2 from P2 to P3",
        "P1 fortify (what if: march 2 from P2 to P3)",
        "P1 fortify - what would happen if P2 works?\nmarch 2 from P2 to P3",
    ],
)
def test_a_question_behind_an_order_is_asked_about_and_never_an_order(text: str) -> None:
    reading = read(text)
    assert texts(reading) == ["Fortify! P1"]
    assert reading.commands == ()
    assert [problem.code for item in reading.items for problem in item.problems] == [
        "loose-question"
    ]


@pytest.mark.parametrize(
    "text",
    ["> what if I march 2 from P1 to P2\n\nP1 fortify", "> what if I hold\n> P2 works\nP1 fortify"],
)
def test_a_quoted_question_is_nothing(text: str) -> None:
    reading = read(text)
    assert reading.commands == ()
    assert texts(reading) == ["Fortify! P1"]


def test_in_a_note_or_a_letter_it_is_a_part_of_that() -> None:
    assert read("GM: a question\nwhat if we all hold?").note == "a question\nwhat if we all hold?"
    letter = read("to Mark: listen\nwhat if we all hold?")
    assert [*map(word_of, letter.commands)] == ["letter"]


@settings(max_examples=at_length(33, 100))
@given(
    st.lists(
        st.sampled_from(
            [
                *("what if", "P1 fortify", "march 2 from P2 to P3", "\n", "\n\n", ".", ",", "and"),
                *("I", "Mark", "status", "> ", "GM:", "hi", "hi"),
            ]
        )
    )
)
def test_nothing_behind_what_if_in_its_paragraph_is_ever_an_order(words: list[str]) -> None:
    reading = read(" ".join([*words, "what if P2 works, work P2"]))
    assert "Work, work! P2" not in texts(reading)


def test_a_long_line_of_greetings_is_read_in_no_time() -> None:
    assert read("hi " * 6000 + "!").commands == ()


# --------------------------------------------------------------------------------- what it supposes
@each_row(
    ("text", "orders"),
    [
        (
            "I march 2 from P1 to P2 and Annabel marches 2 from P3 to P2?",
            {"Anna": ["March! 2 from P1 to P2"], "Annabel": ["March! 2 from P3 to P2"]},
        ),
        ("Annabel: march 2 from P3 to P2", {"Annabel": ["March! 2 from P3 to P2"]}),
        ("Mark supports me in P1 from P10", {"Mark": ["Support! Anna in P1 from P10"]}),
        ("yellow holds", {"Annabel": ["Hold P3", "Hold P4"]}),
        ("the yellow player attacks P2 from P3 with 1", {"Annabel": ["March! 1 from P3 to P2"]}),
        ("Player#2 attacks P2 from P3 with both", {"Annabel": ["March! 2 from P3 to P2"]}),
        ("Annabel P3 -> P2 x2", {"Annabel": ["March! 2 from P3 to P2"]}),
        ("Annab attacks P2 with 2 units from P3", {"Annabel": ["March! 2 from P3 to P2"]}),
        ("Annabel attacked P2 with 2 units from P3", {"Annabel": ["March! 2 from P3 to P2"]}),
        (
            "Annabel would perhaps move her 2 units from P3 to P2",
            {"Annabel": ["March! 2 from P3 to P2"]},
        ),
        (
            "Annabel and Chloé attack P4 with 1 each",
            {"Annabel": ["March! 1 from P3 to P4"], "Chloé": ["March! 1 from P5 to P4"]},
        ),
        (
            "Chloé and May work",
            {"Chloé": ["Work, work! P5", "Work, work! P6"], "May": ["Work, work! P7"]},
        ),
        (
            "Mark marches 2 from P10 to P1, and fortifies P9",
            {"Mark": ["March! 2 from P10 to P1", "Fortify! P9"]},
        ),
        (
            "Chloé attacks P4 with everything while Mark does nothing",
            {"Chloé": ["March! 3 from P5 to P4"], "Mark": ["Hold P9", "Hold P10"]},
        ),
        ("Mark sends 30 to me", {"Mark": ["Send 30 to Anna"]}),
        ("May works, and then she fortifies P7", None),
        ("Mark works in P9 and he fortifies P10", {"Mark": ["Work, work! P9", "Fortify! P10"]}),
        ("nobody else does anything", {}),
        (
            "Mark: fortify P9. work P10\nAnnabel: hold",
            {"Mark": ["Fortify! P9", "Work, work! P10"], "Annabel": ["Hold P3", "Hold P4"]},
        ),
        (
            "Mark marches 2 from P10 to P1. Fortify P1",
            {"Mark": ["March! 2 from P10 to P1"], "Anna": ["Fortify! P1"]},
        ),
        ("May works in P7. Thanks, Anna", {"May": ["Work, work! P7"]}),
    ],
)
def test_whose_orders_are_supposed(text: str, orders: dict[str, list[str]] | None) -> None:
    supposed = suppose(text)
    if orders is None:
        assert not supposed.is_understood
    else:
        assert codes(supposed) == []
        assert told(supposed) == orders


def test_everybody_else_are_those_who_are_not_spoken_of() -> None:
    supposed = suppose("I hold, Mark works in P9 and everybody else fortifies")
    assert supposed.is_understood
    assert set(supposed.orders) == {ANNA, ANNABEL, CHLOE, MAY, MARK}
    assert told(supposed)["Chloé"] == ["Fortify! P5", "Fortify! P6"]


@each_row(
    ("text", "code"),
    [
        ("Annabel flurbs", "not-understood"),
        ("Annabel doesn't attack", "not-understood"),
        ("march 2 from P1 to P2 or P10", "not-understood"),
        ("Mark sends 30 to me and May", "not-understood"),
        ("Annabel marches 2 from P3 to P2, supported by Mark", "not-understood"),
        ("he attacks P2", "not-understood"),
        ("Zoe attacks P2", "unknown-player"),
        ("Ann attacks P2", "ambiguous-player"),
        ("Player 9 attacks P2", "unknown-player"),
        ("Annabel marches 2 from P5 to P4", "not-your-province"),
        ("May attacks P9 from P8", "no-units"),
        ("Mark: golden march 2 from P10 to P1; fortify P9", "no-gold-in-bracket"),
        ("Annabel and Mark attack P2 with 1 each", "not-neighbours"),
        ("Mark sends me everything", "hidden-purse"),
        ("nobody attacks me", "nobody-supposed"),
        ("hello", "nothing-supposed"),
        ("", "nothing-supposed"),
        ("Mark bids 20", "not-now"),
        ("I hold. " * 500, "too-long"),
    ],
)
def test_what_is_not_understood_or_impossible_is_told(text: str, code: str) -> None:
    supposed = suppose(text)
    assert code in codes(supposed)
    assert not supposed.is_understood


def test_a_warning_does_not_stand_in_the_way() -> None:
    supposed = suppose("Mark marches 3 from P10 to P1")
    assert supposed.is_understood
    assert [problem.code for item in supposed.items for problem in item.item.problems] == [
        "too-few-units"
    ]
    assert supposed.items[0].player == MARK


def test_a_look_at_a_card_cannot_be_supposed() -> None:
    state = table(factions=True)
    supposed = read_supposition(state, ANNABEL, EMPTY, "weather forecast")
    assert codes(supposed) == ["hidden-card"]


def test_stored_orders_count_where_ones_own_are_not_named() -> None:
    standing: Standing[o.Order] = Standing((o.Fortify(1), o.Work(2)), final=True)
    supposed = suppose("Mark marches 2 from P10 to P1", standing)
    assert supposed.stored
    assert told(supposed)["Anna"] == ["Fortify! P1", "Work, work! P2"]


def test_named_orders_stand_beside_the_stored_ones_as_a_mail_would_make_them() -> None:
    supposed = suppose("I march 2 from P1 to P10", Standing((o.Fortify(1), o.Work(2)), final=True))
    assert not supposed.stored
    assert told(supposed)["Anna"] == ["Work, work! P2", "March! 2 from P1 to P10"]


def test_the_question_quotes_what_was_written_and_points_at_it() -> None:
    (item,) = [
        supposed.item
        for supposed in suppose("I hold, and Annabel marches 2 from P5 to P4.").items
        if supposed.item.problems
    ]
    assert item.quote == "marches 2 from P5 to P4"
    assert item.caret is not None
    assert item.quote[slice(*item.caret)] == "P5"


WORDS = st.sampled_from(
    [
        *("I", "Anna", "Annabel", "May", "Mark", "blue", "the yellow player", "everybody else"),
        *("nobody", "he", "Zoe", "march", "marches", "2", "from", "P1", "P3", "to", "P2", "P99"),
        *("and", ",", ":", ".", "\n", "holds", "fortify", "if", "would", "sends", "30"),
        *("everything", "not", "or", "golden", "supports", "me", "in", "same as last turn"),
        *("cancel", "final", "weather forecast", "?", "(", ")", "'s", "each", "é", "\u2192"),
        "100000000000",
    ]
)


@settings(max_examples=at_length(33, 100))
@given(st.lists(WORDS, max_size=25).map(" ".join), st.sampled_from((ANNA, MAY, CHLOE)))
def test_whatever_is_asked_nothing_is_raised_and_only_those_who_play_order(
    text: str, player: int
) -> None:
    supposed = read_supposition(STATE, player, Standing((o.Hold(1),)), text)
    assert set(supposed.orders) <= set(STATE.ranking)
    assert supposed.items or supposed.orders
    for number, given_ in supposed.orders.items():
        for order in given_:
            assert not isinstance(order, o.Final | o.Cancel | o.Forecast)
            place = o.ordered_province(order)
            assert place is None or STATE.board[place].owner == number or number == player


@settings(max_examples=at_length(20, 60))
@given(st.text(max_size=300))
def test_any_text_at_all_is_read(text: str) -> None:
    suppose(text)
    read(f"what if {text}")


@each_row(
    ("text", "argument"),
    [
        ("preview march 2 from P1 to P2", "march 2 from P1 to P2"),
        ("Preview: march 2 from P1 to P2", "march 2 from P1 to P2"),
        ("can you preview: march 2 from P1 to P2", "march 2 from P1 to P2"),
        ("could you please preview march 2 from P1 to P2?", "march 2 from P1 to P2?"),
        ("show me a preview of march 2 from P1 to P2", "march 2 from P1 to P2"),
        ("please preview if Annabel marches 2 from P3 to P2", "if Annabel marches 2 from P3 to P2"),
        (
            "if Annabel marches 2 from P3 to P2, what happens?",
            "Annabel marches 2 from P3 to P2, what happens?",
        ),
        (
            "If I march 2 from P1 to P2, what would happen?",
            "I march 2 from P1 to P2, what would happen?",
        ),
    ],
)
def test_a_preview_of_something_is_a_question_and_offers_no_order(text: str, argument: str) -> None:
    reading = read(text)
    assert reading.commands == (WhatIf(argument),)
    assert reading.items == ()
    supposed = suppose(argument)
    assert supposed.is_understood
    assert next(text for given in told(supposed).values() for text in given) in (
        "March! 2 from P1 to P2",
        "March! 2 from P3 to P2",
    )


@pytest.mark.parametrize(
    "text",
    [
        *("preview please", "can you preview my orders?", "Preview of my orders"),
        *("show me a preview", "preview it, thanks"),
    ],
)
def test_a_preview_of_nothing_else_is_of_what_stands_and_ends_with_its_line(text: str) -> None:
    assert read(text).commands == (Preview(),)
    reading = read(f"{text}\nfortify P1")
    assert reading.commands == (Preview(),)
    assert texts(reading) == ["Fortify! P1"]


def test_a_preview_behind_an_order_is_asked_about_and_never_offered() -> None:
    reading = read("P1 fortify. preview march 2 from P2 to P3")
    assert texts(reading) == ["Fortify! P1"]
    assert codes_of(reading.items) == ["loose-question"]
    assert all(item.suggestion is None for item in reading.items)


def codes_of(items: tuple[Item, ...]) -> list[str]:
    return [problem.code for item in items for problem in item.problems]


def test_what_stands_behind_the_paragraph_of_a_question_is_told_as_not_read() -> None:
    reading = read("What if\nI work\n\nAnnabel fortifies\n\nThanks,\nAnna")
    assert reading.commands == (WhatIf("I work"),)
    assert [
        (item.quote, [problem.code for problem in item.problems]) for item in reading.items
    ] == [("Annabel fortifies", ["beside-question"])]
    assert reading.checked is None
    assert read("what if I work?\n\nSee you at work tomorrow!\nAnna").items == ()


def test_final_within_a_question_settles_nothing_and_is_told() -> None:
    supposed = suppose("I work? final")
    assert told(supposed) == {"Anna": ["Work, work! P1", "Work, work! P2"]}
    assert supposed.is_understood
    warned = [problem.code for item in supposed.items for problem in item.item.problems]
    assert warned == ["final-in-question"]


@each_row(
    ("text", "orders"),
    [
        ("Ben attacks me", {"Ben": ["March! 1 from P2 to P1"]}),
        ("Ben attacks my province", {"Ben": ["March! 1 from P2 to P1"]}),
        ("I attack Ben", {"Anna": ["March! 1 from P1 to P2"]}),
        (
            "Ben attacks me and I attack Cy",
            {"Ben": ["March! 1 from P2 to P1"], "Anna": ["March! 1 from P1 to P3"]},
        ),
        (
            "everyone attacks me",
            {"Ben": ["March! 1 from P2 to P1"], "Cy": ["March! 1 from P3 to P1"]},
        ),
        ("they all hold", {"Ben": ["Hold P2"], "Cy": ["Hold P3"]}),
        (
            "all of them attack me",
            {"Ben": ["March! 1 from P2 to P1"], "Cy": ["March! 1 from P3 to P1"]},
        ),
    ],
)
def test_one_province_on_either_side_needs_no_naming(
    text: str, orders: dict[str, list[str]]
) -> None:
    names = ("Anna", "Ben", "Cy")
    position = {
        "turn": 3,
        "phase": "orders",
        "provinces": 3,
        "ranking": list(names),
        "players": {name: {"realm": 10} for name in names},
        "board": {f"P{i}": {"owner": name, "units": 1} for i, name in enumerate(names, start=1)},
    }
    state = parse_position(
        position, {"version": "normal", "factions": "none", "island": False}, "test"
    )
    supposed = read_supposition(state, ANNA, EMPTY, text)
    given = {
        names[number - 1]: [o.format_order(order, dict(enumerate(names, start=1))) for order in own]
        for number, own in supposed.orders.items()
    }
    assert supposed.is_understood
    assert given == orders


def test_of_several_provinces_of_somebody_it_is_asked_which() -> None:
    assert codes(suppose("Chloé attacks May with 1 from P6")) == []
    assert codes(suppose("Annabel attacks me with 1 from P3")) == []
    assert codes(suppose("Mark attacks Chloé")) == ["ambiguous-province"]
