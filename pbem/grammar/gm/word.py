"""What the grammar knows of one command: one object, with all of its spelling."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from pbem.grammar.gm.commands import AnyCommand, GmCommand, Lexicon, word_of
from pbem.grammar.gm.quoting import read_quoted

C = TypeVar("C", bound=GmCommand)
ANY_GAME = "{game}"
"""Stands in a form for a game that the house runs: which, the house alone knows."""


@dataclass(frozen=True, slots=True)
class Word(Generic[C]):
    """A word of the game masters: every phrase that means it (the old judges' included), how it is
    written, and an example; where these two show a game, `form_of` and `example_of` fill it in.

    `parse` reads what follows the phrase, with the table that is known and the lexicon; `format` is
    the one spelling, without the table. `wraps`: its line may go on in the next one. `to_the_end`:
    whatever follows in the mail belongs to it. `keeps`: the word itself says what it is about. A
    `dangerous` one is asked back.
    """

    command: type[C]
    phrases: tuple[str, ...]
    form: str
    example: str
    parse: Callable[[str, str, Lexicon], AnyCommand]
    format: Callable[[C], str] = word_of
    dangerous: bool = False
    wraps: bool = False
    to_the_end: bool = False
    keeps: bool = False

    def read(self, rest: str, table: str, lexicon: Lexicon) -> AnyCommand:
        """The command that follows its phrase; Unread if there is none."""
        quoted: AnyCommand | None = (
            None if self.to_the_end else read_quoted(self.parse, rest, table, lexicon)
        )
        return self.parse(rest, table, lexicon) if quoted is None else quoted
