"""Marks of the running service: when something was last done, for other processes and for monitors
to see.
"""

from datetime import datetime, timedelta
from functools import cache

import msgspec
from sqlalchemy.dialects import postgresql, sqlite

from pbem.store.repositories.repository import Repository, Rows, bound, insert_into
from pbem.store.tables import marks

MARK_SPACING = timedelta(seconds=30)
"""How often a mark is renewed at most; a monitor need not know better, and the database is spared.
"""

DRAINED = "drained"
"""Everything the mailbox had received before this instant is stored."""
SWEPT = "swept"
CLOSED = "closed"
DELIVERED = "delivered"
TIDIED = "tidied"
"""Old raw mails were dropped."""
DONE = frozenset({DRAINED, SWEPT, CLOSED, DELIVERED, TIDIED})
"""The marks that tell when the service last did something; none of them lies ahead unless a clock
went back.
"""
TELEGRAM_HEARD = "telegram-heard"
"""Everything that Telegram had for us before this instant is stored. Gone where no bot is
configured.
"""
TELEGRAM_STOPPED = "telegram-stopped"
"""Somebody else takes the updates of our bot: we have stopped, and begin again only with the next
start. `detail` is what we were told.
"""
BOT = "telegram-bot"
"""`detail` is the username of our bot, which goes into links."""
CLOCK = "clock"
"""The machine's clock went back, at this instant of its own; `detail` is the instant it has to
catch up with. Gone when it has.
"""
BACKED_UP = "backed-up"
"""Within a backup: when it was made."""
RESTORED = "restored"
"""The database is a backup made at this instant: what the mailbox received since may be lost and is
read again.
"""
PICTURED = "pictured"
"""Of the pictures up to the id in `detail` those that can be are kept as differences."""
MODEL_ASKED = "model-asked"
"""When a language model was asked last; `detail` is how often on that day."""
SERVED = "served"
"""The service that has an SQLite database renewed this row; `detail` says which it is. Gone when it
has ended in peace.
"""


class MarkRow(msgspec.Struct, frozen=True):
    name: str
    at: datetime
    detail: str


_SELECT = Rows(MarkRow, marks)


@cache
def _renewed(dialect: str) -> sqlite.Insert | postgresql.Insert:
    insert = insert_into(dialect, marks)
    return insert.on_conflict_do_update(
        index_elements=[marks.c.name],
        set_={"at": insert.excluded.at, "detail": insert.excluded.detail},
        where=marks.c.at <= bound("older"),
    )


class Marks(Repository):
    """One row a mark, overwritten each time."""

    async def put(self, name: str, at: datetime, detail: str = "") -> None:
        await self._put(marks, name=name, at=at, detail=detail)

    async def put_at_most_every(
        self, spacing: timedelta, name: str, at: datetime, detail: str = ""
    ) -> bool:
        """As `put`, but a mark that is younger than the spacing stays as it is (so does one of the
        future). False: it stayed.
        """
        statement = _renewed(self._dialect)
        values = {"name": name, "at": at, "detail": detail, "older": at - spacing}
        return await self._changed(statement, **values) == 1

    async def find(self, name: str) -> MarkRow | None:
        return await self._find(_SELECT, name=name)

    async def read(self) -> dict[str, MarkRow]:
        """Every mark, by its name."""
        return {row.name: row for row in await self._list(_SELECT)}

    async def remove(self, name: str) -> bool:
        return await self._delete(marks, marks.c.name == name) == 1
