"""What people have chosen for themselves: where what goes, when not to be written to, the game they
speak of just now.
"""

from collections.abc import Collection

import msgspec
import sqlalchemy as sa

from pbem.store.repositories.repository import Repository, bound_list, columns_of
from pbem.store.tables import preferences


class PreferenceRow(msgspec.Struct, frozen=True):
    """One choice; names and values are the desk's."""

    person_id: int
    name: str
    value: str


_SELECT = sa.select(*columns_of(PreferenceRow, preferences))
_OF_PEOPLE = _SELECT.where(preferences.c.person_id.in_(bound_list("person_ids"))).order_by(
    preferences.c.person_id, preferences.c.name
)


class Preferences(Repository):
    """The choices of all people."""

    __slots__ = ()

    async def get(self, person_id: int, name: str) -> str | None:
        row = await self._one(
            PreferenceRow,
            _SELECT.where(preferences.c.person_id == person_id, preferences.c.name == name),
        )
        return None if row is None else row.value

    async def put(self, person_id: int, name: str, value: str | None) -> None:
        """Choose, or choose otherwise; None takes the choice back."""
        same = (preferences.c.person_id == person_id, preferences.c.name == name)
        if value is None:
            await self._changed(preferences.delete().where(*same))
        elif await self._changed(preferences.update().where(*same).values(value=value)) == 0:
            await self._connection.execute(
                preferences.insert().values(person_id=person_id, name=name, value=value)
            )

    async def list_named(self, name: str) -> list[int]:
        """The people who have chosen something under this name, in the order they came to us."""
        statement = (
            sa.select(preferences.c.person_id)
            .where(preferences.c.name == name)
            .order_by(preferences.c.person_id)
        )
        return list((await self._connection.execute(statement)).scalars())

    async def list_of(self, person_ids: Collection[int]) -> list[PreferenceRow]:
        """Everything these people have chosen."""
        return await self._all(PreferenceRow, _OF_PEOPLE, person_ids=list(person_ids))
