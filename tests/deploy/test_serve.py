"""The service under a service manager: the command itself, what it tells over the manager's socket,
and what it leaves when it is stopped in the middle of its letters.
"""

import asyncio
import os
import signal
import socket
import sqlite3
import sys
from asyncio.subprocess import STDOUT, Process
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from pbem.demo.clock import FastClock
from pbem.demo.servers import EmbeddedMail
from pbem.desk.envelope.letter import Draft
from pbem.store.database import open_database
from pbem.store.migrations import migrate
from pbem.store.repositories.post.outbox import NewOutboxRow

ORDERS = "orders@mail.example"
LETTERS, TAKEN = 60, 20
TRIED_AGAIN = "UPDATE outbox SET next_try_at = due_at WHERE state = 'queued'"


def log_of(config: Path) -> Path:
    return config.with_suffix(".log")


@asynccontextmanager
async def serving(config: Path, **environment: str) -> AsyncIterator[Process]:
    """The command; it does not outlive the block. What it says is in `log_of` the configuration."""
    with log_of(config).open("wb") as said:
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            *("-c", "import pbem.cli; pbem.cli.main()", "serve", "--config", str(config)),
            env=os.environ | environment,
            stdout=said,
            stderr=STDOUT,
        )
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


async def test_serve_tells_when_it_is_ready_that_it_sweeps_and_that_it_stops(
    tmp_path: Path,
) -> None:
    async with EmbeddedMail(FastClock(), host="mail.example") as mail:
        await mail.add_account(ORDERS, "secret")
        imap, smtp = mail.imap_settings(ORDERS), mail.smtp_settings(ORDERS)
        file = tmp_path / "pbem.toml"
        file.write_text(
            f'[service]\naddress = "{ORDERS}"\nsweep_seconds = 0.05\n'
            f'[imap]\nhost = "127.0.0.1"\nport = {imap.port}\ntls = "none"\nuser = "{ORDERS}"\npassword = "secret"\n'
            f'[smtp]\nhost = "127.0.0.1"\nport = {smtp.port}\ntls = "none"\nuser = "{ORDERS}"\npassword = "secret"\n'
        )
        address = tmp_path / "notify"
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
            manager.bind(str(address))
            manager.setblocking(False)
            told: list[str] = []

            async def hear(wanted: str) -> None:
                async with asyncio.timeout(60):
                    while not told or told[-1].splitlines()[0] != wanted:
                        told.append(
                            (await asyncio.get_running_loop().sock_recv(manager, 4096)).decode()
                        )

            async with serving(
                file, NOTIFY_SOCKET=str(address), WATCHDOG_USEC="300000000"
            ) as process:
                await hear("READY=1")
                assert len(told) == 1
                await hear("WATCHDOG=1")
                process.send_signal(signal.SIGTERM)
                await hear("STOPPING=1")
                assert await process.wait() == 0
    said = log_of(file).read_text("utf-8")
    assert "stopped" in said
    assert "Traceback" not in said


class Hanging:
    """A server that takes so many mails, and then hangs on each text behind them."""

    def __init__(self, takes: int) -> None:
        self.takes = takes
        self.texts: list[bytes] = []
        self.hangs, self.has_all = asyncio.Event(), asyncio.Event()

    @property
    def taken(self) -> list[bytes]:
        return self.texts[: self.takes]

    async def __call__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"220 hello\r\n")
        try:
            async for line in reader:
                if not line.upper().startswith(b"DATA"):
                    writer.write(b"250 OK\r\n")
                    continue
                writer.write(b"354 go on\r\n")
                self.texts.append(await reader.readuntil(b"\r\n.\r\n"))
                if len(self.texts) > self.takes:
                    self.hangs.set()
                    await reader.read()
                    return
                writer.write(b"250 taken\r\n")
                if len(self.texts) == self.takes:
                    self.has_all.set()
        except (ConnectionError, asyncio.IncompleteReadError):
            return
        finally:
            writer.close()


async def queue_letters(store: Path) -> None:
    database = open_database(f"sqlite+aiosqlite:///{store}")
    await migrate(database)
    async with database.write() as work:
        for number in range(LETTERS):
            draft = Draft("Anna", "Turn", "Your turn.", None, ORDERS, ORDERS, "auto-generated")
            await work.outbox.queue(
                NewOutboxRow(
                    channel="mail",
                    kind="test",
                    address=f"reader{number}@players{number}.example",
                    letter=msgspec.json.encode(draft).decode(),
                    message_id=f"<{number}@mail.example>",
                    created_at=datetime.now(UTC),
                )
            )
    await database.dispose()


def message_ids(texts: list[bytes]) -> list[str]:
    lines = [line for text in texts for line in text.decode("ascii").splitlines()]
    return [line.partition(": ")[2] for line in lines if line.startswith("Message-ID: ")]


def ids_by_state(store: Path, change: str | None = None) -> dict[str, set[str]]:
    with closing(sqlite3.connect(store)) as connection, connection:
        if change is not None:
            connection.execute(change)
        found: dict[str, set[str]] = {}
        for state, message_id in connection.execute("SELECT state, message_id FROM outbox"):
            found.setdefault(state, set()).add(message_id)
    return found


async def test_a_stop_in_the_middle_of_the_letters_loses_none_and_leaves_none_in_hand(
    tmp_path: Path,
) -> None:
    """It waits neither for the letters that are due, nor for a server that hangs."""
    store, config = tmp_path / "pbem.sqlite", tmp_path / "pbem.toml"
    await queue_letters(store)
    there = Hanging(TAKEN)
    async with await asyncio.start_server(there, "127.0.0.1", 0) as server:
        config.write_text(
            f'[service]\naddress = "{ORDERS}"\ndata_dir = "{tmp_path}"\n'
            f'[imap]\nhost = "127.0.0.1"\nport = 1\ntls = "none"\nuser = "{ORDERS}"\npassword = "x"\n'
            f'[smtp]\nhost = "127.0.0.1"\nport = {server.sockets[0].getsockname()[1]}\ntls = "none"\n'
        )
        async with serving(config) as process, asyncio.timeout(120):
            await there.hangs.wait()
            process.send_signal(signal.SIGTERM)
            assert await process.wait() == 0
        first = message_ids(there.texts)
        assert ids_by_state(store).keys() == {"sent", "queued"}
        assert ids_by_state(store)["sent"] == set(message_ids(there.taken))
        assert len(first) < LETTERS

        ids_by_state(store, TRIED_AGAIN)
        there.texts.clear()
        there.has_all.clear()
        there.takes = LETTERS - TAKEN
        async with serving(config) as process, asyncio.timeout(120):
            await there.has_all.wait()
            process.send_signal(signal.SIGTERM)
            assert await process.wait() == 0
    arrived = Counter(first + message_ids(there.texts))
    assert set(arrived) == {f"<{number}@mail.example>" for number in range(LETTERS)}
    assert {one for one, count in arrived.items() if count > 1} == set(first[TAKEN:])
    assert ids_by_state(store) == {"sent": set(arrived)}
