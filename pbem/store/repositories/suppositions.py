"""What players asked of the open phase that nobody has ordered: this many questions in a phase."""

import sqlalchemy as sa

from pbem.store.repositories.repository import Repository
from pbem.store.tables import suppositions


class Suppositions(Repository):
    """The questions that were answered, each once, by the message that asked it."""

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
