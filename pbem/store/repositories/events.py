"""What happened: the events of each close, and the acts that took effect at once. Both only ever
grow.
"""

from collections.abc import Sequence
from datetime import datetime

import msgspec
import sqlalchemy as sa

from pbem.store.repositories.repository import Repository, Rows, bound
from pbem.store.tables import acts, events, games


class NewEvent(msgspec.Struct, frozen=True):
    """An event to be kept. `body` is a JSON document; `audience` are seat numbers, None for
    everybody; `rules` are rule IDs.
    """

    kind: str
    body: str
    audience: tuple[int, ...] | None
    rules: tuple[str, ...]


class EventRow(NewEvent, frozen=True):
    """An event as it was kept; `ordinal` counts from 0 within the phase whose close (or act) made
    it.
    """

    id: int
    game_id: int
    phase_number: int
    ordinal: int


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


_EVENT = Rows(EventRow, events)
_ACT = Rows(ActRow, acts)
_ORDER = (events.c.phase_number, events.c.ordinal)
_FROM_PHASE = _EVENT.select.where(
    events.c.game_id == bound("game_id"), events.c.phase_number >= bound("from_phase")
).order_by(*_ORDER)
_BEFORE = events.alias("before")
_APPENDED = events.insert().values(
    game_id=bound("of_game"),
    phase_number=bound("of_phase"),
    ordinal=sa.select(sa.func.coalesce(sa.func.max(_BEFORE.c.ordinal), -1) + 1)
    .where(_BEFORE.c.game_id == bound("of_game"), _BEFORE.c.phase_number == bound("of_phase"))
    .scalar_subquery(),
    **{name: bound(name) for name in NewEvent.__struct_fields__},
)


class Events(Repository):
    """The events of all games."""

    async def add_all(self, game_id: int, phase_number: int, new: Sequence[NewEvent]) -> int:
        """Append events to those of a phase, in order; how many. The caller has locked the game."""
        rows = [
            {"of_game": game_id, "of_phase": phase_number} | msgspec.structs.asdict(event)
            for event in new
        ]
        if rows:
            await self._connection.execute(_APPENDED, rows)
        return len(rows)

    async def list_of_phase(self, game_id: int, phase_number: int) -> list[EventRow]:
        return await self._list(_EVENT, by=_ORDER, game_id=game_id, phase_number=phase_number)

    async def list_of_game(self, game_id: int, from_phase: int = 0) -> list[EventRow]:
        """All events of a game from a phase on, in the order they happened."""
        return await self._all(EventRow, _FROM_PHASE, game_id=game_id, from_phase=from_phase)


class Acts(Repository):
    """The acts of all games."""

    async def add(
        self, *, game_id: int, phase_number: int, actor: str, body: str, at: datetime
    ) -> int:
        """Append an act to those of a phase; its ordinal."""
        # A second writer waits at the game's row: numbers then neither clash nor
        # change their order.
        await self._connection.execute(
            sa.select(games.c.id).where(games.c.id == game_id).with_for_update()
        )
        newest = sa.select(sa.func.coalesce(sa.func.max(acts.c.ordinal), -1)).where(
            acts.c.game_id == game_id, acts.c.phase_number == phase_number
        )
        ordinal = 1 + await self._number(newest)
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
        order = [acts.c.ordinal]
        return await self._list(_ACT, by=order, game_id=game_id, phase_number=phase_number)

    async def list_of_game(self, game_id: int) -> list[ActRow]:
        return await self._list(_ACT, by=[acts.c.phase_number, acts.c.ordinal], game_id=game_id)
