"""Somebody at the command line, with a configuration and a data directory of their own."""

import asyncio
import json
import logging
import sqlite3
from collections.abc import Awaitable, Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import structlog
from typer.testing import CliRunner

from pbem.cli.app import app
from pbem.store.database import open_database
from pbem.store.migrations import migrate
from pbem.store.work import Work
from tests.desk.harness import migrated_bytes

T = TypeVar("T")

CONFIG = """\
[service]
address = "orders@house.example"
zone = "Europe/Berlin"
data_dir = "data"

[gm]
addresses = ["gm@house.example"]
"""


@dataclass(frozen=True)
class Said:
    """What a command came to."""

    status: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)

    @property
    def json_lines(self) -> list[Any]:
        return [json.loads(line) for line in self.out.splitlines()]


@contextmanager
def logs_as_they_were() -> Iterator[None]:
    """A command sets up logs on the stream of its own, which is closed when it ends; the tests
    after it must not log there.
    """
    ours, theirs = structlog.get_config(), logging.getLogger().handlers
    try:
        yield
    finally:
        structlog.configure(**ours)
        logging.getLogger().handlers = theirs


@dataclass(frozen=True)
class Operator:
    """Types commands in one folder; all of them read the same `pbem.toml`."""

    folder: Path

    @classmethod
    def at(cls, folder: Path, text: str = CONFIG) -> "Operator":
        (folder / "pbem.toml").write_text(text, encoding="utf-8")
        return cls(folder)

    @property
    def config(self) -> Path:
        return self.folder / "pbem.toml"

    @property
    def database(self) -> Path:
        return self.folder / "data" / "pbem.sqlite"

    def types(self, *words: str, typed: str | None = None) -> Said:
        """One command, in this process, with the configuration told by the environment."""
        with logs_as_they_were():
            done = CliRunner().invoke(
                app,
                list(words),
                input=typed,
                env={"PBEM_CONFIG": str(self.config), "USER": "greta", "SUDO_USER": ""},
            )
        if done.exception is not None and not isinstance(done.exception, SystemExit):
            raise done.exception
        return Said(done.exit_code, done.stdout, done.stderr)

    def move_in(self) -> None:
        """Lay out the database as the first command would, in a tenth of the time."""
        self.database.parent.mkdir(mode=0o700)
        self.database.touch(mode=0o600)
        self.database.write_bytes(asyncio.run(migrated_bytes()))

    def seat_three(self, slug: str = "heron") -> None:
        assert self.types("game", "new", slug).status == 0
        people = [
            word
            for name in ("Anna", "Bartek", "Chloé")
            for word in (name, f"{name[0].lower()}@players.example")
        ]
        assert self.types("game", "invite", slug, *people).status == 0

    def keep(self, work: Callable[[Work], Awaitable[T]]) -> T:
        """Write to the database beside the commands."""

        async def run() -> T:
            self.database.parent.mkdir(exist_ok=True)
            database = open_database(f"sqlite+aiosqlite:///{self.database}")
            try:
                await migrate(database)
                async with database.write() as unit:
                    return await work(unit)
            finally:
                await database.dispose()

        return asyncio.run(run())

    def ask(self, statement: str, *values: object) -> list[tuple[Any, ...]]:
        with closing(sqlite3.connect(self.database)) as connection:
            found = connection.execute(statement, values).fetchall()
            connection.commit()
        return found
