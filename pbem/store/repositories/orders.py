"""Orders, every version kept: what a seat wants done at the close is its newest version that came
in time.
"""

from datetime import datetime

import msgspec
import sqlalchemy as sa

from pbem.store.columns import end_of_second
from pbem.store.repositories.repository import (
    Repository,
    Rows,
    bound,
    columns_of,
    given,
    insert_into,
)
from pbem.store.tables import orders, phases, seats, suppositions


class NewOrders(msgspec.Struct, frozen=True, kw_only=True):
    """A version of a seat's orders to be kept; `orders` is their JSON."""

    game_id: int
    phase_number: int
    seat_id: int
    tenure: int
    source: str
    received_at: datetime
    orders: str
    canonical: tuple[str, ...]
    final: bool
    created_at: datetime
    inbox_id: int | None = None
    offered: str | None = None


class OrdersRow(NewOrders, frozen=True, kw_only=True):
    """A version of a seat's orders: the whole effective set, not the change. Versions count from 1
    by seat and phase.

    `orders` is a JSON array the engine encoded, `canonical` the same in words. `offered` is a JSON
    document with what an answer of `yes` would take. `final`: the player is done.
    """

    id: int
    version: int


_SELECT = Rows(OrdersRow, orders)
_DEADLINE = sa.select(phases.c.deadline).where(
    phases.c.game_id == bound("game_id"), phases.c.number == bound("phase_number")
)
_IN_TIME = sa.and_(
    orders.c.game_id == bound("game_id"),
    orders.c.phase_number == bound("phase_number"),
    orders.c.received_at <= bound("instant"),
)
_VERSIONS = (
    sa.select(orders.c.seat_id, sa.func.max(orders.c.version).label("version"))
    .where(_IN_TIME)
    .group_by(orders.c.seat_id)
    .subquery()
)
_LATEST = (
    _SELECT.select.join(
        _VERSIONS,
        sa.and_(orders.c.seat_id == _VERSIONS.c.seat_id, orders.c.version == _VERSIONS.c.version),
    )
    .where(_IN_TIME)
    .order_by(orders.c.seat_id)
)
_NEWEST = (
    _SELECT.select.where(
        orders.c.seat_id == bound("seat_id"), orders.c.phase_number == bound("phase_number")
    )
    .order_by(orders.c.version.desc())
    .limit(1)
)
_SO_FAR = (
    sa.select(sa.func.coalesce(sa.func.max(orders.c.version), 0))
    .where(orders.c.seat_id == bound("of_seat"), orders.c.phase_number == bound("of_phase"))
    .scalar_subquery()
)
_ADDED = {
    dialect: insert_into(dialect, orders)
    .values(version=_SO_FAR + 1)
    .on_conflict_do_nothing(index_elements=("inbox_id", "seat_id"))
    .returning(*columns_of(OrdersRow, orders))
    for dialect in ("sqlite", "postgresql")
}


class Orders(Repository):
    """The orders of all seats."""

    async def add(self, new: NewOrders) -> OrdersRow | None:
        """Keep a new version. None: this message has given this seat one already.

        Lock the game first (`Games.lock`) and look at its phase: orders for a phase that is over
        are not the store's to refuse. A phase the game never had is a `StoreConflict`.
        """
        if self._connection.dialect.name == "postgresql":
            # Two messages for one seat at once must get two numbers: the second waits here until
            # the first is kept. SQLite has one writer.
            await self._connection.execute(
                sa.select(seats.c.id).where(seats.c.id == new.seat_id).with_for_update()
            )
        return await self._one(
            OrdersRow,
            _ADDED[self._dialect],
            of_seat=new.seat_id,
            of_phase=new.phase_number,
            **msgspec.structs.asdict(new),
        )

    async def latest(
        self, game_id: int, phase_number: int, *, deadline: datetime | None = None
    ) -> list[OrdersRow]:
        """What counts at the close: for each seat that sent any, its newest version received by the
        deadline, ordered by seat.

        The deadline's own second is in time; give it where it is known. Who may still order, and
        in which tenure, is for the caller to check.
        """
        of_phase = {"game_id": game_id, "phase_number": phase_number}
        if deadline is None:
            found = await self._connection.execute(_DEADLINE, of_phase)
            deadline = found.scalar_one_or_none()
        if deadline is None:
            return []
        return await self._all(OrdersRow, _LATEST, **of_phase, instant=end_of_second(deadline))

    async def newest(self, seat_id: int, phase_number: int) -> OrdersRow | None:
        """A seat's newest version, whenever received: what a further message merges with."""
        return await self._one(OrdersRow, _NEWEST, seat_id=seat_id, phase_number=phase_number)

    async def history(self, seat_id: int, phase_number: int | None = None) -> list[OrdersRow]:
        """Every version a seat ever sent (in one phase), the oldest first."""
        by = [orders.c.phase_number, orders.c.version]
        in_phase = given(phase_number=phase_number)
        return await self._list(_SELECT, by=by, seat_id=seat_id, **in_phase)

    async def find_by_message(self, inbox_id: int) -> list[OrdersRow]:
        """What a message of the inbox gave."""
        return await self._list(_SELECT, by=[orders.c.seat_id], inbox_id=inbox_id)


class Suppositions(Repository):
    """What players asked of the open phase and nobody has ordered: the questions that were
    answered, each once, by the message that asked it.
    """

    async def add(
        self, inbox_id: int, asked: str, game_id: int, phase_number: int, seat_id: int, tenure: int
    ) -> bool:
        """False: this question of the message was answered before."""
        return await self._added(
            suppositions,
            inbox_id=inbox_id,
            asked=asked,
            game_id=game_id,
            phase_number=phase_number,
            seat_id=seat_id,
            tenure=tenure,
        )

    async def list_of(
        self, game_id: int, phase_number: int, seat_id: int, tenure: int
    ) -> list[tuple[int, str]]:
        """Those of a seat's player in a phase: the message, and which of its questions."""
        its = suppositions.c
        found = await self._connection.execute(
            sa.select(its.inbox_id, its.asked).where(
                its.game_id == game_id,
                its.phase_number == phase_number,
                its.seat_id == seat_id,
                its.tenure == tenure,
            )
        )
        return [(inbox_id, asked) for inbox_id, asked in found]
