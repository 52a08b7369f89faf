"""A table of seven with a game under way: played through the desk up to a busy orders phase,
everybody's orders stored.

The database file is kept as it lies then; every round of a measurement works on a fresh copy of it.
"""

import email.policy
import random
import shutil
import sqlite3
import tempfile
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import msgspec

from engine.ruleset import Event, Standing
from pbem.board.board import Board, Drawing, Picture, TableFacts
from pbem.board.raster import Rasteriser
from pbem.demo.stage import play_of
from pbem.desk import gm
from pbem.desk.envelope.letter import Draft
from pbem.desk.phases.close import close_phase
from pbem.desk.ports import AlwaysDrained, NoSteps, Policy, Services, Steps
from pbem.desk.table import OpenTable, load_table
from pbem.game import Games
from pbem.opening import NoJobs, NoOutbound, World, build_services
from pbem.play import Person, ScriptedQuestion, Seen
from pbem.registry import default_game
from pbem.store.database import open_database
from pbem.store.migrations import migrate
from pbem.store.repositories.orders import NewOrders
from pbem.store.repositories.post.outbox import OutboxRow

PLAYERS = ("Anna", "Bartek", "Chloé", "Dmytro", "Emil", "Fenna", "Mei")
SLUG = "heron"
AUTHSERV = "mx.house.example"
PROOF = f"Authentication-Results: {AUTHSERV}; dmarc=pass header.from=players.example\r\n".encode()
TURN = 3
WRITERS = (3, 2)
"""The seats whose mails are read: the first to get warm, the second to be measured."""

PERSON = Person("Anna", "anna@players.example", "UTC", (), "lines", 0.0, 0.7, 0.6, 0.5)
"""How everybody plays."""

SEED = bytes([1]) * 32
POLICY = Policy(
    address="orders@house.example",
    name="Post Office",
    subaddressing=True,
    authserv_id=AUTHSERV,
    zone="Europe/Berlin",
    hold_minutes=120,
    remind_hours=(24.0, 4.0),
    gm_addresses=("gm@house.example",),
)


class StillPainter:
    """In the place of a painter, where pictures do not count."""

    async def land(self, board: Board, view: Any, seed: int, map_text: str) -> bytes:
        return b"land"

    async def board(
        self, board: Board, view: Any, events: Sequence[Event], land: bytes, facts: TableFacts
    ) -> Picture:
        return Picture(b"\x89PNG\r\n\x1a\n", "the realm")

    async def drawing(
        self, board: Board, view: Any, events: Sequence[Event], land: bytes, facts: TableFacts
    ) -> Drawing:
        return Drawing("<svg/>", "the realm")

    async def image(self, svg: str) -> bytes:
        return b"\x89PNG\r\n\x1a\n"

    async def sheet(self, svg: str, wide: float) -> tuple[bytes, bytes]:
        return b"%PDF-1.4", b"\x89PNG\r\n\x1a\n"


class StandingClock:
    """Time that moves only when told."""

    def __init__(self, now: datetime) -> None:
        self.instant = now

    def now(self) -> datetime:
        return self.instant


def start_of_time() -> datetime:
    return datetime(2026, 11, 16, 11, 0, tzinfo=UTC)


Plans = Mapping[int, tuple[Any, ...]]


@dataclass(frozen=True, slots=True)
class Prepared:
    """Two files: `before` with the phase before the measured one due at `before_due_at`, `file`
    with the measured one open.

    `plans` are everybody's orders in it, stored in `file` (the writers' only by their mails), not
    in `before`.
    """

    file: Path
    before: Path
    before_due_at: datetime
    opened_at: datetime
    due_at: datetime
    game_id: int
    phase_number: int
    plans: Plans
    mails: tuple[bytes, ...]


_PLAYED: list[Prepared] = []
_KEPT = tempfile.TemporaryDirectory()


def fresh_copy(file: Path) -> Path:
    """The file once more, for one round."""
    copy = file.with_name("round.sqlite")
    for leftover in (copy, copy.with_name("round.sqlite-wal"), copy.with_name("round.sqlite-shm")):
        leftover.unlink(missing_ok=True)
    shutil.copyfile(file, copy)
    return copy


@asynccontextmanager
async def open_services(
    file: Path, games: Games, clock: StandingClock, steps: Steps | None = None
) -> AsyncIterator[Services]:
    """A desk over this file, its connections open."""
    database = open_database(f"sqlite+aiosqlite:///{file}")
    await migrate(database)
    painter = Rasteriser()
    try:
        services = await build_services(
            database,
            games,
            painter,
            POLICY,
            World(
                clock,
                NoJobs(),
                AlwaysDrained(clock),
                NoOutbound(),
                steps or NoSteps(),
                lambda: SEED,
            ),
        )
        async with database.read() as work:
            await work.games.list_by_status()
        yield services
    finally:
        await painter.close()
        await database.dispose()


async def prepare(folder: Path, games: Games) -> Prepared:
    """Two files of one's own in this folder; the table is played once for all of this process."""
    if not _PLAYED:
        _PLAYED.append(await _play(Path(_KEPT.name), games))
    (played,) = _PLAYED
    file, before = (shutil.copy(path, folder) for path in (played.file, played.before))
    return replace(played, file=Path(file), before=Path(before))


async def _play(folder: Path, games: Games) -> Prepared:
    """Play the first game there is to the phase of `TURN` that matters, and store everybody's
    orders.
    """
    game = default_game(games)
    play = play_of(game)
    clock, rng = StandingClock(start_of_time()), random.Random(1)
    file, before = folder / "prepared.sqlite", folder / "before.sqlite"
    before_due_at = clock.now()
    async with open_services(file, games, clock) as services:
        await gm.open_table(
            services,
            gm.NewTable(SLUG, "Heron", game.ruleset.id, {}, "Europe/Berlin", "Greta"),
            gm.By("bench"),
        )
        for name in PLAYERS[: game.ruleset.players[1]]:
            await gm.invite(services, SLUG, name, address_of(name), gm.By("bench"))
        await gm.start(services, SLUG, gm.By("bench"))
        while True:
            table = await read_table(services)
            phase = table.phase
            if phase is None:
                raise RuntimeError(
                    "the game ended before the turn to be measured; choose another seed"
                )
            view: Any = table.kind.ruleset.view(table.state, None)
            plans = {number: plan_orders(table, number, rng) for number in phase.asked}
            if (
                phase.kind in play.main_stages
                and play.turn_of(view) >= TURN
                and set(WRITERS) <= set(phase.asked)
            ):
                break
            await store_orders(services, table, plans)
            _copy_database(file, before)
            clock.instant = before_due_at = phase.deadline + timedelta(seconds=2)
            await close_phase(services, table.game.id, phase.number)
        mails = tuple(
            [await _write_mail(services, table, writer, plans[writer]) for writer in WRITERS]
        )
        await store_orders(
            services,
            table,
            {number: orders for number, orders in plans.items() if number not in WRITERS},
        )
    due_at = phase.deadline + timedelta(seconds=2)
    return Prepared(
        file, before, before_due_at, clock.now(), due_at, table.game.id, phase.number, plans, mails
    )


def _copy_database(file: Path, copy: Path) -> None:
    """As `.backup` does it, which also works with open connections."""
    copy.unlink(missing_ok=True)
    with closing(sqlite3.connect(file)) as source, closing(sqlite3.connect(copy)) as target:
        source.backup(target)


def address_of(name: str) -> str:
    return f"{name.lower().replace('é', 'e')}@players.example"


async def read_table(services: Services) -> OpenTable:
    async with services.read() as tx:
        game = await tx.work.games.find_by_slug(SLUG)
        if game is None:
            raise RuntimeError("the table was not opened")
        return await load_table(tx, game)


def plan_orders(table: OpenTable, number: int, rng: random.Random) -> tuple[Any, ...]:
    """What a scripted player of this number orders."""
    rules, play, phase = table.kind.ruleset, play_of(table.kind), table.phase
    if phase is None:
        raise RuntimeError("nothing is asked")
    view: Any = rules.view(table.state, number)
    names = {seat.number: seat.name for seat in table.seats}
    seen = Seen(number, view, tuple(rules.legal(table.state, number)), names=names)
    now = phase.deadline - timedelta(hours=1)
    question = ScriptedQuestion(PERSON, seen, play.stage_of(view), 1, 1, now, phase.deadline)
    wanted = play.plan(question, rng)
    return rules.check(table.state, number, Standing(), wanted).standing.orders


async def store_orders(services: Services, table: OpenTable, plans: Plans) -> None:
    """Store these orders as if they had come by mail."""
    rules, now = table.kind.ruleset, services.clock.now()
    async with services.database.write() as work:
        for number, orders in plans.items():
            seat = table.seat(number)
            await work.orders.add(
                NewOrders(
                    game_id=table.game.id,
                    phase_number=table.game.phase_number,
                    seat_id=seat.id,
                    tenure=seat.tenure,
                    source="mail",
                    received_at=now,
                    orders=rules.encode_orders(orders).decode(),
                    final=False,
                    created_at=now,
                    canonical=tuple(rules.format_order(table.state, order) for order in orders),
                )
            )


def write_answer(number: int, sender: str, reply_to: str, words: str) -> bytes:
    """An answer to a question, with orders alone."""
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = sender, reply_to, "Re: our table"
    mail["Message-ID"] = message_id_of(number)
    mail.set_content(f"{words}\n")
    return PROOF + mail.as_bytes(policy=email.policy.SMTP)


def message_id_of(number: int) -> str:
    """Of the answer with this number."""
    return f"<{number}@players.example>"


async def _write_mail(
    services: Services, table: OpenTable, writer: int, orders: Sequence[Any]
) -> bytes:
    """The answer of one player to the turn mail."""
    seat, now = table.seat(writer), services.clock.now()
    words = "\n".join(
        table.kind.ruleset.format_order(table.state, order).lower() for order in orders
    )
    text = f"Hello Greta,\n\n{words}\n\nThat is all for now.\n{seat.name}"
    async with services.database.read() as work:
        (row,) = await work.outbox.list_last_of_seat(seat.id, ("turn",))
    return quote_below(row, text, now, f"<answer.{writer}@players.example>")


def quote_below(
    row: OutboxRow, text: str, now: datetime, message_id: str, reply_to: str = ""
) -> bytes:
    """An answer to a letter, as a mail program writes it: the new text on top, the letter quoted
    below. It goes to `reply_to`, or else where the letter wants it.
    """
    draft = msgspec.json.decode(row.letter, type=Draft)
    quoted = "\n".join(f"> {line}".rstrip() for line in draft.text.splitlines())
    mail = EmailMessage()
    mail["From"] = f"{draft.to_name} <{row.address}>"
    mail["To"] = reply_to or draft.reply_to
    mail["Subject"] = f"Re: {draft.subject}"
    mail["Message-ID"] = message_id
    mail["In-Reply-To"] = row.message_id
    mail["References"] = row.message_id
    attribution = f"On {now:%a, %d %b %Y at %H:%M}, Post Office <{POLICY.address}> wrote:"
    mail.set_content(f"{text}\n\n{attribution}\n{quoted}\n")
    return PROOF + mail.as_bytes(policy=email.policy.SMTP)
