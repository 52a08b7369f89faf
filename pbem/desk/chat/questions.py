"""The question of a vote in a chat: edited to the answer, again where it changes, and closed with
the vote.

Its buttons count as long as the vote is open, whatever phases close meanwhile.
"""

from datetime import datetime

from pbem.desk.chat.buttons import Holder, Keyboard, Vote
from pbem.desk.chat.messages import (
    MENU_EDIT,
    ChatPlace,
    draft_of,
    message_of,
    put_message,
    shown_or_withheld,
)
from pbem.desk.envelope.message import TELEGRAM
from pbem.desk.envelope.recipients import seat_token
from pbem.desk.ports import Context, Transaction
from pbem.desk.table import OpenTable, page_reader, page_table
from pbem.pages.chat import button_words
from pbem.pages.notice import notice_page
from pbem.pages.time import MotionAnswered, MotionFacts
from pbem.store.repositories.motions import MotionRow
from pbem.store.repositories.seats import SeatRow
from pbem.telegram.text import escape

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
    now: datetime,
) -> None:
    """Let the question say how its reader has answered."""
    row = await tx.work.outbox.find_by_key(f"{question_key(motion, seat)}@{TELEGRAM}")
    message_id = message_of(row) if row is not None else None
    if row is None or message_id is None or row.person_id != seat.person_id:
        return
    person = await tx.work.people.find(row.person_id) if row.person_id is not None else None
    facts = page_table(
        table, tx.services, now=now, code=seat_token(tx.services.key, seat, motion.phase_number)
    )
    page = notice_page(
        MotionAnswered(answered), facts, page_reader(seat, person, tx.services.policy.zone)
    )
    await put_message(
        tx.work,
        ChatPlace.of(row, message_id),
        page.chat,
        f"vote:{row.id}:{now.isoformat()}:{answered.answer}",
        now,
        ballot_keyboard(tx.services, motion, seat, answered.answer),
    )


async def close_questions(
    tx: Transaction[Context], table: OpenTable, motion: MotionRow, now: datetime
) -> None:
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
        await put_message(tx.work, place, f"{title}\n\n{words}", f"vote-over:{row.id}", now)
