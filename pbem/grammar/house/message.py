"""The new text of a message, read in one pass into statements that partition it, in the house's
order of precedence: an answer to press, press, addresses, an answer to a motion, the words of the
house with answers and notes. What is left is the game's.
"""

from bisect import bisect_right
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Literal

import msgspec

from pbem.grammar import consent, press
from pbem.grammar.addressees import Roll
from pbem.grammar.addresses import parse_address_wish, wishes_address
from pbem.grammar.house.commands import Letter, PressHelp, WhatIf, Why
from pbem.grammar.house.parsing import hear, read_words
from pbem.grammar.house.statements import (
    Address,
    Leaving,
    More,
    Note,
    Press,
    Reply,
    Statement,
    Unsendable,
    Vote,
    Word,
    Yes,
    partition,
)
from pbem.grammar.instructions import STOPS, Judge, Read, Sense, TooMuch, find_instructions
from pbem.grammar.kit.normalise import fold

Asks = Literal["", "vote", "offer"]
LONGEST = 20_000
"""Characters that are read; what is behind them is left to the game, which says so."""
_WITHIN_SENTENCES = (Why, WhatIf, PressHelp, Letter)
"""Words that are found within sentences, and so are words like any others in an answer to press."""
_NOTE = ("gm", "to gm", "to the gm", "note to", "game master")


@dataclass(frozen=True, slots=True)
class Context:
    """What decides how a message is read: who can be written to, and how a text alone would be read
    (without it nothing is held as an instruction).

    `answered`: the message answers press, and these are its numbers in the letter that lead to a
    piece of it (None among them: an answer without a number does). `asks`: it answers the letter
    that asks about a motion, or that offers something. `tables`: what the table is called.
    """

    roll: Roll
    read: Read | None = None
    answered: Collection[int | None] | None = None
    asks: Asks = ""
    tables: Collection[str] = ()


def read_message(text: str, context: Context) -> tuple[Statement, ...]:
    """The statements of a message (new text alone). Joined, their spans are the text."""
    sheet, reply = _Sheet(text), None
    if context.answered is not None:
        reply = press.cut_reply(text)
    if reply is not None:
        sheet.take_reply(*reply)
    sheet.take_press(context)
    if context.answered is not None and reply is None:
        judged = _judged_reply(sheet.text, context)
        if judged is not None:
            sheet.take([judged])
            return partition(text, sheet.found)
    sheet.take_addresses()
    rest = sheet.text
    answer = _plain_answer(rest, context.asks)
    tables = tuple(map(fold, context.tables))
    said = read_words(rest[:LONGEST], tables) if answer is None else [answer]
    sheet.take([_up_to_orders(one, rest, context.read) for one in said])
    return partition(text, sheet.found)


def _up_to_orders(one: Statement, text: str, read: Read | None) -> Statement:
    """A note ends with a sentence below which the lines are orders, if it says anything."""
    if read is None or not isinstance(one, Note) or "\n" not in one.text:
        return one
    judge, said = Judge(read), one.text.split("\n")
    kept = len(said)
    try:
        while kept > 1 and judge.sense(said[kept - 1]) is Sense.TAKEN:
            kept -= 1
    except TooMuch:
        return one
    if not said[kept - 1].endswith(STOPS):
        return one
    start, end = one.span
    lines = text[start:end].split("\n")[:kept]
    return Note((start, min(end, start + len("\n".join(lines)) + 1)), "\n".join(said[:kept]))


def _plain_answer(text: str, asks: Asks) -> Vote | Yes | None:
    """An answer to a question, and nothing else."""
    whole = (0, len(text))
    if asks == "vote":
        vote = consent.parse_plain_vote(text)
        return Vote(whole, vote) if vote is not None else None
    answer = consent.read_consent(text)
    if asks and isinstance(answer, consent.Yes) and not answer.rest:
        return Yes(whole, answer.numbers)
    return None


class _Sheet:
    """What of a message nothing has taken yet: places of its lines. Where press was is an empty
    one.
    """

    def __init__(self, whole: str) -> None:
        self._whole = whole
        self._lines = _lines_of(whole, 0)
        self.found: list[Statement] = []

    @property
    def text(self) -> str:
        return "\n".join(self._written())

    def _written(self) -> list[str]:
        return [self._whole[start:end] for start, end in self._lines]

    def take_reply(self, reply: press.Reply, end: int) -> None:
        """An answer to press up to there, which says where it ends."""
        why: Unsendable = "too-long" if len(reply.text) > press.LONGEST else ""
        self.found.append(Reply((0, end), reply, self._whole[:end], is_closed=True, why=why))
        self._lines = _lines_of(self._whole, end)

    def take_press(self, context: Context) -> None:
        left, at = list[tuple[int, int]](), 0
        for cut in press.cut_press(self._written(), context.roll, context.read):
            start, end = self._lines[cut.start][0], self._lines[cut.end - 1][1]
            self.found.append(Press((start, end), cut.piece))
            left += [*self._lines[at : cut.start], (start, start)]
            at = cut.end
        self._lines = [*left, *self._lines[at:]]

    def take_addresses(self) -> None:
        left = []
        for span, line in zip(self._lines, self._written(), strict=True):
            wish = parse_address_wish(line)
            if wish is None:
                left.append(span)
            else:
                self.found.append(Address(span, wish))
        self._lines = left

    def take(self, statements: Sequence[Statement]) -> None:
        """These, whose spans are of the text that is left; where something was cut out of one, what
        is behind it is more of it.
        """
        starts = list(accumulate((end - start + 1 for start, end in self._lines), initial=0))
        for one in statements:
            pieces = list(self._pieces(starts, *one.span))
            is_press = isinstance(one, Reply)
            for number, span in enumerate(pieces):
                kind = More(span, is_press=is_press) if number else _placed(one, span)
                self.found.append(kind)

    def _pieces(self, starts: Sequence[int], start: int, end: int) -> Iterator[tuple[int, int]]:
        """Where a part of the text that is left stands in the whole one."""
        number = bisect_right(starts, start) - 1
        begun: int | None = None
        last = 0
        while number < len(self._lines) and (begun is None or starts[number] < end):
            first, until = self._lines[number]
            here = first + max(0, start - starts[number])
            if begun is not None and self._whole[last:here].strip("\r\n"):
                yield begun, last
                begun = None
            begun = here if begun is None else begun
            last = min(until, first + max(0, end - starts[number]))
            number += 1
        if begun is not None:
            yield begun, max(begun, last)


def _lines_of(text: str, at: int) -> list[tuple[int, int]]:
    """Where the lines of a text from there on stand, without what ends them."""
    lines = []
    for line in text[at:].split("\n"):
        end = at + len(line)
        lines.append((at, end - (end < len(text) and line.endswith("\r"))))
        at = end + 1
    return lines


def _placed(statement: Statement, span: tuple[int, int]) -> Statement:
    return msgspec.structs.replace(statement, span=span)


def _judged_reply(text: str, context: Context) -> Reply | None:
    """The words of an answer to press that has no mark of its end; None: they are for the house."""
    if not text.strip():
        return None
    reply = press.split_reply(text)
    said = hear(text)
    words = [one.command for one in said.statements if isinstance(one, Word)]
    if len(text.strip().splitlines()) == 1 and any(
        not isinstance(one, Word)
        or not isinstance(one.command, _WITHIN_SENTENCES)
        or isinstance(one.command, PressHelp)
        for one in said.statements
        if isinstance(one, Word | Leaving) and text[slice(*one.span)].strip() == text.strip()
    ):
        return None
    has_note = any(isinstance(one, Note) for one in said.statements)
    if has_note and text.strip().casefold().startswith(_NOTE):
        return None
    asks = any(isinstance(word, Why) and press.is_places_alone(word.question) for word in words)
    found: tuple[str, ...] = ()
    why: Unsendable
    if has_note or (asks and not reply.explicit) or wishes_address(text):
        why = "mixed"
    elif len(reply.text) > press.LONGEST:
        why = "too-long"
    else:
        try:
            found = find_instructions(reply.text, context.read) if context.read is not None else ()
            why = "orders" if found else ""
        except TooMuch:
            why = "too-many-lines"
    leads = reply.number in (context.answered or ())
    if not why and leads and not reply.text:
        return None
    return Reply((0, len(text)), reply, text, why=why, found=found)
