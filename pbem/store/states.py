"""The state of a game as it was opened with each phase. Never overwritten: replay and roll back stand on it."""

import msgspec
import sqlalchemy as sa

from pbem.store.repository import Repository, columns_of
from pbem.store.tables import states


class StateRow(msgspec.Struct, frozen=True):
    """An encoded state, with the place of the stream of chance after it was made and the version of the rules that made it."""

    game_id: int
    phase_number: int
    body: bytes
    chance_place: int
    ruleset_version: str


class States(Repository):
    """The states of all games."""

    __slots__ = ()

    async def put_once(self, game_id: int, phase_number: int, body: bytes, chance_place: int, ruleset_version: str) -> bool:
        """Keep the state a phase opened with. False: there is one, and it stays as it is."""
        return await self._added(
            states,
            ("game_id", "phase_number"),
            game_id=game_id,
            phase_number=phase_number,
            body=body,
            chance_place=chance_place,
            ruleset_version=ruleset_version,
        )

    async def find(self, game_id: int, phase_number: int) -> StateRow | None:
        statement = sa.select(*columns_of(StateRow, states))
        return await self._one(StateRow, statement.where(states.c.game_id == game_id, states.c.phase_number == phase_number))
