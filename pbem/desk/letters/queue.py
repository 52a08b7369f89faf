"""Letters on their way into the outbox: answers as they are said, a row for each way that a letter
takes, and the request to send them.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

import msgspec

from pbem.desk.chat.edits import point_below
from pbem.desk.chat.links import keep_links
from pbem.desk.chat.messages import chat_drafts, keep_taps
from pbem.desk.correlation import current_cause
from pbem.desk.envelope.answers import Answer, Answers, Question, answers_left, join_answers
from pbem.desk.envelope.letter import NewLetter, NewLink, NewTap, read_epoch
from pbem.desk.envelope.message import MAIL, TELEGRAM
from pbem.desk.envelope.recipients import with_last_words
from pbem.desk.jobs import Job
from pbem.desk.letters.routes import Reach, Route, may_wait, read_reach, routes_of
from pbem.desk.ports import Context, Desk, Services, Transaction
from pbem.desk.precedence import AT_ONCE
from pbem.store.repositories.post.outbox import NewOutboxRow
from pbem.store.work import Work

NOTES_A_DAY = 20
ANSWERS, NEWS = range(2)
"""Lanes: an answer to somebody we know goes before what the house tells by itself, and before what
strangers are told.
"""


async def queue_letter(
    tx: Transaction[Context], letter: NewLetter, due_at: datetime | None = None
) -> int | None:
    """Put a letter into the outbox. None: it is there already (a second run of the same work), or
    nobody can be reached.
    """
    rows = await _write(tx.work, (letter,), tx.now(), due_at, None)
    queued = [
        outbox_id for row in rows if (outbox_id := await tx.work.outbox.queue(row)) is not None
    ]
    return queued[0] if queued else None


async def queue_letters(
    work: Work, letters: Iterable[NewLetter], now: datetime, reach: Reach | None = None
) -> None:
    """Put several letters into the outbox, to be sent at once. `reach`: how their readers are
    reached, if that has been looked up.
    """
    await work.outbox.queue_all(await _write(work, tuple(letters), now, None, reach))


async def say_note(tx: Transaction[Context], letter: NewLetter) -> bool:
    """Queue it, unless that chat got as many of its kind today as it will."""
    if await tx.has_had(TELEGRAM, letter.address, letter.kind, most=NOTES_A_DAY):
        return False
    await queue_letter(tx, letter)
    return True


async def _write(
    work: Work,
    letters: Sequence[NewLetter],
    now: datetime,
    due_at: datetime | None,
    reach: Reach | None,
) -> list[NewOutboxRow]:
    """The rows of these letters; what their buttons and links lead to is kept."""
    epoch = await read_epoch(work)
    if reach is None or not reach.knows(letters):
        reach = await read_reach(work, letters, now)
    rows: list[NewOutboxRow] = []
    taps: list[NewTap] = []
    links: list[NewLink] = []
    for letter in letters:
        due = await _due_at(work, letter, letter.due_at or due_at, reach)
        found: list[NewOutboxRow] = []
        for route in routes_of(letter, reach):
            said = await _limited(work, letter, route, now)
            if said is None:
                continue
            silent = letter.only is None and letter.person_id in reach.resting
            found += [
                _row(said, route, piece, now, due, epoch)
                for piece in _pieces(said, route, silent=silent)
            ]
            if route.channel == TELEGRAM:
                taps += said.taps
        if found and letter.link is not None:
            links.append(letter.link)
        rows += found
    await keep_taps(work, taps, now)
    await keep_links(work, links, now)
    return rows


async def _due_at(
    work: Work, letter: NewLetter, due_at: datetime | None, reach: Reach
) -> datetime | None:
    """When it goes: not before the end of its reader's quiet hours, if it can wait."""
    resting = (
        reach.resting.get(letter.person_id)
        if letter.person_id is not None and letter.only is None
        else None
    )
    if resting is None or not may_wait(letter.kind) or not await _may_wait(work, letter, resting):
        return due_at
    return resting if due_at is None else max(resting, due_at)


async def _limited(work: Work, letter: NewLetter, route: Route, now: datetime) -> NewLetter | None:
    """The letter, if it is an answer and the last one for a while with words that say so; None:
    that address gets no further answers now.
    """
    if letter.draft.auto_submitted != "auto-replied":
        return letter
    left = await answers_left(work, route.channel, route.address, letter.kind, now)
    if not left.count:
        return None
    return with_last_words(letter, left.within) if left.count == 1 else letter


async def _may_wait(work: Work, letter: NewLetter, until: datetime) -> bool:
    """Whether a letter is still worth reading then: not when the deadline of its table comes
    before.
    """
    phase = await work.phases.current(letter.game_id) if letter.game_id is not None else None
    return phase is None or phase.status == "closed" or phase.deadline > until


@dataclass(frozen=True, slots=True)
class _Piece:
    """A row of the outbox that a letter comes to."""

    body: str
    key: str
    message_id: str | None = None
    has_picture: bool = True


def _pieces(letter: NewLetter, route: Route, *, silent: bool) -> list[_Piece]:
    if route.channel == MAIL:
        body = msgspec.json.encode(letter.draft).decode()
        return [_Piece(body, letter.dedupe_key, letter.message_id)]
    key = f"{letter.dedupe_key}@{TELEGRAM}"
    return [
        _Piece(
            msgspec.json.encode(draft).decode(),
            f"{key}.{number}" if number else key,
            has_picture=draft.has_picture,
        )
        for number, draft in enumerate(chat_drafts(letter, silent=silent))
    ]


def _row(
    letter: NewLetter,
    route: Route,
    piece: _Piece,
    now: datetime,
    due_at: datetime | None,
    epoch: int,
) -> NewOutboxRow:
    cause = current_cause()
    is_answer = cause is not None and cause.startswith("m") and letter.person_id is not None
    return NewOutboxRow(
        channel=route.channel,
        kind=letter.kind,
        address=route.address,
        letter=piece.body,
        message_id=piece.message_id,
        created_at=now,
        due_at=due_at,
        game_id=letter.game_id,
        seat_id=letter.seat_id,
        person_id=letter.person_id,
        picture_id=letter.picture_id if piece.has_picture else None,
        epoch=epoch,
        dedupe_key=piece.key,
        correlation=cause,
        lane=ANSWERS if is_answer else NEWS,
    )


async def ask_for_delivery(services: Desk, now: datetime) -> None:
    """Ask for turns to send what is due, in each of which more is sent; what gets lost here the
    sweep asks for again.
    """
    async with services.database.read() as work:
        for outbox_id in await work.outbox.due_ids(now, AT_ONCE):
            services.jobs.ask(Job("deliver", (outbox_id,)))


async def ask_for_queued(services: Desk, queued: Sequence[int | None], now: datetime) -> None:
    """Ask for what a unit of work has queued: one letter goes without a look at what is due."""
    if len(queued) == 1 and queued[0] is not None:
        services.jobs.ask(Job("deliver", (queued[0],)))
    elif queued:
        await ask_for_delivery(services, now)


async def say(tx: Transaction[Services], answer: Answer) -> None:
    """Say it to the writer of the message in hand, at the end of its handling; without one, at
    once.
    """
    answers = tx.services.dispatch.answers
    if answers is None:
        await send_answers(tx, Answers([answer]))
    else:
        answers.add(answer)


async def ask(services: Services, question: Question) -> None:
    """Ask it, unless we say more to the writer of the message in hand."""
    answers = services.dispatch.answers
    if answers is None:
        await question.ask()
    else:
        answers.ask(question)


async def send_answers(tx: Transaction[Context], answers: Answers) -> None:
    """Queue what was said, in as few letters as can be."""
    if answers.questions and not answers.said and len(answers.questions) == 1:
        await answers.questions[0].ask()
    else:
        for question in answers.questions:
            answers.add(question.beside)
    for answer in () if answers.are_known else join_answers(answers.said):
        queued = await queue_letter(tx, answer.letter)
        if queued is not None and answer.before is not None:
            await point_below(tx, answer.before, answer.letter.dedupe_key)
