"""The words of the game masters, those of all groups joined."""

from collections.abc import Mapping
from typing import Any

from pbem.grammar.gm import deadlines, letters, looking, people, rulings, tables
from pbem.grammar.gm.commands import word_of
from pbem.grammar.gm.spelling import ANY_GAME, load_spellings
from pbem.grammar.gm.word import Word

_BY_WORD = {
    word_of(word.command): word
    for group in (deadlines, tables, people, rulings, letters, looking)
    for word in group.WORDS
}
WORDS: Mapping[str, Word[Any]] = {word: _BY_WORD[word] for word in load_spellings()}
"""Every word, in the order a game needs them."""

PHRASES: Mapping[str, str] = {
    phrase: word for word, said in load_spellings().items() for phrase in said.phrases
}


def form_of(word: str, game: str) -> str:
    """How it is written, at a house that runs the game of this id."""
    return load_spellings()[word].form.replace(ANY_GAME, game)


def example_of(word: str, game: str) -> str:
    """An example of it, with the game of this id."""
    return load_spellings()[word].example.replace(ANY_GAME, game)
