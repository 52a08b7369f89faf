"""Motions: what a table votes on while it plays. A secret ballot with a time limit, settled exactly
once, with an effect by its kind. `propose a draw` and `concede to Anna` end the game by agreement.

Who asks counts as a yes, and nobody learns who asked or who said what: the outcome is told in
numbers, and where everybody must say yes without any. Those still in the game vote; who says
nothing abstains. A motion about a phase lapses with it.

Two ends of a game are not voted on at once.
"""

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Literal

import msgspec
import structlog

from pbem.desk.chat.edits import ballot_keyboard, close_questions, edit_question, question_key
from pbem.desk.envelope.letter import NewLetter
from pbem.desk.envelope.recipients import seat_token, serial_of
from pbem.desk.gm.acts import Acting, Plan, do_act
from pbem.desk.letters.calendars import take_back_open_entries
from pbem.desk.letters.post import Masters, Seats, at_table, read_post
from pbem.desk.letters.queue import ask_for_delivery
from pbem.desk.mandate import AlreadyDone, By, Refused, log_event
from pbem.desk.messages.conversation import Conversation, Player
from pbem.desk.phases.ballots import (
    CONCEDE,
    DRAW,
    KINDS,
    VOTED,
    Detail,
    Effect,
    MotionKind,
    count_ballots,
    detail_of,
    facts_of,
    has_lapsed,
    open_motions,
    voters_of,
)
from pbem.desk.ports import Context, Desk, Services, Transaction
from pbem.desk.table import OpenTable, load_table
from pbem.grammar import people as said
from pbem.grammar.called import skeleton
from pbem.mail.tokens import format_message_id
from pbem.pages.notice import Notice, notice_page
from pbem.pages.notices import GameOver
from pbem.pages.page import Page
from pbem.pages.time import (
    Count,
    MotionAnswered,
    MotionImpossible,
    MotionOpened,
    MotionSecond,
    MotionSettled,
)
from pbem.store.repositories.motions import MotionRow
from pbem.store.repositories.seats import SeatRow

THE_TABLE = "the table"

_log = structlog.get_logger("motions")


async def conclude(services: Services, motion: MotionRow, slug: str) -> None:
    """End a game whose players have all said yes, once however often it is asked for. What is
    overtaken meanwhile is left as it is: the sweep finds the motion again if it still stands.
    """
    about = detail_of(motion).about
    winners = [about] if motion.kind == CONCEDE and about is not None else []

    def plan_for(_table: OpenTable) -> Plan:
        act = {"act": "agree", "winners": winners}
        return Plan(
            act,
            f"{VOTED} {motion.kind}",
            {"outcome": "passed", "winners": winners},
            "agree",
            settle,
        )

    async def settle(tx: Transaction[Desk], acting: Acting, _entry: int) -> Iterable[NewLetter]:
        count = await count_ballots(tx.work, acting.table, motion)
        if count.yes < count.needed or not await tx.work.motions.settle(
            motion.id, "passed", tx.now()
        ):
            raise Refused(
                "not-agreed", f"motion {motion.id} is settled, or not everybody says yes any more"
            )
        return ()

    try:
        await do_act(services, slug, plan_for, By(THE_TABLE, cause=f"motion:{motion.id}"))
    except (Refused, AlreadyDone) as overtaken:
        _log.info("agreement-overtaken", motion=motion.id, reason=str(overtaken))


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
    if not await _settle_if_clear(tx, table, motion):
        await _put_question(tx, table, motion, seat)
    tx.services.steps.reached("motion.written")
    return motion


async def answer_motion(
    tx: Transaction[Services],
    table: OpenTable,
    motion: MotionRow,
    seat: SeatRow,
    answer: str,
) -> bool:
    """Keep an answer (`yes`, `no`, `abstain`), the newest of a seat; whether the vote is over by
    it. The game is locked.
    """
    await tx.work.motions.answer(motion.id, seat.id, answer, tx.now())
    if await _settle_if_clear(tx, table, motion):
        return True
    await edit_question(tx, table, motion, seat, facts_of(motion, answer))
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
            await close_questions(tx, table, motion)
        else:
            count = await count_ballots(tx.work, table, motion)
            has_passed = count.yes >= count.needed > 0
            if has_passed and KINDS[motion.kind].ends:
                ending = game.slug
            else:
                await _settle(tx, table, motion, count, "passed" if has_passed else "failed")
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


async def _settle_if_clear(tx: Transaction[Services], table: OpenTable, motion: MotionRow) -> bool:
    count = await count_ballots(tx.work, table, motion)
    outcome = _outcome_of(KINDS[motion.kind], count)
    if outcome is None:
        return False
    if KINDS[
        motion.kind
    ].ends:  # not within this unit of work: from now on it is due to be concluded
        await tx.work.motions.close_at(motion.id, tx.now())
        return True
    await _settle(tx, table, motion, count, outcome)
    return True


async def _settle(
    tx: Transaction[Services],
    table: OpenTable,
    motion: MotionRow,
    count: Count,
    outcome: Outcome,
) -> None:
    """Close the vote, do what was voted for, and tell everybody, once."""
    if not await tx.work.motions.settle(motion.id, outcome, tx.now()):
        return
    await close_questions(tx, table, motion)
    effect = (
        await KINDS[motion.kind].carry(tx, table, motion) if outcome == "passed" else Effect(table)
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
    await log_event(tx, table.game.id, f"{VOTED} {motion.kind}", detail, actor="the table")
    if effect.is_told:
        return
    old = effect.before.deadline if effect.before is not None else None
    new = effect.moved.deadline if effect.moved is not None else None
    told = MotionSettled(
        facts_of(motion), "passed" if outcome == "passed" else "failed", count, old, new
    )
    post = await read_post(tx, effect.table, effect.moved)
    kind = "deadline" if effect.moved is not None else "vote"
    letters: Iterable[NewLetter] = post.to(at_table(), told, kind, f"motion-settled:{motion.id}")
    if effect.table.game.status == "paused" and table.phase is not None:
        letters = await take_back_open_entries(tx, table, letters, table.phase.asked)
    await post.send(tx.work, letters)


async def _put_question(
    tx: Transaction[Context],
    table: OpenTable,
    motion: MotionRow,
    asker: SeatRow,
) -> None:
    """Put the question to everybody who votes, with buttons for a chat; the game masters only learn
    of it.
    """
    post = await read_post(tx, table)
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


LEAST = timedelta(hours=1)
BEFORE_THE_DEADLINE = timedelta(minutes=1)
"""A vote ends before its phase does, so that its end is told."""
STAYS = timedelta(days=7)
ASKED_A_PHASE = 2


async def answer_draw(talk: Conversation[Player], wish: said.Draw) -> Page | Notice | None:
    """A draw among all who are still in the game."""
    return await _ask(talk, DRAW, Detail())


async def answer_concession(talk: Conversation[Player], wish: said.Concede) -> Page | Notice | None:
    """The victory of one of the players; with the team, where there are teams."""
    winner = _named(talk.table, wish.player)
    if winner is None:
        return MotionImpossible(CONCEDE, "who", wish.player)
    if winner.id == talk.seat.id:
        return MotionImpossible(CONCEDE, "yourself")
    return await _ask(talk, CONCEDE, Detail(what=winner.name, about=winner.number))


def _named(table: OpenTable, name: str) -> SeatRow | None:
    """Who is still in the game and is called so; by colour, too, as in press."""
    wanted = name.casefold().strip()
    found = [
        seat
        for seat in table.seats
        if seat.status == "active"
        and (skeleton(seat.name) == skeleton(name) or seat.colour == wanted)
    ]
    return found[0] if len(found) == 1 else None


async def _ask(talk: Conversation[Player], kind: str, detail: Detail) -> Page | Notice | None:
    """None: everybody is asked, also the asker, or the game ends by it."""
    work, table, now = talk.work, talk.table, talk.now()
    phase, draws = table.phase, table.settings.people.draws
    if table.game.status in ("over", "ended"):
        return GameOver()
    if (
        phase is None
        or phase.status == "closed"
        or table.game.status not in ("running", "paused")
        or talk.seat.status != "active"
    ):
        return MotionImpossible(kind, "no-phase")
    if draws == "off":
        return MotionImpossible(kind, "no-draws")
    ending = [motion for motion in await open_motions(work, table, now) if KINDS[motion.kind].ends]
    for motion in ending:
        if motion.kind == kind and detail_of(motion).about == detail.about:
            if await answer_motion(talk, table, motion, talk.seat, "yes"):
                return None
            return MotionAnswered(facts_of(motion, "yes"))
    if ending:
        return MotionSecond(facts_of(ending[0]))
    rows = [
        row
        for row in await work.motions.list_of_game(table.game.id)
        if row.phase_number == phase.number
    ]
    if (
        sum(row.kind == kind and detail_of(row).about == detail.about for row in rows)
        >= ASKED_A_PHASE
    ):
        return MotionImpossible(kind, "often")
    closes_at = now + STAYS
    if draws == "phase" and table.game.status == "running":
        closes_at = phase.deadline - BEFORE_THE_DEADLINE
        if phase.deadline - now <= LEAST:
            return MotionImpossible(kind, "too-late")
    closes_at = closes_at.replace(microsecond=0)
    await open_motion(talk, table, talk.seat, kind, detail, closes_at)
    return None
