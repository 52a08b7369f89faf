"""Strikes against people, counted over all games (PR-1.11), and pardons."""

from collections.abc import Collection
from datetime import datetime

import msgspec
import sqlalchemy as sa

from pbem.store.repositories.repository import Repository, Rows, columns_of
from pbem.store.tables import games, seats, strikes


class StrikeRow(msgspec.Struct, frozen=True):
    """A strike: at which game and seat, why, and by whom it was given; the same of its pardon, once
    there is one.
    """

    id: int
    person_id: int
    game_id: int
    seat_id: int
    log_id: int
    reason: str
    given_by: str
    at: datetime
    pardoned_at: datetime | None
    pardoned_by: str | None
    pardon_reason: str | None


class PersonStrike(StrikeRow, frozen=True):
    """A strike with the game it was given at: its title and state, and the name of the seat
    there.
    """

    title: str
    status: str
    seat_name: str


_STRIKE = Rows(StrikeRow, strikes)
_PERSON_STRIKE = (
    sa.select(*columns_of(StrikeRow, strikes), games.c.title, games.c.status, seats.c.name)
    .join(games, games.c.id == strikes.c.game_id)
    .join(seats, seats.c.id == strikes.c.seat_id)
)


class Strikes(Repository):
    """The strikes of everybody."""

    async def add_once(
        self,
        *,
        person_id: int,
        game_id: int,
        seat_id: int,
        log_id: int,
        reason: str,
        given_by: str,
        at: datetime,
    ) -> int | None:
        """Book a strike. None: the log's entry has given it already."""
        whose = {"person_id": person_id, "game_id": game_id, "seat_id": seat_id}
        values = {"log_id": log_id, "reason": reason, "given_by": given_by, "at": at}
        return await self._insert_once(strikes, **whose, **values)

    async def list_of_person(self, person_id: int) -> list[PersonStrike]:
        """Every strike against a person, the pardoned too, the first first."""
        return await self._all(
            PersonStrike,
            _PERSON_STRIKE.where(strikes.c.person_id == person_id).order_by(strikes.c.id),
        )

    async def count_standing(self, person_id: int) -> int:
        """How many count."""
        standing = (strikes.c.person_id == person_id, strikes.c.pardoned_at.is_(None))
        return await self._count(strikes, *standing)

    async def newest_standing(self, seat_ids: Collection[int]) -> StrikeRow | None:
        """The newest strike given at these seats that was not pardoned."""
        newest = await self._newest(_STRIKE, 1, seat_id=seat_ids, pardoned_at=None)
        return newest[0] if newest else None

    async def pardon(self, strike_id: int, *, by: str, reason: str, at: datetime) -> bool:
        """Pardon a strike. False: it was pardoned already."""
        return await self._set(
            strikes,
            strike_id,
            strikes.c.pardoned_at.is_(None),
            pardoned_at=at,
            pardoned_by=by,
            pardon_reason=reason,
        )
