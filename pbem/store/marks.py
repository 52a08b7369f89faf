"""Marks of the running service: when something was last done, for other processes and for monitors to see."""

from datetime import datetime

import msgspec
import sqlalchemy as sa

from pbem.store.repository import Repository, columns_of
from pbem.store.tables import marks

DRAINED = "drained"
"""Everything the mailbox had received before this instant is stored."""
SWEPT = "swept"
CLOSED = "closed"
DELIVERED = "delivered"
TIDIED = "tidied"
"""Old raw mails were dropped."""
RESTORED = "restored"
"""The database is a backup made at this instant: what the mailbox received since may be lost and is read again."""


class MarkRow(msgspec.Struct, frozen=True):
    name: str
    at: datetime
    detail: str


class Marks(Repository):
    """One row a mark, overwritten each time."""

    __slots__ = ()

    async def put(self, name: str, at: datetime, detail: str = "") -> None:
        if await self._changed(marks.update().where(marks.c.name == name).values(at=at, detail=detail)) == 0:
            await self._added(marks, ("name",), name=name, at=at, detail=detail)

    async def find(self, name: str) -> MarkRow | None:
        return await self._one(MarkRow, sa.select(*columns_of(MarkRow, marks)).where(marks.c.name == name))

    async def list_all(self) -> list[MarkRow]:
        return await self._all(MarkRow, sa.select(*columns_of(MarkRow, marks)).order_by(marks.c.name))

    async def remove(self, name: str) -> bool:
        return (await self._connection.execute(marks.delete().where(marks.c.name == name))).rowcount == 1
