"""What can be voted on at a table, what each motion does when it passes, and how its vote is
counted. A new kind is a new line of the table.
"""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime

import msgspec

from pbem.desk.authentication.tenures import is_idle
from pbem.desk.chat.edits import close_questions
from pbem.desk.phases.clock import move_deadline, start_clock, stop_clock
from pbem.desk.ports import Context, Services, Transaction
from pbem.desk.table import OpenTable
from pbem.pages.time import Count, MotionFacts
from pbem.store.repositories.motions import MotionRow
from pbem.store.repositories.phases import PhaseRow
from pbem.store.repositories.seats import SeatRow
from pbem.store.work import Work

EXTEND, PAUSE, RESUME = "extend", "pause", "resume"
DRAW, CONCEDE = "draw", "concede"
"""The kinds that end the game. A concession is `about` the number of the winner."""


class Detail(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a motion is about: the deadline it would bring, or words of its own kind (`what`, for
    pages; `about`, for its effect).
    """

    until: datetime | None = None
    what: str = ""
    about: int | None = None
    number: int = 0
    """Which of the votes put to this table it is, from 1: all that a number may tell its players.
    """


@dataclass(frozen=True, slots=True)
class Effect:
    """What a motion that passed has done: the table as it is then, and the phase whose deadline it
    moved (before and after).
    """

    table: OpenTable
    before: PhaseRow | None = None
    moved: PhaseRow | None = None
    is_told: bool = False
    """Everybody is told otherwise, so that the outcome needs no letter of its own."""


Carry = Callable[[Transaction[Services], OpenTable, MotionRow], Awaitable[Effect | None]]
"""Does what was voted for, within the unit of work that settles the motion; the game is locked.
None: it cannot be any more.
"""


@dataclass(frozen=True, slots=True)
class MotionKind:
    """`of_phase`: it is about the open phase, and lapses with it. `unanimous`: everybody who plays
    must say yes, else more than half; then no numbers are told, and no answer but the last yes ends
    it before its time. `ends`: when it passes the game is over, which is no matter of one unit of
    work (see `concluding`), and `carry` has no part in it.
    """

    carry: Carry
    of_phase: bool = True
    unanimous: bool = False
    ends: bool = False

    def needed(self, voters: int) -> int:
        """How many must say yes."""
        return voters if self.unanimous else voters // 2 + 1


def detail_of(motion: MotionRow) -> Detail:
    return msgspec.json.decode(motion.detail, type=Detail)


def number_of(motion: MotionRow) -> int:
    """The number that players know a vote by; its id is one of all tables and of requests that are
    nobody else's business.
    """
    return detail_of(motion).number or motion.id


def facts_of(motion: MotionRow, answer: str = "") -> MotionFacts:
    """What a page tells of a motion."""
    detail = detail_of(motion)
    is_unanimous = motion.kind in KINDS and KINDS[motion.kind].unanimous
    return MotionFacts(
        number_of(motion),
        motion.kind,
        motion.closes_at,
        detail.until,
        answer,
        detail.what,
        is_unanimous,
    )


async def _extend(tx: Transaction[Context], table: OpenTable, motion: MotionRow) -> Effect | None:
    until, phase = detail_of(motion).until, table.phase
    if until is None or phase is None or phase.status == "closed" or until <= phase.deadline:
        return None
    moved = await move_deadline(tx.work, tx.services.policy, phase, until, tx.now())
    return Effect(table, phase, moved) if moved is not None else None


async def _pause(tx: Transaction[Context], table: OpenTable, motion: MotionRow) -> Effect | None:
    if table.phase is None:
        return None
    game = await stop_clock(tx.work, table.game, table.phase, tx.now())
    return Effect(replace(table, game=game)) if game is not None else None


async def _resume(tx: Transaction[Context], table: OpenTable, motion: MotionRow) -> Effect | None:
    if table.phase is None:
        return None
    started = await start_clock(tx.work, tx.services.policy, table.game, table.phase, tx.now())
    return (
        Effect(replace(table, game=started[0]), table.phase, started[1])
        if started is not None
        else None
    )


async def _end(tx: Transaction[Context], table: OpenTable, motion: MotionRow) -> Effect | None:
    raise RuntimeError(f"motion {motion.id} ends the game, and is concluded otherwise")


_ENDING = MotionKind(_end, unanimous=True, ends=True)

KINDS: Mapping[str, MotionKind] = {
    EXTEND: MotionKind(_extend),
    PAUSE: MotionKind(_pause),
    RESUME: MotionKind(_resume),
    DRAW: _ENDING,
    CONCEDE: _ENDING,
}


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
    tx: Transaction[Context], table: OpenTable, since: datetime
) -> None:
    """The questions of all votes that are over as the table stands; those settled before `since`
    were closed then.
    """
    for motion in await tx.work.motions.list_unsettled_since(table.game.id, since):
        if motion.kind in KINDS and (motion.settled_at is not None or has_lapsed(table, motion)):
            await close_questions(tx, table, motion)
