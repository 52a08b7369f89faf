"""Delivery: letters as a close queues them, sent by the real workers over the real adapter, against
bare aiosmtplib, which sends the same letters ready-made over as many connections to the same sink.

The sink is a process of its own that does next to nothing. The figure is the ratio of letters a
second by the clock; the ratio of our process's CPU time stands next to it, for a machine that is
shared.
"""

import asyncio
import multiprocessing
import sqlite3
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import AsyncExitStack, closing, contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from multiprocessing.connection import Connection
from pathlib import Path

import aiosmtplib
import msgspec

from bench.parts import Figures
from bench.table import (
    POLICY,
    Prepared,
    StandingClock,
    StillPainter,
    fresh_copy,
    open_services,
    prepare,
    read_table,
)
from pbem.desk.envelope.letter import Draft
from pbem.desk.letters.queue import ask_for_delivery
from pbem.desk.phases.close import close_phase
from pbem.desk.ports import AlwaysDrained
from pbem.game import Games
from pbem.house import settle_memory
from pbem.mail.ports import Delivery, OutboundMail
from pbem.mail.smtp import SmtpOutbound, SmtpSettings
from pbem.opening import World, build_services
from pbem.registry import load_games
from pbem.store.database import open_database
from pbem.store.packing import packed
from workers.inprocess import InProcessWorkers

CONNECTIONS = 6
LETTERS = 300
WARMING = 12
"""The letters sent first: statements are compiled, and connections made, once in a
service's life.
"""
DOMAINS = 12
READERS_OF_A_PICTURE = 8
PICTURE_BYTES = 62_000
"""With its words a turn letter comes to 110 kB."""
SMALL_CHARACTERS = 1_600
"""So much is left of its text, and of its HTML, in a letter of 5 kB."""


class Sink(asyncio.Protocol):
    """Says yes to everything, as quickly as it can."""

    def __init__(self) -> None:
        self._left, self._in_text = b"", False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        transport.write(b"220 sink\r\n")

    def data_received(self, data: bytes) -> None:
        if self._in_text:
            self._left = self._left[-4:] + data
            if not self._left.endswith(b"\r\n.\r\n"):
                return
            self._left, self._in_text = b"", False
            self._transport.write(b"250 2.0.0 Ok: queued\r\n")
            return
        *lines, self._left = (self._left + data).split(b"\r\n")
        for line in lines:
            match line[:4].upper():
                case b"EHLO":
                    self._transport.write(
                        b"250-sink\r\n250-PIPELINING\r\n250-SIZE 50000000\r\n250 8BITMIME\r\n"
                    )
                case b"DATA":
                    self._in_text = True
                    self._transport.write(b"354 go on\r\n")
                case b"QUIT":
                    self._transport.write(b"221 bye\r\n")
                    self._transport.close()
                case _:
                    self._transport.write(b"250 2.1.0 Ok\r\n")


def serve_sink(said: Connection) -> None:
    """Runs in a process of its own; says its port."""

    async def serve() -> None:
        server = await asyncio.get_running_loop().create_server(Sink, "127.0.0.1", 0)
        said.send(server.sockets[0].getsockname()[1])
        await server.serve_forever()

    asyncio.run(serve())


@contextmanager
def running_sink() -> Iterator[int]:
    """The port of a sink."""
    spawning = multiprocessing.get_context("spawn")
    ours, theirs = spawning.Pipe()
    process = spawning.Process(target=serve_sink, args=(theirs,), daemon=True)
    process.start()
    try:
        yield ours.recv()
    finally:
        process.terminate()
        process.join()


async def queue_letters(prepared: Prepared, games: Games, folder: Path) -> dict[str, Path]:
    """Two files with letters as a close queues them, of 5 kB without a picture and of 110 kB with
    one: copies of a real turn letter, to people who are known, one letter each.
    """
    full, small = folder / "110kB.sqlite", folder / "5kB.sqlite"
    full.write_bytes(prepared.file.read_bytes())
    async with open_services(full, games, StandingClock(prepared.due_at)) as services:
        await close_phase(services, prepared.game_id, prepared.phase_number)
        seat = (await read_table(services)).seats[0]
        async with services.database.write() as work:
            (model,) = await work.outbox.list_last_of_seat(seat.id, ("turn",))
            for number in range(LETTERS + WARMING):
                name = f"Reader {number}"
                person = await work.people.add(
                    name=name, locale="en", time_zone="UTC", created_at=prepared.opened_at
                )
                address = _address(number)
                await work.people.add_address(person, "mail", address, "confirmed")
    draft = msgspec.json.decode(model.letter, type=Draft)
    short = msgspec.structs.replace(
        draft,
        text=draft.text[:SMALL_CHARACTERS],
        html=(draft.html or "")[:SMALL_CHARACTERS],
        calendar=None,
    )
    small.write_bytes(_checkpointed(full))
    _fill(full, model.id, draft, pictured=True)
    _fill(small, model.id, short, pictured=False)
    return {"5 kB": small, "110 kB": full}


def _address(number: int) -> str:
    return f"reader{number}@readers{number % DOMAINS}.example"


def _checkpointed(file: Path) -> bytes:
    with closing(sqlite3.connect(file)) as store:
        store.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return file.read_bytes()


def _fill(file: Path, model_id: int, draft: Draft, *, pictured: bool) -> None:
    """Nothing lies queued but copies of one letter, each picture shown by a few of them."""
    letter = packed(msgspec.json.encode(draft))
    with closing(sqlite3.connect(file)) as store, store:
        store.row_factory = sqlite3.Row
        model = dict(store.execute("SELECT * FROM outbox WHERE id = ?", (model_id,)).fetchone())
        picture = dict(
            store.execute("SELECT * FROM pictures WHERE id = ?", (model["picture_id"],)).fetchone()
        )
        store.execute("DELETE FROM outbox WHERE state = 'queued'")
        letters = LETTERS + WARMING
        pictures: list[int] = []
        for number in range(-(-letters // READERS_OF_A_PICTURE) if pictured else 0):
            shown = picture | {
                "id": None,
                "digest": f"{number:064}",
                "png": picture["png"][: PICTURE_BYTES - 4] + number.to_bytes(4, "big"),
            }
            pictures.append(_insert(store, "pictures", shown))
        later = (datetime.fromisoformat(model["due_at"]) + timedelta(seconds=1)).isoformat(
            " ", "microseconds"
        )
        for number in range(letters):
            due_at = model["due_at"] if number < WARMING else later
            copy = model | {
                "id": None,
                "letter": letter,
                "due_at": due_at,
                "next_try_at": due_at,
                "address": _address(number),
                "message_id": f"<bench.{number}@house.example>",
                "dedupe_key": f"bench:{number}",
                "picture_id": pictures[number // READERS_OF_A_PICTURE] if pictured else None,
            }
            _insert(store, "outbox", copy)
    _checkpointed(file)


def _insert(store: sqlite3.Connection, table: str, row: dict[str, object]) -> int:
    places = ", ".join(f":{column}" for column in row)
    statement = f"INSERT INTO {table} ({', '.join(row)}) VALUES ({places})"  # noqa: S608
    return store.execute(statement, row).lastrowid or 0


@dataclass(slots=True)
class Keeping:
    """Lets mails through and keeps them."""

    inner: SmtpOutbound
    mails: list[OutboundMail]

    async def send(self, mail: OutboundMail) -> Delivery:
        self.mails.append(mail)
        return await self.inner.send(mail)


@dataclass(frozen=True, slots=True)
class Taken:
    """How long all the letters took: by the clock, and of our process's CPU; in seconds."""

    clock: float
    cpu: float


@dataclass(slots=True)
class Stopwatch:
    """Begun when it is made."""

    clock: float
    cpu: float

    @classmethod
    def begin(cls) -> "Stopwatch":
        return cls(time.perf_counter(), time.process_time())

    def stop(self) -> Taken:
        return Taken(time.perf_counter() - self.clock, time.process_time() - self.cpu)


async def deliver_ours(
    file: Path, games: Games, port: int, now: datetime, kept: list[OutboundMail] | None = None
) -> Taken:
    """What lies queued in the file, until it is marked as sent."""
    database = open_database(f"sqlite+aiosqlite:///{file}")
    settings = SmtpSettings(host="127.0.0.1", port=port, tls="none", connections=CONNECTIONS)
    workers, clock = InProcessWorkers(), StandingClock(now)
    async with SmtpOutbound(settings) as smtp:
        outbound = smtp if kept is None else Keeping(smtp, kept)
        world = World(clock, workers.jobs, AlwaysDrained(clock), outbound)
        services = await build_services(database, games, StillPainter(), POLICY, world)
        workers.start(services)
        try:
            await ask_for_delivery(services, now)
            await workers.underway.wait_until_none()
            clock.instant += timedelta(seconds=1)
            watch = Stopwatch.begin()
            await ask_for_delivery(services, clock.now())
            await workers.underway.wait_until_none()
            taken = watch.stop()
            async with database.read() as work:
                states = await work.outbox.count_by_state()
            if (
                states.get("sent", 0) < LETTERS + WARMING
                or states.get("queued")
                or states.get("sending")
            ):
                raise RuntimeError(f"not all letters were sent: {states}")
        finally:
            await workers.stop()
            await database.dispose()
    return taken


async def deliver_bare(mails: Sequence[OutboundMail], port: int) -> Taken:
    """The same mails by aiosmtplib alone, ready-made, each connection kept."""
    waiting = list(reversed(mails))

    async def send(client: aiosmtplib.SMTP, left: int) -> None:
        while len(waiting) > left:
            mail = waiting.pop()
            await client.sendmail(mail.envelope_from, mail.recipient, mail.raw)

    async with AsyncExitStack() as stack:
        clients = [
            await stack.enter_async_context(
                aiosmtplib.SMTP(hostname="127.0.0.1", port=port, use_tls=False)
            )
            for _ in range(CONNECTIONS)
        ]
        await asyncio.gather(*(send(client, LETTERS) for client in clients))
        watch = Stopwatch.begin()
        await asyncio.gather(*(send(client, 0) for client in clients))
        return watch.stop()


async def measure(rounds: int) -> Figures:
    """`delivery_vs_bare`: our letters a second over those of bare aiosmtplib, the worse of two
    sizes; ours and bare in turn, the least of the rounds each. The figures behind it stand next to
    it.
    """
    games = load_games()
    found: dict[str, object] = {}
    ratios: list[float] = []
    with tempfile.TemporaryDirectory() as folder, running_sink() as port:
        prepared = await prepare(Path(folder), games)
        files = await queue_letters(prepared, games, Path(folder))
        settle_memory()
        for name, file in files.items():
            mails: list[OutboundMail] = []
            await deliver_ours(fresh_copy(file), games, port, prepared.due_at, mails)
            ours, bare = [], []
            for _ in range(rounds):
                ours.append(await deliver_ours(fresh_copy(file), games, port, prepared.due_at))
                bare.append(await deliver_bare(mails, port))
            clock = [min(taken.clock for taken in side) for side in (ours, bare)]
            cpu = [min(taken.cpu for taken in side) for side in (ours, bare)]
            ratios.append(clock[1] / clock[0])
            found |= {
                f"delivery_{name}_vs_bare": ratios[-1],
                f"delivery_{name}_bytes": sum(len(mail.raw) for mail in mails) // len(mails),
                f"delivery_{name}_a_second": LETTERS / clock[0],
                f"delivery_{name}_bare_a_second": LETTERS / clock[1],
                f"delivery_{name}_cpu_ms": cpu[0] / LETTERS * 1e3,
                f"delivery_{name}_bare_cpu_ms": cpu[1] / LETTERS * 1e3,
            }
    return {"delivery_vs_bare": min(ratios)} | found
