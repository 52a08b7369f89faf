"""F-74: in a clear message of any game one word of the game is replaced by another or one is added:
the orders are others, or the answer tells of it. No word is dropped in silence, and none takes an
order away in silence.

A word that is left out needs no test: either the orders change, or they say it without the word.
"""

from itertools import islice
from math import ceil
from random import Random

import pytest

from tests.games.reading.changes import Changed
from tests.games.reading.clear import FOLDERS, phrases_of
from tests.games.reading.unused import read
from tests.rings import at_length

EVERY = at_length(24, 1)
"""So many phrases lie between two that are looked at."""
EACH = at_length(6, 2)
"""With so many changes."""
MOST_SILENT = {
    "protectors": 0.012,
    "realm_master": 0.008,
    "fortresses": 0.008,
    "sovereigns": 0.016,
}
"""This share of the changes at most is answered as if nothing were said. It only ever falls."""


@pytest.mark.parametrize("game", FOLDERS)
def test_f74_a_word_that_is_changed_changes_the_orders_or_is_told(game: str) -> None:
    silent, looked = [], 0
    for phrase in islice(phrases_of(game), 0, None, EVERY):
        if not phrase.is_clear:
            continue
        for change in islice(Changed(game, phrase).changes(Random(phrase.name)), EACH):
            looked += 1
            told = phrase.reading(change.text)
            means, codes = phrase.told_of(told)
            if set(means) <= set(phrase.means) and not (codes or told.commands or told.wants_out):
                silent.append((phrase.name, change.kind, change.text, means))
    assert looked > 60
    assert len(silent) <= ceil(MOST_SILENT[game] * looked), silent


@pytest.mark.parametrize(
    ("game", "text", "quoted"),
    [
        ("protectors", "P1 fortify. Otto P2 fortify", "Otto P2 fortify"),
        ("protectors", "P2 Otto fortify, P1 work", "Otto fortify"),
        ("protectors", "Otto fortify, P1 work", "Otto fortify"),
        ("sovereigns", "research wall with 2", "wall"),
        ("realm-master", "life 1\nelf buy Iron Shield", "elf buy Iron Shield"),
    ],
)
def test_f74_words_that_no_order_says_are_quoted(game: str, text: str, quoted: str) -> None:
    """A name before an order, a thing of the game among its words."""
    reading, _ = read(game, text)
    assert any(quoted in item.quote for item in reading.items if item.problems)


@pytest.mark.parametrize("text", ["P1 buy 2 to P2", "buy 2 P1 to P2", "buy 2 to P2 in P1"])
def test_two_provinces_of_a_purchase_are_asked_about(text: str) -> None:
    """The reader stopped with an error where the second province was the aim of a way."""
    reading, after = read("protectors", text)
    assert after == []
    assert reading.items[0].problems
