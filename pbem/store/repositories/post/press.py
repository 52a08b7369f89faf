"""Press: what players and game masters write to one another, and who has yet to get it."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Literal

import msgspec
import sqlalchemy as sa

from pbem.store.repositories.repository import Repository, Rows, bound
from pbem.store.tables import deliveries, press

PressKind = Literal["public", "private", "team", "gm"]


class NewPress(msgspec.Struct, frozen=True, kw_only=True):
    """A piece of press to be kept."""

    game_id: int
    phase_number: int
    seat_id: int | None
    person_id: int | None
    inbox_id: int | None
    kind: PressKind
    grey: bool
    recipients: tuple[int, ...]
    text: str
    created_at: datetime


class PressRow(NewPress, frozen=True, kw_only=True):
    """A piece of press. `seat_id` is the writer's (None: a game master's, or an observer's);
    `recipients` are seat numbers.

    `grey`: nobody learns who wrote it.
    """

    id: int


class DeliveryRow(msgspec.Struct, frozen=True):
    """Press for a reader: it waits for their hour (`told_at` None), or was delivered."""

    press_id: int
    person_id: int
    due_at: datetime
    told_at: datetime | None


_PRESS = Rows(PressRow, press)
_DELIVERY = Rows(DeliveryRow, deliveries)

READERS_WAITING = (
    sa.select(deliveries.c.person_id)
    .where(deliveries.c.told_at.is_(None), deliveries.c.due_at <= bound("now"))
    .distinct()
    .order_by(deliveries.c.person_id)
)


class Press(Repository):
    """The press of all tables."""

    async def add(self, new: NewPress) -> int | None:
        """Keep a piece of press. None: the message was handled before."""
        return await self._insert_once(press, **msgspec.structs.asdict(new))

    async def is_from(self, inbox_ids: Sequence[int]) -> bool:
        """Whether any of these messages brought press."""
        return await self._count(press, press.c.inbox_id.in_(list(inbox_ids))) > 0

    async def find(self, press_id: int) -> PressRow | None:
        return await self._find(_PRESS, id=press_id)

    async def list_of_game(self, game_id: int, limit: int = 1000) -> list[PressRow]:
        """The newest pieces of a table, the oldest of them first."""
        rows = await self._newest(_PRESS, limit, game_id=game_id)
        return rows[::-1]

    async def list_since(self, game_id: int, since: datetime) -> list[PressRow]:
        """The pieces of a table since then, the oldest first."""
        return await self._list(_PRESS, press.c.created_at >= since, game_id=game_id)

    async def count_of_seat_since(self, seat_id: int, since: datetime) -> int:
        """How much a seat has written since then."""
        return await self._count(press, press.c.seat_id == seat_id, press.c.created_at >= since)

    async def tell_later(self, press_id: int, person_ids: Iterable[int], due_at: datetime) -> None:
        """Let it wait for these readers' hour."""
        waiting = {"press_id": press_id, "due_at": due_at, "told_at": None}
        rows = [{"person_id": person_id, **waiting} for person_id in person_ids]
        await self._add_all(deliveries, rows)

    async def let_wait_until(self, person_id: int, due_at: datetime) -> int:
        """What waits for this reader waits until then, and no longer; how much it is."""
        waiting = (deliveries.c.person_id == person_id, deliveries.c.told_at.is_(None))
        return await self._update(deliveries, *waiting, due_at=due_at)

    async def list_waiting(self, now: datetime) -> list[tuple[int, PressRow]]:
        """The press that is due, in the order it was written, each with its reader's id; by
        reader.
        """
        due = (deliveries.c.told_at.is_(None), deliveries.c.due_at <= now)
        readers = await self._list(
            _DELIVERY, *due, by=[deliveries.c.person_id, deliveries.c.press_id]
        )
        wanted = sa.select(deliveries.c.press_id).where(*due)
        rows = {row.id: row for row in await self._list(_PRESS, press.c.id.in_(wanted))}
        return [(reader.person_id, rows[reader.press_id]) for reader in readers]

    async def readers_waiting(self, now: datetime) -> list[int]:
        """The readers whose press is due."""
        return await self._values(int, READERS_WAITING, now=now)

    async def next_due_at(self) -> datetime | None:
        """When the next press is due; None when none waits."""
        return await self._earliest(deliveries.c.due_at, deliveries.c.told_at.is_(None))

    async def mark_told(self, press_id: int, person_id: int, now: datetime) -> bool:
        """Mark it delivered. False: it was before."""
        waiting = (
            deliveries.c.press_id == press_id,
            deliveries.c.person_id == person_id,
            deliveries.c.told_at.is_(None),
        )
        return await self._update_one(deliveries, *waiting, told_at=now)
