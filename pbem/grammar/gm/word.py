"""What the grammar knows of one command: one object, with all of its spelling."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from pbem.grammar.gm.commands import AnyCommand, GmCommand, HouseCommand, Lexicon, word_of
from pbem.grammar.gm.naming import player_of, table_alone
from pbem.grammar.gm.quoting import quote, read_quoted, say
from pbem.grammar.gm.spelling import Spelling, load_spellings

C = TypeVar("C", bound=GmCommand)
Parse = Callable[[str, str, Lexicon], AnyCommand]


@dataclass(frozen=True, slots=True)
class Word(Generic[C]):
    """A word of the game masters: `parse` reads what follows the phrase, with the table that is
    known and the lexicon; `format` is the one spelling, without the table.
    """

    command: type[C]
    spelling: Spelling
    parse: Parse
    format: Callable[[C], str]

    @property
    def dangerous(self) -> bool:
        """Whether it is asked back."""
        return self.spelling.dangerous

    def read(self, rest: str, table: str, lexicon: Lexicon) -> AnyCommand:
        """The command that follows its phrase; Unread if there is none."""
        quoted: AnyCommand | None = (
            None if self.spelling.to_the_end else read_quoted(self.parse, rest, table, lexicon)
        )
        return self.parse(rest, table, lexicon) if quoted is None else quoted


def word(command: type[C], parse: Parse, format: Callable[[C], str] = word_of) -> Word[C]:  # noqa: A002 - it is one
    return Word(command, load_spellings()[word_of(command)], parse, format)


def with_reason(command: Any) -> str:
    """The spelling of a word with a player, or a reason, or both behind it."""
    player, reason = getattr(command, "player", ""), getattr(command, "reason", "")
    said = f"{word_of(command)} {say(player)}" if player else word_of(command)
    return f"{said}: {quote(reason)}" if reason else said


def of_player(command: Any, format: Callable[[Any], str] = with_reason) -> Word[Any]:  # noqa: A002
    """A word behind which a player stands, and nothing else."""

    def parse(rest: str, table: str, lexicon: Lexicon) -> AnyCommand:
        player, table = player_of(rest, table, lexicon)
        read: AnyCommand = command(player=player, table=table)
        return read

    return word(command, parse, format)


def alone(command: Any) -> Word[Any]:
    """A word behind which nothing stands but a table, or nothing at all."""

    def parse(rest: str, table: str, _lexicon: Lexicon) -> AnyCommand:
        read: AnyCommand = (
            command()
            if issubclass(command, HouseCommand)
            else command(table=table_alone(rest, table))
        )
        return read

    return word(command, parse)
