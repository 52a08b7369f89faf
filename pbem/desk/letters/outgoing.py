"""Queueing letters within a unit of work: the rows that `deliver` will send, one for each way a
letter takes.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

import msgspec

from pbem.desk.chat.drafts import chat_drafts
from pbem.desk.chat.writing import keep_taps
from pbem.desk.correlation import current_cause
from pbem.desk.envelope.addressing import with_last_words
from pbem.desk.envelope.letter import NewLetter, read_epoch
from pbem.desk.envelope.message import MAIL, TELEGRAM
from pbem.desk.letters.answer_limits import answers_left
from pbem.desk.letters.routing import Reach, Route, may_wait, read_reach, routes_of
from pbem.desk.ports import Context
from pbem.store.work import Work

NOTES_A_DAY = 20
ANSWERS, NEWS = range(2)
"""Lanes: an answer to somebody we know goes before what the house tells by itself, and before what
strangers are told.
"""


async def queue_letter(
    work: Work, letter: NewLetter, now: datetime, due_at: datetime | None = None
) -> int | None:
    """Put a letter into the outbox. None: it is there already (a second run of the same work), or
    nobody can be reached.
    """
    found = await _queue(
        work, letter, now, due_at, await read_epoch(work), await read_reach(work, (letter,), now)
    )
    return next(iter(found), None)


async def queue_letters(work: Work, letters: Iterable[NewLetter], now: datetime) -> None:
    """Put several letters into the outbox, to be sent at once."""
    waiting: Sequence[NewLetter] = tuple(letters)
    epoch, reach = await read_epoch(work), await read_reach(work, waiting, now)
    for letter in waiting:
        await _queue(work, letter, now, None, epoch, reach)


async def say_note(work: Work, context: Context, letter: NewLetter) -> bool:
    """Queue it, unless that chat got as many of its kind today as it will."""
    now = context.clock.now()
    if (
        await work.outbox.count_to_address_since(
            TELEGRAM, letter.address, (letter.kind,), now - timedelta(days=1)
        )
        >= NOTES_A_DAY
    ):
        return False
    await queue_letter(work, letter, now)
    return True


async def _queue(
    work: Work, letter: NewLetter, now: datetime, due_at: datetime | None, epoch: int, reach: Reach
) -> list[int]:
    found: list[int | None] = []
    resting = (
        reach.resting.get(letter.person_id)
        if letter.person_id is not None and letter.only is None
        else None
    )
    if resting is not None and may_wait(letter.kind) and await _may_wait(work, letter, resting):
        due_at = resting if due_at is None else max(resting, due_at)
    for route in routes_of(letter, reach):
        if letter.draft.auto_submitted == "auto-replied":
            left = await answers_left(work, route.channel, route.address, letter.kind, now)
            if not left.count:
                continue
            letter = with_last_words(letter, left.within) if left.count == 1 else letter
        for piece in _pieces(letter, route, silent=resting is not None):
            found.append(await _put(work, letter, route, piece, now, due_at, epoch))
        if route.channel == TELEGRAM:
            await keep_taps(work, letter.taps, now)
    queued = [outbox_id for outbox_id in found if outbox_id is not None]
    if queued and letter.link is not None:
        link = letter.link
        await work.links.add(
            code_hash=link.code_hash,
            purpose=link.purpose,
            created_at=now,
            expires_at=link.expires_at,
            person_id=link.person_id,
            game_id=link.game_id,
        )
    return queued


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


async def _put(
    work: Work,
    letter: NewLetter,
    route: Route,
    piece: _Piece,
    now: datetime,
    due_at: datetime | None,
    epoch: int,
) -> int | None:
    cause = current_cause()
    return await work.outbox.queue(
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
        lane=ANSWERS
        if cause is not None and cause.startswith("m") and letter.person_id is not None
        else NEWS,
    )
