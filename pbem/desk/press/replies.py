"""An answer to press: to whom it goes, and whether it is press at all.

Words alone are press, back to the person who wrote. Anything that reads as an order is asked about
and goes nowhere: an order that another player gets to read is the worst that can happen.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from pbem.desk.envelope.answers import PRESS_SENT
from pbem.desk.messages.conversation import Conversation, Player
from pbem.desk.press.readers import GM, MASKED, OBSERVERS, may_read
from pbem.desk.table import OpenTable
from pbem.grammar.addressees import To
from pbem.grammar.house.statements import Reply
from pbem.store.repositories.post.outbox import OutboxRow
from pbem.store.repositories.post.press import PressRow
from pbem.store.repositories.seats import SeatRow

_KEY = re.compile(r"press(?:-digest)?:(?P<ids>\d+(?:\.\d+)*):")
_SUBJECT = re.compile(
    r"(?:\s*(?:re|aw|antw|sv|fwd?|wg)\s*:)+\s*\[[^\]]*\] (?:press\b|your press\b|not all of your"
    r" press)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Answered:
    """What a message answers: one piece of press, or a letter about press that leaves open whose
    words are meant. `numbered` are the pieces that such a letter tells of, by their numbers in it.
    """

    row: PressRow | None = None
    numbered: Mapping[int, PressRow] = field(default_factory=dict)

    @property
    def leading(self) -> frozenset[int | None]:
        """The numbers that lead to a piece, and None where no number is needed."""
        return frozenset((*self.numbered, *((None,) if self.row is not None else ())))

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


async def find_answered(talk: Conversation[Player], replied: OutboxRow | None) -> Answered | None:
    """The letter about press that a message answers, if it is one: by the id it names (`replied` is
    the letter of that), or at least by its subject. What begins like a command of the bot, known or
    not, answers nothing: nobody writes to others behind a slash.
    """
    found = await _letter(talk, replied) if not talk.mail.is_command else None
    if found is None:
        return Answered() if _SUBJECT.match(talk.mail.subject) else None
    if found.kind == PRESS_SENT:
        return Answered()
    key = _KEY.match(found.dedupe_key or "")
    if found.kind not in ("press", "press-digest") or key is None:
        return None
    numbered = {}
    for number, press_id in enumerate(key["ids"].split("."), 1):
        row = await talk.work.press.find(int(press_id))
        if row is not None and row.game_id == talk.table.game.id and may_read(row, talk.seat):
            numbered[number] = row
    rows = list(numbered.values())
    writers = {(row.seat_id, row.grey) for row in rows}
    is_one = len(rows) == 1 or (
        len(rows) > 1 and len(writers) == 1 and all(row.kind == "private" for row in rows)
    )
    return Answered(rows[-1] if is_one else None, numbered)


async def _letter(talk: Conversation[Player], replied: OutboxRow | None) -> OutboxRow | None:
    """A letter to this very seat."""
    row = replied
    for name in dict.fromkeys(reversed(talk.mail.references[-3:])):
        if row is None and name != talk.mail.in_reply_to:
            row = await talk.work.outbox.find_by_message_id(name)
    if row is None or (row.seat_id, row.person_id) != (talk.seat.id, talk.seat.person_id):
        return None
    return row


def judge_answer(talk: Conversation[Player], answered: Answered, said: Reply) -> Words | Held:
    """What the words of an answer are."""
    reply = said.reply
    answered = answered.by(reply.number)
    heading = _heading(talk, answered, is_for_all=reply.for_all)
    if not said.is_closed and answered.row is not None and heading.startswith("reply"):
        heading = reply.heading
    if said.why == "mixed":
        return Held("mixed", (), heading)
    if said.why in ("too-long", "too-many-lines"):
        return Words(To("private"), (), said.written, code=said.why)
    if said.found:
        return Held("orders", said.found, heading, reply.text)
    if answered.row is None:
        return Held("to-whom", (), heading)
    if not reply.text:
        return Words(To("private"), (), "", code="empty")
    return _words(talk, answered.row, reply.text, is_for_all=reply.for_all)


def _heading(talk: Conversation[Player], answered: Answered, *, is_for_all: bool) -> str:
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


def _writer(table: OpenTable, row: PressRow) -> SeatRow | None:
    """The seat of the person who wrote it, as long as that person has it."""
    return next(
        (
            seat
            for seat in table.seats
            if seat.id == row.seat_id and seat.person_id == row.person_id
        ),
        None,
    )


def _words(talk: Conversation[Player], row: PressRow, text: str, *, is_for_all: bool) -> Words:
    """Back to the person who wrote it, or to all who got it. The person who wrote grey press
    continues without a name.
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
