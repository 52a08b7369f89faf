"""What is asked back with an answer ready: ideas without an effect (SS-7.5), what ends one's own
kingdom (SS-11.9), words of the house that are said to this game.
"""

import pytest

from engine.ruleset import Standing
from engine.sovereigns import orders as o
from engine.sovereigns.wording import format_order
from pbem.games.sovereigns.reading.reader import READER
from pbem.grammar.house.parsing import hear
from pbem.grammar.house.reading import read_orders
from pbem.grammar.kit.reading import Reading
from tests.games.sovereigns.reading.tables import table


def answer(text: str) -> Reading:
    return read_orders(READER.read, table("season"), 1, Standing(), hear(text))


def suggested(text: str) -> list[str]:
    return [item.suggestion.text for item in answer(text).items if item.suggestion is not None]


@pytest.mark.parametrize(
    ("text", "texts"),
    [
        ("propose something with boats", ["Propose boats = STAT-ACT Expedition"]),
        ("propose windmills", ["Propose windmills = STAT-ROLL R"]),
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
