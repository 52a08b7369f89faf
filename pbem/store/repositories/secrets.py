"""The house's own secrets and marks by name: the server's key, the outbox's epoch."""

from collections.abc import Callable

import sqlalchemy as sa

from pbem.store.repositories.repository import Repository, bound
from pbem.store.tables import secrets

_BY_NAME = sa.select(secrets.c.value).where(secrets.c.name == bound("name"))


class Secrets(Repository):
    """Values by name. What is read here must not be logged."""

    __slots__ = ()

    async def get(self, name: str) -> str | None:
        return (await self._connection.execute(_BY_NAME, {"name": name})).scalar_one_or_none()

    async def get_or_create(self, name: str, factory: Callable[[], str]) -> str:
        """The value, made by `factory` if there is none. Whoever asks at the same time gets the
        same.
        """
        known = await self.get(name)
        if known is not None:
            return known
        made = factory()
        added = await self._added(secrets, ("name",), name=name, value=made)
        return made if added else str(await self.get(name))

    async def put(self, name: str, value: str) -> None:
        """Set a value, whatever it was."""
        if not await self._added(secrets, ("name",), name=name, value=value):
            await self._changed(secrets.update().where(secrets.c.name == name).values(value=value))
