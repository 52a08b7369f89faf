"""What the seats of a table voted for before the start."""

from datetime import datetime

import msgspec
import sqlalchemy as sa

from pbem.store.repositories.repository import Repository, bound, columns_of
from pbem.store.tables import seats, votes


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
