"""What tests of a game master's commands share: who commands, what was logged, and how a game comes
as far as its orders.
"""

from collections.abc import Awaitable, Callable, Sequence
from typing import Any

import msgspec
import pytest
import sqlalchemy as sa

from engine.ruleset import Event
from pbem.board.board import Board, Picture, TableFacts
from pbem.desk import gm
from pbem.store import tables
from pbem.store.repositories.events import ActRow
from pbem.store.repositories.seats import SeatRow
from tests.desk.harness import GM, Desk, StillPainter, address_of
from tests.played import PLAYED

GRETA = gm.By("Greta")
PLAYERS = ("Anna", "Bartek", "Chloé")
EVERYBODY = sorted([*(address_of(name) for name in PLAYERS), GM])


class MeanwhilePainter(StillPainter):
    """Paints slowly: something happens meanwhile, once."""

    def __init__(self) -> None:
        self.meanwhile: Callable[[], Awaitable[object]] | None = None

    async def board(
        self, board: Board, view: Any, events: Sequence[Event], land: bytes, facts: TableFacts
    ) -> Picture:
        meanwhile, self.meanwhile = self.meanwhile, None
        if meanwhile is not None:
            await meanwhile()
        return await super().board(board, view, events, land, facts)


async def refused(command: Any) -> str:
    """The code with which a command is refused."""
    with pytest.raises(gm.Refused) as error:
        await command
    return error.value.code


async def logged(desk: Desk, slug: str = "heron") -> list[tuple[str, dict[str, Any], bool]]:
    """The commands about a game since it was opened, the first first."""
    async with desk.services.database.read() as work:
        game = await work.games.find_by_slug(slug)
        assert game is not None
        rows = await work.log.list_of_game(game.id)
    return [(row.command, msgspec.json.decode(row.detail), row.public) for row in reversed(rows)]


async def acts_of(desk: Desk) -> list[ActRow]:
    async with desk.services.database.read() as work:
        return await work.acts.list_of_game(1)


async def seats_of(desk: Desk) -> dict[str, SeatRow]:
    async with desk.services.database.read() as work:
        return {seat.name: seat for seat in await work.seats.list_of_game(1)}


async def state_of(desk: Desk, number: int, ordinal: int = -1) -> Any:
    """The state of a phase as it was kept, decoded: the newest, or after so many acts."""
    async with desk.services.database.read() as work:
        rows = await work.states.list_of_phase(1, number)
    return desk.services.games[PLAYED].ruleset.decode_state(rows[ordinal].body)


async def count_of(desk: Desk, *names: str) -> Sequence[int]:
    """How many rows some tables have."""
    async with desk.services.database.read() as work:
        return [
            int(
                (
                    await work.connection.execute(
                        sa.select(sa.func.count()).select_from(tables.metadata.tables[name])
                    )
                ).scalar_one()
            )
            for name in names
        ]


async def to_orders(desk: Desk, players: int = 3, **options: Any) -> None:
    """A game in the orders window of its first turn."""
    await desk.open_game(players, **options)
    await desk.everybody_passes()
