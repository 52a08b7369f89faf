"""`propose a draw`, `concede to Anna`: what players say of ending the game by agreement. Of a vote
that is open already it is a yes.

Two ends of a game are not voted on at once.
"""

from datetime import timedelta
from typing import Any

from engine.ruleset import Standing
from pbem.desk.messages.conversation import Conversation, Player
from pbem.desk.phases.ballots import open_motions
from pbem.desk.phases.motion_kinds import CONCEDE, DRAW, KINDS, Detail, detail_of, facts_of
from pbem.desk.phases.motions import answer_motion, open_motion
from pbem.desk.table import OpenTable
from pbem.grammar import people as said
from pbem.grammar.called import skeleton
from pbem.pages.notice import Notice
from pbem.pages.notices import GameOver
from pbem.pages.page import Page
from pbem.pages.time import MotionAnswered, MotionImpossible, MotionSecond
from pbem.store.repositories.seats import SeatRow

LEAST = timedelta(hours=1)
BEFORE_THE_DEADLINE = timedelta(minutes=1)
"""A vote ends before its phase does, so that its end is told."""
STAYS = timedelta(days=7)
ASKED_A_PHASE = 2


async def answer_draw(
    talk: Conversation[Player], standing: Standing[Any], wish: said.Draw
) -> Page | Notice | None:
    """A draw among all who are still in the game."""
    return await _ask(talk, DRAW, Detail())


async def answer_concession(
    talk: Conversation[Player], standing: Standing[Any], wish: said.Concede
) -> Page | Notice | None:
    """The victory of one of the players; with the team, where there are teams."""
    winner = _named(talk.table, wish.player)
    if winner is None:
        return _impossible(talk, CONCEDE, "who", wish.player)
    if winner.id == talk.seat.id:
        return _impossible(talk, CONCEDE, "yourself")
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
        return _impossible(talk, kind, "no-phase")
    if draws == "off":
        return _impossible(talk, kind, "no-draws")
    ending = [motion for motion in await open_motions(work, table, now) if KINDS[motion.kind].ends]
    for motion in ending:
        if motion.kind == kind and detail_of(motion).about == detail.about:
            if await answer_motion(talk, table, motion, talk.seat, "yes", now):
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
        return _impossible(talk, kind, "often")
    closes_at = now + STAYS
    if draws == "phase" and table.game.status == "running":
        closes_at = phase.deadline - BEFORE_THE_DEADLINE
        if phase.deadline - now <= LEAST:
            return _impossible(talk, kind, "too-late")
    closes_at = closes_at.replace(microsecond=0)
    await open_motion(talk, table, talk.seat, kind, detail, closes_at)
    return None


def _impossible(talk: Conversation[Player], kind: str, code: str, written: str = "") -> Notice:
    return MotionImpossible(kind, code, written)
