"""The observers of a table, who get bulletins and public press only."""

from datetime import datetime

import msgspec
import sqlalchemy as sa

from pbem.store.repositories.repository import Repository, columns_of
from pbem.store.tables import observers


class ObserverRow(msgspec.Struct, frozen=True):
    """Somebody observes from `since`; `until` is None as long as they do."""

    game_id: int
    person_id: int
    since: datetime
    until: datetime | None


_SELECT = sa.select(*columns_of(ObserverRow, observers))


class Observers(Repository):
    """The observers of all tables."""

    __slots__ = ()

    async def begin(self, game_id: int, person_id: int, now: datetime) -> bool:
        """Begin to observe. False: they do already."""
        same = (observers.c.game_id == game_id, observers.c.person_id == person_id)
        if await self._added(
            observers,
            ("game_id", "person_id"),
            game_id=game_id,
            person_id=person_id,
            since=now,
            until=None,
        ):
            return True
        return (
            await self._changed(
                observers.update()
                .where(*same, observers.c.until.is_not(None))
                .values(since=now, until=None)
            )
            == 1
        )

    async def end(self, game_id: int, person_id: int, now: datetime) -> bool:
        """Stop observing. False: they did not observe."""
        same = (
            observers.c.game_id == game_id,
            observers.c.person_id == person_id,
            observers.c.until.is_(None),
        )
        return await self._changed(observers.update().where(*same).values(until=now)) == 1

    async def list_of_game(self, game_id: int) -> list[ObserverRow]:
        """The present observers of a table."""
        statement = _SELECT.where(observers.c.game_id == game_id, observers.c.until.is_(None))
        return await self._all(ObserverRow, statement.order_by(observers.c.person_id))

    async def list_of_person(self, person_id: int) -> list[ObserverRow]:
        """The tables that somebody observes now."""
        statement = _SELECT.where(observers.c.person_id == person_id, observers.c.until.is_(None))
        return await self._all(ObserverRow, statement.order_by(observers.c.game_id))
