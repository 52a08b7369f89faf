"""Confirmations waiting for an answer: a letter asks, and its answer is about what that letter
said, and nothing else.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Literal

import msgspec
import sqlalchemy as sa

from pbem.store.repositories.repository import Condition, Repository, Rows, columns_of
from pbem.store.tables import pending

PendingOutcome = Literal["confirmed", "expired", "refused"]


class NewPending(msgspec.Struct, frozen=True, kw_only=True):
    """A question of ours, about these messages of the inbox."""

    purpose: str
    address: str
    created_at: datetime
    expires_at: datetime
    inbox_ids: tuple[int, ...] = ()
    game_id: int | None = None
    seat_id: int | None = None
    detail: str = "{}"


class PendingRow(NewPending, frozen=True, kw_only=True):
    """A confirmation. `inbox_ids` are the messages waiting under it, in order of arrival; `detail`
    is a JSON document.
    """

    id: int
    done_at: datetime | None
    outcome: PendingOutcome | None


_SELECT = Rows(PendingRow, pending)
_OPEN = pending.c.done_at.is_(None)


class Pending(Repository):
    """The confirmations asked for: of a purpose and address one waits at a time."""

    async def wait_under(self, new: NewPending) -> tuple[PendingRow, bool]:
        """Let messages wait under a confirmation of that purpose and address. True with it: it is
        new, so a letter must ask.

        One that waits already is given back as it is, and nothing joins it: what it asked about is
        all that its answer is about (`add_waiting`). One past its time makes room.
        """
        waiting = (pending.c.purpose == new.purpose, pending.c.address == new.address, _OPEN)
        now = new.created_at
        await self._update(
            pending, *waiting, pending.c.expires_at <= now, done_at=now, outcome="expired"
        )
        while (
            row := await self._one(PendingRow, _SELECT.select.where(*waiting).with_for_update())
        ) is None:
            # Nobody waits; if somebody else begins at this very moment, look again and join.
            added = await self._insert_once(pending, **msgspec.structs.asdict(new))
            if added is not None:
                values = msgspec.structs.asdict(new)
                return PendingRow(id=added, done_at=None, outcome=None, **values), True
        return row, False

    async def add_waiting(self, row: PendingRow, inbox_id: int) -> PendingRow:
        """Let one more message wait under a confirmation that is about whatever waits."""
        if inbox_id in row.inbox_ids:
            return row
        row = msgspec.structs.replace(row, inbox_ids=(*row.inbox_ids, inbox_id))
        await self._set(pending, row.id, inbox_ids=row.inbox_ids)
        return row

    async def put_expiry(self, pending_id: int, expires_at: datetime) -> bool:
        """It waits until then. False: it is settled."""
        return await self._while_open(pending_id, expires_at=expires_at)

    async def put_detail(self, pending_id: int, detail: str) -> bool:
        """More is known of what waits. False: it is settled."""
        return await self._while_open(pending_id, detail=detail)

    async def _while_open(self, pending_id: int, **values: object) -> bool:
        return await self._set(pending, pending_id, _OPEN, **values)

    async def find(self, pending_id: int) -> PendingRow | None:
        return await self._find(_SELECT, id=pending_id)

    async def find_waiting(self, purpose: str, address: str, now: datetime) -> PendingRow | None:
        """The confirmation an answer from that address can mean."""
        found = await self.find_open(purpose, address)
        return found if found is not None and found.expires_at > now else None

    async def find_open(self, purpose: str, address: str) -> PendingRow | None:
        """The confirmation of that purpose and address that nothing became of yet, be its time over
        or not.
        """
        return await self._find(_SELECT, _OPEN, purpose=purpose, address=address)

    async def list_open(self, *purposes: str) -> list[PendingRow]:
        """Every confirmation of these purposes that nothing became of yet, the oldest first."""
        return await self._list(_SELECT, purpose=purposes, done_at=None)

    async def list_waiting_at(
        self, purposes: Sequence[str], address: str, now: datetime
    ) -> list[PendingRow]:
        """The confirmations of these purposes that an answer from that address can mean, the oldest
        first.
        """
        in_time = pending.c.expires_at > now
        return await self._list(_SELECT, in_time, purpose=purposes, address=address, done_at=None)

    async def list_over(self, purposes: Sequence[str], now: datetime) -> list[PendingRow]:
        """The confirmations of these purposes whose time is over and that nothing became of."""
        return await self._list(
            _SELECT, pending.c.expires_at <= now, purpose=purposes, done_at=None
        )

    async def next_over_at(self, purposes: Sequence[str]) -> datetime | None:
        """When the time of the next confirmation of these purposes is over."""
        return await self._earliest(pending.c.expires_at, pending.c.purpose.in_(purposes), _OPEN)

    async def count_asked_since(self, purpose: str, seat_id: int, since: datetime) -> int:
        """How many confirmations of that purpose were asked for from a seat."""
        asked = (pending.c.purpose == purpose, pending.c.seat_id == seat_id)
        return await self._count(pending, *asked, pending.c.created_at >= since)

    async def list_asked_since(
        self, purpose: str, address: str, since: datetime
    ) -> list[PendingRow]:
        """The confirmations of that purpose that were asked at an address, the oldest first."""
        asked = pending.c.created_at >= since
        return await self._list(_SELECT, asked, purpose=purpose, address=address)

    async def settle(
        self, pending_id: int, outcome: PendingOutcome, now: datetime, *, replaced_too: bool = False
    ) -> PendingRow | None:
        """It was answered (or, `expired`, nobody did): the confirmation with the messages that
        waited.

        None: it is settled already, or answered too late. `replaced_too`: also one in whose place a
        newer one was asked.
        """
        waits: Condition = _OPEN
        if replaced_too:
            waits = sa.or_(
                waits,
                sa.and_(pending.c.outcome == "expired", pending.c.done_at < pending.c.expires_at),
            )
        statement = pending.update().where(pending.c.id == pending_id, waits)
        if outcome != "expired":
            statement = statement.where(pending.c.expires_at > now)
        return await self._one(
            PendingRow,
            statement.values(done_at=now, outcome=outcome).returning(
                *columns_of(PendingRow, pending)
            ),
        )
