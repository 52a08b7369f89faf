"""The game masters' log: every command and every look at a secret, never changed."""

from datetime import datetime

import msgspec
import sqlalchemy as sa

from pbem.store.repository import Repository, columns_of
from pbem.store.tables import gm_log


class GmLogRow(msgspec.Struct, frozen=True):
    """A command that was carried out. `detail` is a JSON document; `public` entries may be shown to the table."""

    id: int
    game_id: int | None
    actor: str
    command: str
    detail: str
    at: datetime
    public: bool


class GmLog(Repository):
    """The log; it only ever grows."""

    __slots__ = ()

    async def add(self, *, game_id: int | None, actor: str, command: str, at: datetime, detail: str = "{}", public: bool = False) -> int:
        return await self._insert(gm_log, game_id=game_id, actor=actor, command=command, detail=detail, at=at, public=public)

    async def list_of_game(self, game_id: int | None, *, public_only: bool = False, limit: int = 100) -> list[GmLogRow]:
        """The newest entries about a game (None: about the house itself), the newest first."""
        statement = sa.select(*columns_of(GmLogRow, gm_log)).where(gm_log.c.game_id.is_not_distinct_from(game_id))
        if public_only:
            statement = statement.where(gm_log.c.public)
        return await self._all(GmLogRow, statement.order_by(gm_log.c.id.desc()).limit(limit))
