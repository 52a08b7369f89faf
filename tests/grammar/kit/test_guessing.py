"""Words with letters wrong are guessed, and words that are right stay as they are."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.grammar.kit.guesses import guessing_of
from pbem.grammar.kit.vocabulary import build_vocabulary
from tests.rows import each_row

WORDS = guessing_of(
    build_vocabulary("REROLL: reroll\nSWORD: sword, swords\nCARD: iron shield"), ["SWORD", "CARD"]
)
MISSPELT = {
    "swrod": "sword",
    "sord": "sword",
    "swordss": "swords",
    "sheild": "shield",
    "iorn": "iron",
}


@pytest.mark.parametrize(("word", "meant"), MISSPELT.items())
def test_a_word_with_letters_wrong_is_the_nearest(word: str, meant: str) -> None:
    assert WORDS.without_slip(word) == meant


@each_row("word", ["words", "swamp", "horn", "field", "relorl", "zzz", "sw"])
def test_another_word_is_not_guessed(word: str) -> None:
    """It is English, begins with another letter, or is of a kind that is not guessed."""
    assert WORDS.without_slip(word) is None


@given(st.sampled_from(["sword", "shield"]), st.data())
def test_any_two_letters_swapped_are_read(word: str, data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(word) - 2))
    swapped = word[:at] + word[at + 1] + word[at] + word[at + 2 :]
    told = WORDS.without_slip(swapped)
    assert told in {word, None}
    assert told == word or at == 0 or swapped == word
