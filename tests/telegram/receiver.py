"""A process that takes updates into a SQLite file and can be killed at a step: `receiver.py API_URL
TOKEN FILE STEP HOW`.

It says on stdout at which step it stands. STEP is `before` (nothing committed yet), `after`
(committed, not confirmed) or `none`, HOW `each` (an update at a time) or `together` (all of an
answer in one transaction).
"""

import asyncio
import sqlite3
import sys
from collections.abc import Sequence
from datetime import UTC, datetime

from pbem.telegram.connection import Connection
from pbem.telegram.poller import TelegramPoller
from pbem.telegram.ports import StoredUpdate
from pbem.telegram.settings import TelegramSettings


class SystemClock:
    def now(self) -> datetime:
        return datetime.now(UTC)


async def main(api_url: str, token: str, path: str, step: str, how: str) -> None:
    database = sqlite3.connect(path, isolation_level=None)
    database.execute("CREATE TABLE IF NOT EXISTS inbox (update_id INTEGER PRIMARY KEY, raw BLOB)")

    async def store_all(updates: Sequence[StoredUpdate]) -> None:
        database.execute("BEGIN IMMEDIATE")
        for update in updates:
            database.execute(
                "INSERT INTO inbox VALUES (?, ?) ON CONFLICT DO NOTHING",
                (update.update_id, update.raw),
            )
        if step == "before":
            await stand_at(step)
        database.execute("COMMIT")
        if step == "after":
            await stand_at(step)

    async def store(update: StoredUpdate) -> None:
        await store_all([update])

    async with Connection(TelegramSettings(token=token, api_url=api_url)) as connection:
        await TelegramPoller(connection, SystemClock(), lambda: 0.5).watch(
            store, store_all if how == "together" else None
        )


async def stand_at(step: str) -> None:
    sys.stdout.write(f"{step}\n")
    sys.stdout.flush()
    await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
