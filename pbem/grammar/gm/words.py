"""The words of the game masters, those of all groups joined."""

from collections.abc import Mapping
from typing import Any, get_args

from pbem.grammar.gm import deadlines, letters, looking, people, rulings, tables
from pbem.grammar.gm.commands import AnyCommand
from pbem.grammar.gm.word import ANY_GAME, Word

_BY_COMMAND = {
    word.command: word
    for group in (deadlines, tables, people, rulings, letters, looking)
    for word in group.WORDS
}
WORDS: Mapping[str, Word[Any]] = {
    str(command.__struct_config__.tag): _BY_COMMAND[command] for command in get_args(AnyCommand)
}
"""Every word, in the order a game needs them."""

PHRASES: Mapping[str, str] = {
    phrase: word for word, entry in WORDS.items() for phrase in entry.phrases
}


def form_of(word: str, game: str) -> str:
    """How it is written, at a house that runs the game of this id."""
    return WORDS[word].form.replace(ANY_GAME, game)


def example_of(word: str, game: str) -> str:
    """An example of it, with the game of this id."""
    return WORDS[word].example.replace(ANY_GAME, game)
