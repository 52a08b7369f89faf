"""Queueing letters within a unit of work: the rows that `deliver` will send."""

from collections.abc import Iterable
from datetime import datetime

import msgspec

from pbem.desk.correlation import current_cause
from pbem.desk.letters import NewLetter
from pbem.desk.message import MAIL
from pbem.store.work import Work

EPOCH = "outbox-epoch"


async def queue_letter(work: Work, letter: NewLetter, now: datetime, due_at: datetime | None = None) -> int | None:
    """Put a letter into the outbox. None: it is there already (a second run of the same work)."""
    return await _queue(work, letter, now, due_at, await _epoch(work))


async def queue_letters(work: Work, letters: Iterable[NewLetter], now: datetime) -> None:
    """Put several letters into the outbox, to be sent at once."""
    epoch = await _epoch(work)
    for letter in letters:
        await _queue(work, letter, now, None, epoch)


async def _epoch(work: Work) -> int:
    return int(await work.secrets.get(EPOCH) or 0)


async def _queue(work: Work, letter: NewLetter, now: datetime, due_at: datetime | None, epoch: int) -> int | None:
    return await work.outbox.queue(
        channel=MAIL,
        kind=letter.kind,
        address=letter.address,
        letter=msgspec.json.encode(letter.draft).decode(),
        message_id=letter.message_id,
        created_at=now,
        due_at=due_at,
        game_id=letter.game_id,
        seat_id=letter.seat_id,
        person_id=letter.person_id,
        picture_id=letter.picture_id,
        epoch=epoch,
        dedupe_key=letter.dedupe_key,
        correlation=current_cause(),
    )
