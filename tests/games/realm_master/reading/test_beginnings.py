"""Lands, heroes and cards by the beginnings of their names: one of 4 letters or more that fits one
name is that name; one that fits several is asked about.
"""

import pytest

from engine.realm_master.cards import all_buy_cards
from engine.ruleset import Standing
from pbem.cases.runner import problem_codes
from pbem.games.realm_master.reading.beginnings import SHORTEST
from pbem.games.realm_master.reading.reader import READER
from pbem.games.realm_master.reading.words import cards_by_name, heroes_by_name, lands_by_name
from pbem.grammar.house.reading import read_alone
from pbem.grammar.kit.common import is_everyday
from tests.games.realm_master.engine.playing import new_game, table

STATE = table(
    {"Ann": {"hero": "elf", "hgb": "7/9/0", "cards": ["B11"]}, "Ben": {"hero": "wizard"}},
    lands={"SAL": "0/0/0", "ARU": "0/0/0", "JER": "0/0/0", "KUR": "0/0/0"},
    row=["B01", "B02", "B12"],
)
WHERE = (
    (lands_by_name(), "Enter {}", STATE),
    (lands_by_name(), "enter the {}, please", STATE),
    (cards_by_name(), "Buy {}", STATE),
    (heroes_by_name(), "Hero: {}", new_game(2)),
)


def told(text: str, state: object) -> tuple[list[str], tuple[str, ...]]:
    reading = read_alone(READER.read, state, 1, Standing(), text)
    return [text for item in reading.items for text in item.texts], problem_codes(reading)[0]


def beginnings(names: dict[str, str]) -> list[tuple[str, str]]:
    """Each that fits one name alone, of all that there are, and that name; none that is a word of
    every day.
    """
    every = {**lands_by_name(), **heroes_by_name(), **cards_by_name()}
    return [
        (name[:end], name)
        for name in sorted(names)
        if " " not in name and name not in all_buy_cards()
        for end in range(SHORTEST, len(name))
        if not is_everyday(name[:end])
        and len({key for other, key in every.items() if other.startswith(name[:end])}) == 1
    ]


@pytest.mark.parametrize(("names", "line", "state"), WHERE, ids=[line for _, line, _ in WHERE])
def test_a_beginning_of_one_name_is_that_name(
    names: dict[str, str], line: str, state: object
) -> None:
    walked = beginnings(names)
    assert len(walked) > 20
    for begun, name in walked:
        for written in (begun, begun.title()):
            assert told(line.format(written), state) == told(line.format(name), state), written


@pytest.mark.parametrize("begun", ["Stan", "stand", "Standard"])
def test_a_beginning_of_several_names_is_no_order(begun: str) -> None:
    """The Standard Pole, or the Standard of Mists?"""
    cards, problems = told(f"Buy {begun}", STATE)
    assert (cards, bool(problems)) == ([], True)
