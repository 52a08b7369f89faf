"""`more time`, `vote pause`, `vote yes 3`: what players ask of the clock, and how they answer one
another.
"""

import re
from datetime import datetime, timedelta

import msgspec

from pbem.desk.letters.post import Masters, read_post
from pbem.desk.messages.conversation import Conversation, Player
from pbem.desk.people.absent_players import waits_for_players
from pbem.desk.phases.ballots import (
    EXTEND,
    PAUSE,
    RESUME,
    Detail,
    facts_of,
    number_of,
    open_motions,
)
from pbem.desk.phases.clock import clock_facts
from pbem.desk.phases.grace import count_graces
from pbem.desk.phases.motions import answer_motion, letter_id_of, open_motion
from pbem.desk.table import OpenTable, hours_of
from pbem.desk.windows import deadline_of
from pbem.grammar.gm.commands import Span, Unread, WallTime
from pbem.grammar.gm.times import instant_of
from pbem.grammar.house.commands import Deadlines, MoreTime, Unclear, Vote
from pbem.grammar.times import format_more_time
from pbem.pages.notice import Notice
from pbem.pages.page import Page
from pbem.pages.time import (
    ClockShown,
    GmMoreTime,
    MoreTimeAsked,
    MotionAnswered,
    MotionImpossible,
    NoMotion,
)
from pbem.store.repositories.motions import MotionRow
from pbem.store.repositories.phases import PhaseRow
from pbem.store.repositories.post.outbox import OutboxRow
from pbem.store.work import Work

REQUEST = "request"
"""More time that the game master is asked for; kept among the motions, and voted on by nobody."""
LEAST_VOTE = timedelta(hours=1)
RESUME_VOTE = timedelta(hours=24)
MOST_AT_ONCE = timedelta(days=7, hours=1)  # whole days on the wall, over a change of clocks
MOST_WINDOW = timedelta(days=90)
ASKED_A_PHASE = 2
PASSED_A_GAME = 6
_QUESTION = re.compile(r"motion:(?P<motion>\d+):(?P<seat>\d+)(?:@|$)")


async def answer_more_time(talk: Conversation[Player], command: MoreTime) -> Page | Notice | None:
    """More time for the open phase: asked of the game master, or put to the vote."""
    found = _open_phase(talk)
    if isinstance(found, str):
        return MotionImpossible(EXTEND, found)
    now, when = talk.now(), command.until
    if isinstance(when, Unclear):
        return MotionImpossible(EXTEND, "unread", when.part or when.written)
    try:
        until = _until(when, found, talk, now)
    except Unread as unread:
        return MotionImpossible(EXTEND, "unread", unread.written or format_more_time(when))
    if until <= found.deadline or until <= now:
        return MotionImpossible(EXTEND, "not-later")
    if until - max(now, found.deadline) > MOST_AT_ONCE or until - found.opened_at > MOST_WINDOW:
        return MotionImpossible(EXTEND, "too-long")
    if talk.table.settings.extensions == "vote":
        return await _put_to_vote(talk, EXTEND, Detail(until))
    return await _ask_master(talk, until, now)


def _open_phase(talk: Conversation[Player]) -> PhaseRow | str:
    phase, status = talk.table.phase, talk.table.game.status
    if (
        phase is None
        or status not in ("running", "paused")
        or phase.status == "closed"
        or talk.seat.status != "active"
    ):
        return "no-phase"
    return "paused" if status == "paused" else phase


def _until(
    when: Span | WallTime, phase: PhaseRow, talk: Conversation[Player], now: datetime
) -> datetime:
    """The deadline that is asked for, at an hour that the table allows."""
    hours = hours_of(talk.table.settings)
    if isinstance(when, WallTime):
        return deadline_of(instant_of(when, now, talk.reader.zone), 0, hours).deadline
    return deadline_of(phase.deadline, when.minutes / 60, hours).deadline


async def _ask_master(talk: Conversation[Player], until: datetime, now: datetime) -> Page | Notice:
    """A letter to the game masters, which one word answers."""
    work, table = talk.work, talk.table
    own = [
        motion for motion in await _of_phase(work, table, REQUEST) if motion.seat_id == talk.seat.id
    ]
    if any(motion.settled_at is None for motion in own):
        return MotionImpossible(EXTEND, "asked")
    if len(own) >= ASKED_A_PHASE:
        return MotionImpossible(EXTEND, "often")
    assert table.phase is not None  # noqa: S101 - the caller has looked
    number = await work.motions.open(
        game_id=table.game.id,
        kind=REQUEST,
        detail=msgspec.json.encode(Detail(until)).decode(),
        seat_id=talk.seat.id,
        phase_number=table.game.phase_number,
        opened_at=now,
        closes_at=table.phase.deadline,
    )
    post = await read_post(talk, table)
    await post.tell(
        work,
        Masters(),
        GmMoreTime(talk.seat.name, until, number),
        "gm-request",
        f"request:{number}",
    )
    return MoreTimeAsked(until)


async def _of_phase(work: Work, table: OpenTable, kind: str) -> list[MotionRow]:
    rows = await work.motions.list_of_game(table.game.id)
    return [row for row in rows if row.kind == kind and row.phase_number == table.game.phase_number]


async def answer_vote(talk: Conversation[Player], command: Vote) -> Page | Notice | None:
    """`vote yes 3`; `vote pause` and `vote resume` put that to the vote."""
    vote = command.ballot
    if isinstance(vote, str):
        return await _vote_on_clock(talk, vote)
    now = talk.now()
    motions = await open_motions(talk.work, talk.table, now) if talk.seat.status == "active" else []
    wanted = [motion for motion in motions if vote.number in (None, number_of(motion))]
    if len(wanted) != 1:
        return NoMotion([facts_of(motion) for motion in motions])
    return await _answer(talk, wanted[0], vote.answer)


async def _answer(talk: Conversation[Player], motion: MotionRow, answer: str) -> Notice | None:
    """None: the vote is over by that answer, and its outcome says everything."""
    if await answer_motion(talk, talk.table, motion, talk.seat, answer):
        return None
    return MotionAnswered(facts_of(motion, answer))


async def answer_plain_vote(talk: Conversation[Player], asked: int, answer: str) -> None:
    """A plain yes or no to the letter (or the message in a chat) with the question."""
    now = talk.now()
    motions = await open_motions(talk.work, talk.table, now)
    motion = next((motion for motion in motions if motion.id == asked), None)
    told: Notice | None = NoMotion([facts_of(motion) for motion in motions])
    if motion is not None:
        told = await _answer(talk, motion, answer)
    if told is not None:
        await talk.answer(told, "answer")


async def find_motion_asked(talk: Conversation[Player], letter: OutboxRow | None) -> int | None:
    """Which vote the letter asks about that this message answers, be it open or over; where the
    letter is no longer known, by its id.
    """
    replied = talk.mail.in_reply_to if talk.seat.status == "active" else None
    if replied is None:
        return None
    if letter is not None and letter.dedupe_key is not None:
        key = _QUESTION.match(letter.dedupe_key)
        is_asked = key is not None and int(key["seat"]) == talk.seat.id
        return int(key["motion"]) if key is not None and is_asked else None
    motions = await talk.work.motions.list_open(talk.table.game.id)
    return next(
        (
            motion.id
            for motion in motions
            if letter_id_of(talk.services, motion, talk.seat) == replied
        ),
        None,
    )


async def _vote_on_clock(talk: Conversation[Player], kind: str) -> Page | Notice | None:
    found, status = _open_phase(talk), talk.table.game.status
    if found == "no-phase":
        return MotionImpossible(kind, "no-phase")
    waits = await waits_for_players(talk.work, talk.table)
    if kind == RESUME and waits:
        return await _put_to_vote(talk, kind, Detail())
    if talk.table.settings.extensions != "vote":
        return MotionImpossible(kind, "gm")
    if kind == PAUSE and status == "paused":
        return MotionImpossible(kind, "paused")
    if kind == RESUME and status != "paused":
        return MotionImpossible(kind, "not-paused")
    if kind == RESUME and not await _is_paused_by_vote(talk.work, talk.table):
        return MotionImpossible(kind, "gm-paused")
    return await _put_to_vote(talk, kind, Detail())


async def _is_paused_by_vote(work: Work, table: OpenTable) -> bool:
    rows = await work.log.list_of_commands(table.game.id, ("game pause", f"vote {PAUSE}"))
    passed = [
        row for row in rows if row.command == "game pause" or b'"passed"' in row.detail.encode()
    ]
    return bool(passed) and passed[-1].command != "game pause"


async def _put_to_vote(
    talk: Conversation[Player], kind: str, detail: Detail
) -> Page | Notice | None:
    """None: everybody is asked, also the asker."""
    work, table, now = talk.work, talk.table, talk.now()
    rows = await work.motions.list_of_game(table.game.id)
    if any(motion.kind == kind for motion in await open_motions(work, table, now)):
        return MotionImpossible(kind, "open")
    if (
        sum(row.kind == kind and row.phase_number == table.game.phase_number for row in rows)
        >= ASKED_A_PHASE
        and kind != RESUME
    ):
        return MotionImpossible(kind, "often")
    if (
        sum(row.kind == kind and row.outcome == "passed" for row in rows) >= PASSED_A_GAME
        and kind != RESUME
    ):
        return MotionImpossible(kind, "spent")
    closes_at = now + RESUME_VOTE
    if kind != RESUME:
        assert table.phase is not None  # noqa: S101 - the caller has looked
        left = table.phase.deadline - now
        if left <= LEAST_VOTE:
            return MotionImpossible(kind, "too-late")
        closes_at = now + max(left / 4, LEAST_VOTE)
    closes_at = closes_at.replace(microsecond=0)
    await open_motion(talk, table, talk.seat, kind, detail, closes_at)
    return None


async def answer_deadlines(talk: Conversation[Player], command: Deadlines) -> Notice:
    """When deadlines of the table are, and what moves them."""
    rows = await talk.work.graces.list_of_game(talk.table.game.id)
    return ClockShown(clock_facts(talk.table, talk.seat, count_graces(rows, talk.seat)))
