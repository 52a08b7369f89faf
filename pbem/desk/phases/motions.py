"""Motions: what a table votes on while it plays. A secret ballot with a time limit, settled exactly
once, with an effect by its kind.

Who asks counts as a yes, and nobody learns who asked or who said what: the outcome is told in
numbers, and where everybody must say yes without any. Those still in the game vote; who says
nothing abstains. A motion about a phase lapses with it.
"""

from collections.abc import Iterable
from datetime import datetime
from typing import Literal

import msgspec

from pbem.desk.chat.questions import ballot_keyboard, close_questions, edit_question, question_key
from pbem.desk.envelope.letter import NewLetter
from pbem.desk.envelope.recipients import seat_token, serial_of
from pbem.desk.letters.calendars import take_back_open_entries
from pbem.desk.letters.post import Masters, Seats, at_table, read_post
from pbem.desk.letters.queue import ask_for_delivery
from pbem.desk.phases.ballots import VOTED, count_ballots, has_lapsed, voters_of
from pbem.desk.phases.conclusions import conclude
from pbem.desk.phases.motion_kinds import KINDS, Detail, Effect, MotionKind, facts_of
from pbem.desk.ports import Context, Services, Transaction
from pbem.desk.table import OpenTable, load_table
from pbem.mail.tokens import format_message_id
from pbem.pages.notice import notice_page
from pbem.pages.time import Count, MotionOpened, MotionSettled
from pbem.store.repositories.motions import MotionRow
from pbem.store.repositories.seats import SeatRow

Outcome = Literal["passed", "failed", "lapsed"]


async def open_motion(
    tx: Transaction[Services],
    table: OpenTable,
    seat: SeatRow,
    kind: str,
    detail: Detail,
    closes_at: datetime,
) -> MotionRow:
    """Put something to the vote, and tell everybody; the asker's yes counts. The game is locked,
    and the kind's own limits are kept.
    """
    now = tx.services.clock.now()
    earlier = sum(row.kind in KINDS for row in await tx.work.motions.list_of_game(table.game.id))
    body = msgspec.json.encode(msgspec.structs.replace(detail, number=earlier + 1)).decode()
    motion_id = await tx.work.motions.open(
        game_id=table.game.id,
        kind=kind,
        detail=body,
        seat_id=seat.id,
        phase_number=table.game.phase_number,
        opened_at=now,
        closes_at=closes_at,
    )
    await tx.work.motions.answer(motion_id, seat.id, "yes", now)
    motion = await tx.work.motions.find(motion_id)
    assert motion is not None  # noqa: S101 - it was just put there
    if not await _settle_if_clear(tx, table, motion, now):
        await _put_question(tx, table, motion, seat, now)
    tx.services.steps.reached("motion.written")
    return motion


async def answer_motion(
    tx: Transaction[Services],
    table: OpenTable,
    motion: MotionRow,
    seat: SeatRow,
    answer: str,
    now: datetime,
) -> bool:
    """Keep an answer (`yes`, `no`, `abstain`), the newest of a seat; whether the vote is over by
    it. The game is locked.
    """
    await tx.work.motions.answer(motion.id, seat.id, answer, now)
    if await _settle_if_clear(tx, table, motion, now):
        return True
    await edit_question(tx, table, motion, seat, facts_of(motion, answer), now)
    return False


async def settle_motion(services: Services, motion_id: int) -> None:
    """End a vote whose time is over. May run twice, or die anywhere, without harm."""
    now, ending = services.clock.now(), ""
    async with services.write() as tx:
        found = await tx.work.motions.find(motion_id)
        game = await tx.work.games.lock(found.game_id) if found is not None else None
        motion = await tx.work.motions.find(motion_id)
        if (
            motion is None
            or game is None
            or motion.settled_at is not None
            or motion.closes_at > now
        ):
            return
        table = await load_table(tx, game)
        if motion.kind not in KINDS or has_lapsed(table, motion):
            await tx.work.motions.settle(motion.id, "lapsed", now)
            await close_questions(tx, table, motion, now)
        else:
            count = await count_ballots(tx.work, table, motion)
            has_passed = count.yes >= count.needed > 0
            if has_passed and KINDS[motion.kind].ends:
                ending = game.slug
            else:
                await _settle(tx, table, motion, count, "passed" if has_passed else "failed", now)
        services.steps.reached("motion.settled")
    if ending:
        await conclude(services, motion, ending)
        return
    await ask_for_delivery(services, now)


def letter_id_of(context: Context, motion: MotionRow, seat: SeatRow) -> str:
    """The Message-ID of the letter that put the question to a seat: a plain yes in an answer to it
    is a vote.
    """
    token = seat_token(context.key, seat, motion.phase_number)
    return format_message_id(token, serial_of(question_key(motion, seat)), context.policy.host)


def _outcome_of(kind: MotionKind, count: Count) -> Outcome | None:
    """The outcome that no further answer can change; None: that is open."""
    if count.yes >= count.needed:
        return "passed"
    if kind.unanimous:
        return None  # that somebody has said no is told to nobody
    return "failed" if count.voters - count.no < count.needed else None


async def _settle_if_clear(
    tx: Transaction[Services], table: OpenTable, motion: MotionRow, now: datetime
) -> bool:
    count = await count_ballots(tx.work, table, motion)
    outcome = _outcome_of(KINDS[motion.kind], count)
    if outcome is None:
        return False
    if KINDS[
        motion.kind
    ].ends:  # not within this unit of work: from now on it is due to be concluded
        await tx.work.motions.close_at(motion.id, now)
        return True
    await _settle(tx, table, motion, count, outcome, now)
    return True


async def _settle(
    tx: Transaction[Services],
    table: OpenTable,
    motion: MotionRow,
    count: Count,
    outcome: Outcome,
    now: datetime,
) -> None:
    """Close the vote, do what was voted for, and tell everybody, once."""
    if not await tx.work.motions.settle(motion.id, outcome, now):
        return
    await close_questions(tx, table, motion, now)
    effect = (
        await KINDS[motion.kind].carry(tx, table, motion, now)
        if outcome == "passed"
        else Effect(table)
    )
    if effect is None:
        return  # it passed, and there is nothing left that it could change
    detail: dict[str, object] = {"phase": motion.phase_number, "outcome": outcome}
    if not KINDS[motion.kind].unanimous:
        detail |= {"yes": count.yes, "no": count.no, "voters": count.voters}
    if effect.before is not None and effect.moved is not None:
        detail |= {
            "from": effect.before.deadline.isoformat(),
            "to": effect.moved.deadline.isoformat(),
        }
    await tx.work.log.add(
        game_id=table.game.id,
        actor="the table",
        command=f"{VOTED} {motion.kind}",
        at=now,
        detail=msgspec.json.encode(detail).decode(),
        public=True,
    )
    if effect.is_told:
        return
    old = effect.before.deadline if effect.before is not None else None
    new = effect.moved.deadline if effect.moved is not None else None
    told = MotionSettled(
        facts_of(motion), "passed" if outcome == "passed" else "failed", count, old, new
    )
    post = await read_post(tx, effect.table, now, effect.moved)
    kind = "deadline" if effect.moved is not None else "vote"
    letters: Iterable[NewLetter] = post.to(at_table(), told, kind, f"motion-settled:{motion.id}")
    if effect.table.game.status == "paused" and table.phase is not None:
        letters = await take_back_open_entries(
            tx.work, tx.services.policy, table, letters, table.phase.asked, now
        )
    await post.send(tx.work, letters)


async def _put_question(
    tx: Transaction[Context],
    table: OpenTable,
    motion: MotionRow,
    asker: SeatRow,
    now: datetime,
) -> None:
    """Put the question to everybody who votes, with buttons for a chat; the game masters only learn
    of it.
    """
    post = await read_post(tx, table, now)
    letters: list[NewLetter] = []
    for reader, to in post.seats(Seats({seat.number for seat in voters_of(table)})):
        answer = "yes" if to.seat.id == asker.id else ""
        page = notice_page(MotionOpened(facts_of(motion, answer)), post.facts(to), reader)
        letter = post.letter(to, page, "vote", question_key(motion, to.seat))
        board = ballot_keyboard(tx.services, motion, to.seat, answer)
        letters.append(letter if board is None else board.below(letter))
    letters += post.to(
        Masters(),
        MotionOpened(facts_of(motion)),
        "vote",
        f"motion:{motion.id}",
    )
    await post.send(tx.work, letters)
