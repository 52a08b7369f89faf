"""A reading, with what is offered, is a function of what its writer may see: in two states that look
the same to a player, a message of theirs reads the same, word for word.
"""

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path

import pytest

from pbem.conformance import secrecy
from pbem.grammar.kit.reading import Reading
from tests.games.reading.phrases import Phrase, kept_phrases, shown_of, strangers
from tests.rings import ALL_PHRASES, some_of

HERE = Path(__file__).parent
GAMES = ("protectors", "realm_master", "sovereigns", "fortresses")


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


def alike(phrase: Phrase) -> Iterator[Phrase]:
    """The phrase in states that its writer cannot tell from this one."""
    for _, other in secrecy.alike(phrase.at.game.ruleset, phrase.at.state, phrase.player):
        yield replace(phrase, at=replace(phrase.at, state=other))


def phrases_of(game: str) -> Iterator[Phrase]:
    """Some of all kinds, and two that are answered with an offer."""
    folder = HERE.parent / game / "reading"
    phrases = [*strangers(folder), *kept_phrases(folder / "phrases", 1)]
    yield from islice((one for one in phrases if shown_of(one.read())[0]), 2)
    yield from phrases[:: 5 if ALL_PHRASES else 60]


@pytest.mark.parametrize("game", GAMES)
def test_what_a_player_must_not_know_changes_no_reading(game: str) -> None:
    met = 0
    for phrase in phrases_of(game):
        shown = told(phrase.read())
        for other in some_of([*alike(phrase)], 10):
            met += 1
            assert told(other.read()) == shown, phrase.text
    assert met
