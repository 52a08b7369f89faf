"""What is asked back with an answer ready: ideas without an effect (SS-7.5), what ends one's own
kingdom (SS-11.9), words of the house that are said to this game.
"""

import msgspec
import pytest

from engine.ruleset import Standing
from engine.sovereigns import orders as o
from engine.sovereigns.state import Undone
from engine.sovereigns.wording import format_order, parse_order
from pbem.games.sovereigns.reading.reader import READER
from pbem.grammar.house.parsing import hear
from pbem.grammar.house.reading import read_orders
from pbem.grammar.house.statements import Said
from pbem.grammar.kit.reading import Reading
from tests.games.sovereigns.reading.tables import READ_ALL, table
from tests.rows import each_row


def answer(text: str) -> Reading:
    return read_orders(READER.read, table("season"), 1, Standing(), hear(text))


def suggested(text: str) -> list[str]:
    return [item.suggestion.text for item in answer(text).items if item.suggestion is not None]


@each_row(
    ("text", "texts"),
    [
        ("propose something with boats", ["Propose boats = STAT-ACT Expedition"]),
        ("propose windmills", []),  # F-73: an effect that was not told is not made up
        ("research with 2: something with boats", ["Research: 2R, boats = STAT-ACT Expedition"]),
        ("propose steel boats: +3 on all resources rolls", ["Propose steel boats = STAT-ROLL R"]),
        ("propose bandages", ["Propose bandages = BLD-HOSPITAL"]),
        ("I abdicate", ["Abdicate"]),
    ],
)
def test_it_is_offered_and_does_not_stand(text: str, texts: list[str]) -> None:
    assert suggested(text) == texts
    standing = [one for item in answer(text).items for one in item.orders]
    assert not any(isinstance(one, o.Propose | o.Abdicate) for one in standing)


@pytest.mark.parametrize(
    ("text", "texts"),
    [
        ("yes, agreed", ["Accept offer 1"]),
        ("vote yes", ["Vote yes on Ben"]),
        ("yes", []),
    ],
)
def test_words_of_the_house_that_are_said_to_this_game(text: str, texts: list[str]) -> None:
    reading = answer(text)
    state = table("season")
    found = [format_order(state, one) for item in reading.items for one in item.orders]
    assert found == texts
    assert bool(reading.own) == bool(texts)


REDOS = [
    ("attack Borland with 3 instead", "Redo: Attack Ben: 3M"),
    ("Instead, we attack Borland with 3", "Redo: Attack Ben: 3M"),
    ("redo: expedition with 2", "Redo: Expedition: 2M"),
    ("pass instead", "Redo: Pass"),
]
OF_THE_SEASON = [
    ("attack Borland with 3", "Attack Ben: 3M"),
    ("Attack Ben: 3M", "Attack Ben: 3M"),
    ("pass", "Pass"),
    ("attack Borland with 1. No wait, expedition with 2 instead", "Expedition: 2M"),
]


@each_row(("text", "order"), REDOS + OF_THE_SEASON)
def test_after_a_roll_back_an_action_of_the_season_is_no_redo(text: str, order: str) -> None:
    """F-87 (SS-12.6): a redo is done at once, so its words say that it is one."""
    state = msgspec.structs.replace(table("season"), undone=Undone(1, 1, 24))
    reading = READ_ALL(state, 1, Standing(), Said(text))
    assert [format_order(state, one) for item in reading.items for one in item.orders] == [order]


def test_where_no_season_asks_for_an_action_it_is_the_redo() -> None:
    """SS-12.6: at a year start, or when the game had ended."""
    state = msgspec.structs.replace(table("year"), undone=Undone(1, 1, 24))
    for player, wanted in ((1, "Redo: Attack Ben: 3M"), (3, "Attack Ben: 3M")):
        reading = READ_ALL(state, player, Standing(), Said("attack Ben with 3"))
        found = [format_order(state, one) for item in reading.items for one in item.orders]
        assert found == [wanted]


def test_instead_beside_an_action_of_the_season_is_asked() -> None:
    """F-87: nobody knows which of the two is meant."""
    state = msgspec.structs.replace(table("season"), undone=Undone(1, 1, 24))
    standing = Standing[o.Order]((parse_order(state, "Expedition: 1M"),))
    reading = READ_ALL(state, 1, standing, Said("attack Borland with 3 instead"))
    assert not any(item.orders for item in reading.items)
