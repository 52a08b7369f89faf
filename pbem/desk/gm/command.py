"""A game master's command while it is carried out: one transaction, done once, logged and told."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

from pbem.desk.letters.post import Told, at_table, read_post
from pbem.desk.letters.queue import ask_for_delivery
from pbem.desk.mandate import By, check_not_done, log_command
from pbem.desk.ports import Desk, Transaction
from pbem.desk.table import OpenTable


@dataclass(frozen=True, slots=True)
class Command(Transaction[Desk]):
    """The transaction of a command, and who gives it."""

    by: By

    async def log(
        self, command: str, detail: Mapping[str, Any], game_id: int | None, *, public: bool = True
    ) -> int:
        """Log what is done (`log_command`); the number of the entry."""
        return await log_command(self, self.by, command, detail, game_id=game_id, public=public)

    async def tell(self, table: OpenTable, told: Told, kind: str, key: str) -> None:
        """Tell the whole table of it, but not the game master who commands."""
        post = await read_post(self, table)
        await post.tell(self.work, at_table(commander=self.by.person_id), told, kind, key)


@asynccontextmanager
async def commanded(services: Desk, by: By, step: str = "") -> AsyncIterator[Command]:
    """Within it a command is carried out; its letters are then asked for. `step` is reached when
    all is written. AlreadyDone if the same request was carried out before.
    """
    async with services.write() as tx:
        await check_not_done(tx.work, by)
        yield Command(tx.work, services, by)
        if step:
            services.steps.reached(step)
    await ask_for_delivery(services, services.clock.now())
