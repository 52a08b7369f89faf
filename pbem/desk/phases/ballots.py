"""Counting a vote: who may answer, what they have said, and whether it is about something that is
over.
"""

from datetime import datetime

from pbem.desk.authentication.tenures import is_idle
from pbem.desk.chat.questions import close_questions
from pbem.desk.phases.motion_kinds import KINDS
from pbem.desk.ports import Context, Transaction
from pbem.desk.table import OpenTable
from pbem.pages.time import Count
from pbem.store.repositories.motions import MotionRow
from pbem.store.repositories.seats import SeatRow
from pbem.store.work import Work

VOTED = "vote"
"""The key of the log under which the outcomes stand: in numbers where a majority decides, and bare
where it takes everybody.
"""


async def open_motions(work: Work, table: OpenTable, now: datetime) -> list[MotionRow]:
    """What the table is voting on now."""
    return [
        motion
        for motion in await work.motions.list_open(table.game.id)
        if motion.kind in KINDS and motion.closes_at > now and not has_lapsed(table, motion)
    ]


async def count_ballots(work: Work, table: OpenTable, motion: MotionRow) -> Count:
    """The vote as it stands: the answers of those still in the game, each in their own tenure."""
    voters = {seat.id: seat for seat in voters_of(table)}
    answers = [
        ballot.answer
        for ballot in await work.motions.list_ballots(motion.id)
        if ballot.seat_id in voters and ballot.at >= (voters[ballot.seat_id].joined_at or ballot.at)
    ]
    kind = KINDS[motion.kind]
    return Count(answers.count("yes"), answers.count("no"), len(voters), kind.needed(len(voters)))


def voters_of(table: OpenTable) -> list[SeatRow]:
    """Those still in the game; not those who answer nothing any more, whose seat plays by the
    rules' defaults.
    """
    return [
        seat
        for seat in table.seats
        if seat.status == "active" and seat.person_id is not None and not is_idle(table, seat)
    ]


def has_lapsed(table: OpenTable, motion: MotionRow) -> bool:
    """Whether what it was about is over."""
    if table.game.status not in ("running", "paused"):
        return True
    kind = KINDS[motion.kind]
    if kind.ends and table.settings.people.draws != "phase":
        return table.settings.people.draws == "off"
    return kind.of_phase and motion.phase_number != table.game.phase_number


async def close_lapsed_questions(
    tx: Transaction[Context], table: OpenTable, since: datetime, now: datetime
) -> None:
    """The questions of all votes that are over as the table stands; those settled before `since`
    were closed then.
    """
    for motion in await tx.work.motions.list_unsettled_since(table.game.id, since):
        if motion.kind in KINDS and (motion.settled_at is not None or has_lapsed(table, motion)):
            await close_questions(tx, table, motion, now)
