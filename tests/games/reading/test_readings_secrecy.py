"""A reading is a function of what its writer may see: in two states that look the same to a player,
a message of theirs reads the same, word for word.
"""

from itertools import chain, islice
from pathlib import Path

import pytest

from pbem.grammar.kit.reading import Reading
from tests.games.reading.phrases import Phrase, kept_phrases, strangers
from tests.games.reading.test_offers_secrecy import HIDDEN, alike
from tests.rings import ALL_PHRASES, some_of

HERE = Path(__file__).parent
GAMES = (*HIDDEN, "fortresses")
KNOWN = ("last_orders",)
"""Fields with what players remember, though no view shows it: `same as last turn` reads it."""


def told(reading: Reading) -> list[tuple[object, ...]]:
    """All that a player gets to see of a reading."""
    return [
        (
            item.quote,
            item.caret,
            item.texts,
            tuple((one.code, one.rules, one.facts, one.warning) for one in item.problems),
            item.suggestion and item.suggestion.text,
            item.example,
            item.instead,
            item.dropped,
            item.is_offered,
        )
        for item in reading.items
    ]


def remembered(phrase: Phrase) -> list[object]:
    return [getattr(phrase.at.state, name, None) for name in KNOWN]


@pytest.mark.parametrize("game", GAMES)
def test_what_a_player_must_not_know_changes_no_reading(game: str) -> None:
    folder = HERE.parent / game / "reading"
    phrases = chain(strangers(folder), kept_phrases(folder / "phrases", 1))
    met = 0
    for phrase in islice(phrases, 0, None, 5 if ALL_PHRASES else 60):
        shown = told(phrase.read())
        for other in some_of([*alike(phrase)], 10):
            if remembered(other) != remembered(phrase):
                continue
            met += 1
            assert told(other.read()) == shown, phrase.text
    assert met
