"""What happened: the events of each close, and the acts that took effect at once. Both only ever
grow.
"""

from collections.abc import Sequence
from datetime import datetime

import msgspec
import sqlalchemy as sa

from pbem.store.repositories.repository import Repository, columns_of
from pbem.store.tables import acts, events, games


class NewEvent(msgspec.Struct, frozen=True):
    """An event to be kept. `body` is a JSON document; `audience` are seat numbers, None for
    everybody; `rules` are rule IDs.
    """

    kind: str
    body: str
    audience: tuple[int, ...] | None
    rules: tuple[str, ...]


class EventRow(msgspec.Struct, frozen=True):
    """An event as it was kept; `ordinal` counts from 0 within the phase whose close (or act) made
    it.
    """

    id: int
    game_id: int
    phase_number: int
    ordinal: int
    kind: str
    body: str
    audience: tuple[int, ...] | None
    rules: tuple[str, ...]


class ActRow(msgspec.Struct, frozen=True):
    """An act, as the replay needs it; `ordinal` counts from 0 within the phase. `body` is a JSON
    document.
    """

    id: int
    game_id: int
    phase_number: int
    ordinal: int
    actor: str
    body: str
    at: datetime


class _Chronicle(Repository):
    """Rows that are only ever appended, numbered within a phase."""

    __slots__ = ()

    async def _next_ordinal(self, table: sa.Table, game_id: int, phase_number: int) -> int:
        # Whoever appends at the same time waits at the game's row: numbers then neither clash nor
        # change their order.
        await self._connection.execute(
            sa.select(games.c.id).where(games.c.id == game_id).with_for_update()
        )
        statement = sa.select(sa.func.coalesce(sa.func.max(table.c.ordinal), -1))
        return 1 + await self._number(
            statement.where(table.c.game_id == game_id, table.c.phase_number == phase_number)
        )


class Events(_Chronicle):
    """The events of all games."""

    __slots__ = ()

    async def add_all(self, game_id: int, phase_number: int, new: Sequence[NewEvent]) -> int:
        """Append events to those of a phase, in order; how many."""
        start = await self._next_ordinal(events, game_id, phase_number)
        rows = [
            {"game_id": game_id, "phase_number": phase_number, "ordinal": ordinal}
            | msgspec.structs.asdict(event)
            for ordinal, event in enumerate(new, start)
        ]
        if rows:
            await self._connection.execute(events.insert(), rows)
        return len(rows)

    async def list_of_phase(self, game_id: int, phase_number: int) -> list[EventRow]:
        statement = sa.select(*columns_of(EventRow, events)).where(
            events.c.game_id == game_id, events.c.phase_number == phase_number
        )
        return await self._all(EventRow, statement.order_by(events.c.ordinal))

    async def list_of_game(self, game_id: int, from_phase: int = 0) -> list[EventRow]:
        """All events of a game from a phase on, in the order they happened."""
        statement = sa.select(*columns_of(EventRow, events)).where(
            events.c.game_id == game_id, events.c.phase_number >= from_phase
        )
        return await self._all(
            EventRow, statement.order_by(events.c.phase_number, events.c.ordinal)
        )


class Acts(_Chronicle):
    """The acts of all games."""

    __slots__ = ()

    async def add(
        self, *, game_id: int, phase_number: int, actor: str, body: str, at: datetime
    ) -> int:
        """Append an act to those of a phase; its ordinal."""
        ordinal = await self._next_ordinal(acts, game_id, phase_number)
        await self._insert(
            acts,
            game_id=game_id,
            phase_number=phase_number,
            ordinal=ordinal,
            actor=actor,
            body=body,
            at=at,
        )
        return ordinal

    async def list_of_phase(self, game_id: int, phase_number: int) -> list[ActRow]:
        statement = sa.select(*columns_of(ActRow, acts)).where(
            acts.c.game_id == game_id, acts.c.phase_number == phase_number
        )
        return await self._all(ActRow, statement.order_by(acts.c.ordinal))

    async def list_of_game(self, game_id: int) -> list[ActRow]:
        statement = sa.select(*columns_of(ActRow, acts)).where(acts.c.game_id == game_id)
        return await self._all(ActRow, statement.order_by(acts.c.phase_number, acts.c.ordinal))
