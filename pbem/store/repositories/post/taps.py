"""What a button on somebody's screen stands for: the button itself carries the code alone."""

from collections.abc import Sequence
from datetime import datetime

import msgspec

from pbem.store.repositories.repository import Repository, Rows
from pbem.store.tables import taps


class TapRow(msgspec.Struct, frozen=True):
    """A button. It counts for this person, on this seat in this tenure, in this phase; `action` is
    a JSON document.
    """

    code: str
    person_id: int
    game_id: int | None
    seat_id: int | None
    tenure: int
    phase_number: int
    action: str
    created_at: datetime
    used_at: datetime | None


_SELECT = Rows(TapRow, taps)


class Taps(Repository):
    """The buttons of all chats."""

    async def put_all(self, rows: Sequence[TapRow]) -> None:
        """Make buttons; a second time under the same code changes nothing."""
        await self._add_all(taps, [msgspec.structs.asdict(row) for row in rows])

    async def find(self, code: str) -> TapRow | None:
        return await self._find(_SELECT, code=code)

    async def use(self, code: str, now: datetime) -> bool:
        """Press the button. False: it was pressed before."""
        return await self._update_one(
            taps, taps.c.code == code, taps.c.used_at.is_(None), used_at=now
        )

    async def drop_before(self, instant: datetime) -> int:
        """Forget buttons made before then; how many."""
        return await self._delete(taps, taps.c.created_at < instant)
