"""The game masters' log: every command and every look at a secret, never changed."""

from collections.abc import Collection
from datetime import datetime

import msgspec

from pbem.store.repositories.repository import Repository, Rows
from pbem.store.tables import gm_log


class GmLogRow(msgspec.Struct, frozen=True):
    """A command that was carried out. `detail` is a JSON document; `public` entries may be shown to
    the table.

    `cause` is what asked for it (a message and its line), so that the same request is carried out
    once.
    """

    id: int
    game_id: int | None
    actor: str
    command: str
    detail: str
    at: datetime
    public: bool
    cause: str | None


_LOG = Rows(GmLogRow, gm_log)


class GmLog(Repository):
    """The log; it only ever grows."""

    async def add(
        self,
        *,
        game_id: int | None,
        actor: str,
        command: str,
        at: datetime,
        detail: str = "{}",
        public: bool = False,
        cause: str | None = None,
    ) -> int | None:
        """Log a command. None: that `cause` is logged already, and the command must not be carried
        out again.
        """
        return await self._insert_once(
            gm_log,
            game_id=game_id,
            actor=actor,
            command=command,
            detail=detail,
            at=at,
            public=public,
            cause=cause,
        )

    async def find_by_cause(self, cause: str) -> GmLogRow | None:
        """What became of a request."""
        return await self._find(_LOG, cause=cause)

    async def list_of_game(self, game_id: int | None, limit: int = 100) -> list[GmLogRow]:
        """The newest entries about a game (None: about the house itself), the newest first."""
        return await self._newest(_LOG, limit, game_id=game_id)

    async def list_of_commands(self, game_id: int, commands: Collection[str]) -> list[GmLogRow]:
        """Every time one of these commands was carried out at a game, the first first."""
        return await self._list(_LOG, game_id=game_id, command=commands)
