"""The words of the game masters: how each is said, and the record of its command."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, get_args

from pbem.grammar.gm import commands as c
from pbem.grammar.gm.commands import AnyCommand, GmCommand, Lexicon, word_of
from pbem.grammar.gm.quoting import read_quoted
from pbem.grammar.gm.records import format_record, read_record
from pbem.grammar.gm.special import read_answer, read_end, read_new_game
from pbem.grammar.gm.spelling import ANY_GAME, Spelling, load_spellings

_READERS: Mapping[type[GmCommand], Callable[[str, str, Lexicon], AnyCommand]] = {
    c.NewGame: read_new_game,
    c.End: read_end,
    c.Answer: read_answer,
}
"""What is read otherwise than against its record."""


@dataclass(frozen=True, slots=True)
class Word:
    """A word of the game masters."""

    command: type[Any]
    spelling: Spelling

    @property
    def dangerous(self) -> bool:
        """Whether it needs a yes."""
        return self.spelling.dangerous

    def read(self, rest: str, table: str, lexicon: Lexicon) -> AnyCommand:
        """The command that follows its phrase, at the table that is known. Unread if there is
        none.
        """
        if self.spelling.to_the_end:
            return self._parse(rest, table, lexicon)
        rest = " ".join(rest.split())
        quoted: AnyCommand | None = read_quoted(self._parse, rest, table, lexicon)
        return self._parse(rest, table, lexicon) if quoted is None else quoted

    def format(self, command: GmCommand) -> str:
        """The one spelling of a command of it, without the table."""
        return f"{self.command.verb or self.spelling.verb}{format_record(command)}"

    def _parse(self, rest: str, table: str, lexicon: Lexicon) -> AnyCommand:
        reader = _READERS.get(self.command)
        if reader is not None:
            return reader(rest, table, lexicon)
        read: AnyCommand = read_record(self.command, rest, table, lexicon)
        return read


_COMMANDS = {word_of(command): command for command in get_args(AnyCommand)}
WORDS: Mapping[str, Word] = {
    word: Word(_COMMANDS[word], spelling) for word, spelling in load_spellings().items()
}
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
