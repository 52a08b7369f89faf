"""F-74: in a clear message of any game one word of the game is replaced, added or left out: the
orders are others, or the answer tells of it. No word is dropped in silence, none takes an order away
in silence, and no value is made up where the position offers another.
"""

from functools import cache
from itertools import islice
from math import ceil
from random import Random

import pytest

from tests.games.reading.changes import Changed
from tests.games.reading.phrases import FOLDERS, Phrase, phrases_of
from tests.games.reading.unused import read
from tests.rings import ALL_PHRASES
from tests.rows import each_row

EVERY = 1 if ALL_PHRASES else 30
"""So many phrases lie between two that are looked at."""
EACH = 2
"""With so many words changed, and so many left out."""
MOST_SILENT = {
    "fortresses": 0.0011,
    "protectors": 0.0024,
    "realm_master": 0.0023,
    "sovereigns": 0.0073,
}
"""This share of the changes at most is answered as if nothing were said. It only ever falls."""
MOST_MADE_UP = {
    "fortresses": 0.0091,
    "protectors": 0.0062,
    "realm_master": 0.0012,
    "sovereigns": 0.0009,
}
"""This share of what is left out at most is filled with one of several values. It only ever falls.
Fortresses takes `legion` for one of them, Protectors the owner of a province for whom a support
there helps.
"""


@cache
def clear_phrases(game: str) -> tuple[Phrase, ...]:
    return tuple(x for x in islice(phrases_of(game), 0, None, EVERY) if x.is_clear)


@pytest.mark.parametrize("game", FOLDERS)
def test_f74_a_word_that_is_changed_changes_the_orders_or_is_told(game: str) -> None:
    silent, looked = [], 0
    for phrase in clear_phrases(game):
        for change in islice(Changed(game, phrase).changes(Random(phrase.name)), EACH):
            looked += 1
            told = phrase.reading(change.text)
            means, codes = phrase.outcome_of(told)
            if set(means) <= set(phrase.means) and not (codes or told.commands or told.wants_out):
                silent.append((phrase.name, change.kind, change.text, means))
    assert looked > 20
    assert len(silent) <= ceil(MOST_SILENT[game] * looked), silent


@pytest.mark.parametrize("game", FOLDERS)
def test_f74_a_value_that_is_left_out_is_not_made_up(game: str) -> None:
    made_up, looked = [], 0
    for phrase in clear_phrases(game):
        changed, random = Changed(game, phrase), Random(phrase.name)
        for change in islice(changed.deletions(random), EACH):
            looked += 1
            told = phrase.reading(change.text)
            means, codes = phrase.outcome_of(told)
            is_silent = means == phrase.means and not (codes or told.commands or told.wants_out)
            if is_silent and changed.is_chosen(change, random):
                made_up.append((phrase.name, change.kind, change.text, means))
    assert looked > 10
    assert len(made_up) <= ceil(MOST_MADE_UP[game] * looked), made_up


@each_row(
    ("game", "text", "quoted"),
    [
        ("protectors", "P1 fortify. Otto P2 fortify", "Otto P2 fortify"),
        ("protectors", "P2 Otto fortify, P1 work", "Otto fortify"),
        ("protectors", "Otto fortify, P1 work", "Otto fortify"),
        ("protectors", "P1 work. Otto send 5 to me. P2 fortify", "Otto send 5"),
        ("sovereigns", "research wall with 2", "wall"),
        ("realm-master", "life 1\nelf buy Iron Shield", "elf buy Iron Shield"),
    ],
)
def test_f74_words_that_no_order_says_are_quoted(game: str, text: str, quoted: str) -> None:
    """A name before an order, a thing of the game among its words."""
    reading, _ = read(game, text)
    assert any(quoted in item.quote for item in reading.items if item.problems)
