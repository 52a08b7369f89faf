"""Traps: words that hold an order and give none, and orders in unlikely dress."""

import pytest

from tests.games.protectors.reading.positions import codes, read, table, texts
from tests.rows import each_row


@each_row(
    "text",
    [
        *("Mark attacks P1 and takes it", "I think Mark will march 2 to P1 and fortify there"),
        "Chloé should hold P5 and send 20 to Mark",
        *("Mark asked me to support him in P10 from P1", "thanks for fortifying P1"),
        *("Thanks for your support!", "Good work everyone!", "In March I shall be in Spain"),
        *("I am at work, will send orders tonight", "last turn I worked in P1"),
        *("P1 was fortified last turn", "Take care, take it easy", "Hold tight everyone"),
        *("All the best, Anna", "hope all is well", "everyone relax", "here we go again"),
        *("I was in Province 4 on holiday once, lovely place", "Have fun all!", "let's go!"),
    ],
)
def test_talk_is_passed_over(text: str) -> None:
    assert texts(read(text)) == []
    assert codes(read(text)) == {"no-order"}
    assert codes(read(f"{text}\nP1 works")) == set()


@each_row(
    "text",
    [
        *("Next turn: fortify P1", "next turn I will fortify P1"),
        *("I'd rather work than fortify in P1", "P1 fortify (if Mark attacks)", "P1 works, maybe"),
        *("P1 works until Mark comes", "either fortify P1 or work P1"),
        *("if I could I would march to P4", "golden march or fortify P1", "work P1 P2 fortify"),
        *("fortify p1 abd work p2", "march 2 from P2 to P3.5", "fortify P1.5"),
        *("keep 1 in P2, 2 to P3", "P1 with 2 units: hold", "March\n2\nfrom P2\nto P3"),
        *("P1 fortified", "replace fortify P1 with work P1", "send 10 to May and Mark"),
        *("nobody moves", "word P1", "snd 5 to May", "do not march 2 from P2 to P3 or P1"),
    ],
)
def test_what_a_game_master_would_ask_about_is_asked(text: str) -> None:
    assert texts(read(text)) == []
    assert "not-understood" in codes(read(text))


@each_row(
    ("text", "meant"),
    [
        ("cancel my fortify in P1", ["Cancel P1"]),
        ("cancel the march from P2 to P3", ["Cancel P2"]),
        ("Mark attacks P1 and I fortify P1", ["Fortify! P1"]),
        ("everything is fine here, P1 works", ["Work, work! P1"]),
        ("P1 works even if nobody attacks", ["Work, work! P1"]),
        ("fortify P1 because Mark attacks P1 and takes P2", ["Fortify! P1"]),
        ("P1.fortify", ["Fortify! P1"]),
        ("FORTIFY!!! P1!!! WORK, WORK!!! P2!!!", ["Fortify! P1", "Work, work! P2"]),
        ("P1 -> fortify, P2 -> work", ["Fortify! P1", "Work, work! P2"]),
        ("2 of my 3 units in P2 march to P3", ["March! 2 from P2 to P3"]),
        ("Orders for turn 6: fortify P1", ["Fortify! P1"]),
        ("p1works, p2fortify", ["Work, work! P1", "Fortify! P2"]),
        ("I'd rather fortify P1", ["Fortify! P1"]),
        ("have P1 fortify", ["Fortify! P1"]),
        ("P1 and P2, both work", ["Work, work! P1", "Work, work! P2"]),
        ("*P1: fortify* _P2: work_", ["Fortify! P1", "Work, work! P2"]),
        ("I would like to have my army in the province P1\nwork this turn", ["Work, work! P1"]),
    ],
)
def test_orders_in_unlikely_dress_are_read(text: str, meant: list[str]) -> None:
    assert texts(read(text)) == meant
    assert codes(read(text)) == set()


@pytest.mark.parametrize("phase", ["dragon", "consolidation", "bidding"])
@pytest.mark.parametrize(
    "text",
    [
        *("Dear all", "I think May will buy two in P7 and bid 40, she always does"),
        *("what a fight in P3 yesterday!", "2 days late, sorry", "nothing new here"),
    ],
)
def test_crumbs_of_sentences_are_no_bids_and_no_commitments(text: str, phase: str) -> None:
    more = {"turn": 1} if phase == "bidding" else {}
    state = table(phase, more)
    assert texts(read(text, state=state), state) == []
