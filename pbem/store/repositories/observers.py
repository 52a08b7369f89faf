"""The observers of a table, who get bulletins and public press only."""

from datetime import datetime

import msgspec

from pbem.store.repositories.repository import Repository, Rows
from pbem.store.tables import observers


class ObserverRow(msgspec.Struct, frozen=True):
    """Somebody observes from `since`; `until` is None as long as they do."""

    game_id: int
    person_id: int
    since: datetime
    until: datetime | None


_SELECT = Rows(ObserverRow, observers)


class Observers(Repository):
    """The observers of all tables."""

    async def begin(self, game_id: int, person_id: int, now: datetime) -> bool:
        """Begin to observe. False: they do already."""
        same = (observers.c.game_id == game_id, observers.c.person_id == person_id)
        if await self._added(
            observers, game_id=game_id, person_id=person_id, since=now, until=None
        ):
            return True
        return await self._update_one(
            observers, *same, observers.c.until.is_not(None), since=now, until=None
        )

    async def end(self, game_id: int, person_id: int, now: datetime) -> bool:
        """Stop observing. False: they did not observe."""
        same = (
            observers.c.game_id == game_id,
            observers.c.person_id == person_id,
            observers.c.until.is_(None),
        )
        return await self._update_one(observers, *same, until=now)

    async def list_of_game(self, game_id: int) -> list[ObserverRow]:
        """The present observers of a table."""
        return await self._list(_SELECT, observers.c.until.is_(None), game_id=game_id)

    async def list_of_person(self, person_id: int) -> list[ObserverRow]:
        """The tables that somebody observes now."""
        return await self._list(_SELECT, observers.c.until.is_(None), person_id=person_id)
