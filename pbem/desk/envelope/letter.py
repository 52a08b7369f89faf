"""A letter as a value: what is written, to whom, and what stands below it in a chat."""

import zlib
from collections.abc import Sequence
from datetime import datetime
from typing import Literal

import msgspec

from pbem.desk.envelope.message import MAIL, Channel, Message
from pbem.mail.letter import parse_message_id
from pbem.store.work import Work

EPOCH = "outbox-epoch"


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
    table. `cancelled` are calendar entries that no longer hold. `secret`, of several answers in one
    letter, are the words that show its reader's own orders; None: it is one answer. With a receipt
    in it they are the letter's own words. `main` is the page's `html_main`.
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
    secret: str | None = None
    cancelled: tuple[str, ...] = ()
    main: tuple[int, int] | None = None


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
    the place of `chat_edits`, in the topic `chat_thread`. Its `passing` last words hold while the
    phase is open. `taps` are what the buttons stand for, `link` what a link in it leads to. It goes
    not before `due_at`, and takes the place of these letters of the outbox (`instead`).
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
    passing: str = ""
    buttons: tuple[tuple[ChatButton, ...], ...] = ()
    chat_reply_to: int | None = None
    chat_edits: int | None = None
    chat_thread: int | None = None
    taps: tuple[NewTap, ...] = ()
    link: NewLink | None = None
    due_at: datetime | None = None
    instead: tuple[int, ...] = ()

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
        """The same for a mail of which we know only these."""
        fit = (parse_message_id(reference) for reference in references[-8:])
        own = parse_message_id(message_id) if message_id is not None else None
        return cls(own, tuple(reference for reference in fit if reference is not None))


async def read_epoch(work: Work) -> int:
    """The restores from a backup that came before the letters of now."""
    return int(await work.secrets.get(EPOCH) or 0)
