"""The message in hand: who wrote it, and how it is answered."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, Generic, Protocol, TypeVar

import msgspec

from engine.ruleset import Standing
from pbem.desk.chat.buttons import Keyboard
from pbem.desk.chat.edits import Place, place_receipt
from pbem.desk.chat.inbound import has_gone
from pbem.desk.envelope.answers import RECEIPT, Answer, Question, answers_left
from pbem.desk.envelope.letter import Answering, NewLetter
from pbem.desk.envelope.message import MAIL, Message
from pbem.desk.envelope.recipients import (
    NOTHING,
    Enclosed,
    Recipient,
    SeatAt,
    letter_to,
    seat_token,
    serial_of,
)
from pbem.desk.letters.bounces import reopen_address
from pbem.desk.letters.queue import ask, queue_letter, say
from pbem.desk.ports import Services, Transaction
from pbem.desk.table import (
    OpenTable,
    house_table,
    mail_address_of,
    page_reader,
    page_table,
    reader_of,
)
from pbem.grammar.house.message import Asks
from pbem.grammar.house.statements import Said
from pbem.mail.tokens import format_message_id
from pbem.pages.notice import Notice, notice_page
from pbem.pages.page import Page, Reader, Table
from pbem.store.repositories.games import GameRow
from pbem.store.repositories.people import Owner, PersonRow
from pbem.store.repositories.post.inbox import InboxRow
from pbem.store.repositories.seats import SeatRow


@dataclass(frozen=True, slots=True)
class Player:
    """A player at a table, locked, as it stands now."""

    table: OpenTable
    seat: SeatRow
    standing: Standing[Any] = field(default_factory=Standing)
    """What they order in the open phase, once that was looked up."""
    known_as: str = ""
    """What we call the person, whatever the seat is called."""


@dataclass(frozen=True, slots=True)
class Visitor:
    """Somebody at the door of a table; `person` None: nobody of ours has the address. `is_proven`:
    beyond doubt theirs. `about` is the game whose letter to observers they answer.
    """

    person: PersonRow | None
    is_proven: bool
    about: int | None = None


class OfPerson(Protocol):
    """A writer who is a person of ours, as most verdicts are (`judging`)."""

    @property
    def person(self) -> PersonRow: ...


W = TypeVar("W")
W_co = TypeVar("W_co", covariant=True)


@dataclass(frozen=True, slots=True)
class Conversation(Transaction[Services], Generic[W_co]):
    """The message in hand. The `writer` is what was judged of it (a `Verdict`), and once a table is
    open a `Player`, or a `Visitor`. Answers go to the `reader` at the `address`.
    """

    row: InboxRow
    mail: Message
    writer: W_co
    person_id: int | None
    reader: Reader
    address: str
    said: Said
    """What the message says to the house and the game: all its text, until it has been read."""
    has_gone: bool = False
    """The message changes one whose letters to others have gone."""
    asks: Asks = ""
    """What the letter asks that it answers."""

    @property
    def table(self: "Conversation[Player]") -> OpenTable:
        return self.writer.table

    @property
    def seat(self: "Conversation[Player]") -> SeatRow:
        return self.writer.seat

    @property
    def standing(self: "Conversation[Player]") -> Standing[Any]:
        return self.writer.standing

    @property
    def seats(self) -> tuple[SeatRow, ...]:
        """The seats of the table that it is about, if it is a player's."""
        return self.writer.table.seats if isinstance(self.writer, Player) else ()

    def by(self, writer: W, person: PersonRow | None = None) -> "Conversation[W]":
        """The same message of that writer, answered where it came from."""
        return begin_conversation(self, self.row, self.mail, writer, person)

    def saying(self, mail: Message) -> "Conversation[W_co]":
        """The same, with that in the place of the message."""
        return replace(self, mail=mail, said=Said(mail.text))

    def about(self, said: Said) -> "Conversation[W_co]":
        """The same of that much of the message."""
        return replace(self, mail=replace(self.mail, text=said.text), said=said)

    def page_table(self, *, has_picture: bool = False) -> Table:
        """What pages say of the player's table; of the house, for anybody else."""
        services, writer = self.services, self.writer
        if not isinstance(writer, Player):
            return house_table(services)
        code = seat_token(services.key, writer.seat, writer.table.game.phase_number)
        in_chat = self.mail.channel != MAIL  # where the answer goes, too
        return page_table(
            writer.table, services, code=code, has_picture=has_picture, in_chat=in_chat
        )

    def page(self, told: Page | Notice) -> Page:
        """What the reader is told, as a page."""
        if isinstance(told, Page):
            return told
        return notice_page(told, self.page_table(), self.reader)

    def recipient(self, game: GameRow | None = None) -> SeatAt | Recipient:
        """Whom an answer goes to; `game` is what it is about."""
        if isinstance(self.writer, Player):
            game, seat = self.writer.table.game, self.writer.seat
            return SeatAt(game, seat, game.phase_number, self.address)
        return Recipient(self.address, self.reader.name, self.person_id, game)

    def letter(
        self,
        page: Page,
        kind: str,
        key: str,
        *,
        to: SeatAt | Recipient | None = None,
        enclosed: Enclosed = NOTHING,
    ) -> NewLetter:
        """A letter that answers this message (`letter_to`)."""
        to, answered = to or self.recipient(), Answering.to(self.mail)
        return letter_to(self.services, to, page, kind, key, enclosed, answered)

    def farewell(self: "Conversation[Player]", told: Notice, key: str) -> NewLetter:
        """The answer to somebody whose seat is theirs no longer: it has no code."""
        to = Recipient(self.address, self.seat.name, self.seat.person_id, self.table.game)
        page = notice_page(told, page_table(self.table, self.services), self.reader)
        return self.letter(page, "notice", self.dedupe_key(key), to=to)

    async def answer(
        self,
        told: Page | Notice,
        kind: str,
        serial: str = "",
        picture_id: int | None = None,
        *,
        keyboard: Keyboard | None = None,
        game: GameRow | None = None,
        due_at: datetime | None = None,
    ) -> None:
        """Answer this message, not before `due_at`; what else is said to it stands in the same
        letter.

        In a chat the receipt of a message that was changed, or of a tap, takes the place of the one
        before, as long as nothing else came between; that of a new message is new, and the one
        before points to it. `keyboard` are the buttons below the answer there.
        """
        page = self.page(told)
        key, to = self.dedupe_key(kind, serial), self.recipient(game)
        enclosed = Enclosed(picture_id=picture_id)
        letter, place = self.letter(page, kind, key, to=to, enclosed=enclosed), Place()
        if keyboard is not None:
            letter = keyboard.below(letter)
        phase = self.writer.table.phase if isinstance(self.writer, Player) else None
        if kind == RECEIPT and phase is not None:
            place = await place_receipt(self.work, letter, self.mail, phase.opened_at)
        letter = msgspec.structs.replace(letter, chat_edits=place.edits, due_at=due_at)
        title = to.game.title if to.game is not None else ""
        await say(self, Answer(page, letter, title, place.before))

    async def say(self: "Conversation[Player]", page: Page, letter: NewLetter) -> None:
        """Answer with a page that was made a letter already."""
        await say(self, Answer(page, letter, self.table.game.title))

    async def ask(
        self,
        question: Callable[[], Awaitable[object]],
        beside: Page | Notice,
        kind: str = "answer",
        serial: str = ".ask",
    ) -> None:
        """Ask what only a yes to a letter of its own settles. Where more is said to this message,
        `beside` in the one answer tells how to be asked.
        """
        to, page = self.recipient(), self.page(beside)
        letter = self.letter(page, kind, self.dedupe_key(kind, serial), to=to)
        answer = Answer(page, letter, to.game.title if to.game is not None else "")
        await ask(self.services, Question(question, answer))

    async def send(self, letter: NewLetter) -> None:
        """Queue a letter that stands by itself, besides the answer."""
        await queue_letter(self, letter)

    def has_answered(self) -> None:
        """The message was handled before: it was answered then."""
        if self.services.dispatch.answers is not None:
            self.services.dispatch.answers.are_known = True

    async def is_flooded(self, kind: str) -> bool:
        """Whether this address gets no further answers of that kind now: two machines talk to each
        other.
        """
        channel, address = self.mail.channel, self.address
        return not (await answers_left(self.work, channel, address, kind, self.now())).count

    def dedupe_key(self, kind: str, serial: str = "") -> str:
        """One answer of a kind to a message, however often it is handled."""
        return f"{kind}:{self.row.id}{serial}"

    def message_id_of(self, kind: str) -> str:
        """The Message-ID that an answer of this kind will have."""
        token = self.recipient().token_by(self.services.key)
        return format_message_id(token, serial_of(self.dedupe_key(kind)), self.services.policy.host)


def begin_conversation(
    tx: Transaction[Services], row: InboxRow, mail: Message, writer: W, person: PersonRow | None
) -> Conversation[W]:
    """A message that came, by that writer; it is answered where it came from."""
    reader = reader_of(person, tx.services, mail.sender_name)
    person_id, address = person.id if person is not None else None, mail.sender or ""
    return Conversation(
        tx.work, tx.services, row, mail, writer, person_id, reader, address, Said(mail.text)
    )


async def open_conversation(
    talk: Conversation[object], table: OpenTable, seat: SeatRow, owner: Owner | None = None
) -> Conversation[Player]:
    """The message as that player's. Looks up who writes (unless that was done: `owner`) and where
    the answer goes; a mail from a suspended address shows that it works again.
    """
    work, mail, address = talk.work, talk.mail, talk.mail.sender or ""
    person, known = owner or await work.people.find_owner(mail.channel, address) or (None, None)
    if seat.person_id is None or person is None or person.id != seat.person_id:
        person = await work.people.find(seat.person_id)
    if (known is None or known.person_id != seat.person_id) and mail.channel == MAIL:
        address = await mail_address_of(work, seat.person_id) or address
    elif known is not None:
        await reopen_address(work, known, talk.now())
    return Conversation(
        work,
        talk.services,
        talk.row,
        mail,
        Player(table, seat, known_as=person.name if person is not None else ""),
        seat.person_id,
        page_reader(seat, person, talk.services.policy.zone),
        address,
        Said(mail.text),
        await has_gone(work, talk.row, mail, seat.id),
    )
