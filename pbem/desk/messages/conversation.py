"""One message of a player and everything needed to answer it."""

from dataclasses import dataclass

import msgspec

from pbem.desk.chat.buttons import Keyboard
from pbem.desk.chat.edits import has_gone
from pbem.desk.chat.over import point_below
from pbem.desk.chat.writing import LOOKED_BACK, find_last_message, message_of, withhold_edits
from pbem.desk.envelope.addressing import SeatAt, letter_to_seat, seat_token, serial_of
from pbem.desk.envelope.letter import Answering, NewLetter
from pbem.desk.envelope.message import MAIL, TELEGRAM, Message
from pbem.desk.letters.answer_limits import RECEIPT, answers_left
from pbem.desk.letters.bounces import reopen_address
from pbem.desk.letters.outgoing import queue_letter
from pbem.desk.ports import Services
from pbem.desk.table import OpenTable, mail_address_of, page_reader, page_table
from pbem.mail.tokens import format_message_id
from pbem.pages.page import Page, Reader, Table
from pbem.store.repositories.inbox import InboxRow
from pbem.store.repositories.outbox import OutboxRow
from pbem.store.repositories.seats import SeatRow
from pbem.store.work import Work


@dataclass(frozen=True, slots=True)
class Conversation:
    """One message and everything needed to answer it."""

    work: Work
    services: Services
    row: InboxRow
    mail: Message
    table: OpenTable
    seat: SeatRow
    reader: Reader
    address: str
    has_gone: bool = False
    """The message changes one whose letters to others have gone."""

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
        """Queue an answer to this message.

        In a chat the receipt of a message that was changed, or of a tap, takes the place of the one
        before, as long as nothing else came between; that of a new message is new, and the one
        before points to it. `keyboard` are the buttons below the answer there.
        """
        replaces = None
        letter = letter_to_seat(
            page,
            to=SeatAt(
                game=self.table.game,
                seat=self.seat,
                phase_number=self.table.game.phase_number,
                address=self.address,
            ),
            kind=kind,
            dedupe_key=self.dedupe_key(kind, serial),
            policy=self.services.policy,
            key=self.services.key,
            answering=Answering.to(self.mail),
            picture_id=picture_id,
        )
        if self.mail.channel == TELEGRAM:
            is_new = self.mail.message_id is not None and not self.mail.is_edit
            replaces = await self._standing_receipt() if kind == RECEIPT and is_new else None
            letter = msgspec.structs.replace(
                letter,
                buttons=keyboard.rows if keyboard is not None else (),
                taps=keyboard.taps if keyboard is not None else (),
                chat_edits=await self._live_receipt() if kind == RECEIPT and not is_new else None,
            )
        if await self.send(letter) and replaces is not None:
            await point_below(self.work, self.services, replaces, str(self.row.id))

    async def _standing_receipt(self) -> OutboxRow | None:
        """The newest receipt of the open phase that stands in the chat."""
        phase = self.table.phase
        rows = (
            await self.work.outbox.list_last_to(TELEGRAM, self.address, LOOKED_BACK)
            if phase is not None
            else []
        )
        mine = (
            row
            for row in rows
            if row.kind == RECEIPT
            and row.seat_id == self.seat.id
            and row.state in ("queued", "sending", "sent")
        )
        newest = next(mine, None)
        return (
            newest
            if newest is not None and phase is not None and newest.created_at >= phase.opened_at
            else None
        )

    async def _live_receipt(self) -> int | None:
        """The receipt of the open phase that stands last in the chat: this one takes its place.
        None: it is a message of its own.
        """
        phase = self.table.phase
        row = await find_last_message(self.work, self.address)
        if (
            row is None
            or phase is None
            or row.kind != RECEIPT
            or row.seat_id != self.seat.id
            or row.created_at < phase.opened_at
        ):
            return None
        message_id = message_of(row)
        if message_id is not None:
            await withhold_edits(self.work, self.address, message_id)
        return message_id

    async def send(self, letter: NewLetter) -> bool:
        """Queue a letter that answers this message. False: nothing goes out."""
        return await queue_letter(self.work, letter, self.services.clock.now()) is not None

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
    work: Work, services: Services, row: InboxRow, mail: Message, table: OpenTable, seat: SeatRow
) -> Conversation:
    """Look up who writes and where the answer goes; a mail from a suspended address shows that it
    works again.
    """
    person = await work.people.find(seat.person_id) if seat.person_id is not None else None
    address = mail.sender or ""
    known = await work.people.find_address(mail.channel, address)
    if (known is None or known.person_id != seat.person_id) and mail.channel == MAIL:
        address = await mail_address_of(work, seat.person_id) or address
    elif known is not None:
        await reopen_address(work, known, services.clock.now())
    gone = await has_gone(work, row, mail, seat.id)
    return Conversation(
        work,
        services,
        row,
        mail,
        table,
        seat,
        page_reader(seat, person, services.policy.zone),
        address,
        gone,
    )
