"""Deadlines as calendar files, and their cancellation: a letter that goes out anyway takes an entry
back (RFC 5546).
"""

from collections.abc import Collection, Iterable
from datetime import datetime

import msgspec

from pbem.desk.envelope.letter import NewLetter
from pbem.desk.ports import Context, Policy, Transaction
from pbem.desk.table import OpenTable
from pbem.mail.calendar import DeadlineEvent, format_cancellation, format_deadline
from pbem.pages.page import Page
from pbem.store.repositories.games import GameRow
from pbem.store.repositories.phases import PhaseRow


def phase_calendar(
    policy: Policy, game: GameRow, phase: PhaseRow, stamped_at: datetime, page: Page
) -> str | None:
    """The deadline as an .ics: one stable UID a phase, the sequence going up with every change (RFC
    5545 3.8.7.4). None while the clock stands still.
    """
    if game.status == "paused":
        return None
    event = _event_of(policy, game, phase, phase.ics_sequence, stamped_at, page.subject)
    return format_deadline(event).decode("utf-8")


def cancelled_calendar(policy: Policy, game: GameRow, phase: PhaseRow, stamped_at: datetime) -> str:
    """What takes that entry back."""
    event = _event_of(policy, game, phase, phase.ics_sequence + 1, stamped_at, game.title)
    return format_cancellation(event, policy.address).decode("utf-8")


def _event_of(
    policy: Policy, game: GameRow, phase: PhaseRow, sequence: int, stamped_at: datetime, words: str
) -> DeadlineEvent:
    return DeadlineEvent(
        uid=f"{game.slug}.{game.id}.{phase.number}@{policy.host}",
        sequence=sequence,
        stamped_at=stamped_at,
        deadline=phase.deadline,
        summary=words,
        description=words,
    )


def take_back_entries(
    policy: Policy,
    table: OpenTable,
    letters: Iterable[NewLetter],
    phases: Iterable[PhaseRow],
    now: datetime,
) -> list[NewLetter]:
    """The same letters. The first one to each of those who were asked in these phases takes the
    entry back, where the deadline is still to come; of an open phase whose clock stands still that
    was done when it stopped.
    """
    written = list(letters)
    for phase in phases:
        is_stopped = table.game.status == "paused" and phase == table.phase
        if phase.deadline > now and not is_stopped:
            asked = [seat.person_id for seat in table.seats if seat.number in phase.asked]
            written = _with_cancelled(policy, table, written, phase, asked, now)
    return written


async def take_back_open_entries(
    tx: Transaction[Context],
    table: OpenTable,
    letters: Iterable[NewLetter],
    seats: Collection[int],
) -> list[NewLetter]:
    """The same for these of the seats that were asked, while the phase stays open: a player of
    theirs has left, is no longer asked, or the clock is stopped. `table` is as it was before. Who
    is asked in that phase later gets an entry that counts for more than the cancellation.
    """
    phase, now = table.phase, tx.now()
    if phase is None or phase.deadline <= now or table.game.status != "running":
        return list(letters)
    asked = set(phase.asked).intersection(seats)
    people = [seat.person_id for seat in table.seats if seat.number in asked]
    if not any(people):
        return list(letters)
    await tx.work.phases.count_cancellation(table.game.id, phase.number)
    return _with_cancelled(tx.services.policy, table, letters, phase, people, now)


def _with_cancelled(
    policy: Policy,
    table: OpenTable,
    letters: Iterable[NewLetter],
    phase: PhaseRow,
    people: Collection[int | None],
    now: datetime,
) -> list[NewLetter]:
    ics, left, written = "", set(people) - {None}, []
    for letter in letters:
        if letter.person_id in left:
            left.remove(letter.person_id)
            ics = ics or cancelled_calendar(policy, table.game, phase, now)
            draft = msgspec.structs.replace(letter.draft, cancelled=(*letter.draft.cancelled, ics))
            letter = msgspec.structs.replace(letter, draft=draft)
        written.append(letter)
    return written
