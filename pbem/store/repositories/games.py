"""Games: where each stands, and the one guarded step from a phase to the next."""

from collections.abc import Sequence
from datetime import datetime
from functools import lru_cache
from typing import Any, Literal, get_args

import msgspec
import sqlalchemy as sa

from pbem.store.columns import UtcDateTime
from pbem.store.life import GAME_LIFE, PHASE_LIFE, GameStatus, GameStep
from pbem.store.repositories.phases import CURRENT_PHASE, PhaseRow
from pbem.store.repositories.repository import (
    Condition,
    Repository,
    Rows,
    bound,
    columns_of,
    parted,
)
from pbem.store.tables import games, phases


class GameRow(msgspec.Struct, frozen=True):
    """A game without its secret seed (`Games.read_seed`) and its outlines (`Games.read_land`).

    `phase_number` is the open phase, 0 before the start. `options` and `settings` are JSON
    documents. `attempts` counts the closes that were tried and failed since the last one that did
    not, `tried_at` is when the last of them began. `join_code` lets people in, and
    `voting_until` is set once nobody else can sit down; both matter before the start only.
    `expires_at` ends a table that does not fill, or a paused game whose empty seats nobody takes.
    """

    id: int
    slug: str
    title: str
    ruleset: str
    options: str
    status: GameStatus
    commitment: str
    chance_place: int
    phase_number: int
    attempts: int
    settings: str
    thread_id: str | None
    created_at: datetime
    started_at: datetime | None
    over_at: datetime | None
    join_code: str | None
    expires_at: datetime | None
    voting_until: datetime | None
    paused_at: datetime | None
    tried_at: datetime | None


_SELECT = Rows(GameRow, games)
_OPEN = (
    sa.select(*columns_of(GameRow, games), *columns_of(PhaseRow, phases))
    .outerjoin(phases, CURRENT_PHASE)
    .where(games.c.id == bound("game_id"))
)
_KEPT = sa.select(games.c.seed, games.c.land).where(games.c.id == bound("game_id"))
_COUNTED = (
    games.update()
    .where(games.c.id == bound("game_id"))
    .values(attempts=games.c.attempts + 1, tried_at=bound("now"))
    .returning(games.c.attempts)
)
_TAKEN_BACK = (
    games.update()
    .where(games.c.id == bound("game_id"), games.c.attempts > 0)
    .values(attempts=games.c.attempts - 1)
)
_TO_BE_CLOSED = (
    phases.c.game_id == bound("of_game"),
    phases.c.number == bound("from_number"),
    phases.c.status.in_(PHASE_LIFE["close"][0]),
)
_CLOSED = (
    phases.update()
    .where(*_TO_BE_CLOSED)
    .values(status="closed", closed_at=bound("now"), held_since=None)
)
_LOCKED = _SELECT.select.where(games.c.id == bound("game_id")).with_for_update()


@lru_cache(maxsize=8)
def _advanced(status: GameStatus, *, begun: bool) -> sa.Update:
    """The step of a game to the next phase; `begun`: out of a phase that is there to be closed."""
    values: dict[str, object] = {
        "phase_number": bound("to_number"),
        "chance_place": bound("to_place"),
        "status": bound("to_status"),
        "attempts": 0,
    }
    now = sa.bindparam("now", type_=UtcDateTime())
    if status == "running":
        values["started_at"] = sa.func.coalesce(games.c.started_at, now)
    if status in {"over", "ended"}:
        values["over_at"] = now
    stands = (games.c.id == bound("of_game"), games.c.phase_number == bound("from_number"))
    may = games.c.status.in_(GAME_LIFE["advance"][0])
    leaves = (sa.exists().where(*_TO_BE_CLOSED),) if begun else ()
    return games.update().where(*stands, may, *leaves).values(**values)


class NewGame(msgspec.Struct, frozen=True, kw_only=True):
    """A table to be opened."""

    slug: str
    title: str
    ruleset: str
    options: str
    seed: str
    commitment: str
    settings: str
    created_at: datetime
    thread_id: str | None = None
    join_code: str | None = None
    expires_at: datetime | None = None


class Games(Repository):
    """The games of this house."""

    async def add(self, new: NewGame) -> int | None:
        """Open a table. None: there is a game of that slug (or, very rarely, of that join code)."""
        return await self._insert_once(
            games,
            status="open",
            chance_place=0,
            phase_number=0,
            attempts=0,
            **msgspec.structs.asdict(new),
        )

    async def find(self, game_id: int | None) -> GameRow | None:
        return None if game_id is None else await self._find(_SELECT, id=game_id)

    async def find_open(self, game_id: int) -> tuple[GameRow, PhaseRow | None] | None:
        """The game, and the phase it stands in (as `Phases.current`)."""
        row: Any = (await self._connection.execute(_OPEN, {"game_id": game_id})).first()
        if row is None:
            return None
        game, phase = parted(row, GameRow, PhaseRow)
        return game, phase

    async def read_kept(self, game_id: int) -> tuple[str, bytes | None]:
        """What `read_seed` and `read_land` read, in one look."""
        row = (await self._connection.execute(_KEPT, {"game_id": game_id})).one()
        return str(row.seed), row.land

    async def find_by_code(self, join_code: str) -> GameRow | None:
        """The table a join code opens, in whatever state it is."""
        return await self._find(_SELECT, join_code=join_code)

    async def find_by_slug(self, slug: str) -> GameRow | None:
        """Short names are in small letters, however they are written here."""
        return await self._find(_SELECT, slug=slug.casefold())

    async def list_by_status(self, *statuses: GameStatus) -> list[GameRow]:
        """The games in these states (all games, if no state is given), the oldest first."""
        return await self._list(_SELECT, status=statuses or get_args(GameStatus))

    async def list_of(self, game_ids: Sequence[int]) -> list[GameRow]:
        """These games, in their order."""
        rows = {row.id: row for row in await self._list(_SELECT, id=game_ids)}
        return [rows[game_id] for game_id in dict.fromkeys(game_ids) if game_id in rows]

    async def lock(self, game_id: int | None) -> GameRow | None:
        """The game, held against other writers till this unit of work ends.

        What reads the phase and then writes by it (an order taken, a close) locks first: then no
        close slips in between. On SQLite every unit of work that writes is alone anyway.
        """
        return None if game_id is None else await self._one(GameRow, _LOCKED, game_id=game_id)

    async def lock_open(self, game_id: int) -> tuple[GameRow, PhaseRow | None] | None:
        """As `lock`, with the phase it stands in."""
        if self._dialect == "postgresql":  # where the phase may change while we wait for the lock
            await self.lock(game_id)
        return await self.find_open(game_id)

    async def advance(
        self,
        game_id: int,
        from_number: int,
        to_number: int,
        chance_place: int,
        status: GameStatus,
        now: datetime,
    ) -> bool:
        """The one step of a close: the game leaves phase `from_number`, which is closed, for
        `to_number`. False: somebody else already did.

        Also False, and nothing changed, when the game is paused or over, or the phase is not there
        to be closed. From 0 (no phase yet) it is the start. Everything else of the close belongs
        into the same unit of work, after this.
        """
        closing = {"of_game": game_id, "from_number": from_number, "now": now}
        to = {"to_number": to_number, "to_place": chance_place, "to_status": status}
        if await self._changed(_advanced(status, begun=from_number > 0), **closing, **to) != 1:
            return False
        await self._changed(_CLOSED, **closing)
        return True

    async def end(self, game_id: int, step: Literal["give_up", "break_off"], now: datetime) -> bool:
        """A table is given up, or a game broken off. False: it is over already, or has begun."""
        return await self._step(game_id, step, status="ended", over_at=now)

    async def pause(self, game_id: int, now: datetime, until: datetime | None = None) -> bool:
        """Stop a running game's clock; one that still stands `until` then is broken off. False: it
        does not run.
        """
        values: dict[str, object] = {"paused_at": now, "expires_at": until}
        return await self._step(game_id, "pause", status="paused", **values)

    async def resume(self, game_id: int) -> bool:
        """Let a paused game continue; its deadline is for the caller to move. False: it is not
        paused.
        """
        values: dict[str, object] = {"paused_at": None, "expires_at": None}
        return await self._step(game_id, "resume", status="running", **values)

    async def _step(
        self, game_id: int, step: GameStep, *where: Condition, **values: object
    ) -> bool:
        begins = games.c.status.in_(GAME_LIFE[step][0])
        return await self._set(games, game_id, begins, *where, **values)

    async def _while_open(self, game_id: int, **values: object) -> bool:
        return await self._set(games, game_id, games.c.status == "open", **values)

    async def set_voting(self, game_id: int, until: datetime | None) -> bool:
        """The table is full and votes till then; None: a seat is free again."""
        return await self._while_open(game_id, voting_until=until)

    async def set_expiry(self, game_id: int, expires_at: datetime | None) -> bool:
        """When the table is given up if it has not begun, or still waits for players. False: it
        does not wait.
        """
        waits = games.c.status.in_(("open", "paused"))
        return await self._set(games, game_id, waits, expires_at=expires_at)

    async def count_attempt(self, game_id: int, now: datetime) -> int:
        """Count a close that is about to be tried, in a unit of work of its own; returns the tries
        since one succeeded.

        0: there is no such game.
        """
        return await self._value(int, _COUNTED, game_id=game_id, now=now) or 0

    async def take_back_attempt(self, game_id: int) -> bool:
        """The last close that was counted is not under way any more, and did not fail. False: none
        was counted.
        """
        return await self._changed(_TAKEN_BACK, game_id=game_id) == 1

    async def forget_attempts(self, game_id: int) -> bool:
        """Let a game that failed too often be tried again. False: there was nothing to forget."""
        return await self._set(games, game_id, games.c.attempts > 0, attempts=0)

    async def move_chance(self, game_id: int, from_place: int, to_place: int) -> bool:
        """An act between two closes drew from the stream. False: the stream stands elsewhere; draw
        again from there.
        """
        return await self._set(
            games, game_id, games.c.chance_place == from_place, chance_place=to_place
        )

    async def read_seed(self, game_id: int) -> str:
        """The secret seed of the game's chance, as 64 hexadecimal digits."""
        seed, _land = await self.read_kept(game_id)
        return seed

    async def read_land(self, game_id: int) -> bytes | None:
        """The outlines made once for this game, or None as long as there are none."""
        return await self._value(bytes, sa.select(games.c.land).where(games.c.id == game_id))

    async def keep_land(self, game_id: int, land: bytes) -> bool:
        """Keep the game's outlines for good. False: it has some."""
        return await self._set(games, game_id, games.c.land.is_(None), land=land)

    async def set_options(self, game_id: int, options: str) -> bool:
        """Change what is agreed about the rules; only while the table is open. False: too late, or
        no such game.
        """
        return await self._while_open(game_id, options=options)

    async def set_settings(self, game_id: int, settings: str) -> bool:
        """Change how the service runs the game (hours of a phase and the like)."""
        return await self._set(games, game_id, settings=settings)
