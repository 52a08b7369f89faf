"""Plain words as people in a hurry spell them, and what is no such word."""

import pytest

from pbem.grammar.kit.lexemes import lexemes_of
from pbem.grammar.kit.people import People, Person
from pbem.grammar.kit.vocabulary import hurried, vocabulary_of

WORDS = vocabulary_of({"and": "AND", "with": "WITH", "march": "MARCH", "w": "WORK"}, {})
NELL = People((Person(1, "Nell", "blue", "blue"), Person(2, "Em", "red", "red")), 1)


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("march n march", ["MARCH", "AND", "MARCH"]),
        ("march adn march wiht", ["MARCH", "AND", "MARCH", "WITH"]),
        ("w", ["WORK"]),  # the game's own word
        ("nell n em", ["WHO", "AND", "WHO"]),  # and so is a name
        ("form nat", ["WORD", "WORD"]),  # other words
    ],
)
def test_a_word_is_read_as_it_is_spelt_in_full(text: str, kinds: list[str]) -> None:
    assert [lexeme.kind for lexeme in lexemes_of(text, WORDS, NELL)] == kinds


def test_no_spelling_stands_for_a_word_that_is_itself_spelt_short() -> None:
    assert not hurried().keys() & {*hurried().values()}
