"""Confirmations waiting for an answer: a letter asks, and its answer is about what that letter
said, and nothing else.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Literal

import msgspec
import sqlalchemy as sa

from pbem.store.repositories.repository import Repository, bound, bound_list, columns_of
from pbem.store.tables import pending

PendingOutcome = Literal["confirmed", "expired", "refused"]


class PendingRow(msgspec.Struct, frozen=True):
    """A confirmation. `inbox_ids` are the messages waiting under it, in order of arrival; `detail`
    is a JSON document.
    """

    id: int
    purpose: str
    address: str
    game_id: int | None
    seat_id: int | None
    inbox_ids: tuple[int, ...]
    detail: str
    created_at: datetime
    expires_at: datetime
    done_at: datetime | None
    outcome: PendingOutcome | None


_SELECT = sa.select(*columns_of(PendingRow, pending))
_OPEN = _SELECT.where(
    pending.c.purpose.in_(bound_list("purposes")), pending.c.done_at.is_(None)
).order_by(pending.c.id)
_OVER = _OPEN.where(pending.c.expires_at <= bound("now"))
_WAITING_AT = _OPEN.where(
    pending.c.address == bound("address"), pending.c.expires_at > bound("now")
)


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


class Pending(Repository):
    """The confirmations asked for: of a purpose and address one waits at a time."""

    __slots__ = ()

    async def wait_under(self, new: NewPending) -> tuple[PendingRow, bool]:
        """Let messages wait under a confirmation of that purpose and address. True with it: it is
        new, so a letter must ask.

        One that waits already is given back as it is, and nothing joins it: what it asked about is
        all that its answer is about (`add_waiting`). One past its time makes room.
        """
        waiting = (
            pending.c.purpose == new.purpose,
            pending.c.address == new.address,
            pending.c.done_at.is_(None),
        )
        now = new.created_at
        await self._changed(
            pending.update()
            .where(*waiting, pending.c.expires_at <= now)
            .values(done_at=now, outcome="expired")
        )
        while (
            row := await self._one(PendingRow, _SELECT.where(*waiting).with_for_update())
        ) is None:
            # Nobody waits; if somebody else begins at this very moment, look again and join.
            added = await self._insert_once(pending, (), **msgspec.structs.asdict(new))
            if added is not None:
                values = msgspec.structs.asdict(new)
                return PendingRow(id=added, done_at=None, outcome=None, **values), True
        return row, False

    async def add_waiting(self, row: PendingRow, inbox_id: int) -> PendingRow:
        """Let one more message wait under a confirmation that is about whatever waits."""
        if inbox_id in row.inbox_ids:
            return row
        row = msgspec.structs.replace(row, inbox_ids=(*row.inbox_ids, inbox_id))
        await self._changed(
            pending.update().where(pending.c.id == row.id).values(inbox_ids=row.inbox_ids)
        )
        return row

    async def put_expiry(self, pending_id: int, expires_at: datetime) -> bool:
        """It waits until then. False: it is settled."""
        statement = pending.update().where(pending.c.id == pending_id, pending.c.done_at.is_(None))
        return await self._changed(statement.values(expires_at=expires_at)) == 1

    async def put_detail(self, pending_id: int, detail: str) -> bool:
        """More is known of what waits. False: it is settled."""
        statement = pending.update().where(pending.c.id == pending_id, pending.c.done_at.is_(None))
        return await self._changed(statement.values(detail=detail)) == 1

    async def find(self, pending_id: int) -> PendingRow | None:
        return await self._one(PendingRow, _SELECT.where(pending.c.id == pending_id))

    async def find_waiting(self, purpose: str, address: str, now: datetime) -> PendingRow | None:
        """The confirmation an answer from that address can mean."""
        return await self._one(
            PendingRow,
            _SELECT.where(
                pending.c.purpose == purpose,
                pending.c.address == address,
                pending.c.done_at.is_(None),
                pending.c.expires_at > now,
            ),
        )

    async def find_open(self, purpose: str, address: str) -> PendingRow | None:
        """The confirmation of that purpose and address that nothing became of yet, be its time over
        or not.
        """
        waiting = (
            pending.c.purpose == purpose,
            pending.c.address == address,
            pending.c.done_at.is_(None),
        )
        return await self._one(PendingRow, _SELECT.where(*waiting))

    async def list_open(self, *purposes: str) -> list[PendingRow]:
        """Every confirmation of these purposes that nothing became of yet, the oldest first."""
        return await self._all(PendingRow, _OPEN, purposes=purposes)

    async def list_waiting_at(
        self, purposes: Sequence[str], address: str, now: datetime
    ) -> list[PendingRow]:
        """The confirmations of these purposes that an answer from that address can mean, the oldest
        first.
        """
        return await self._all(PendingRow, _WAITING_AT, purposes=purposes, address=address, now=now)

    async def list_over(self, purposes: Sequence[str], now: datetime) -> list[PendingRow]:
        """The confirmations of these purposes whose time is over and that nothing became of."""
        return await self._all(PendingRow, _OVER, purposes=purposes, now=now)

    async def next_over_at(self, purposes: Sequence[str]) -> datetime | None:
        """When the time of the next confirmation of these purposes is over."""
        statement = sa.select(sa.func.min(pending.c.expires_at)).where(
            pending.c.purpose.in_(purposes), pending.c.done_at.is_(None)
        )
        found: datetime | None = (await self._connection.execute(statement)).scalar_one_or_none()
        return found

    async def count_asked_since(self, purpose: str, seat_id: int, since: datetime) -> int:
        """How many confirmations of that purpose were asked for from a seat."""
        asked = (
            pending.c.purpose == purpose,
            pending.c.seat_id == seat_id,
            pending.c.created_at >= since,
        )
        return await self._number(sa.select(sa.func.count()).select_from(pending).where(*asked))

    async def list_asked_since(
        self, purpose: str, address: str, since: datetime
    ) -> list[PendingRow]:
        """The confirmations of that purpose that were asked at an address, the oldest first."""
        asked = (
            pending.c.purpose == purpose,
            pending.c.address == address,
            pending.c.created_at >= since,
        )
        return await self._all(PendingRow, _SELECT.where(*asked).order_by(pending.c.id))

    async def settle(
        self, pending_id: int, outcome: PendingOutcome, now: datetime, *, replaced_too: bool = False
    ) -> PendingRow | None:
        """It was answered (or, `expired`, nobody did): the confirmation with the messages that
        waited.

        None: it is settled already, or answered too late. `replaced_too`: also one in whose place a
        newer one was asked.
        """
        waits: sa.ColumnElement[bool] = pending.c.done_at.is_(None)
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
