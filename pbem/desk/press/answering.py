"""An answer to press: to whom it goes, and whether it is press at all.

Words alone are press, back to whoever wrote. Anything that reads as an order is asked about and
goes nowhere: an order that another player gets to read is the worst that can happen.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from pbem.desk.messages.conversation import Conversation
from pbem.desk.press.instructions import read_of_seat
from pbem.desk.press.readers import GM, MASKED, OBSERVERS, may_read
from pbem.desk.table import OpenTable
from pbem.grammar.addressees import To
from pbem.grammar.addresses import parse_addresses
from pbem.grammar.house.commands import Letter, PressHelp, WhatIf, Why
from pbem.grammar.house.parsing import take_commands
from pbem.grammar.instructions import TooMuch, find_instructions
from pbem.grammar.kit.normalise import normalise
from pbem.grammar.press import LONGEST, Reply, is_places_alone, split_reply
from pbem.store.repositories.post.outbox import OutboxRow
from pbem.store.repositories.post.press import PressRow
from pbem.store.repositories.seats import SeatRow

_KEY = re.compile(r"press(?:-digest)?:(?P<ids>\d+(?:\.\d+)*):")
_SUBJECT = re.compile(
    r"(?:\s*(?:re|aw|antw|sv|fwd?|wg)\s*:)+\s*\[[^\]]*\] (?:press\b|your press\b|not all of your"
    r" press)",
    re.IGNORECASE,
)
_WORDS_FOR_US = (Why, WhatIf, PressHelp, Letter)
"""Commands that are found within sentences, and so are words like any others here."""


@dataclass(frozen=True, slots=True)
class Answered:
    """What a message answers: one piece of press, or a letter about press that leaves open whose
    words are meant. `numbered` are the pieces that such a letter tells of, by their numbers in it.
    """

    row: PressRow | None = None
    numbered: Mapping[int, PressRow] = field(default_factory=dict)

    def by(self, number: int | None) -> "Answered":
        """What `reply NUMBER` to it answers."""
        return self if number is None else Answered(self.numbered.get(number), self.numbered)


@dataclass(frozen=True, slots=True)
class Held:
    """Asked about, and passed on to nobody: `orders` are the pieces that read as such, `heading` is
    what would make it press.
    """

    why: str
    orders: tuple[str, ...]
    heading: str
    text: str = ""


@dataclass(frozen=True, slots=True)
class Words:
    """Press back. `code`: why it cannot be."""

    to: To
    recipients: tuple[int, ...]
    text: str
    to_grey: bool = False
    code: str = ""


async def find_answered(talk: Conversation) -> Answered | None:
    """The letter about press that a message answers, if it is one: by the id it names, or at least
    by its subject. What begins like a command of the bot, known or not, answers nothing: nobody
    writes to others behind a slash.
    """
    found = await _letter(talk) if not talk.mail.is_command else None
    if found is None:
        return Answered() if _SUBJECT.match(talk.mail.subject) else None
    if found.kind == "press-sent":
        return Answered()
    key = _KEY.match(found.dedupe_key or "")
    if found.kind not in ("press", "press-digest") or key is None:
        return None
    numbered = {}
    for number, press_id in enumerate(key["ids"].split("."), 1):
        row = await talk.work.press.find(int(press_id))
        if (
            row is not None
            and row.game_id == talk.table.game.id
            and may_read(talk.table, row, talk.seat)
        ):
            numbered[number] = row
    rows = list(numbered.values())
    writers = {(row.seat_id, row.grey) for row in rows}
    is_one = len(rows) == 1 or (
        len(rows) > 1 and len(writers) == 1 and all(row.kind == "private" for row in rows)
    )
    return Answered(rows[-1] if is_one else None, numbered)


async def _letter(talk: Conversation) -> OutboxRow | None:
    """A letter to this very seat."""
    for name in dict.fromkeys((talk.mail.in_reply_to, *reversed(talk.mail.references[-3:]))):
        row = await talk.work.outbox.find_by_message_id(name) if name is not None else None
        if row is not None:
            return (
                row
                if row.seat_id == talk.seat.id and row.person_id == talk.seat.person_id
                else None
            )
    return None


async def judge_answer(
    talk: Conversation, answered: Answered, text: str, reply: Reply | None = None
) -> Words | Held | None:
    """What the words of an answer are; None: a word for the post office alone, to be answered as
    ever. `reply`: one with a mark of its end.
    """
    if reply is not None:  # says where it ends: all of it is press
        answered = answered.by(reply.number)
        if answered.row is None:
            return Held("to-whom", (), _heading(talk, answered, is_for_all=reply.for_all))
        if len(reply.text) > LONGEST:
            return Words(To("private"), (), reply.text, code="too-long")
        return (
            _words(talk, answered.row, reply.text, is_for_all=reply.for_all) if reply.text else None
        )
    reply = split_reply(text)
    answered = answered.by(reply.number)
    taken = take_commands(normalise(text))
    commands = [command for command in taken.commands if not isinstance(command, _WORDS_FOR_US)]
    if len(text.strip().splitlines()) == 1 and (commands or PressHelp() in taken.commands):
        return None
    heading = _heading(talk, answered, is_for_all=reply.for_all)
    if answered.row is not None and heading.startswith("reply"):
        heading = reply.heading
    if taken.note is not None and text.strip().casefold().startswith(
        ("gm", "to gm", "to the gm", "note to", "game master")
    ):
        return None
    asks = any(
        isinstance(command, Why) and is_places_alone(command.question) for command in taken.commands
    )
    if taken.note is not None or (asks and not reply.explicit) or parse_addresses(text)[0]:
        return Held("mixed", (), heading)
    if len(reply.text) > LONGEST:
        return Words(To("private"), (), text, code="too-long")
    try:
        orders = await _orders_in(talk, reply.text)
    except TooMuch:
        return Words(To("private"), (), text, code="too-many-lines")
    if orders:
        return Held("orders", orders, heading, reply.text)
    if answered.row is None:
        return Held("to-whom", (), heading)
    return _words(talk, answered.row, reply.text, is_for_all=reply.for_all) if reply.text else None


def _heading(talk: Conversation, answered: Answered, *, is_for_all: bool) -> str:
    """What would make it press beyond doubt. To the writer of grey press nothing but an answer
    leads.
    """
    row = answered.row
    if row is None:
        return (
            f"reply {min(answered.numbered)}:" if len(answered.numbered) > 1 else "press to NAME:"
        )
    if is_for_all and row.kind == "public":
        return "press to all:"
    writer = _writer(talk.table, row)
    if row.seat_id is None:
        return "press to GM:"
    if row.grey or writer is None or row.recipients[:2] == (MASKED, talk.seat.number):
        return "reply all:" if is_for_all else "reply:"
    if is_for_all and len(row.recipients) > 1:
        return "reply all:"
    return f"press to {writer.name}:"


async def _orders_in(talk: Conversation, text: str) -> tuple[str, ...]:
    """The pieces that read as instructions. Raises TooMuch."""
    read = await read_of_seat(talk.work, talk.services, talk.table, talk.seat)
    return await talk.services.apart.run(find_instructions, text, read)


def _writer(table: OpenTable, row: PressRow) -> SeatRow | None:
    """The seat of whoever wrote it, as long as that person has it."""
    return next(
        (
            seat
            for seat in table.seats
            if seat.id == row.seat_id and seat.person_id == row.person_id
        ),
        None,
    )


def _words(talk: Conversation, row: PressRow, text: str, *, is_for_all: bool) -> Words:
    """Back to whoever wrote it, or to all who got it. Whoever wrote grey press goes on without a
    name.
    """
    writer = _writer(talk.table, row)
    mine = talk.seat.number
    is_mine = writer is not None and writer.number == mine
    masked = row.recipients[1] if row.recipients[:1] == (MASKED,) else None
    grey = (is_mine and row.grey) or masked == mine
    to_grey = (row.grey and not is_mine) or (masked is not None and masked != mine and is_for_all)
    if is_for_all and row.kind == "public":
        return Words(To("public", grey=grey), (), text)
    if row.seat_id is None:
        return Words(To("gm", gm=True), (GM,), text)
    if writer is None:
        return Words(To("private"), (), text, code="writer-gone")
    others = _others(row, mine) if is_for_all else ()
    seats = tuple(
        dict.fromkeys(
            number for number in (writer.number, *others) if number > 0 and number != mine
        )
    )
    if not seats:
        return Words(To("private"), (), text, code="yourself")
    if is_for_all and row.kind == "team":
        return Words(To("team", seats, grey=grey), seats, text)
    gm, observers = GM in others, OBSERVERS in others
    to = To("private", seats, gm, observers, grey)
    hidden = masked if masked is not None and masked in seats else writer.number
    first: Sequence[int] = (MASKED, hidden) if to_grey else ()
    rest = [number for number in seats if number not in first]
    flags = (*((GM,) if gm else ()), *((OBSERVERS,) if observers else ()))
    return Words(to, (*first, *rest, *flags), text, to_grey)


def _others(row: PressRow, mine: int) -> tuple[int, ...]:
    return tuple(number for number in row.recipients if number not in (MASKED, mine))
