"""A plain yes or no in a chat. As a reply it answers the very question that it replies to; alone it
answers the one question that waits, and where several do it is asked which is meant.

Questions are those of ours that wait for a yes (to resign, to play for somebody ...), votes that
are open, invitations, and the suggestions of the newest receipts.
"""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from pbem.desk.authentication.kept import WHICH
from pbem.desk.authentication.questions import QUESTIONS, settle_pending
from pbem.desk.authentication.verdicts import Proven
from pbem.desk.chat.buttons import Action, Consent, Holder, Keyboard, Say, Vote, holder_of
from pbem.desk.envelope.message import TELEGRAM, Disposal, Handled, Message
from pbem.desk.letters.post import person_at
from pbem.desk.letters.queue import say_note
from pbem.desk.lobby.rows import read_lobby_rows
from pbem.desk.messages.conversation import Conversation
from pbem.desk.messages.players import take_message
from pbem.desk.messages.table_names import ANSWERED, parse_choice
from pbem.desk.messages.which_game import answer_which
from pbem.desk.phases.ballots import number_of, open_motions, voters_of
from pbem.desk.ports import Context, Transaction
from pbem.desk.table import OpenTable, load_table
from pbem.grammar.consent import Unsure, parse_plain_consent, read_consent
from pbem.pages.chat import WhichQuestion, button_words
from pbem.store.repositories.people import PersonRow
from pbem.store.repositories.post.outbox import OutboxRow
from pbem.store.repositories.post.pending import PendingRow
from pbem.store.repositories.seats import SeatRow
from pbem.store.work import Work

ASKED_IN_CHATS = tuple(purpose for purpose, kind in QUESTIONS.items() if kind.asks)
KIND = "which-question"
_KEY = re.compile(
    r"(?:resign-confirm|forget-confirm|stand-in-confirm|gm-confirm|which-game|question-unclear)"
    r":(?P<id>\d+)\b"
)


@dataclass(frozen=True, slots=True)
class Question:
    """One that a plain answer may be about: its words, the button that answers it, and how the
    answer is taken without one.
    """

    words: str
    holder: Holder
    action: Action
    pending: PendingRow | None = None
    seat: SeatRow | None = None
    text: str = ""


def may_answer(mail: Message) -> bool:
    """Whether a message can be the answer to a question of ours, by its form alone."""
    if mail.is_edit or mail.is_command:
        return False
    return mail.in_reply_to is not None or parse_plain_consent(mail.text) is not None


async def take_answer(
    talk: Conversation[object],
) -> Disposal | None:
    """None: it answers nothing, or nothing but what the table itself has asked; then it is a
    message like any other.
    """
    person = await talk.work.people.find_by_address(TELEGRAM, talk.mail.sender or "")
    if person is None or not may_answer(talk.mail) or ANSWERED in json.loads(talk.row.facts):
        return None
    consent = parse_plain_consent(talk.mail.text)
    answered = (
        await talk.work.outbox.find_by_message_id(talk.mail.in_reply_to)
        if talk.mail.in_reply_to is not None
        else None
    )
    if answered is not None:
        pending = await _asked_by(talk.work, answered, talk.mail)
        if pending is not None and pending.purpose == WHICH:
            return (
                await answer_which(talk, pending)
                if await _names_a_table(talk.work, talk.mail, person)
                else None
            )
        return (
            await settle_pending(talk, pending)
            if pending is not None and (consent is not None or _is_unclear(pending, talk.mail.text))
            else None
        )
    if consent is None:
        return None
    questions = await _open_questions(talk, person, yes=consent)
    if len(questions) > 1:
        await _ask_which(talk, person, questions, yes=consent)
        return Handled("which-question")
    return await _take(talk, questions[0]) if questions else None


def _is_unclear(pending: PendingRow, text: str) -> bool:
    """Whether it begins as an answer does and continues, so that it is told what a plain one is:
    `yes, if Ben takes over`; anything else is a message like any other.
    """
    return QUESTIONS[pending.purpose].is_told_unclear and not isinstance(read_consent(text), Unsure)


async def _asked_by(work: Work, answered: OutboxRow, mail: Message) -> PendingRow | None:
    """What the letter asked that a message replies to."""
    key = _KEY.match(answered.dedupe_key or "")
    pending = await work.pending.find(int(key["id"])) if key is not None else None
    return (
        pending
        if pending is not None and pending.address == mail.sender == answered.address
        else None
    )


async def _names_a_table(work: Work, mail: Message, person: PersonRow) -> bool:
    seats = [seat for seat in await work.seats.list_of_person(person.id) if seat.status != "left"]
    games = [game for seat in seats if (game := await work.games.find(seat.game_id)) is not None]
    return parse_choice(mail.text, games) is not None


async def _take(talk: Conversation[object], question: Question) -> Disposal | None:
    if question.pending is not None:
        return await settle_pending(talk, question.pending)
    if question.seat is None:
        return None
    return await take_message(
        talk.saying(replace(talk.mail, text=question.text or talk.mail.text)),
        Proven(question.seat, None),
    )


# --------------------------------------------------------------------------------------- what waits
async def _open_questions(
    talk: Conversation[object], person: PersonRow, *, yes: bool
) -> list[Question]:
    """Those that the person can answer so, the oldest of each kind first."""
    found = []
    for pending in await talk.work.pending.list_waiting_at(
        ASKED_IN_CHATS, talk.mail.sender or "", talk.now()
    ):
        game = await talk.work.games.find(pending.game_id)
        words = button_words(
            QUESTIONS[pending.purpose].asks, title=game.title if game is not None else ""
        )
        found.append(Question(words, Holder(person.id), Consent(pending.id, yes), pending=pending))
    for seat in await talk.work.seats.list_of_person(person.id):
        locked = (
            await talk.work.games.lock(seat.game_id)
            if seat.status in ("active", "eliminated")
            else None
        )
        if locked is not None and locked.status == "open":
            found += await _invitations(talk, seat)
        elif locked is not None and locked.status in ("running", "paused"):
            table = await load_table(talk, locked)
            found += [
                *await _votes(talk, table, seat, yes=yes),
                *(await _offers(talk, table, seat) if yes else ()),
            ]
    return found


async def _invitations(talk: Conversation[object], seat: SeatRow) -> list[Question]:
    rows = await read_lobby_rows(talk, seat.game_id)
    holder = holder_of(seat, 0)
    if seat.id not in rows.unanswered or holder is None:
        return []
    return [
        Question(
            button_words("asks_seat", title=rows.game.title),
            holder,
            Say(talk.mail.text.strip()),
            seat=seat,
        )
    ]


async def _votes(
    tx: Transaction[Context], table: OpenTable, seat: SeatRow, *, yes: bool
) -> list[Question]:
    """The open votes that the seat has not answered."""
    found, holder = [], holder_of(seat, 0)
    if holder is None or all(voter.id != seat.id for voter in voters_of(table)):
        return []
    answer = "yes" if yes else "no"
    for motion in await open_motions(tx.work, table, tx.now()):
        since = seat.joined_at or motion.opened_at
        if any(
            ballot.seat_id == seat.id and ballot.at >= since
            for ballot in await tx.work.motions.list_ballots(motion.id)
        ):
            continue
        words = button_words("asks_vote", title=table.game.title, number=number_of(motion))
        number = number_of(motion)
        found.append(
            Question(
                words, holder, Vote(motion.id, answer), seat=seat, text=f"vote {answer} {number}"
            )
        )
    return found


async def _offers(tx: Transaction[Context], table: OpenTable, seat: SeatRow) -> list[Question]:
    """What the newest receipt of the open phase suggests."""
    newest = await tx.work.orders.newest(seat.id, table.game.phase_number)
    holder = holder_of(seat, table.game.phase_number)
    if newest is None or newest.offered is None or newest.tenure != seat.tenure or holder is None:
        return []
    words = button_words("asks_take", title=table.game.title)
    return [Question(words, holder, Say("yes", serial=str(newest.version)), seat=seat)]


async def _ask_which(
    talk: Conversation[object],
    person: PersonRow,
    questions: Sequence[Question],
    *,
    yes: bool,
) -> None:
    """A button for each question, which gives it the answer that was written."""
    keyboard = Keyboard(talk.services.key, Holder(person.id))
    for question in questions:
        keyboard.holder = question.holder
        keyboard.line((question.words, question.action))
    told = WhichQuestion("yes" if yes else "no", [question.words for question in questions])
    who, answered = person_at(talk.services, person, talk.mail.sender or ""), talk.mail
    letter = who.note(told, str(talk.row.id), kind=KIND, reply_to=answered.chat_message_id)
    await say_note(talk, keyboard.below(letter))
