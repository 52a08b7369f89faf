"""From a letter to the messages of a chat: what the outbox keeps of each; and messages that only a
chat has: menus, edits, short answers. They go through the outbox like letters, and no mail stands
in for them.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

import msgspec

from pbem.desk.chat.buttons import Keyboard
from pbem.desk.correlation import current_cause
from pbem.desk.envelope.letter import ChatButton, Draft, NewLetter, NewTap, read_epoch
from pbem.desk.envelope.message import TELEGRAM
from pbem.desk.ports import Context, Transaction
from pbem.pages.page import FOOT_MARK, MARKER
from pbem.store.repositories.forgetting import EMPTY_LETTER, LetterBody
from pbem.store.repositories.post.outbox import NewOutboxRow, OutboxRow
from pbem.store.repositories.post.taps import TapRow
from pbem.store.work import Work
from pbem.telegram.text import CAPTION_LIMIT, TEXT_LIMIT, escape, length_of, split_html

_TAG = re.compile(r"<[^<>]*>")


class ChatDraft(msgspec.Struct, frozen=True):
    """One message to a chat. `reply_to` and `edits` are message ids there; with `has_picture` the
    row's picture stands above the words.

    `mail` is the same letter for the mail, under `mail_id`, to be sent when the chat turns out to
    be closed to us. `secret` is as in `Draft`, and "" in all messages of a letter but the first.
    `passing` are the words at the end of `html` that hold only while the phase is open. `thread_id`
    is the topic of a group.
    """

    html: str
    buttons: tuple[tuple[ChatButton, ...], ...] = ()
    reply_to: int | None = None
    edits: int | None = None
    has_picture: bool = False
    silent: bool = False
    mail: Draft | None = None
    mail_id: str | None = None
    secret: str | None = None
    passing: str = ""
    thread_id: int | None = None


def chat_drafts(letter: NewLetter, *, silent: bool = False) -> tuple[ChatDraft, ...]:
    """The messages a letter comes to, the first with its picture; the buttons stand below the
    last. What is too long to stand below a picture stands in a message behind it, except the
    title.
    """
    html = letter.chat or _plainly(letter.draft)
    has_picture = letter.picture_id is not None
    if has_picture and length_of(html) > CAPTION_LIMIT:
        title, _break, rest = html.partition("\n")
        is_whole = title.count("</") * 2 == title.count("<") and length_of(title) <= CAPTION_LIMIT
        pieces = (
            (title, *split_html(rest.strip("\n"), TEXT_LIMIT))
            if is_whole
            else split_html(html, CAPTION_LIMIT)
        )
    else:
        pieces = split_html(html, TEXT_LIMIT) or (escape(letter.draft.subject),)
    last = len(pieces) - 1
    return tuple(
        ChatDraft(
            html=piece,
            buttons=letter.buttons if number == last else (),
            reply_to=letter.chat_reply_to if number == 0 else None,
            edits=letter.chat_edits if number == 0 and not last else None,
            has_picture=has_picture and number == 0,
            silent=silent,
            mail=letter.draft if number == 0 else None,
            mail_id=letter.message_id if number == 0 else None,
            secret=letter.draft.secret if number == 0 or letter.draft.secret is None else "",
            passing=letter.passing if number == last and piece.endswith(letter.passing) else "",
            thread_id=letter.chat_thread,
        )
        for number, piece in enumerate(pieces)
    )


def _plainly(draft: Draft) -> str:
    """A letter that was made without words for a chat: its subject, and its text without what only
    a mail needs.
    """
    return f"<b>{escape(draft.subject)}</b>\n\n{escape(_body_of(draft).strip())}"


def _body_of(draft: Draft) -> str:
    return (draft.text.partition(MARKER)[2] or draft.text).partition(FOOT_MARK)[0]


def secret_words_of(row: OutboxRow) -> str:
    """What a letter says that may show its reader's own orders, whichever way it went, without what
    stands in all letters.
    """
    if row.channel == TELEGRAM:
        said = msgspec.json.decode(row.letter, type=ChatDraft)
        return _TAG.sub(" ", said.html) if said.secret is None else said.secret
    draft = msgspec.json.decode(row.letter, type=Draft)
    return _body_of(draft) if draft.secret is None else draft.secret


def mail_draft_of(row: OutboxRow | LetterBody) -> tuple[Draft, str | None] | None:
    """The letter as a mail has it, with its Message-ID, whichever way the row went; None for words
    that were forgotten, and for all but the first of several messages that a letter came to in a
    chat.
    """
    if row.letter == EMPTY_LETTER:
        return None
    if row.channel != TELEGRAM:
        return msgspec.json.decode(row.letter, type=Draft), row.message_id
    draft = msgspec.json.decode(row.letter, type=ChatDraft)
    return (draft.mail, draft.mail_id) if draft.mail is not None else None


def chat_words_of(
    rows: Sequence[OutboxRow], like: OutboxRow
) -> tuple[str, tuple[tuple[ChatButton, ...], ...]]:
    """The same letter as a chat has it: the words of all its messages, and the buttons below the
    last; ("", ()) where none went there.
    """
    base = _base_of(like)
    drafts = [
        msgspec.json.decode(row.letter, type=ChatDraft)
        for row in sorted(rows, key=lambda row: row.id)
        if row.channel == TELEGRAM and row.letter != EMPTY_LETTER and _base_of(row) == base
    ]
    return (
        ("\n".join(draft.html for draft in drafts), drafts[-1].buttons)
        if drafts and drafts[0].mail is not None
        else ("", ())
    )


def _base_of(row: OutboxRow) -> str:
    """What the key of a letter has in common on all its ways."""
    return (row.dedupe_key or "").partition(f"@{TELEGRAM}")[0]


MENU, MENU_EDIT = "menu", "menu-edit"
NOTE = "chat-note"
TAPS_A_DAY = 500
SUPERSEDED = "superseded"
LOOKED_BACK = 60


@dataclass(frozen=True, slots=True)
class ChatPlace:
    """Where a message stands: as a new one of a chat, perhaps as a reply, or in the place of one
    that it `edits`; and whom it is for.
    """

    chat_id: str
    edits: int | None = None
    reply_to: int | None = None
    game_id: int | None = None
    seat_id: int | None = None
    person_id: int | None = None

    @classmethod
    def of(cls, row: OutboxRow, message_id: int) -> "ChatPlace":
        """The place of the message that a row has brought."""
        return cls(row.address, message_id, None, row.game_id, row.seat_id, row.person_id)


async def put_message(
    tx: Transaction[Context],
    place: ChatPlace,
    html: str,
    key: str,
    keyboard: Keyboard | None = None,
    secret: str | None = None,
) -> None:
    """Queue one message. An edit takes the place of others of the same message that have not gone
    yet; empty words leave the old ones.
    """
    kind = MENU if place.edits is None else MENU_EDIT
    if place.edits is not None:
        await withhold_edits(tx.work, place.chat_id, place.edits)
    if keyboard is not None:
        await keep_taps(tx.work, keyboard.taps, tx.now())
    draft = ChatDraft(
        html=html,
        buttons=keyboard.rows if keyboard is not None else (),
        reply_to=place.reply_to,
        edits=place.edits,
        secret=secret,
    )
    await tx.work.outbox.queue(
        NewOutboxRow(
            channel=TELEGRAM,
            kind=kind,
            address=place.chat_id,
            letter=msgspec.json.encode(draft).decode(),
            message_id=None,
            created_at=tx.now(),
            game_id=place.game_id,
            seat_id=place.seat_id,
            person_id=place.person_id,
            epoch=await read_epoch(tx.work),
            dedupe_key=f"{kind}:{key}",
            correlation=current_cause(),
        )
    )


async def keep_taps(work: Work, taps: Iterable[NewTap], now: datetime) -> None:
    """Make the buttons of a letter live; the same button a second time stays as it is."""
    await work.taps.put_all(
        [
            TapRow(
                tap.code,
                tap.person_id,
                tap.game_id,
                tap.seat_id,
                tap.tenure,
                tap.phase_number,
                tap.action,
                now,
                None,
            )
            for tap in taps
        ]
    )


async def withhold_edits(work: Work, chat_id: str, message_id: int) -> None:
    """Nobody need see what the message would have said for a moment."""
    for row in await work.outbox.list_unsent_to(TELEGRAM, chat_id):
        if row.attempts == 0 and draft_of(row).edits == message_id:
            await work.outbox.withhold(row.id, SUPERSEDED)


async def find_last_message(work: Work, chat_id: str) -> OutboxRow | None:
    """The message of ours that stands last in a chat: of those that were edited, where they first
    came. None: there is none, or it is on its way, so that nobody knows yet what it is called.
    """
    edited: dict[int, OutboxRow] = {}
    for row in await work.outbox.list_last_to(TELEGRAM, chat_id, LOOKED_BACK):
        if row.state in ("refused", "withheld"):
            continue
        edits = draft_of(row).edits
        if edits is not None:
            edited.setdefault(edits, row)
            continue
        message_id = message_of(row)
        return edited.get(message_id, row) if message_id is not None else None
    return None


def draft_of(row: OutboxRow) -> ChatDraft:
    """What the outbox keeps of a message to a chat; of one whose words were dropped after a long
    time, nothing.
    """
    return msgspec.json.decode(row.letter or '{"html":""}', type=ChatDraft)


def message_of(row: OutboxRow) -> int | None:
    """The id that the message of a row has in its chat; None as long as it is not sent."""
    edits = draft_of(row).edits
    if edits is not None:
        return edits
    name = parse_chat_name(row.message_id)
    return name.message_id if name is not None else None


async def shown_or_withheld(work: Work, row: OutboxRow) -> int | None:
    """The id of a message that is to change as it no longer holds. None: it is not sent yet, and
    never will be unless it is under way.
    """
    message_id = message_of(row)
    if message_id is None and row.attempts == 0:
        await work.outbox.withhold(row.id, SUPERSEDED)
    return message_id


PREFIX = f"{TELEGRAM}:"


@dataclass(frozen=True, slots=True)
class ChatName:
    """Where a message of a chat is found again."""

    chat_id: int
    message_id: int


def format_chat_name(name: ChatName) -> str:
    """The id under which the outbox knows the message."""
    return f"{PREFIX}{name.chat_id}:{name.message_id}"


def parse_chat_name(text: str | None) -> ChatName | None:
    """The inverse of `format_chat_name`; None for anything else."""
    pieces = (text or "").removeprefix(PREFIX).split(":")
    if (
        not (text or "").startswith(PREFIX)
        or len(pieces) != 2
        or not all(piece.lstrip("-").isdigit() for piece in pieces)
    ):
        return None
    return ChatName(int(pieces[0]), int(pieces[1]))
