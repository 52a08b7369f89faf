"""What a field of a command is: how its value is written in a line, and read back.

A field stands behind its lead-in (`by`, `until`, a colon); the first of a line needs none.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, TypeVar

from pbem.grammar.gm.naming import is_title
from pbem.grammar.gm.quoting import quote, say
from pbem.grammar.gm.values import Lexicon, Unread

V = TypeVar("V")
MOST_NUMBER = 999_999_999
MOST_NOTES = 50
"""The most notes that one command dismisses."""
_AND = re.compile(r",(?! *and\b)|\band\b|&|;", re.IGNORECASE)
_NOTE = re.compile(r"(?:note )?(?:#|no\.? ?|number )?(?P<note>\d{1,9})[ :,-]*", re.IGNORECASE)
BEFORE_OFF = r"[ :,]+(?=(?:off|no more|no longer|not any ?more)[ .!]*$)"
BEFORE_RESHUFFLE = (
    r"(?:^|[ ,]+)(?:(?:and|with) )?(?=(?:a )?(?:reshuffl\w{1,3}|shuffle again)(?: the decks)?$)"
)


@dataclass(frozen=True, slots=True)
class Part(Generic[V]):
    """A type of fields. `code` names it where it is missing. `lead` is what stands before it, as a
    pattern, and `said` how we write that.
    """

    code: str
    lead: str = ""
    said: str = " "
    has_form: ClassVar[bool] = True
    """No sentence reads like it by chance."""
    is_flag: ClassVar[bool] = False
    """It is said or not."""
    is_name: ClassVar[bool] = False
    """It may begin with any word, a table's too."""
    is_bare: ClassVar[bool] = False
    """It needs no lead-in where the line has one word a field."""
    before: ClassVar[re.Pattern[str]] = re.compile("")
    """What may stand before it and says nothing."""
    goes_to_a_table: ClassVar[bool] = False
    """`to heron` behind it names the table."""
    may_be_empty: ClassVar[bool] = False
    """Where nothing is a value too."""
    holds_table: ClassVar[bool] = False
    """A table may be named in the middle of it."""
    joins: ClassVar[tuple[str, ...]] = ()
    """The other fields that are read with it."""

    def parse(self, said: str, lexicon: Lexicon) -> V:
        """The value that this part of a line says. Unread where it says none."""
        raise NotImplementedError

    def format(self, value: V) -> str:
        """How the value is written; "" where nothing needs to be."""
        return say(str(value)) if value else ""

    def read(self, field: str, said: str, lexicon: Lexicon) -> Mapping[str, Any]:
        """The same for all fields that this part says."""
        return {field: self.parse(said, lexicon)}

    def write(self, field: str, command: object) -> str:
        """What the command says here, with the lead-in."""
        written = self.format(getattr(command, field))
        return f"{self.said}{written}" if written else ""

    def can_say(self, value: V) -> bool:
        """Whether a line can say it, where it is not left out."""
        return not isinstance(value, str) or value == " ".join(value.split())


@dataclass(frozen=True, slots=True)
class Number(Part[int | None]):
    """A number, perhaps behind what it counts (`noun`); `none` is written where there is none."""

    noun: str = ""
    none: str = ""

    def parse(self, said: str, lexicon: Lexicon) -> int | None:
        found = re.fullmatch(
            r"(?:to )?(?:the )?(?:(?:open|begin(?:ning)? of|start of) )?(?:the )?"
            rf"(?:(?:{self.noun.strip() or 'request'}\b|#) ?)?(?:(?:number|no\.?|#) ?)?"
            r"(?P<number>\d{1,9})?(?: ?(?:now|at once))*",
            said.strip(" :.!"),
            re.IGNORECASE,
        )
        if found is None:
            raise Unread("invalid", self.code, said)
        return int(found["number"]) if found["number"] else None

    def format(self, value: int | None) -> str:
        return self.none if value is None else f"{self.noun}{value}"


class Flag(Part[bool]):
    """A word that is there or not."""

    is_flag = True

    def parse(self, said: str, lexicon: Lexicon) -> bool:
        return True

    def format(self, value: bool) -> str:
        return self.code if value else ""


class Notes(Part[int]):
    """One note or several."""

    joins = ("also",)

    def read(self, field: str, said: str, lexicon: Lexicon) -> Mapping[str, Any]:
        found = [_NOTE.fullmatch(part.strip()) for part in _AND.split(said.strip(" :.!"))]
        notes = [int(one["note"]) for one in found if one is not None]
        if len(notes) < len(found) or len(notes) > MOST_NOTES:
            raise Unread("missing", "note", said)
        first, *others = dict.fromkeys(notes)
        return {field: first, "also": tuple(others)}

    def write(self, field: str, command: Any) -> str:
        return f" {', '.join(map(str, (getattr(command, field), *command.also)))}"


class Title(Part[str]):
    """The name of a new table."""

    def parse(self, said: str, lexicon: Lexicon) -> str:
        return said

    def format(self, value: str) -> str:
        return f"{value}:"

    def can_say(self, value: str) -> bool:
        return is_title(value)


class What(Part[str]):
    """What the game itself reads."""

    has_form = False
    holds_table = True

    def parse(self, said: str, lexicon: Lexicon) -> str:
        return said.strip(" :.!")

    def format(self, value: str) -> str:
        return quote(value)
