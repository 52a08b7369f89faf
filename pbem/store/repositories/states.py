"""The state of a game as it was opened with each phase, and after each act in it. Never
overwritten: replay and roll back stand on it.
"""

import msgspec

from pbem.store.repositories.repository import Repository, Rows, bound
from pbem.store.tables import states


class StateRow(msgspec.Struct, frozen=True):
    """An encoded state, with the place of the stream of chance after it was made and the version of
    the rules that made it.

    `ordinal` 0 is the state the phase opened with, n the one after its n-th act.
    """

    game_id: int
    phase_number: int
    ordinal: int
    body: bytes
    chance_place: int
    ruleset_version: str


_SELECT = Rows(StateRow, states)
_NEWEST = (
    _SELECT.select.where(
        states.c.game_id == bound("game_id"), states.c.phase_number == bound("phase_number")
    )
    .order_by(states.c.ordinal.desc())
    .limit(1)
)


class States(Repository):
    """The states of all games."""

    async def put_once(
        self,
        game_id: int,
        phase_number: int,
        body: bytes,
        chance_place: int,
        ruleset_version: str,
        *,
        ordinal: int = 0,
    ) -> bool:
        """Keep the state a phase opened with (or has after its n-th act). False: there is one, and
        it stays as it is.
        """
        return await self._added(
            states,
            game_id=game_id,
            phase_number=phase_number,
            ordinal=ordinal,
            body=body,
            chance_place=chance_place,
            ruleset_version=ruleset_version,
        )

    async def find(self, game_id: int, phase_number: int) -> StateRow | None:
        """The state of a phase as it stands: after its last act, if there was one."""
        return await self._one(StateRow, _NEWEST, game_id=game_id, phase_number=phase_number)

    async def list_of_phase(self, game_id: int, phase_number: int) -> list[StateRow]:
        """As the phase opened, and after each of its acts."""
        return await self._list(_SELECT, game_id=game_id, phase_number=phase_number)
