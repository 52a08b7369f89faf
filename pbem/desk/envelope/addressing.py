"""From a page to a row in the outbox: who gets it, which thread it belongs to, which token answers
it.

A row holds everything that the mail is composed of later, so that a retry sends the same bytes
under the same Message-ID. Serial numbers derive from the row's dedupe key: a second run makes the
very same letter.
"""

import base64
import hashlib
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

import msgspec

from pbem.desk.envelope.message import ENDS, MAIL, Channel, Message
from pbem.desk.people.masters import MasterAddress
from pbem.desk.ports import Policy
from pbem.mail.calendar import DeadlineEvent, format_deadline
from pbem.mail.letter import parse_message_id
from pbem.mail.mailto import Mailto, format_mailto
from pbem.mail.tokens import Purpose, format_message_id, format_reply_address, make_token
from pbem.pages.notice import last_answer
from pbem.pages.page import Page
from pbem.store.repositories.games import GameRow
from pbem.store.repositories.phases import PhaseRow
from pbem.store.repositories.seats import SeatRow


class Attachment(msgspec.Struct, frozen=True):
    """A file that goes along with a letter, packed small: it lies in the outbox with every letter
    that carries it.
    """

    filename: str
    packed: bytes

    @classmethod
    def pack(cls, filename: str, content: bytes) -> "Attachment":
        return cls(filename, zlib.compress(content, 9))

    @property
    def content(self) -> bytes:
        """The file as it is sent."""
        return zlib.decompress(self.packed)


class Draft(msgspec.Struct, frozen=True):
    """What the outbox keeps of a letter; small texts and files only, the picture lies in its own
    table.
    """

    to_name: str
    subject: str
    text: str
    html: str | None
    reply_to: str
    envelope_from: str
    auto_submitted: Literal["auto-generated", "auto-replied"]
    in_reply_to: str | None = None
    references: tuple[str, ...] = ()
    list_id: str | None = None
    unsubscribe: str | None = None
    calendar: str | None = None
    attachment: Attachment | None = None


class ChatButton(msgspec.Struct, frozen=True):
    """A button below a message in a chat: `data` comes back when it is tapped, `url` is opened."""

    text: str
    data: str | None = None
    url: str | None = None


class NewTap(msgspec.Struct, frozen=True):
    """What a button stands for, to be kept when its letter goes to a chat: it counts for this
    person, seat, tenure and phase alone.
    """

    code: str
    action: str
    person_id: int
    game_id: int | None = None
    seat_id: int | None = None
    tenure: int = 0
    phase_number: int = 0


class NewLink(msgspec.Struct, frozen=True):
    """A one-time link that a letter hands out, to be kept with it as the hash of its code."""

    code_hash: str
    purpose: str
    expires_at: datetime
    person_id: int | None = None
    game_id: int | None = None


class NewLetter(msgspec.Struct, frozen=True):
    """A letter about to be queued; `shows_board` says that it wants the picture made with it.

    `address` is the mail address ("": there is none). With `only` it takes this channel, `address`
    being the address there; without, the ways its reader chose. `chat` are the words for a chat
    (Telegram's HTML), with `buttons` below; it answers the message `chat_reply_to` there, or takes
    the place of `chat_edits`. `taps` are what the buttons stand for, `link` what a link in it leads
    to.
    """

    kind: str
    address: str
    draft: Draft
    message_id: str
    dedupe_key: str
    game_id: int | None = None
    seat_id: int | None = None
    person_id: int | None = None
    picture_id: int | None = None
    shows_board: bool = False
    only: Channel | None = None
    chat: str = ""
    buttons: tuple[tuple[ChatButton, ...], ...] = ()
    chat_reply_to: int | None = None
    chat_edits: int | None = None
    taps: tuple[NewTap, ...] = ()
    link: NewLink | None = None

    def with_picture(self, picture_id: int | None) -> "NewLetter":
        """The same letter with the board it wants, once that is stored."""
        return msgspec.structs.replace(self, picture_id=picture_id) if self.shows_board else self


class Answering(msgspec.Struct, frozen=True):
    """The message that a letter answers, on its own channel; IDs that are unfit to be quoted are
    left out.
    """

    message_id: str | None
    references: tuple[str, ...] = ()
    channel: Channel = MAIL
    chat_message_id: int | None = None

    @classmethod
    def to(cls, mail: Message) -> "Answering":
        """What an answer to this message refers to."""
        if mail.channel != MAIL:
            return cls(None, (), mail.channel, mail.chat_message_id)
        return cls.to_mail(mail.message_id, mail.references)

    @classmethod
    def to_mail(cls, message_id: str | None, references: Sequence[str]) -> "Answering":
        """The same for a mail of which no more is known."""
        fit = (parse_message_id(reference) for reference in references[-8:])
        own = parse_message_id(message_id) if message_id is not None else None
        return cls(own, tuple(reference for reference in fit if reference is not None))


def serial_of(dedupe_key: str) -> str:
    """A short serial for a Message-ID, the same whenever the same letter is made."""
    return base64.b32encode(hashlib.sha256(dedupe_key.encode()).digest()[:10]).decode().lower()


def thread_root(game: GameRow, policy: Policy) -> str:
    """The Message-ID that holds all mails of a game together; no mail of that ID was ever sent."""
    return f"<{game.slug}.{game.id}.table@{policy.host}>"


def seat_token(key: bytes, seat: SeatRow, phase_number: int) -> str:
    return make_token(key, Purpose.ORDERS, seat.id, seat.tenure, phase_number)


def answer_link(policy: Policy, game: GameRow, token: str, words: str) -> str:
    """The link that begins an answer with these words: it carries the token as any answer does, and
    proves as much.
    """
    about = f"Re: [{game.title}] {words}"
    if policy.subaddressing:
        return format_mailto(Mailto(format_reply_address(policy.address, token), about, words))
    return format_mailto(Mailto(policy.address, about, f"{words}\n\n-- \nCode {token}"))


def unsubscribe_link(
    policy: Policy, kind: str, token: str, *, looks_on: bool = False
) -> str | None:
    """The link that ends letters of this kind (RFC 2369 3.2), where they are no part of the game
    itself: it mails the words that end them.

    There is no such link for a mere click (RFC 8058): that would need a web server of ours.
    """
    words = ENDS["observing"] if looks_on else ENDS.get(kind)
    if words is None or not token:
        return None
    if policy.subaddressing:
        return format_mailto(Mailto(format_reply_address(policy.address, token), words, words))
    return format_mailto(Mailto(policy.address, words, f"{words}\n\n-- \nCode {token}"))


@dataclass(frozen=True, slots=True)
class SeatAt:
    """Whoever sits there now, in this phase, at the address that a letter goes to."""

    game: GameRow
    seat: SeatRow
    phase_number: int
    address: str


@dataclass(frozen=True, slots=True)
class Recipient:
    """Somebody without a seat: a GM, a registered address. An answer carries the `token`, and goes
    to `reply_to` (None: to the house); `game` is what the letter is about.
    """

    address: str
    name: str
    person_id: int | None = None
    game: GameRow | None = None
    token: str = ""
    reply_to: str | None = None


def letter_to_seat(
    page: Page,
    *,
    kind: str,
    dedupe_key: str,
    to: SeatAt,
    policy: Policy,
    key: bytes,
    answering: Answering | None = None,
    picture_id: int | None = None,
    calendar: str | None = None,
    attachment: Attachment | None = None,
    shared: bool = False,
    shows_board: bool = False,
) -> NewLetter:
    """A letter to whoever sits there now. A reply to it proves the seat, for this phase."""
    game, seat, phase_number = to.game, to.seat, to.phase_number
    token = seat_token(key, seat, phase_number)
    bounce = make_token(key, Purpose.BOUNCE, seat.id, seat.tenure, phase_number)
    root = thread_root(game, policy)
    in_reply_to: str = root
    references: tuple[str, ...] = (root,)
    if answering is not None and answering.message_id is not None:
        in_reply_to, references = (
            answering.message_id,
            (root, *answering.references, answering.message_id),
        )
    draft = Draft(
        to_name=seat.name,
        subject=page.subject,
        text=page.text,
        html=page.html,
        reply_to=format_reply_address(policy.address, token)
        if policy.subaddressing
        else policy.address,
        envelope_from=format_reply_address(policy.address, bounce)
        if policy.subaddressing
        else policy.address,
        auto_submitted="auto-replied" if answering is not None else "auto-generated",
        in_reply_to=in_reply_to,
        references=references,
        list_id=f"{game.title} <{game.slug}.{policy.host}>"
        if shared and game.title.isascii()
        else None,
        unsubscribe=unsubscribe_link(policy, kind, token),
        calendar=calendar,
        attachment=attachment,
    )
    return NewLetter(
        kind=kind,
        address=to.address,
        draft=draft,
        message_id=format_message_id(token, serial_of(dedupe_key), policy.host),
        dedupe_key=dedupe_key,
        game_id=game.id,
        seat_id=seat.id,
        person_id=seat.person_id,
        picture_id=picture_id,
        shows_board=shows_board,
        only=answering.channel if answering is not None else None,
        chat=page.chat,
        chat_reply_to=answering.chat_message_id if answering is not None else None,
    )


def letter_to_address(
    page: Page,
    *,
    kind: str,
    dedupe_key: str,
    to: Recipient,
    policy: Policy,
    answering: Answering | None = None,
    picture_id: int | None = None,
    attachment: Attachment | None = None,
    shows_board: bool = False,
    routed: bool = False,
    looks_on: bool = False,
) -> NewLetter:
    """A letter to somebody without a seat (a GM, a registered address): null sender, so that it
    never bounces back.

    It goes to this very address, unless it is `routed`.
    """
    game, token = to.game, to.token
    serial = serial_of(dedupe_key)
    root = (thread_root(game, policy),) if game is not None else ()
    in_reply_to = (
        answering.message_id
        if answering is not None and answering.message_id
        else (root[0] if root else None)
    )
    draft = Draft(
        to_name=to.name,
        subject=page.subject,
        text=page.text,
        html=page.html,
        reply_to=to.reply_to or policy.address,
        envelope_from="",
        auto_submitted="auto-replied" if answering is not None else "auto-generated",
        in_reply_to=in_reply_to,
        references=(*root, in_reply_to) if in_reply_to and in_reply_to not in root else root,
        unsubscribe=unsubscribe_link(policy, kind, token, looks_on=True)
        if looks_on and answering is None
        else None,
        attachment=attachment,
    )
    message_id = (
        format_message_id(token, serial, policy.host)
        if token
        else f"<{kind}.{serial}@{policy.host}>"
    )
    return NewLetter(
        kind=kind,
        address=to.address,
        draft=draft,
        message_id=message_id,
        dedupe_key=dedupe_key,
        game_id=game.id if game is not None else None,
        person_id=to.person_id,
        picture_id=picture_id,
        shows_board=shows_board,
        only=answering.channel if answering is not None else None if routed else MAIL,
        chat=page.chat,
        chat_reply_to=answering.chat_message_id if answering is not None else None,
    )


def with_last_words(letter: NewLetter, within: timedelta) -> NewLetter:
    """The same answer, which says that it is the last of its kind for so long."""
    words, draft = last_answer(within), letter.draft
    html = (
        draft.html.replace("</body>", f"{words.html}</body>", 1) if draft.html is not None else None
    )
    draft = msgspec.structs.replace(
        draft, text=f"{draft.text.rstrip()}\n\n{words.text}\n", html=html
    )
    return msgspec.structs.replace(
        letter, draft=draft, chat=f"{letter.chat}\n\n{words.chat}" if letter.chat else ""
    )


def master_token(key: bytes, master: MasterAddress, game_id: int = 0) -> str:
    """What proves a game master's answer, about a table (0: about none); "" for somebody who may
    not command.
    """
    return (
        make_token(key, Purpose.GM, master.person_id, master.generation, game_id)
        if master.generation
        else ""
    )


def letter_to_master(
    page: Page,
    *,
    kind: str,
    dedupe_key: str,
    policy: Policy,
    key: bytes,
    master: MasterAddress,
    to_name: str,
    game: GameRow | None = None,
    answering: Answering | None = None,
    attachment: Attachment | None = None,
    shows_board: bool = False,
) -> NewLetter:
    """A letter to a game master: an answer to it is proof, and means the table it is about."""
    token = master_token(key, master, game.id if game is not None else 0)
    return letter_to_address(
        page,
        to=Recipient(
            address=master.address,
            name=to_name,
            person_id=master.person_id or None,
            game=game,
            token=token,
            reply_to=format_reply_address(policy.address, token)
            if token and policy.subaddressing
            else None,
        ),
        kind=kind,
        dedupe_key=dedupe_key,
        policy=policy,
        answering=answering,
        attachment=attachment,
        shows_board=shows_board,
        routed=True,
    )


def phase_calendar(
    policy: Policy, game: GameRow, phase: PhaseRow, stamped_at: datetime, page: Page
) -> str:
    """The deadline as an .ics: one stable UID a phase, the sequence going up with every change (RFC
    5545 3.8.7.4).
    """
    event = DeadlineEvent(
        uid=f"{game.slug}.{game.id}.{phase.number}@{policy.host}",
        sequence=phase.ics_sequence,
        stamped_at=stamped_at,
        deadline=phase.deadline,
        summary=page.subject,
        description=page.subject,
    )
    return format_deadline(event).decode("utf-8")
