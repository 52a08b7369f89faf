"""Messages of ours in a chat that we edit later: buttons whose time is over, receipts of which only
the newest shows buttons, and the question of a vote.

Its buttons count as long as the vote is open, whatever phases close meanwhile.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from pbem.desk.chat.buttons import Holder, Keyboard, Vote
from pbem.desk.chat.menus import BEFORE_IT_OPENS
from pbem.desk.chat.messages import (
    LOOKED_BACK,
    MENU,
    MENU_EDIT,
    ChatDraft,
    ChatName,
    ChatPlace,
    draft_of,
    find_last_message,
    format_chat_name,
    message_of,
    parse_chat_name,
    put_message,
    shown_or_withheld,
    withhold_edits,
)
from pbem.desk.envelope.letter import NewLetter
from pbem.desk.envelope.message import TELEGRAM, Message
from pbem.desk.envelope.recipients import seat_token
from pbem.desk.ports import Context, Transaction
from pbem.desk.table import OpenTable, page_reader, page_table
from pbem.pages.chat import button_words
from pbem.pages.notice import notice_page
from pbem.pages.time import MotionAnswered, MotionFacts
from pbem.store.repositories.motions import MotionRow
from pbem.store.repositories.post.outbox import OutboxRow
from pbem.store.repositories.seats import SeatRow
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
    await put_message(tx, place, html, f"{OVER}:{key}", secret=draft.secret)


async def say_instead(
    tx: Transaction[Context], message: tuple[str, int], html: str, key: str, person_id: int
) -> None:
    """A question says what has become of it instead, and has no buttons any more."""
    chat_id, message_id = message
    await put_message(tx, ChatPlace(chat_id, message_id, person_id=person_id), html, key)


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
        tx,
        ChatPlace.of(row, message_id),
        html if length_of(html) <= limit else "",
        f"{OVER}:below:{key}",
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
        await put_message(tx, place, html, f"{OVER}:{row.id}", secret=draft.secret)


@dataclass(frozen=True, slots=True)
class Place:
    """The message that a receipt `edits`; or the receipt `before` it, which points below to it."""

    edits: int | None = None
    before: OutboxRow | None = None


async def place_receipt(work: Work, letter: NewLetter, mail: Message, since: datetime) -> Place:
    """Where the receipt for a message stands, in the phase that was asked `since`. A mail's stands
    alone.
    """
    if letter.only != TELEGRAM:
        return Place()
    if mail.message_id is not None and not mail.is_edit:
        return Place(before=await _newest_receipt(work, letter, since))
    row = await find_last_message(work, letter.address)
    if row is None or not _is_of_same(row, letter) or row.created_at < since:
        return Place()
    if draft_of(row).secret is not None:  # it answers other things as well, which must stay
        return Place(before=row)
    message_id = message_of(row)
    if message_id is not None:
        await withhold_edits(work, letter.address, message_id)
    return Place(message_id)


async def _newest_receipt(work: Work, letter: NewLetter, since: datetime) -> OutboxRow | None:
    for row in await work.outbox.list_last_to(TELEGRAM, letter.address, LOOKED_BACK):
        if _is_of_same(row, letter) and row.state in ("queued", "sending", "sent"):
            return row if row.created_at >= since else None
    return None


def _is_of_same(row: OutboxRow, letter: NewLetter) -> bool:
    return row.kind == letter.kind and row.seat_id == letter.seat_id


async def is_receipt_of(work: Work, chat_id: str, replied: str, key: str) -> bool:
    """Whether a message of a chat that is replied to is the letter of that key, which may stand
    where an older one stood; or no letter of ours at all.
    """
    if await work.outbox.find_by_message_id(replied) is None:
        return True
    name = parse_chat_name(replied)
    rows = await work.outbox.list_last_to(TELEGRAM, chat_id, LOOKED_BACK)
    return name is not None and any(
        (row.dedupe_key or "").startswith(f"{key}@{TELEGRAM}")
        and message_of(row) == name.message_id
        for row in rows
    )


ANSWERS = ("yes", "no")
CHOSEN = "\N{CHECK MARK}"


def question_key(motion: MotionRow, seat: SeatRow) -> str:
    """The key of the letter that puts the question to a seat."""
    return f"motion:{motion.id}:{seat.id}"


def ballot_keyboard(
    context: Context, motion: MotionRow, seat: SeatRow, answer: str = ""
) -> Keyboard | None:
    """The answers, the one that was given marked; None where nobody sits."""
    if seat.person_id is None:
        return None
    holder = Holder(seat.person_id, seat.game_id, seat.id, seat.tenure)
    return Keyboard(context.key, holder).line(
        *(
            (
                f"{button_words(one)} {CHOSEN}" if one == answer else button_words(one),
                Vote(motion.id, one),
            )
            for one in ANSWERS
        )
    )


async def edit_question(
    tx: Transaction[Context],
    table: OpenTable,
    motion: MotionRow,
    seat: SeatRow,
    answered: MotionFacts,
) -> None:
    """Let the question say how its reader has answered."""
    row = await tx.work.outbox.find_by_key(f"{question_key(motion, seat)}@{TELEGRAM}")
    message_id = message_of(row) if row is not None else None
    if row is None or message_id is None or row.person_id != seat.person_id:
        return
    person = await tx.work.people.find(row.person_id)
    code = seat_token(tx.services.key, seat, motion.phase_number)
    facts = page_table(table, tx.services, code=code)
    page = notice_page(
        MotionAnswered(answered), facts, page_reader(seat, person, tx.services.policy.zone)
    )
    await put_message(
        tx,
        ChatPlace.of(row, message_id),
        page.chat,
        f"vote:{row.id}:{tx.now().isoformat()}:{answered.answer}",
        ballot_keyboard(tx.services, motion, seat, answered.answer),
    )


async def close_questions(tx: Transaction[Context], table: OpenTable, motion: MotionRow) -> None:
    """The vote is over: its questions say so, and have no buttons any more."""
    words = f"<i>{escape(button_words('vote_over'))}</i>"
    for seat in table.seats:
        row = await tx.work.outbox.find_by_key(f"{question_key(motion, seat)}@{TELEGRAM}")
        if (
            row is None
            or await tx.work.outbox.find_by_key(f"{MENU_EDIT}:vote-over:{row.id}") is not None
        ):
            continue
        message_id = await shown_or_withheld(tx.work, row)
        if message_id is None:
            continue
        title = draft_of(row).html.partition("\n")[0]
        place = ChatPlace.of(row, message_id)
        await put_message(tx, place, f"{title}\n\n{words}", f"vote-over:{row.id}")
