"""A condition is part of what is ordered or nothing of the sentence is; and what is asked now may
be answered by its bare name.
"""

from itertools import product

import pytest

from engine.realm_master.wording import format_order
from engine.ruleset import Standing
from pbem.games.realm_master.reading.reader import READER
from pbem.grammar.house.reading import read_alone
from tests.games.realm_master.reading.test_doc import table_of
from tests.rows import each_row

SAID = (
    *("reroll", "reroll twice", "reroll blanks", "don't reroll", "keep only swords"),
    *("R's are swords", "R complete five", "attack", "don't attack", "leave when hit", "stay"),
    *("stay when hit", "enter Jerum", "stay out", "don't enter", "buy Iron Shield", "buy nothing"),
    *("don't buy", "save", "buy Iron Shield, keep 3 gold", "reveal a card"),
    *("reveal a card, cover Iron Shield", "reveal a card, take it", "turn a card and buy it"),
    *("play War Horn", "use the Smoke Pot", "loot Iron Shield", "tribute: gold to Jerum"),
    *("trade 2 gold for life", "auto on", "concede", "forget everything", "ultimatum: leave"),
    *("ultimatum, leave", "bleed", "move to Arub", "leave on my turn", "done"),
)
CONDITIONS = (
    *("{} if hearts below 4", "if hearts below 4, {}", "if hearts below 4 {}"),
    *("{} unless hearts below 4", "{} but only with 7 hearts or more"),
)


def orders_of(phase: str, text: str, player: int = 1) -> list[str]:
    reading = read_alone(READER.read, table_of(phase), player, Standing(), text)
    return [format_order(order) for item in reading.items for order in item.orders]


@pytest.mark.parametrize("phase", ["round, exchange", "reroll", "last", "place"])
def test_no_condition_is_ever_left_out(phase: str) -> None:
    state = table_of(phase)
    for said, condition in product(SAID, CONDITIONS):
        reading = read_alone(READER.read, state, 1, Standing(), condition.format(said))
        for item in reading.items:
            for order in item.orders:
                assert " if " in format_order(order), condition.format(said)


@each_row(
    ("text", "meant"),
    [
        ("don't attack if my hearts are below 4", "Attack: no if hearts below 4, yes"),
        ("attack if fewer than 4 heroes are alive", "Attack: yes if heroes below 4, no"),
        ("attack if the card is T03", "Attack: yes if card T03, no"),
        (
            "play Healing Draught if my hearts are below 5",
            "Play: Healing Draught if hearts below 5",
        ),
        (
            "reveal a card if I have 5 gold or more, take it if it costs 3 or less",
            "Reveal: up to 1, at most 3 gold if gold at least 5",
        ),
        (
            "if I have 5 gold, reveal a card, cover Iron Shield",
            "Reveal: up to 1, cover Iron Shield if gold at least 5",
        ),
        (
            "reveal a card, take it, but only with 7 hearts or more",
            "Reveal: up to 1, at most 99 gold if hearts at least 7",
        ),
    ],
)
def test_conditions_are_read_as_people_say_them(text: str, meant: str) -> None:
    assert orders_of("round", text) == [meant]


@each_row(
    ("phase", "text", "meant"),
    [
        ("enter", "Jerum please", "Enter: Jerum"),
        ("enter", "Jerum else Arub", "Enter: Jerum, Arub"),
        ("enter", "the richest land", "Enter: the richest land"),
        ("realm", "to Arub", "In the Realm: move to Arub"),
        ("faces", "a sword, please", "R: sword"),
        ("faces", "one sword, rest coins", "R: 1 as sword, coin"),
        ("faces", "complete five", "R: complete five"),
    ],
)
def test_what_is_asked_may_be_answered_by_its_name(phase: str, text: str, meant: str) -> None:
    assert orders_of(phase, text) == [meant]


@each_row(
    ("phase", "text"),
    [
        ("round", "Jerum"),
        ("round", "sword"),
        ("reroll", "sword"),
        ("attack", "sword"),
        ("faces", "sword and coin"),
        ("place", "take it if it costs 3 or less"),
        ("place", "take it, else cover Iron Shield"),
        ("round", "reveal a card, take it unless hearts below 4"),
    ],
)
def test_a_name_that_answers_nothing_and_an_answer_that_may_mean_two_things_are_asked_about(
    phase: str, text: str
) -> None:
    assert orders_of(phase, text) == []
