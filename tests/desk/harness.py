"""A desk for tests: a real SQLite file, real pages and grammar, a clock that stands still, and jobs
that run when asked.
"""

import asyncio
import copy
import email
import email.policy
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable, Hashable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from email.headerregistry import HeaderRegistry
from email.message import EmailMessage
from functools import lru_cache
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from engine.ruleset import Event
from pbem.board.board import Board, Drawing, Picture, TableFacts
from pbem.desk import gm
from pbem.desk.authentication.questions import end_question
from pbem.desk.gm.rulings import ask_masters
from pbem.desk.jobs import Job
from pbem.desk.letters.deliver import deliver
from pbem.desk.messages.intake import store_mail
from pbem.desk.messages.receive import receive
from pbem.desk.people.masters import enrol_configured
from pbem.desk.phases.acts import let_run_out
from pbem.desk.phases.close import close_phase
from pbem.desk.phases.grace import remind
from pbem.desk.phases.lobbies import tend_table
from pbem.desk.phases.motions import settle_motion
from pbem.desk.phases.sweep import sweep
from pbem.desk.ports import Dispatch, Intake, NoSteps, Painter, Painting, Policy, Services, Steps
from pbem.desk.press.digest import tell_press
from pbem.desk.upkeep.housekeeping import keep_house
from pbem.game import Games
from pbem.mail.ports import StoredMail
from pbem.registry import load_games
from pbem.store.database import Database, open_database
from pbem.store.migrations import migrate
from tests.chatbox import Chatbox
from tests.desk.at_once import at_once
from tests.desk.dates import NOON
from tests.desk.kept_tables import content_of, find_kept, keep, put_back
from tests.played import PLAYED
from tests.postbox import Postbox

ADDRESS = "orders@house.example"
GM = "gm@house.example"
AUTHSERV = "mx.house.example"
KEY = b"a key of thirty-two bytes for us"
SEED = bytes(range(32))
NAMES = ("Anna", "Bartek", "Chloé", "Dmytro", "Emil", "Fenna", "Mei")
STILL_BOARD = (
    '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1" viewBox="0 0 1 1">'
    '<rect width="1" height="1" fill="#ffffff"/><text>{}</text></svg>'
)
PIXEL = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de0000000c4944415408d763f8cfc0000003010100c9fe92ef0000000049454e44ae426082"
)


class _Fields(HeaderRegistry):
    """Letters have the same fields again and again, and each is read whenever it is asked for."""

    __call__ = lru_cache(4096)(HeaderRegistry.__call__)


FIELDS_ONCE = email.policy.default.clone(header_factory=_Fields())


class StandingClock:
    """Time that moves only when told."""

    def __init__(self, now: datetime = NOON) -> None:
        self.instant = now

    def now(self) -> datetime:
        return self.instant

    def forward(self, **span: float) -> None:
        self.instant += timedelta(**span)


class StillPainter:
    """Paints one pixel, and no land."""

    async def land(self, board: Board, view: Any, seed: int, map_text: str) -> bytes:
        return b"land"

    async def board(
        self, board: Board, view: Any, events: Sequence[Event], land: bytes, facts: TableFacts
    ) -> Picture:
        return Picture(PIXEL, f"The realm in turn {view.turn}.")

    async def drawing(
        self, board: Board, view: Any, events: Sequence[Event], land: bytes, facts: TableFacts
    ) -> Drawing:
        return Drawing(STILL_BOARD.format(len(events)), f"The realm in turn {view.turn}.")

    async def image(self, svg: str) -> bytes:
        return PIXEL

    async def sheet(self, svg: str, wide: float) -> tuple[bytes, bytes]:
        return b"%PDF-1.4", PIXEL


USE_CASES: dict[str, Callable[..., Awaitable[object]]] = {
    "receive": receive,
    "close_phase": close_phase,
    "let_run_out": let_run_out,
    "ask_master": ask_masters,
    "deliver": deliver,
    "remind": remind,
    "tend_table": tend_table,
    "settle_motion": settle_motion,
    "end_question": end_question,
    "keep_house": keep_house,
    "tell_press": tell_press,
}


@dataclass
class HeldJobs:
    """Jobs asked for, in order, until `Desk.work` does them."""

    asked: list[tuple[str, tuple[int, ...]]] = field(default_factory=list)

    def ask(self, job: Job) -> None:
        if (job.name, job.ids) not in self.asked:
            self.asked.append((job.name, job.ids))


class ReadableMailbox:
    """A mailbox that is read up to this moment (or a while before it: `behind`), or cannot be read
    at all.
    """

    def __init__(self, clock: StandingClock) -> None:
        self._clock = clock
        self.broken = False
        self.behind = timedelta(0)

    @property
    def drained_until(self) -> datetime | None:
        return None if self.broken else self._clock.now() - self.behind

    async def drain(self) -> datetime:
        if self.broken:
            raise OSError("the mailbox cannot be read")
        return self._clock.now() - self.behind


@dataclass
class Desk:
    """A desk with its surroundings, and what a test does with them."""

    services: Services
    clock: StandingClock
    jobs: HeldJobs
    postbox: Postbox
    mailbox: ReadableMailbox
    watched: bool = False
    """Whether somebody looks at how tables are opened: games or steps of their own, or a database
    that is opened otherwise.
    """
    sent: int = 0

    async def work(self, *, times: int = 1) -> None:
        """Do all jobs asked for and whatever the sweep finds, each `times` times, until nothing is
        due.
        """
        before: object = None
        while True:
            while self.jobs.asked:
                jobs, self.jobs.asked = list(dict.fromkeys(self.jobs.asked)), []
                for name, ids in jobs:
                    for _ in range(times):
                        await USE_CASES[name](self.services, *ids)
            asked = await sweep(self.services)
            if not self.jobs.asked or asked == before:
                self.jobs.asked = []
                return
            before = asked or None

    async def open_game(
        self,
        players: int = 3,
        slug: str = "heron",
        names: Sequence[str] = NAMES,
        ruleset: str = PLAYED,
        **options: Any,
    ) -> None:
        new = gm.NewTable(
            slug, slug.capitalize(), ruleset, options, "Europe/Berlin", "Greta", seed=SEED
        )

        async def open_and_start() -> None:
            await gm.open_table(self.services, new, gm.By("test"))
            for name in names[:players]:
                await gm.invite(self.services, slug, name, address_of(name), gm.By("test"))
            await gm.start(self.services, slug, gm.By("test"))
            await self.work()

        await self.once((repr(new), tuple(names[:players])), open_and_start)

    async def once(self, what: Hashable, do: Callable[[], Awaitable[None]]) -> None:
        """Do it, or put back what came of it when it was done in a house that stood as this one
        does, unless somebody watches.
        """
        key, chats = self._standing(what), self.services.dispatch.messenger
        table, told, brought = (
            find_kept(key) if key is not None else None,
            len(self.postbox.mails),
            self.sent,
        )
        if table is not None:
            put_back(table, self._file)
            self.postbox.mails.extend(table.letters)
            self.sent += table.brought
            self.clock.instant = table.instant
            if isinstance(chats, Chatbox):
                vars(chats).update(copy.deepcopy(table.chats))
            return
        await do()
        if key is not None and self._standing(what) is not None:
            letters = tuple(self.postbox.mails[told:])
            kept = copy.deepcopy(vars(chats)) if isinstance(chats, Chatbox) else {}
            keep(key, self._file, letters, self.sent - brought, self.clock.instant, kept)

    @property
    def _file(self) -> Path:
        assert self.services.database.file is not None
        return self.services.database.file

    def _standing(self, what: Hashable) -> Hashable:
        """Equal for houses that stand alike before the same is done in them; None where much has
        happened, or it is to be watched.
        """
        if (
            self.services.database.file is None
            or self.watched
            or self.postbox.answers
            or self.jobs.asked
        ):
            return None
        dispatch = self.services.dispatch
        if dispatch.outbound is not self.postbox or self.mailbox.broken:
            return None
        chats = dispatch.messenger
        if chats is not None and not isinstance(chats, Chatbox):
            return None
        content = content_of(self._file)
        if content is None:
            return None
        seen = repr(vars(chats)) if chats is not None else ""
        policy = repr(self.services.policy)
        return content, seen, what, self.clock.instant, self.sent, policy, self.services.key

    def letters(self, name: str) -> list[EmailMessage]:
        """What a player got, the oldest first."""
        return [parse(raw) for raw in self.postbox.to(address_of(name))]

    def last(self, name: str, word: str = "") -> EmailMessage:
        """The newest letter to a player whose subject has this word."""
        raws = reversed(self.postbox.to(address_of(name)))
        return next(
            mail for mail in map(parse, raws) if word.lower() in str(mail["Subject"]).lower()
        )

    def turn_mail(self, name: str) -> EmailMessage:
        """The newest letter with a calendar file: the question of the open phase."""
        return next(
            parse(raw) for raw in reversed(self.postbox.to(address_of(name))) if has_calendar(raw)
        )

    async def bring(self, raw: bytes, *, received_at: datetime | None = None) -> None:
        """The watcher brings a raw mail."""
        self.sent += 1
        when = (received_at or self.clock.now()).replace(microsecond=0)
        await store_mail(self.services, StoredMail(raw, when, 1, self.sent, oversize=False))

    async def write(
        self,
        name: str,
        text: str,
        *,
        answering: EmailMessage | None = None,
        token: bool = True,
        dmarc: str | None = "pass",
        sender: str | None = None,
        received_at: datetime | None = None,
        work: bool = True,
        headers: Sequence[tuple[str, str]] = (),
        message_id: str | None = None,
    ) -> EmailMessage | None:
        """A player writes (answering the newest turn mail), and the desk does what follows; the
        newest letter to the player.
        """
        base = (answering if answering is not None else self.turn_mail(name)) if token else None
        mail = EmailMessage(FIELDS_ONCE)
        mail["From"] = sender or f"{name} <{address_of(name)}>"
        mail["To"] = str(base["Reply-To"]) if base is not None else ADDRESS
        mail["Subject"] = f"Re: {base['Subject']}" if base is not None else "orders"
        mail["Message-ID"] = message_id or f"<{self.sent}.{name.encode().hex()}@players.example>"
        if base is not None:
            mail["In-Reply-To"] = str(base["Message-ID"])
            mail["References"] = f"{base['References'] or ''} {base['Message-ID']}".strip()
        for key, value in headers:
            mail[key] = value
        mail.set_content(text)
        raw = mail.as_bytes(policy=email.policy.SMTP)
        if dmarc is not None:
            domain = str(mail["From"]).rpartition("@")[2].strip("<> ")
            raw = (
                f"Authentication-Results: {AUTHSERV}; dmarc={dmarc} header.from={domain}\r\n".encode()
                + raw
            )
        await self.bring(raw, received_at=received_at)
        if work:
            await self.work()
        mine = self.postbox.to(address_of(name))
        return parse(mine[-1]) if mine else None

    async def everybody_passes(self) -> None:
        """Nobody else writes: the phase runs to its deadline and is closed."""
        await self.once("everybody passes", self._close_next)

    async def _close_next(self) -> None:
        async with self.services.database.read() as work:
            phase = (await work.phases.list_running())[0]
        self.clock.instant = phase.deadline + timedelta(seconds=2)
        await self.work()


def address_of(name: str) -> str:
    return f"{name.lower().replace('é', 'e')}@players.example"


@lru_cache(4096)
def has_calendar(raw: bytes) -> bool:
    """Whether the calendar file of a deadline is in a letter."""
    return b"text/calendar" in raw and any(
        part.get_content_type() == "text/calendar" and part.get_param("method") == "PUBLISH"
        for part in parse(raw).walk()
    )


@lru_cache(4096)
def parse(raw: bytes) -> EmailMessage:
    """A letter, to be looked at only: whoever asks for it again gets the same."""
    found = email.message_from_bytes(raw, policy=FIELDS_ONCE)
    assert isinstance(found, EmailMessage)
    return found


def text_of(mail: EmailMessage | None) -> str:
    assert mail is not None
    body = mail.get_body(("plain",))
    assert body is not None
    return str(body.get_content())


_migrated: list[bytes] = []


async def migrated_bytes() -> bytes:
    """A database file all steps of which are taken: they are taken once a process, which is quicker
    than for each desk.
    """
    if not _migrated:
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "pbem.sqlite"
            database = open_database(f"sqlite+aiosqlite:///{file}")
            await migrate(database)
            await database.dispose()
            _migrated.append(file.read_bytes())
    return _migrated[0]


_dialects: list[sa.Dialect] = []
_statements: dict[Any, Any] = {}


def share_statements(database: Database) -> Database:
    """Every desk makes the same statements: what SQLAlchemy compiles of them for one is there for
    the next. It keeps them by the dialect's identity, so that they share that as well.
    """
    for engine in (database.writer.sync_engine, database._reader.sync_engine):
        if not _dialects:
            _dialects.append(engine.dialect)
        engine.dialect = _dialects[0]
        engine.update_execution_options(compiled_cache=_statements)
    return database


def changed(services: Services, **ports: Any) -> Services:
    """The same services with other ports, by their names, whichever part they belong to."""
    for part in ("intake", "dispatch", "painting"):
        whole = getattr(services, part)
        own = {name: ports.pop(name) for name in tuple(ports) if hasattr(whole, name)}
        services = replace(services, **{part: replace(whole, **own)})
    return replace(services, **ports)


@asynccontextmanager
async def open_desk(
    folder: Path,
    *,
    clock: StandingClock | None = None,
    steps: Steps | None = None,
    games: Games | None = None,
    painter: Painter | None = None,
    database: Database | None = None,
) -> AsyncIterator[Desk]:
    """A desk over a SQLite file in `folder`; opened again over the same folder it goes on where the
    last one stopped.

    A `database` is that file, opened otherwise.
    """
    clock = clock or StandingClock()
    watched = any(its is not None for its in (steps, games, painter, database))
    file = folder / "pbem.sqlite"
    if database is not None and database.file is None:
        await migrate(database)
    elif not file.exists():
        file.write_bytes(await migrated_bytes())
    database = database or share_statements(at_once(open_database(f"sqlite+aiosqlite:///{file}")))
    jobs, postbox, mailbox = HeldJobs(), Postbox(), ReadableMailbox(clock)
    policy = Policy(
        address=ADDRESS,
        name="Post Office",
        subaddressing=True,
        authserv_id=AUTHSERV,
        zone="UTC",
        hold_minutes=120,
        remind_hours=(24.0, 4.0),
        gm_addresses=(GM,),
    )
    services = Services(
        database=database,
        clock=clock,
        jobs=jobs,
        games=games or load_games(),
        policy=policy,
        key=KEY,
        new_seed=lambda: SEED,
        steps=steps or NoSteps(),
        intake=Intake(mailbox, asyncio.Lock()),
        dispatch=Dispatch(postbox),
        painting=Painting(painter or StillPainter()),
    )
    async with database.write() as work:
        await enrol_configured(work, policy, clock.now())
    try:
        yield Desk(services, clock, jobs, postbox, mailbox, watched)
    finally:
        await database.dispose()
