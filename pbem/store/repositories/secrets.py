"""The house's own secrets and marks by name: the server's key, the outbox's epoch."""

from collections.abc import Callable

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from pbem.store.repositories.repository import Repository, bound
from pbem.store.tables import secrets

_BY_NAME = sa.select(secrets.c.value).where(secrets.c.name == bound("name"))


class Secrets(Repository):
    """Values by name. What is read here must not be logged."""

    def __init__(self, connection: AsyncConnection, known: dict[str, str | None]) -> None:
        """`known` are values that were read before: nobody changes one while a service runs (a
        restore does, on a database of its own).
        """
        super().__init__(connection)
        self._known, self._is_changed = known, False

    async def get(self, name: str) -> str | None:
        if name in self._known and not self._is_changed:
            return self._known[name]
        found = await self._value(str, _BY_NAME, name=name)
        if not self._is_changed:
            self._known[name] = found
        return found

    async def get_or_create(self, name: str, factory: Callable[[], str]) -> str:
        """The value, made by `factory` if there is no value yet. Two callers at the same time get
        the same one.
        """
        known = await self.get(name)
        if known is not None:
            return known
        made = factory()
        self._forget(name)
        added = await self._added(secrets, name=name, value=made)
        return made if added else str(await self.get(name))

    async def put(self, name: str, value: str) -> None:
        """Set a value, whatever it was."""
        self._forget(name)
        await self._put(secrets, name=name, value=value)

    def _forget(self, name: str) -> None:
        """Whether what comes is kept is seen when the unit of work has ended."""
        self._known.pop(name, None)
        self._is_changed = True
