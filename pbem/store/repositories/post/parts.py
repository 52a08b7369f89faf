"""Texts of a chat that its program has cut: which messages are parts of one, and how long the first
waits for the next.

The first part is the row of the inbox that is handled; the others belong to it. Each later version
of a part (an edit) is a row of its own and handled by itself.
"""

from collections.abc import Sequence
from datetime import datetime

import msgspec
import sqlalchemy as sa

from pbem.store.repositories.repository import Repository, Rows, bound, bound_list
from pbem.store.tables import inbox, parts


class PartRow(msgspec.Struct, frozen=True):
    """A message that is a part, or a version of one. `held_until`: how long a first part waits for
    the next; None: it does not wait.
    """

    inbox_id: int
    whole_id: int
    message_id: int
    held_until: datetime | None


_SELECT = Rows(PartRow, parts)
_WAITING = (
    _SELECT.select.join(inbox, inbox.c.id == parts.c.inbox_id)
    .where(
        parts.c.held_until.is_not(None),
        inbox.c.state == "new",
        inbox.c.channel == bound("channel"),
        inbox.c.sender == bound("sender"),
    )
    .order_by(parts.c.inbox_id.desc())
    .limit(1)
)


class Parts(Repository):
    """The parts of all texts that were cut."""

    async def find_waiting(self, channel: str, sender: str) -> PartRow | None:
        """The first part by this sender that waits for the next."""
        return await self._one(PartRow, _WAITING, channel=channel, sender=sender)

    async def find_by_message(self, message_id: int) -> list[PartRow]:
        """The parts that have this number in their chat, or in another one."""
        return await self._list(_SELECT, message_id=message_id)

    async def list_of(self, inbox_id: int) -> list[PartRow]:
        """All parts of the text that this message belongs to, and their versions, as they came;
        none where it is no part.
        """
        return await self._list(
            _SELECT,
            parts.c.whole_id
            == sa.select(parts.c.whole_id).where(parts.c.inbox_id == inbox_id).scalar_subquery(),
        )

    async def begin(self, inbox_id: int, message_id: int, held_until: datetime) -> None:
        """A message may be the first part of a text: it waits until then for the next."""
        values = {"message_id": message_id, "held_until": held_until}
        await self._added(parts, inbox_id=inbox_id, whole_id=inbox_id, **values)

    async def hold(self, whole_id: int, until: datetime) -> bool:
        """Wait until then. False: the waiting has ended."""
        waiting = (parts.c.inbox_id == whole_id, parts.c.held_until.is_not(None))
        return await self._update_one(parts, *waiting, held_until=until)

    async def add(self, inbox_id: int, whole_id: int, message_id: int) -> None:
        """The message is a part of that text, or a later version of one."""
        values = {"message_id": message_id, "held_until": None}
        await self._added(parts, inbox_id=inbox_id, whole_id=whole_id, **values)

    async def end(self, inbox_id: int) -> None:
        """The waiting ends: no part is added from now on."""
        await self._update(parts, parts.c.inbox_id == inbox_id, held_until=None)

    async def hold_anew(self, until: datetime) -> int:
        """All first parts that wait do so until then; how many."""
        return await self._update(parts, parts.c.held_until.is_not(None), held_until=until)

    async def next_until(self) -> datetime | None:
        """When the next first part has waited long enough; None when none waits."""
        return await self._earliest(parts.c.held_until)

    async def read_raw(self, inbox_ids: Sequence[int]) -> list[bytes]:
        """The bytes of these messages, in their order, as far as they are kept."""
        statement = sa.select(inbox.c.id, inbox.c.raw).where(inbox.c.id.in_(bound_list("ids")))
        rows = await self._connection.execute(statement, {"ids": list(inbox_ids)})
        found = {row.id: row.raw for row in rows}
        return [found[one] for one in inbox_ids if found.get(one) is not None]
