"""What of a text that is meant for others would be taken for an instruction of its writer: an
order, a bid, a word to the house.

The game's own reader judges, piece by piece: every line and every sentence by itself, then the
paragraph, so that nothing next to an order hides it. Quoted and struck words count as
if they were not. Talk about moves that the reader would not take is talk.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from enum import IntEnum

import msgspec

from pbem.grammar.addresses import wishes_address
from pbem.grammar.house import commands as c
from pbem.grammar.kit.reading import Item, Reading
from pbem.grammar.people import Back, ReadLog, Watchers
from pbem.grammar.veterans import put_orders

Read = Callable[[str], Reading]
"""How a text alone would be read if it came from the writer as a message of its own."""

MOST_READ = 400
"""The most different lines and sentences of one message that are judged."""

_TALKING = (c.Why, c.WhatIf, c.Letter, c.PressHelp)
"""Words of the house that are found within sentences."""
_SAID = (
    c.Help,
    c.Status,
    c.ShowMap,
    c.Players,
    c.Orders,
    c.History,
    c.Deadlines,
    c.Wait,
    c.Leave,
    c.Resend,
    Back,
    Watchers,
    ReadLog,
)
"""Words that people also say to one another, and that settle nothing."""
_PROSE = frozenset({"no-order", "not-understood"})
_QUOTING = re.compile(r"^(?:[ \t]*[>|])+[ \t]*", re.MULTILINE)
_SENTENCE = re.compile(r"(?<=[.!?;\u2026])\s+|(?<=[!?;\u2026])(?=\w)|(?<=[^\W\d]{3}\.)(?=\w)")
_BEHIND_COLON = re.compile(r":\s+")
_TO_OTHERS = re.compile(
    r"\b(?:you|your|yours|u|we|us|our|ours|let'?s|together|he|she|him|his|they|them|their"
    r"|with me|ihr|du|dich|dir|wir|uns|mit mir)\b",
    re.IGNORECASE,
)
_CONDITION = re.compile(
    r",\s*+(?:(?:but|and|then|or)\b)?|\b(?:if|unless|when|whenever|in case|as long"
    r" as|provided|otherwise|else|then|falls|wenn)\b",
    re.IGNORECASE,
)
"""What parts a condition from that which depends on it."""
_CONDITIONAL = re.compile(
    r"\b(?:if|unless|when|whenever|in case|as long as|provided|falls|wenn)\b", re.IGNORECASE
)
_MOST_CLAUSES = 6
_OF_OTHERS = re.compile(
    r"\W*(?:the|an?|this|that|it|there|everybody|everyone|nobody|somebody|someone|who|which)\b",
    re.IGNORECASE,
)
_OF_ONESELF = re.compile(
    r"^\W*(?:and |but |then )?(?:i|i'?(?:ll|m|d|ve)|ich)\b|\b(?:me|mich|mir)\b", re.IGNORECASE
)
_TOKEN = re.compile(
    r"(?P<place>p"
    r" ?\d{1,3}(?!\w))|(?P<number>\d{1,3}(?!\w))|"
    r"(?P<sign>[a-z](?!\w)|to\b|from\b|[->=\u2192\u2013]+)|(?P<other>[^\s,*]+)",
    re.IGNORECASE,
)
_CLOSING = re.compile(
    r"\W*(?:-- ?|(?:(?:many )?thanks|thank you|thx|cheers|regards|best|(?:all the"
    r" best|kind|warm|best) ?(?:regards|wishes)?|yours(?: \w+)?"
    r"|sincerely|love|ciao|bye|lg|vg|mfg|gruß|grüße|please|hi|hello|hey|ok(?:ay)?)(?:["
    r" ,.!-]+[^\W\d_]+){0,2})?\W*",
    re.IGNORECASE,
)
_WRAPPED_FROM = 55
_FEW_WORDS = 6
"""A line of its own that is so short and near an order may be a misspelt one."""
STOPS = tuple(".!?:;\u2026")


class Sense(IntEnum):
    """How a piece of text would be read: as talk; as something near an order; as a word of the
    house that is also said to others; as an order that is refused or asked about; as an instruction
    that is taken.
    """

    TALK = 0
    NEAR = 1
    SAID = 2
    ASKED = 3
    TAKEN = 4


class TooMuch(Exception):
    """The text has more lines and sentences than are judged."""


class Judge:
    """Judges the pieces of one message, each once. Raises TooMuch."""

    def __init__(self, read: Read) -> None:
        self._read = read
        self._known: dict[str, Sense] = {}

    def sense(self, piece: str) -> Sense:
        """How a piece alone would be read."""
        piece = _QUOTING.sub("", piece.replace("~~", "")).strip()
        if not any(letter.isalnum() for letter in piece):
            return Sense.TALK
        known = self._known.get(piece)
        if known is None:
            if len(self._known) >= MOST_READ:
                raise TooMuch
            known = self._known[piece] = self._judge(piece)
        return known

    def _judge(self, piece: str) -> Sense:
        reading = self._read(put_orders(piece))
        if reading.answers or wishes_address(piece):
            return Sense.TAKEN
        senses = [_sense_of(item, piece) for item in reading.items]
        senses += [_sense_of_command(command, piece) for command in reading.commands]
        if find_order_shapes(piece):
            senses.append(Sense.ASKED)
        for command in reading.commands:
            supposed = command.question.strip(" ?!.") if isinstance(command, c.WhatIf) else ""
            if supposed and self.sense(supposed) >= Sense.ASKED:
                senses.append(Sense.ASKED)
        if max(senses, default=Sense.TALK) < Sense.ASKED and self._is_conditional_order(piece):
            senses.append(Sense.ASKED)
        return max(senses, default=Sense.TALK)

    def _is_conditional_order(self, piece: str) -> bool:
        """Whether a part of it would be taken, were it not for the condition; but not what is said
        of oneself to somebody else (`I fortify P1 if you stay`).
        """
        if (
            _CONDITIONAL.search(piece) is None
            or _TO_OTHERS.search(piece) is not None
            or piece.endswith("?")
        ):
            return False
        clauses = [clause.strip() for clause in _CONDITION.split(piece, maxsplit=_MOST_CLAUSES)]
        return any(clause != piece and self.sense(clause) == Sense.TAKEN for clause in clauses)

    def find_in(self, paragraph: Sequence[str]) -> tuple[str, ...]:
        """The pieces of a paragraph's lines that would be read as instructions, as they stand
        there.
        """
        found: list[str] = []
        for number, line in enumerate(paragraph):
            goes_on = number > 0 and _goes_on(paragraph[number - 1], line)
            parts = [part for part in _SENTENCE.split(line) if part.strip()]
            is_own = (
                number > 0 and not goes_on and len(parts) == 1 and len(line.split()) <= _FEW_WORDS
            )
            told = []
            for place, part in enumerate(parts):
                least = (
                    Sense.TAKEN
                    if goes_on and not place
                    else Sense.NEAR
                    if is_own
                    else Sense.SAID
                    if number
                    else Sense.ASKED
                )
                told += (
                    [part.strip()]
                    if self.sense(part) >= least or self._is_told_behind_colon(part)
                    else []
                )
            if (
                not told
                and len(parts) > 1
                and self.sense(line) >= (Sense.TAKEN if goes_on else Sense.ASKED)
            ):
                told = [line.strip()]
            found += told
        if not found and len(paragraph) > 1:
            whole = "\n".join(paragraph)
            if self.sense(whole) >= Sense.TAKEN:
                found = [whole.strip()]
        return tuple(found)

    def _is_told_behind_colon(self, part: str) -> bool:
        _, *behind = _BEHIND_COLON.split(part)
        return any(self.sense(piece) == Sense.TAKEN for piece in behind)

    def near_orders(self, paragraph: Sequence[str]) -> tuple[str, ...]:
        """The lines that nobody understood and that may have been meant as orders."""
        joined: list[str] = []
        for number, line in enumerate(paragraph):
            if number and _goes_on(paragraph[number - 1], line):
                joined[-1] += f" {line.strip()}"
            else:
                joined.append(line.strip())
        return tuple(
            part
            for line in joined
            for part in _SENTENCE.split(line)
            if self.sense(part) >= Sense.NEAR
        )

    def is_nothing_else(self, paragraph: Sequence[str], found: Sequence[str]) -> bool:
        """Whether a paragraph is made of these instructions, politeness aside."""
        for line in filter(str.strip, paragraph):
            left = line
            for piece in found:
                left = left.replace(piece, " ")
            if (
                _CLOSING.fullmatch(left) is None
                and left.strip() not in "\n".join(found)
                and not _is_short_end(line, paragraph)
            ):
                return False
        return bool(found)


def _is_short_end(line: str, paragraph: Sequence[str]) -> bool:
    """A name below the rest."""
    return (
        len(paragraph) > 1
        and line is paragraph[-1]
        and len(line.split()) <= 2
        and not any(letter.isdigit() for letter in line)
    )


def _goes_on(above: str, line: str) -> bool:
    """Whether a line is the rest of a sentence that a mail program has broken."""
    return len(above) >= _WRAPPED_FROM and not above.rstrip().endswith(STOPS) and line[:1].islower()


def _sense_of_command(command: c.AnyCommand, piece: str) -> Sense:
    if isinstance(command, _TALKING) or piece.endswith("?"):
        return Sense.TALK
    if not isinstance(command, _SAID):
        return Sense.TAKEN
    return Sense.TALK if piece.endswith("!") else Sense.SAID


def _sense_of(item: Item, piece: str) -> Sense:
    """Misspelt and refused orders too, for what their writer alone would be asked about is not for
    others to read; but not what is said of oneself to somebody else (`you take P4 and I take P3`),
    as long as it would not be taken.
    """
    if item.texts:
        return Sense.TAKEN
    is_talk = (
        _OF_OTHERS.match(item.quote)
        or _TO_OTHERS.search(item.quote)
        or (_OF_ONESELF.search(item.quote) and _TO_OTHERS.search(piece))
        or piece.endswith("?")
    )
    if is_talk:
        return Sense.TALK
    if item.suggestion is not None or any(problem.code not in _PROSE for problem in item.problems):
        return Sense.ASKED
    is_near = any(
        problem.code == "not-understood" for problem in item.problems
    ) and not item.quote.casefold().startswith(("i ", "ich "))
    return Sense.NEAR if is_near else Sense.TALK


def find_order_shapes(text: str) -> tuple[str, ...]:
    """The clauses that are nothing but places, numbers, single letters and arrows (`P1 S P2`, `m 1
    P1-P2`): they look like orders of some judge, whether this game reads them or not.
    """
    return tuple(
        clause for clause in map(str.strip, re.split(r"[.;!?:\n]", text)) if _is_order_shape(clause)
    )


def _is_order_shape(clause: str) -> bool:
    kinds = {found.lastgroup for found in _TOKEN.finditer(clause)}
    return "other" not in kinds and "place" in kinds and ("sign" in kinds or "number" in kinds)


_OWN = r"(?:my|our|the)\s+(?:(?:own|final|secret|real|new)\s+)?"
_WHAT = r"(?:orders?|moves?|bids?|purchases?|plans?|actions?|answers?|befehle?|züge|ordres)"
_WHEN = (
    r"(?:\s+(?:for|in)\s+(?:the |this |next"
    r" )?(?:turn|round|phase|now|today)(?:\s+\d{1,3})?)?(?:\s+(?:are|is|follow|below|now))?"
)
_BEFORE = r"\W{0,5}(?:(?:and|now|here|these|this|so|as|for)\s+){0,3}(?:(?:are|come|comes|is)\s+)?"
_HEADING = re.compile(
    rf"{_BEFORE}(?:{_OWN}{_WHAT}{_WHEN}\s*[:=.-]?|{_WHAT}{_WHEN}\s*[:=])\W*", re.IGNORECASE
)
_LONGEST_HEADING = 80


def opens_orders(line: str) -> bool:
    """Whether a line says that orders follow: `My orders:`."""
    return len(line) <= _LONGEST_HEADING and _HEADING.fullmatch(line) is not None


class Ended(msgspec.Struct, frozen=True):
    """Where a press ends: `lines` below its heading are press, and the others are not.

    `found`: these pieces would be read as instructions, so that nobody can tell; then all lines may
    be press, and nothing is.
    """

    lines: int
    found: tuple[str, ...] = ()


def find_end(lines: Sequence[str], judge: Judge) -> Ended:
    """Where a press ends that has no mark of its end, of the lines that it can have at most: with
    its paragraph, or a further one of plain talk; and at a heading of orders. Raises TooMuch.
    """
    paragraphs = list(_paragraphs(lines))
    for number, (start, end) in enumerate(paragraphs):
        paragraph = lines[start:end]
        if opens_orders(paragraph[0]):
            below = tuple(
                piece for a, b in paragraphs[number:] for piece in judge.find_in(lines[a:b])
            )
            return (
                Ended(start)
                if number and below
                else Ended(len(lines), below or (paragraph[0].strip(),))
            )
        found = judge.find_in(paragraph)
        if found:
            is_behind = number > 0 and judge.is_nothing_else(paragraph, found)
            return Ended(start) if is_behind else Ended(len(lines), found)
        doubtful = judge.near_orders(paragraph) if number else ()
        if doubtful:
            return Ended(len(lines), doubtful)
    return Ended(len(lines))


def find_instructions(text: str, read: Read) -> tuple[str, ...]:
    """All pieces of a text that would be read as instructions. Raises TooMuch."""
    judge, lines = Judge(read), text.replace("\r\n", "\n").split("\n")
    return tuple(
        piece for start, end in _paragraphs(lines) for piece in judge.find_in(lines[start:end])
    )


def _paragraphs(lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    """From where to where each goes; one begins at a heading of orders, too."""
    start: int | None = None
    for number, line in enumerate(lines):
        if start is not None and (not line.strip() or opens_orders(line)):
            yield start, number
            start = None
        if start is None and line.strip():
            start = number
    if start is not None:
        yield start, len(lines)
