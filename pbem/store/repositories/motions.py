"""What the seats of a table voted for before the start; and motions that a table votes on while it
plays: more time, a pause, an end by agreement.
"""

from datetime import datetime

import msgspec
import sqlalchemy as sa

from pbem.store.repositories.repository import Repository, Rows, bound, columns_of
from pbem.store.tables import ballots, motions, seats, votes


class MotionRow(msgspec.Struct, frozen=True):
    """A motion. `detail` is a JSON document; `outcome` is None as long as it is open."""

    id: int
    game_id: int
    kind: str
    detail: str
    seat_id: int | None
    phase_number: int
    opened_at: datetime
    closes_at: datetime
    settled_at: datetime | None
    outcome: str | None


class BallotRow(msgspec.Struct, frozen=True):
    """A seat's answer to a motion; the newest counts."""

    motion_id: int
    seat_id: int
    answer: str
    at: datetime


_MOTION = Rows(MotionRow, motions)
_BALLOT = Rows(BallotRow, ballots)

MOTIONS_DUE = _MOTION.select.where(
    motions.c.settled_at.is_(None), motions.c.closes_at <= bound("now")
).order_by(motions.c.id)
_UNSETTLED_SINCE = _MOTION.select.where(
    motions.c.game_id == bound("game_id"),
    sa.or_(motions.c.settled_at.is_(None), motions.c.settled_at >= bound("since")),
).order_by(motions.c.id)


class Motions(Repository):
    """The motions of all tables, and the answers to them."""

    async def open(
        self,
        *,
        game_id: int,
        kind: str,
        detail: str,
        seat_id: int | None,
        phase_number: int,
        opened_at: datetime,
        closes_at: datetime,
    ) -> int:
        return await self._insert(
            motions,
            game_id=game_id,
            kind=kind,
            detail=detail,
            seat_id=seat_id,
            phase_number=phase_number,
            opened_at=opened_at,
            closes_at=closes_at,
        )

    async def find(self, motion_id: int) -> MotionRow | None:
        return await self._find(_MOTION, id=motion_id)

    async def list_open(self, game_id: int) -> list[MotionRow]:
        """What a table is voting on, the oldest first."""
        return await self._list(_MOTION, motions.c.settled_at.is_(None), game_id=game_id)

    async def list_of_game(self, game_id: int) -> list[MotionRow]:
        return await self._list(_MOTION, game_id=game_id)

    async def list_unsettled_since(self, game_id: int, since: datetime) -> list[MotionRow]:
        """Those of a game that are open, or were settled since then."""
        return await self._all(MotionRow, _UNSETTLED_SINCE, game_id=game_id, since=since)

    async def list_due(self, now: datetime) -> list[MotionRow]:
        """Open motions whose time is over."""
        return await self._all(MotionRow, MOTIONS_DUE, now=now)

    async def next_due_at(self) -> datetime | None:
        """When the time of the next open motion is over."""
        return await self._earliest(motions.c.closes_at, motions.c.settled_at.is_(None))

    async def settle(self, motion_id: int, outcome: str, now: datetime) -> bool:
        """The vote is over. False: it was before."""
        still = motions.c.settled_at.is_(None)
        return await self._set(motions, motion_id, still, settled_at=now, outcome=outcome)

    async def close_at(self, motion_id: int, at: datetime) -> None:
        """Let the time of an open vote be over then."""
        await self._set(motions, motion_id, motions.c.settled_at.is_(None), closes_at=at)

    async def answer(self, motion_id: int, seat_id: int, answer: str, at: datetime) -> None:
        """Vote, or vote otherwise."""
        await self._put(ballots, motion_id=motion_id, seat_id=seat_id, answer=answer, at=at)

    async def list_ballots(self, motion_id: int) -> list[BallotRow]:
        return await self._list(_BALLOT, motion_id=motion_id)


class VoteRow(msgspec.Struct, frozen=True):
    """A seat's answer to one question; the newest counts."""

    seat_id: int
    question: str
    answer: str
    at: datetime


_OF_GAME = (
    sa.select(*columns_of(VoteRow, votes))
    .join(seats, seats.c.id == votes.c.seat_id)
    .where(seats.c.game_id == bound("game_id"))
    .order_by(seats.c.number, votes.c.question)
)


class Votes(Repository):
    """The votes of all tables."""

    async def put(self, seat_id: int, question: str, answer: str, at: datetime) -> None:
        """Answer a question, or answer it otherwise."""
        await self._put(votes, seat_id=seat_id, question=question, answer=answer, at=at)

    async def list_of_game(self, game_id: int) -> list[VoteRow]:
        """All answers given at a table, by seat."""
        return await self._all(VoteRow, _OF_GAME, game_id=game_id)

    async def forget(self, seat_id: int) -> int:
        """Delete the answers of a player who left the table; returns how many."""
        return await self._delete(votes, votes.c.seat_id == seat_id)
