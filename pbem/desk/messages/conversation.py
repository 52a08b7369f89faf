"""One message of a player and everything needed to answer it."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from typing import Self

import msgspec

from pbem.desk.chat.buttons import Keyboard
from pbem.desk.chat.edits import has_gone
from pbem.desk.chat.receipts import Place, place_receipt
from pbem.desk.envelope.addressing import Enclosed, SeatAt, letter_to, seat_token, serial_of
from pbem.desk.envelope.answers import RECEIPT, Answer, Question
from pbem.desk.envelope.letter import Answering, NewLetter
from pbem.desk.envelope.message import MAIL, Message
from pbem.desk.letters.answer_limits import answers_left
from pbem.desk.letters.answering import ask, say
from pbem.desk.letters.bounces import reopen_address
from pbem.desk.letters.outgoing import queue_letter
from pbem.desk.ports import Services, Transaction
from pbem.desk.table import OpenTable, mail_address_of, page_reader, page_table
from pbem.grammar.house.message import Asks
from pbem.grammar.house.statements import Said
from pbem.mail.tokens import format_message_id
from pbem.pages.page import Page, Reader, Table
from pbem.store.repositories.people import Owner
from pbem.store.repositories.post.inbox import InboxRow
from pbem.store.repositories.post.outbox import OutboxRow
from pbem.store.repositories.seats import SeatRow


@dataclass(frozen=True, slots=True)
class Conversation(Transaction[Services]):
    """One message and everything needed to answer it."""

    row: InboxRow
    mail: Message
    table: OpenTable
    seat: SeatRow
    reader: Reader
    address: str
    said: Said
    """What the message says to the house and the game: all its text, until it has been read."""
    has_gone: bool = False
    """The message changes one whose letters to others have gone."""
    asks: Asks = ""
    """What the letter asks that it answers."""

    def about(self, said: Said) -> Self:
        """The same of that much of the message."""
        return replace(self, mail=replace(self.mail, text=said.text), said=said)

    def page_table(self, *, has_picture: bool = False) -> Table:
        code = seat_token(self.services.key, self.seat, self.table.game.phase_number)
        return page_table(
            self.table,
            self.services.policy,
            self.services.clock.now(),
            code=code,
            has_picture=has_picture,
        )

    async def answer(
        self,
        page: Page,
        kind: str,
        serial: str = "",
        picture_id: int | None = None,
        *,
        keyboard: Keyboard | None = None,
    ) -> None:
        """Answer this message; what else is said to it stands in the same letter.

        In a chat the receipt of a message that was changed, or of a tap, takes the place of the one
        before, as long as nothing else came between; that of a new message is new, and the one
        before points to it. `keyboard` are the buttons below the answer there.
        """
        letter = self._letter(page, kind, serial, picture_id)
        if keyboard is not None:
            letter = keyboard.below(letter)
        phase, place = self.table.phase, Place()
        if kind == RECEIPT and phase is not None:
            place = await place_receipt(self.work, letter, self.mail, phase.opened_at)
        letter = msgspec.structs.replace(letter, chat_edits=place.edits)
        await self.say(page, letter, place.before)

    async def say(self, page: Page, letter: NewLetter, before: OutboxRow | None = None) -> None:
        """Answer with a page that was made a letter already."""
        await say(self.work, self.services, Answer(page, letter, self.table.game.title, before))

    async def ask(self, question: Callable[[], Awaitable[None]], beside: Page) -> None:
        """Ask what only a yes to a letter of its own settles. Where more is said to this message,
        that page in the one answer tells how to be asked.
        """
        letter = self._letter(beside, "answer", ".ask")
        answer = Answer(beside, letter, self.table.game.title)
        await ask(self.services, Question(question, answer))

    def _letter(
        self, page: Page, kind: str, serial: str, picture_id: int | None = None
    ) -> NewLetter:
        return letter_to(
            self.services,
            SeatAt(
                game=self.table.game,
                seat=self.seat,
                phase_number=self.table.game.phase_number,
                address=self.address,
            ),
            page,
            kind,
            self.dedupe_key(kind, serial),
            Enclosed(picture_id=picture_id),
            answered=Answering.to(self.mail),
        )

    async def send(self, letter: NewLetter) -> None:
        """Queue a letter that stands by itself beside the answer."""
        await queue_letter(self.work, letter, self.services.clock.now())

    def has_answered(self) -> None:
        """The message was handled before: whatever is to be said of it was said then."""
        if self.services.dispatch.answers is not None:
            self.services.dispatch.answers.are_known = True

    async def is_flooded(self, kind: str) -> bool:
        """Whether this address gets no more answers of that kind now: two machines talk to each
        other.
        """
        return not (
            await answers_left(
                self.work, self.mail.channel, self.address, kind, self.services.clock.now()
            )
        ).count

    def dedupe_key(self, kind: str, serial: str = "") -> str:
        """One answer of a kind to a message, however often it is handled."""
        return f"{kind}:{self.row.id}{serial}"

    def message_id_of(self, kind: str) -> str:
        """The Message-ID that an answer of this kind will have."""
        token = seat_token(self.services.key, self.seat, self.table.game.phase_number)
        return format_message_id(token, serial_of(self.dedupe_key(kind)), self.services.policy.host)


async def open_conversation(
    tx: Transaction[Services],
    row: InboxRow,
    mail: Message,
    table: OpenTable,
    seat: SeatRow,
    owner: Owner | None = None,
) -> Conversation:
    """Look up who writes (unless that was done: `owner`) and where the answer goes; a mail from a
    suspended address shows that it works again.
    """
    address = mail.sender or ""
    person, known = owner or await tx.work.people.find_owner(mail.channel, address) or (None, None)
    if seat.person_id is None or person is None or person.id != seat.person_id:
        person = await tx.work.people.find(seat.person_id) if seat.person_id is not None else None
    if (known is None or known.person_id != seat.person_id) and mail.channel == MAIL:
        address = await mail_address_of(tx.work, seat.person_id) or address
    elif known is not None:
        await reopen_address(tx.work, known, tx.now())
    gone = await has_gone(tx.work, row, mail, seat.id)
    return Conversation(
        tx.work,
        tx.services,
        row,
        mail,
        table,
        seat,
        page_reader(seat, person, tx.services.policy.zone),
        address,
        Said(mail.text),
        gone,
    )
