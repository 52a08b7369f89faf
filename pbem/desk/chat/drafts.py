"""From a letter to the messages of a chat: what the outbox keeps of each."""

import re
from collections.abc import Sequence

import msgspec

from pbem.desk.envelope.letter import ChatButton, Draft, NewLetter
from pbem.desk.envelope.message import TELEGRAM
from pbem.pages.page import FOOT_MARK, MARKER
from pbem.store.repositories.forgetting import EMPTY_LETTER, LetterBody
from pbem.store.repositories.post.outbox import OutboxRow
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
