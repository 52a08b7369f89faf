"""What people have chosen for themselves: where what goes, when not to be written to, the game they
speak of just now.
"""

from collections.abc import Collection

import msgspec
import sqlalchemy as sa

from pbem.store.repositories.repository import Repository, Rows
from pbem.store.tables import preferences


class PreferenceRow(msgspec.Struct, frozen=True):
    """One choice; names and values are the desk's."""

    person_id: int
    name: str
    value: str


_SELECT = Rows(PreferenceRow, preferences)


class Preferences(Repository):
    """The choices of all people."""

    async def get(self, person_id: int, name: str) -> str | None:
        row = await self._find(_SELECT, person_id=person_id, name=name)
        return None if row is None else row.value

    async def put(self, person_id: int, name: str, value: str | None) -> None:
        """Choose, or choose otherwise; None takes the choice back."""
        if value is None:
            same = (preferences.c.person_id == person_id, preferences.c.name == name)
            await self._delete(preferences, *same)
        else:
            await self._put(preferences, person_id=person_id, name=name, value=value)

    async def list_named(self, name: str) -> list[int]:
        """The people who have chosen something under this name, in the order they came to us."""
        statement = (
            sa.select(preferences.c.person_id)
            .where(preferences.c.name == name)
            .order_by(preferences.c.person_id)
        )
        return await self._values(int, statement)

    async def list_of(self, person_ids: Collection[int]) -> list[PreferenceRow]:
        """Everything these people have chosen."""
        return await self._list(_SELECT, person_id=person_ids)
