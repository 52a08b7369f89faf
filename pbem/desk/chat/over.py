"""Buttons whose time is over: they go, and the message says what has become of them where it did
not say it.
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from pbem.desk.chat.drafts import ChatDraft
from pbem.desk.chat.menus import BEFORE_IT_OPENS
from pbem.desk.chat.messages import (
    MENU,
    ChatName,
    ChatPlace,
    draft_of,
    format_chat_name,
    message_of,
    put_message,
)
from pbem.desk.envelope.message import TELEGRAM
from pbem.desk.ports import Context, Transaction
from pbem.desk.table import OpenTable
from pbem.pages.chat import button_words
from pbem.store.repositories.post.outbox import OutboxRow
from pbem.store.work import Work
from pbem.telegram.text import CAPTION_LIMIT, TEXT_LIMIT, escape, length_of

OVER = "over"
KINDS = ("turn", "news", "welcome", "takeover", "reminder", "receipt", "resend")
"""Letters whose buttons count in the phase that they came in, and never again. (The menu has its
own end.)
"""


async def end_buttons(
    tx: Transaction[Context], chat_id: int, message_id: int, words: str, key: str
) -> None:
    """Take the buttons from a message, and write `words` below what it says."""
    row = await tx.work.outbox.find_by_message_id(format_chat_name(ChatName(chat_id, message_id)))
    draft = draft_of(row) if row is not None else ChatDraft("")
    html = "\n\n".join(part for part in (draft.html, f"<i>{escape(words)}</i>") if part)
    place = (
        replace(ChatPlace.of(row, message_id), chat_id=str(chat_id))
        if row is not None
        else ChatPlace(str(chat_id), message_id)
    )
    now = tx.services.clock.now()
    await put_message(tx.work, place, html, f"{OVER}:{key}", now, secret=draft.secret)


async def say_instead(
    work: Work, message: tuple[str, int], html: str, key: str, person_id: int, now: datetime
) -> None:
    """A question says what has become of it instead, and has no buttons any more."""
    chat_id, message_id = message
    await put_message(work, ChatPlace(chat_id, message_id, person_id=person_id), html, key, now)


async def point_below(tx: Transaction[Context], row: OutboxRow, key: str) -> None:
    """A newer message of ours says what holds: this one loses its buttons, and says where to look,
    unless it is still on its way.
    """
    message_id = message_of(row)
    if message_id is None:
        return
    draft, limit = draft_of(row), TEXT_LIMIT if row.picture_id is None else CAPTION_LIMIT
    html = f"{draft.html}\n\n<i>{escape(button_words('replaced_below'))}</i>"
    await put_message(
        tx.work,
        ChatPlace.of(row, message_id),
        html if length_of(html) <= limit else "",
        f"{OVER}:below:{key}",
        tx.services.clock.now(),
        secret=draft.secret,
    )


async def list_shown(work: Work, table: OpenTable) -> list[OutboxRow]:
    """What was written to chats with buttons in the open phase, the menus among it, the oldest
    first.
    """
    if table.phase is None:
        return []
    return await work.outbox.list_in_chats_since(
        TELEGRAM, table.game.id, (MENU, *KINDS), table.phase.opened_at - BEFORE_IT_OPENS
    )


async def close_keyboards(
    tx: Transaction[Context],
    table: OpenTable,
    shown: Sequence[OutboxRow],
    turn: int,
    now: datetime,
) -> None:
    """The open phase is closed: what could be tapped in it cannot be any more, and receipts say so
    in place of their deadline. Behind all letters of the close, as nobody is to wait for this.

    `shown` is what was written to chats in the phase; `turn` the one that comes, 0: the same
    continues.
    """
    phase = table.phase
    if phase is None:
        return
    turn_word = table.kind.pages.turn_word
    closed = f"<i>{escape(button_words('closed', turn=turn, turn_word=turn_word))}</i>"
    newest: dict[tuple[str, int], OutboxRow] = {}
    for row in shown:
        message_id = message_of(row) if row.kind != MENU else None
        if message_id is not None and row.state in ("queued", "sending", "sent"):
            newest[row.address, message_id] = row
    for (_address, message_id), row in newest.items():
        draft = draft_of(row)
        codes = [button.data for line in draft.buttons for button in line if button.data]
        tap = await tx.work.taps.find(codes[0]) if codes else None
        is_of_phase = (
            tap.phase_number == phase.number
            if tap is not None
            else bool(draft.passing) and row.created_at >= phase.opened_at
        )
        if not is_of_phase:
            continue
        html = (
            f"{draft.html.removesuffix(draft.passing)}{closed}"
            if draft.passing
            else ""
            if row.state == "sent"
            else draft.html  # what is still on its way is replaced, and its words must come
        )
        place = ChatPlace.of(row, message_id)
        await put_message(tx.work, place, html, f"{OVER}:{row.id}", now, secret=draft.secret)
