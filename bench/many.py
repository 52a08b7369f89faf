"""`python -m bench.many`: how long a player waits for a receipt: in a quiet hour, during a
stranger's flood, with many tables due at once.

The desk with its queues in one process, on an SQLite file; the mail server takes its time for each
letter, and so does the painter, in whose place we wait. What counts is how often as long as in a
quiet hour of the same run.
"""

import argparse
import asyncio
import email.policy
import logging
import math
import random
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import msgspec
import structlog
from rich.console import Console
from rich.table import Table

from bench.table import AUTHSERV, POLICY, StandingClock, address_of, plan_orders, start_of_time
from engine.ruleset import Event
from pbem.board.board import Board, Picture, TableFacts
from pbem.desk import gm
from pbem.desk.envelope.letter import Draft
from pbem.desk.messages.intake import store_mail
from pbem.desk.phases.sweep import sweep
from pbem.desk.ports import AlwaysDrained, Services
from pbem.desk.table import OpenTable, load_table
from pbem.house import settle_memory
from pbem.mail.inbound.reading import prepare_reading
from pbem.mail.ports import Delivery, OutboundMail, Sent, StoredMail
from pbem.opening import World, build_services
from pbem.registry import default_game, load_games
from pbem.store.database import open_database
from pbem.store.migrations import migrate
from workers.inprocess import InProcessWorkers

LETTER_SECONDS = 0.01
PAINT_SECONDS = 0.4
PLAYERS = ("Anna", "Bartek", "Chloé", "Dmytro", "Emil", "Fenna", "Mei")
FEW = 3
QUIET_TABLE = "quiet"
SPAM = (
    b"From: Eve <eve%d@elsewhere.example>\r\nTo: orders@house.example\r\nMessage-ID:"
    b" <%d@elsewhere.example>\r\n\r\nbuy now\r\n"
)
TURN_SECONDS = 60.0
VARIED = 20
"""So many different answers to a question everybody writes."""


class SlowPainter:
    """As long as a board takes to paint in the painter's process, one at a time."""

    def __init__(self) -> None:
        self._one = asyncio.Lock()
        self.seconds = 0.0

    async def land(self, board: Board, view: Any, seed: int, map_text: str) -> bytes:
        return b"land"

    async def board(
        self, board: Board, view: Any, events: Sequence[Event], land: bytes, facts: TableFacts
    ) -> Picture:
        async with self._one:
            await asyncio.sleep(self.seconds)
        return Picture(b"\x89PNG\r\n\x1a\n", "the realm")


@dataclass
class SlowServer:
    """Takes letters, each in its time, and tells when an answer to somebody's mail goes out."""

    awaited: dict[str, asyncio.Future[float]] = field(default_factory=dict)
    sent: int = 0

    async def send(self, mail: OutboundMail) -> Delivery:
        await asyncio.sleep(LETTER_SECONDS)
        self.sent += 1
        head = mail.raw.partition(b"\r\n\r\n")[0].decode("ascii", "replace")
        for message_id, waiting in self.awaited.items():
            if f"In-Reply-To: {message_id}" in head and not waiting.done():
                waiting.set_result(time.perf_counter())
        return Sent("250 taken")


@dataclass
class House:
    """What is measured."""

    services: Services
    clock: StandingClock
    server: SlowServer
    workers: InProcessWorkers
    painter: SlowPainter
    answers: dict[str, tuple[str, Draft, tuple[str, ...]]] = field(default_factory=dict)
    mails: int = 0

    async def open_table(self, slug: str, players: int = FEW) -> None:
        kind = default_game(self.services.games).ruleset.id
        await gm.open_table(
            self.services,
            gm.NewTable(slug, slug.capitalize(), kind, {}, "UTC", "Greta"),
            gm.By("bench"),
        )
        for name in PLAYERS[:players]:
            await gm.invite(self.services, slug, name, address_of(name), gm.By("bench"))
        await gm.start(self.services, slug, gm.By("bench"))

    async def settle(self) -> None:
        """Work until nothing is due."""
        before: object = None
        while (asked := await sweep(self.services)) != before or self.workers.underway.busy:
            before = asked
            await self.workers.underway.wait_until_none()

    async def receipt(self) -> float:
        """How long a player of the quiet table waits for the answer to a mail, in ms."""
        if not self.answers:
            async with self.services.database.read() as work:
                game = await work.games.find_by_slug(QUIET_TABLE)
                assert game is not None
                table = await load_table(work, self.services.games, game)
                for seat in table.seats:
                    (row,) = await work.outbox.list_last_of_seat(seat.id, ("turn",))
                    self.answers[row.message_id or ""] = (
                        row.address,
                        msgspec.json.decode(row.letter, type=Draft),
                        tuple(_words(table, seat.number, mail) for mail in range(VARIED)),
                    )
        self.mails += 1
        in_reply_to, (sender, draft, words) = list(self.answers.items())[
            self.mails % len(self.answers)
        ]
        mail, message_id = EmailMessage(), f"<bid.{self.mails}@players.example>"
        mail["From"], mail["To"], mail["Subject"] = (
            sender,
            str(draft.reply_to),
            f"Re: {draft.subject}",
        )
        mail["Message-ID"], mail["In-Reply-To"] = message_id, in_reply_to
        mail.set_content(f"{words[self.mails % VARIED]}\n")
        proof = (
            f"Authentication-Results: {AUTHSERV}; dmarc=pass header.from=players.example\r\n"
        ).encode()
        raw = proof + mail.as_bytes(policy=email.policy.SMTP)
        waiting = self.server.awaited[message_id] = asyncio.get_running_loop().create_future()
        begun = time.perf_counter()
        await store_mail(
            self.services,
            StoredMail(raw, self.clock.now().replace(microsecond=0), 1, self.mails, oversize=False),
        )
        answered: float = await asyncio.wait_for(waiting, TURN_SECONDS)
        return (answered - begun) * 1e3


def _words(table: OpenTable, number: int, seed: int) -> str:
    """One of the answers that a scripted player might give."""
    orders = plan_orders(table, number, random.Random(seed))
    return "\n".join(table.kind.ruleset.format_order(table.state, order) for order in orders)


async def build(folder: Path, tables: int) -> House:
    database = open_database(f"sqlite+aiosqlite:///{folder / 'many.sqlite'}")
    await migrate(database)
    clock, server, workers, painter = (
        StandingClock(start_of_time()),
        SlowServer(),
        InProcessWorkers(),
        SlowPainter(),
    )
    world = World(clock, workers.jobs, AlwaysDrained(clock), server)
    house = House(
        await build_services(database, load_games(), painter, POLICY, world),
        clock,
        server,
        workers,
        painter,
    )
    workers.start(house.services)
    await house.open_table("warm")  # the first close compiles templates
    clock.instant += timedelta(hours=30)
    await house.settle()
    for number in range(tables):
        await house.open_table(f"table{number}")
    clock.instant += timedelta(hours=6)
    await house.open_table(QUIET_TABLE, len(PLAYERS))
    await house.settle()
    painter.seconds = PAINT_SECONDS
    return house


@dataclass(frozen=True, slots=True)
class Waits:
    """How long receipts took, in ms."""

    taken: tuple[float, ...]

    def at(self, share: float) -> float:
        return sorted(self.taken)[min(len(self.taken) - 1, math.ceil(share * len(self.taken)) - 1)]


async def measure(tables: int, receipts: int, strangers: int, console: Console) -> None:
    """Three times the same mails, in different weather."""
    await asyncio.to_thread(prepare_reading)
    with tempfile.TemporaryDirectory() as folder:
        house = await build(Path(folder), tables)
        settle_memory()
        await house.receipt()
        quiet = Waits(tuple([await house.receipt() for _ in range(receipts)]))
        rows: list[tuple[str, Waits, str]] = [("a quiet hour", quiet, "")]
        now = house.clock.now()
        for number in range(strangers):
            await store_mail(
                house.services, StoredMail(SPAM % (number, number), now, 2, number, oversize=False)
            )
        house.clock.instant += timedelta(hours=1)  # what a person is answered in an hour is capped
        flooded = Waits(tuple([await house.receipt() for _ in range(receipts)]))
        async with house.services.database.read() as work:
            left = (await work.inbox.count_by_state()).get("new", 0)
        rows.append(
            (f"{strangers} mails of strangers", flooded, f"{strangers - left} of them handled")
        )
        async with house.services.database.read() as work:
            due = min(
                phase.deadline for phase in await work.phases.list_running() if phase.number == 1
            )
        house.clock.instant = max(house.clock.instant, due) + timedelta(minutes=2)
        closing = asyncio.create_task(house.settle())
        sent, taken, open_yet = house.server.sent, list[float](), tables
        while open_yet and len(taken) < receipts:
            taken.append(await house.receipt())
            async with house.services.database.read() as work:
                open_yet = (
                    sum(phase.number == 1 for phase in await work.phases.list_running()) - 1
                )  # the quiet table stays
        rows.append(
            (
                f"{tables} tables due at once",
                Waits(tuple(taken)),
                f"{house.server.sent - sent} letters sent, {open_yet} still to close",
            )
        )
        await closing
        await house.workers.stop()
        await house.services.database.dispose()
    table = Table(box=None, pad_edge=False)
    for heading in ("receipts in", "n", "p50 ms", "p99 ms", "p50 ratio", "p99 ratio", ""):
        table.add_column(heading, justify="left" if heading in {"receipts in", ""} else "right")
    for name, waits, told in rows:
        ratios = (f"{waits.at(share) / quiet.at(share):.1f}" for share in (0.5, 0.99))
        table.add_row(
            name,
            str(len(waits.taken)),
            f"{waits.at(0.5):.0f}",
            f"{waits.at(0.99):.0f}",
            *ratios,
            told,
        )
    console.print(table)


def main() -> None:
    """Measure and print."""
    arguments = argparse.ArgumentParser(prog="python -m bench.many", description=__doc__)
    arguments.add_argument(
        "--tables", type=int, default=100, help="how many tables are due at once (default 100)"
    )
    arguments.add_argument(
        "--receipts",
        type=int,
        default=100,
        help="how many receipts are measured each time (default 100)",
    )
    arguments.add_argument(
        "--strangers",
        type=int,
        default=2000,
        help="how many mails a stranger has sent (default 2000)",
    )
    given = arguments.parse_args()
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR))
    asyncio.run(measure(given.tables, given.receipts, given.strangers, Console(width=140)))


if __name__ == "__main__":
    main()
