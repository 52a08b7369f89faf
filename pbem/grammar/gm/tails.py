"""Fields that take the rest of a line: reasons and texts."""

import re
from dataclasses import dataclass

from pbem.grammar.gm.naming import slug_of
from pbem.grammar.gm.parts import Part
from pbem.grammar.gm.quoting import quote, say
from pbem.grammar.gm.times import parse_span
from pbem.grammar.gm.values import Lexicon, Unread

BEFORE_A_REASON = (
    r"(?<![ ])[ ]*+[:,][ ]*+|(?:^|(?<![ ])[ ]++)(?:[-–]|(?:because(?: of)?|for|since)\b)(?:[ ]++|$)"
)
"""What stands between a name and a reason."""
BEFORE_PLAIN_WORDS = BEFORE_A_REASON.replace("|for|", "|")
"""The same where `for` may follow a name: `remove Ben for good`."""
_BECAUSE = (
    r"(?<![ ,.;:(–-])[ ,.;:(–-]*+\b(?:because(?: of)?|since|due to|(?:the )?reason(?: is)?:?)[ ]++"
)
_AFTER_A_MARK = r"(?<![ ])[ ]*+:[ ]*+|(?<![ ])[ ]++(?:[-–—][ ]++|(?=\())"
_FOR_A_TABLE = re.compile(r"(?:for )?(?P<table>[\w -]+)[ .!]*", re.IGNORECASE)
_FOR_A_TIME = re.compile(r"(?:for )?(?P<span>(?:\d|an? |one |two |three )[\w ,]*)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Tail(Part[str]):
    """The rest of a line."""

    def split(self, line: str, tables: frozenset[str], *, is_alone: bool) -> tuple[str, str]:
        """What stands before it, perhaps one of the tables, and the rest; `is_alone`: no other
        field does. Unread where it cannot be told.
        """
        raise NotImplementedError

    def parse(self, said: str, lexicon: Lexicon) -> str:
        return said

    def format(self, value: str) -> str:
        return value


@dataclass(frozen=True, slots=True)
class Reason(Tail):
    """Why, behind a colon or a word that says so."""

    lead: str = BEFORE_A_REASON
    said: str = ": "
    trims: str = ""
    """Signs at its ends that do not belong to it."""

    def split(self, line: str, tables: frozenset[str], *, is_alone: bool) -> tuple[str, str]:
        said = line.strip() if is_alone else line.strip(" :")
        named = _FOR_A_TABLE.fullmatch(said)
        if named is not None and slug_of(named["table"]) in tables:
            return said, ""
        return self.cut(said)

    def cut(self, said: str) -> tuple[str, str]:
        """What stands before the reason, and the reason."""
        found = re.search(self.lead, said, re.IGNORECASE)
        if found is None:
            return said, ""
        return said[: found.start()], said[found.end() :].strip()

    def parse(self, said: str, lexicon: Lexicon) -> str:
        return said.strip(self.trims) if self.trims else said

    def format(self, value: str) -> str:
        return (quote if self.said == ": " else say)(value) if value else ""


class Pausing(Reason):
    """Why a game is paused; a length of time is no reason, because nothing would end the pause."""

    def parse(self, said: str, lexicon: Lexicon) -> str:
        until = _FOR_A_TIME.fullmatch(said)
        if until is not None and parse_span(until["span"]) is not None:
            raise Unread("invalid", "pause-for-a-time", until["span"])
        return said


@dataclass(frozen=True, slots=True)
class Because(Reason):
    """Why, behind a word that says so; a colon may be one within a time."""

    lead: str = rf"{_BECAUSE}|(?<![ ,.:;(-])[ ,.:;(-]++as[ ]++"
    said: str = " because "
    trims: str = " .!"


@dataclass(frozen=True, slots=True)
class Correction(Reason):
    """Why, behind `because`, else a colon or a dash, or in brackets."""

    lead: str = _BECAUSE
    said: str = " because "

    def cut(self, said: str) -> tuple[str, str]:
        because = re.search(self.lead, said, re.IGNORECASE)
        found = because or re.search(_AFTER_A_MARK, said)
        if found is None:
            return said, ""
        reason = said[found.end() :].strip(" .")
        if "(" in found[0] or (because is None and reason[:1] == "("):
            reason = reason.removeprefix("(").removesuffix(")").strip(" .")
        return said[: found.start()], reason


@dataclass(frozen=True, slots=True)
class Text(Tail):
    """A text behind a colon, up to the end of the mail."""

    said: str = ":\n"
    most: int = 50
    """The most characters before the colon."""

    def split(self, line: str, tables: frozenset[str], *, is_alone: bool) -> tuple[str, str]:
        head, mark, text = line.partition(":")
        if not mark or "\n" in head or len(head) > self.most:
            raise Unread("missing", "colon", line.strip().partition("\n")[0])
        return head, text.strip()

    def can_say(self, value: str) -> bool:
        return value != "" and value == value.strip()
