"""Closes that went wrong: how often each was tried, when a table that was stopped is tried again,
and what its game masters are told.

A try is counted before it begins and forgotten when it ends in order, so what stays counted are
failures and processes that ended in the middle of one. After three of them the table waits ten
minutes, then an hour, and then each hour; `game close` tries at once.
"""

from datetime import datetime, timedelta
from typing import Protocol

from pbem.desk.letters.post import Masters, read_post
from pbem.desk.ports import Desk
from pbem.desk.table import load_table
from pbem.pages.notices import CloseFailed
from pbem.store.repositories.games import GameRow

MAX_ATTEMPTS = 3
PAUSES = (timedelta(minutes=10), timedelta(hours=1))
"""After the third try, and after each later one."""
TOLD_EVERY = 24
"""Game masters hear of the third and the fourth try, and then of one in this many."""
KIND = "close-failed"
ENDED = "the service ended during each try"


class Tried(Protocol):
    """What is known of a game's closes."""

    @property
    def attempts(self) -> int: ...

    @property
    def tried_at(self) -> datetime | None: ...


def next_try_at(game: Tried) -> datetime | None:
    """When a game whose closes went wrong is tried again by itself; None: whenever it is due."""
    if game.attempts < MAX_ATTEMPTS or game.tried_at is None:
        return None
    return game.tried_at + PAUSES[min(game.attempts - MAX_ATTEMPTS, len(PAUSES) - 1)]


async def may_try(services: Desk, game: GameRow, now: datetime) -> bool:
    """Whether a close may be tried now. If not, its game masters know why: nobody could tell them
    when the process ended.
    """
    again_at = next_try_at(game)
    if again_at is None or again_at <= now:
        return True
    await tell_masters(services, game.id, ENDED)
    return False


class Trial:
    """One try of a close, counted while it runs: should the process end meanwhile, the game may
    have ended it.
    """

    def __init__(self, services: Desk, game_id: int, now: datetime) -> None:
        self._services, self._game_id, self._now = services, game_id, now
        self._is_counted = False

    async def begin(self) -> None:
        """One more try begins."""
        async with self._services.database.write(gives_way=True, durable=False) as work:
            await work.games.count_attempt(self._game_id, self._now)
        self._is_counted = True

    async def rest(self) -> None:
        """What the game could go wrong by is done: the rest waits for other processes, and for the
        database.
        """
        async with self._services.database.write(gives_way=True, durable=False) as work:
            await work.games.take_back_attempt(self._game_id)
        self._is_counted = False

    async def fail(self) -> None:
        """It has ended with an error, which counts in any case."""
        if not self._is_counted:
            await self.begin()


async def forget_tries(services: Desk, game_id: int) -> None:
    """What ended the try was no fault of the game."""
    async with services.database.write() as work:
        await work.games.forget_attempts(game_id)


async def tell_masters(services: Desk, game_id: int, error: str) -> None:
    """Tell a stopped table's game masters, once for each try that they must hear of, what went
    wrong and when it is tried again.
    """
    now = services.clock.now()
    async with services.read() as tx:
        game = await tx.work.games.find(game_id)
        if (
            game is None
            or (again_at := next_try_at(game)) is None
            or game.tried_at is None
            or not _is_told_of(game.attempts)
        ):
            return
        key = f"{KIND}:{game.id}:{game.phase_number}:{game.attempts}:{game.tried_at.isoformat()}"
        table = await load_table(tx, game)
        post = await read_post(tx, table, now)
    async with services.database.write() as work:
        await post.tell(
            work,
            Masters(),
            CloseFailed(error, game.attempts, again_at),
            KIND,
            key,
        )


def _is_told_of(attempts: int) -> bool:
    return attempts == MAX_ATTEMPTS or (attempts - MAX_ATTEMPTS - 1) % TOLD_EVERY == 0
