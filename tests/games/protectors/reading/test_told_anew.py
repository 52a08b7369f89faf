"""What a later word does to an order before it: a question that doubts it takes it back, an amount or
a way that is told anew takes the place of the old. Anna holds P1 with 2 units and P2 with 3.
"""

import pytest

from tests.games.protectors.reading.positions import codes, read, table, texts
from tests.rows import each_row


@pytest.mark.parametrize(
    "text",
    [
        "P1 fortifies. Or did I mean the other one? P2 works.",
        "Fortify P1. Or P2? P2 works.",
        "P1 works... or should it fortify? P2 works.",
        "P1 holds. Hm, what was it that I wanted there? P2 works.",
        "P1 fortifies. Or perhaps not P1? P2 works.",
    ],
)
def test_a_question_about_what_was_said_takes_it_back(text: str) -> None:
    reading = read(text)
    assert texts(reading) == ["Work, work! P2"]
    assert "not-understood" in codes(reading)


@pytest.mark.parametrize(
    "text", ["P2 works. How is everybody?", "P2 works. Is it me, or is it cold?"]
)
def test_another_question_takes_nothing_back(text: str) -> None:
    assert texts(read(text)) == ["Work, work! P2"]


@each_row(
    ("text", "meant"),
    [
        ("March 1 from P2 to P3. No, make it all three. P1 works.", ["3 from P2 to P3"]),
        ("March 1 from P2 to P3, sorry, all of them. P1 works.", ["3 from P2 to P3"]),
        ("March 1 from P1 to P10. Actually no, both. P1 works.", []),
        ("March 2 from P1 to P10. Oh wait, all three. P2 works.", []),
        ("March 1 from P2 to P3. Actually all my provinces.", []),
        ("Two units go from P1, no, from P2 to P3.", ["2 from P2 to P3"]),
        ("I'd like two to leave P2... no wait, from P1 to P10.", []),
    ],
)
def test_an_amount_or_a_way_told_anew_takes_the_place_of_the_old(
    text: str, meant: list[str]
) -> None:
    reading = read(text)
    marches = [told.removeprefix("March! ") for told in texts(reading) if told.startswith("March")]
    assert marches == meant
    assert meant or codes(reading)


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("If any of mine must burn: P2, then P1", ["Burn P2", "Burn P1"]),
        ("if something has to burn, P1", ["Burn P1"]),
        ("if something burns, P1 stays", []),
        ("if nothing burns, P1", []),
    ],
)
def test_a_condition_that_every_burning_has_may_be_said(text: str, meant: list[str]) -> None:
    state = table("dragon")
    assert texts(read(text, state=state), state) == meant


def test_the_head_of_a_table_asks_nothing() -> None:
    text = "| where | what |\n| P1 | fortify |\n| P2 | 3 to P3 |"
    assert texts(read(text)) == ["Fortify! P1", "March! 3 from P2 to P3"]


@pytest.mark.parametrize(
    "text", ["scrap every order I gave yesterday", "withdraw every order", "cancel every order"]
)
def test_every_order_is_all_of_them(text: str) -> None:
    assert texts(read(text)) == ["Cancel all"]


@pytest.mark.parametrize("text", ["drop every unit in P2", "forget every word I said"])
def test_every_other_thing_is_not(text: str) -> None:
    assert texts(read(text)) == []


@pytest.mark.parametrize(
    ("text", "offer"),
    [
        ("send May 30 with a smile", "Send 30 to May"),
        ("P1 fortifies with a shrug. P2 works", "Fortify! P1"),
        ("send May 30 with a condition", None),
        ("send May 30 with a heavy heart", "Send 30 to May"),
    ],
)
def test_how_something_is_done_holds_no_offer_back(text: str, offer: str | None) -> None:
    reading = read(text)
    told = next((item.suggestion.text for item in reading.items if item.suggestion), None)
    assert told == offer


@pytest.mark.parametrize(
    "text",
    [
        "I was going to let P1 work and fortify P2, who knows",
        "I wanted to work in P1 and fortify P2",
        "P1 fortifies or P1 works and P2 works",
        "two roads: P1 goes to P10 or P1 works, and P2 fortifies",
        "I come late: delayed golden march, 2 from P1 to P10",
    ],
)
def test_what_turns_an_order_turns_what_is_joined_to_it(text: str) -> None:
    reading = read(text)
    assert texts(reading) == []
    assert codes(reading)


def test_what_was_lost_turns_no_order_behind_it() -> None:
    assert texts(read("We lost a lot, and P2 works")) == ["Work, work! P2"]
