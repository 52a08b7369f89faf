"""Claims: what one task at a time may do, among all tasks of this process and, on PostgreSQL, of
every process on every host.

On SQLite one service process has the database (`lock_database`), so claims among its own tasks are
enough. On PostgreSQL a claim is a session's advisory lock on a connection of its own: it ends with
the block, or with the process, however that ends. A host that vanished without a word is found out
by the server within half a minute (TCP keepalives), and its claims end.

Nothing rests on claims alone. They keep messages in the order they came and spare double work; what
may happen once only is guarded by the rows themselves.
"""

import asyncio
import hashlib
import os
import socket
from collections import defaultdict
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Protocol, Self

import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from pbem.store.errors import StoreError, StoreUnwritable, store_errors

_HOLDER = sa.text(
    "SELECT application_name FROM pg_locks JOIN pg_stat_activity USING (pid) WHERE locktype ="
    " 'advisory' AND granted AND objsubid = 1 AND database = (SELECT oid FROM pg_database WHERE"
    " datname = current_database()) AND (classid::bigint << 32) + objid::bigint = CAST(:key AS"
    " bigint)"
)


class Claim(Protocol):
    """A claim that is held."""

    async def renew(self) -> None:
        """Make sure that it is still held. Raises `ClaimLost` when somebody else has it now,
        `StoreUnwritable` when nobody can tell.
        """
        ...


class ClaimLost(StoreError):
    """Somebody else has what was claimed here."""


class Claims(Protocol):
    """What may be claimed is named by the caller; the same name is the same claim everywhere."""

    def turn(self, name: str) -> AbstractAsyncContextManager[object]:
        """An exclusive claim that may be entered many times. It waits for the holder, in the order
        of asking among the tasks of this process.

        Raises `StoreBusy` after a time on PostgreSQL.
        """
        ...

    def attempt(self, name: str) -> AbstractAsyncContextManager[Claim | None]:
        """Does not wait: None when somebody else has it."""
        ...

    async def holder(self, name: str) -> str | None:
        """Who has it, in words, as far as that is known."""
        ...

    async def dispose(self) -> None: ...


class LocalClaims:
    """Among the tasks of this process."""

    def __init__(self) -> None:
        self._turns: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._held: set[str] = set()

    def turn(self, name: str) -> AbstractAsyncContextManager[object]:
        return self._turns[name]

    @asynccontextmanager
    async def attempt(self, name: str) -> AsyncIterator[Claim | None]:
        if name in self._held:
            yield None
            return
        self._held.add(name)
        try:
            yield _Kept()
        finally:
            self._held.discard(name)

    async def holder(self, name: str) -> str | None:
        return "this process" if name in self._held else None

    async def dispose(self) -> None:
        """Nothing is kept open."""


class _Kept:
    """Nobody outside this process could take it away."""

    async def renew(self) -> None:
        """It is."""


class PostgresClaims:
    """Among all processes that use one PostgreSQL database. `engine` is for this alone: it must
    commit by itself and wait for locks.
    """

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine
        self._turns: dict[str, _Turn] = {}

    def turn(self, name: str) -> AbstractAsyncContextManager[object]:
        if name not in self._turns:
            self._turns[name] = _Turn(self._engine, name)
        return self._turns[name]

    @asynccontextmanager
    async def attempt(self, name: str) -> AsyncIterator[Claim | None]:
        claim = _Session(self._engine, name)
        try:
            yield claim if await claim.take(wait=False) else None
        finally:
            await claim.leave()

    async def holder(self, name: str) -> str | None:
        with store_errors():
            async with self._engine.connect() as connection:
                found = (
                    (await connection.execute(_HOLDER, {"key": _key_of(name)})).scalars().first()
                )
        return found or None

    async def dispose(self) -> None:
        await self._engine.dispose()


class _Turn:
    """A lock among hosts behind one among tasks: a waiting task costs no connection."""

    def __init__(self, engine: AsyncEngine, name: str) -> None:
        self._tasks = asyncio.Lock()
        self._session = _Session(engine, name)

    async def __aenter__(self) -> Self:
        await self._tasks.acquire()
        try:
            await self._session.take(wait=True)
        except BaseException:
            self._tasks.release()
            raise
        return self

    async def __aexit__(self, *raised: object) -> None:
        try:
            await self._session.leave()
        finally:
            self._tasks.release()


class _Session:
    """One advisory lock and the connection that has it."""

    def __init__(self, engine: AsyncEngine, name: str) -> None:
        self._engine = engine
        self._name = name
        self._connection: AsyncConnection | None = None

    async def take(self, *, wait: bool) -> bool:
        """Take the lock; False when another session has it and we do not `wait`."""
        with store_errors():
            try:
                connection = await self._engine.connect()
            except OSError as error:
                raise StoreUnwritable(str(error)) from error
            try:
                await connection.execute(
                    sa.select(
                        sa.func.set_config("application_name", _program(self._name), sa.false())
                    )
                )
                ask = sa.func.pg_advisory_lock if wait else sa.func.pg_try_advisory_lock
                answer = (await connection.execute(sa.select(ask(_key_of(self._name))))).scalar()
                taken = wait or bool(answer)
            except BaseException:
                await _throw_away(connection)
                raise
            if taken:
                self._connection = connection
            else:
                await connection.close()
            return taken

    async def leave(self) -> None:
        """Let go. If the server cannot be told, the connection is thrown away, and with it the
        lock.
        """
        connection, self._connection = self._connection, None
        if connection is None:
            return
        try:
            await connection.execute(sa.select(sa.func.pg_advisory_unlock(_key_of(self._name))))
            await connection.close()
        except (DBAPIError, OSError):  # the connection is gone, and the lock with it
            await _throw_away(connection)
        except BaseException:
            await _throw_away(connection)
            raise

    async def renew(self) -> None:
        """See `Claim.renew`."""
        connection = self._connection
        if connection is not None:
            try:
                await connection.execute(sa.select(1))
            except (DBAPIError, OSError):
                self._connection = None
                await _throw_away(connection)
            else:
                return
        if not await self.take(wait=False):
            raise ClaimLost(f"{self._name}: {await self._holder()} has it now")

    async def _holder(self) -> str:
        return await PostgresClaims(self._engine).holder(self._name) or "somebody else"


async def _throw_away(connection: AsyncConnection) -> None:
    """Cut a connection off instead of giving it back; a lock it may hold ends with it."""
    await asyncio.shield(_invalidate(connection))


async def _invalidate(connection: AsyncConnection) -> None:
    await connection.invalidate()
    await connection.close()


def _key_of(name: str) -> int:
    """PostgreSQL's advisory locks are named by 64 bits."""
    return int.from_bytes(hashlib.sha256(f"pbem {name}".encode()).digest()[:8], "big", signed=True)


def _program(name: str) -> str:
    """How the server's list of activities calls us."""
    return f"pbem {name}: process {os.getpid()} on {socket.gethostname()}"[:63]
