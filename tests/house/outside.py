"""A service seen from outside: `pbem serve` in processes of its own, before a real dovecot, an SMTP
server and a Bot API server.

`Lives` starts such processes and kills them; `Town` is the servers, and what they have been handed;
`Table` plays by script, by mail and by chat, as long as it is let.
"""

import asyncio
import os
import re
import signal
import sqlite3
import sys
from collections import Counter
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, closing
from dataclasses import dataclass, field
from datetime import datetime
from email.message import EmailMessage
from email.policy import SMTP
from functools import partial
from pathlib import Path
from typing import Any, Self

from pbem.config import Config, load_config
from pbem.demo.front import FrontSettings, SmtpFront
from pbem.demo.telegram import Shown, TelegramStandIn, User
from pbem.desk import gm
from pbem.mail.imap import ImapInbox
from pbem.mail.ports import OutboundMail, Sent, StoredMail
from pbem.mail.smtp import SmtpOutbound, SmtpSettings
from pbem.opening import SystemClock, open_desk
from tests.desk.chatting import code_in
from tests.desk.harness import parse, text_of
from tests.played import PLAYED
from tests.servers.dovecot import Dovecot
from tests.servers.postfix import Postfix

HOST = "mail.example"
ORDERS, GRETA = f"orders@{HOST}", f"greta@{HOST}"
BY_MAIL, BY_CHAT = ("Anna", "Bartek"), ("Cleo",)
PLAYERS = (*BY_MAIL, *BY_CHAT)
PATIENCE_SECONDS = 240.0
"""For what a service does in a second, on a machine that is busy with other tests."""
ANSWERS = {
    "purchases": ("bid 2", "bid {bid}\nfinal"),
    "Dragon": ("commit 1", "commit everything\nfinal"),
    "orders": ("work everywhere", "work everywhere\nfinal"),
    "bid": ("bid 1", "bid {bid}\nfinal"),
}
"""By a word of the question's subject: what somebody says first, and in the end. Nobody bids alike,
so nobody has to bid again.
"""


PHASES = 4
"""So many phases of a table are played: there is a bid, orders, purchases and a Dragon."""
MOST_TABLES = 200


def address_of(name: str, table: int = 1) -> str:
    """Who plays by mail has another address at each table: nobody writes so many mails in an hour
    that they are not answered any more.
    """
    return f"{name.lower()}{f'.{table}' if table > 1 and name in BY_MAIL else ''}@{HOST}"


# ---------------------------------------------------------------------------------------- processes
class Lives:
    """`async with Lives() as lives:` processes of `pbem serve` in a folder, one after the other."""

    def __init__(self) -> None:
        self._starter: asyncio.subprocess.Process | None = None
        self._listening: asyncio.Task[None] | None = None
        self._started: asyncio.Queue[int] = asyncio.Queue()
        self._ended: dict[int, asyncio.Future[int]] = {}
        self.running = 0
        """The process that serves; 0: there is none."""

    async def __aenter__(self) -> Self:
        self._starter = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "tests.house.starter",
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            cwd=Path(__file__).parents[2],
            env=os.environ | {"NO_COLOR": "1"},
        )
        self._listening = asyncio.create_task(self._listen(self._starter))
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._starter is not None
        assert self._starter.stdin is not None
        if self.running:
            await self.kill()
        self._starter.stdin.close()
        await self._starter.wait()
        if self._listening is not None:
            await self._listening

    async def start(self, folder: Path) -> None:
        assert not self.running
        assert self._starter is not None
        assert self._starter.stdin is not None
        self._starter.stdin.write(f"{folder}\n".encode())
        async with asyncio.timeout(PATIENCE_SECONDS):
            self.running = await self._started.get()

    async def serve(self, folder: Path) -> float:
        """Start one, and wait until it serves; how many seconds that took."""
        await self.start(folder)
        clock = asyncio.get_running_loop().time
        began = clock()
        async with asyncio.timeout(PATIENCE_SECONDS):
            while b'"serving"' not in (folder / "log").read_bytes():
                assert await self.live(0.2) is None, (folder / "log").read_text("utf-8", "replace")
        return clock() - began

    async def live(self, seconds: float) -> int | None:
        """Let it live for so long; its exit status, if it ended by itself meanwhile."""
        try:
            return await asyncio.wait_for(asyncio.shield(self._end_of(self.running)), seconds)
        except TimeoutError:
            return None

    async def kill(self, how: signal.Signals = signal.SIGKILL) -> int:
        """End it; its exit status, once there is nothing left of it."""
        ended = self._end_of(self.running)
        if not ended.done():
            os.kill(self.running, how)
        async with asyncio.timeout(PATIENCE_SECONDS):
            status = await ended
        self.running = 0
        return status

    def _end_of(self, process: int) -> asyncio.Future[int]:
        return self._ended.setdefault(process, asyncio.get_running_loop().create_future())

    async def _listen(self, starter: asyncio.subprocess.Process) -> None:
        assert starter.stdout is not None
        async for line in starter.stdout:
            word, *numbers = line.decode().split()
            if word == "started":
                self._started.put_nowait(int(numbers[0]))
            else:
                self._end_of(int(numbers[0])).set_result(int(numbers[1]))


# ------------------------------------------------------------------------------------------ servers
@dataclass(frozen=True, slots=True)
class Letter:
    """A mail that the SMTP server has taken for somebody."""

    reader: str
    message_id: str
    subject: str
    seat: int
    phase: int
    """Whose answer to it orders something, and for which phase; 0: it asks for nothing."""
    mail: EmailMessage = field(repr=False)


@dataclass
class Town:
    """The servers, and everything that they have been handed. They run on while the service dies
    and comes again.
    """

    folder: Path
    dovecot: Dovecot
    telegram: TelegramStandIn
    login: Callable[[str], SmtpSettings]
    """How somebody sends."""
    letters: list[Letter] = field(default_factory=list)
    written: list[str] = field(default_factory=list)
    """The Message-IDs of the mails that were written to the service."""
    news: asyncio.Condition = field(default_factory=asyncio.Condition)

    @property
    def config(self) -> Config:
        return load_config(self.folder / "pbem.toml")

    @property
    def database(self) -> Path:
        return self.folder / "pbem-data" / "pbem.sqlite"

    async def write(
        self, sender: str, recipient: str, text: str, answering: EmailMessage | None = None
    ) -> None:
        """Somebody sends a mail; or somebody else does in their name, where the server does not ask
        who sends.
        """
        mail = EmailMessage()
        message_id = f"<{len(self.written)}.script@{HOST}>"
        self.written.append(message_id)
        mail["From"], mail["To"], mail["Message-ID"] = sender, recipient, message_id
        mail["Subject"] = f"Re: {answering['Subject']}" if answering is not None else "hello"
        if answering is not None:
            mail["In-Reply-To"] = str(answering["Message-ID"])
        mail.set_content(text)
        async with SmtpOutbound(self.login(sender)) as outbound:
            sent = await outbound.send(OutboundMail(sender, recipient, mail.as_bytes(policy=SMTP)))
        assert isinstance(sent, Sent), sent

    async def take(self, mailbox: str, raw: bytes, received_at: datetime) -> None:
        """What the SMTP server does with a mail: the service's own go into dovecot, everybody
        else's are kept here.
        """
        if mailbox == ORDERS:
            sender = (
                raw.partition(b"\r\n")[0].decode().removeprefix("Return-Path: <").removesuffix(">")
            )
            await self.dovecot.deliver(ORDERS, raw, sender)
        else:
            await self.keep(mailbox, raw)

    async def keep(self, mailbox: str, raw: bytes) -> None:
        """A mail has come to somebody."""
        mail = parse(raw)
        asks = (
            re.search(r"\+o(\d+)-(\d+)-", str(mail["Reply-To"]))
            if any(part.get_param("method") == "PUBLISH" for part in mail.walk())
            else None
        )
        seat, phase = (int(asks[1]), int(asks[2])) if asks is not None else (0, 0)
        self.letters.append(
            Letter(mailbox, str(mail["Message-ID"]), str(mail["Subject"]), seat, phase, mail)
        )
        async with self.news:
            self.news.notify_all()

    async def letter(self, wanted: Callable[[Letter], bool]) -> Letter:
        """The first letter that is wanted, as soon as it is here."""
        async with self.news:
            await self.news.wait_for(lambda: any(map(wanted, self.letters)))
        return next(filter(wanted, self.letters))

    def shown(self, *, by_bot: bool) -> list[Shown]:
        """The messages in all chats, of the bot or of everybody else."""
        return [
            shown
            for chat in self.telegram.network.chats.values()
            for shown in chat.messages
            if shown.is_by_bot == by_bot
        ]

    def rows(self, query: str) -> list[tuple[Any, ...]]:
        """What the service's database says, read from outside without touching it."""
        with closing(
            sqlite3.connect(f"file:{self.database}?mode=ro", uri=True, timeout=60)
        ) as connection:
            return connection.execute(query).fetchall()


class EmbeddedFront:
    """An SMTP server in this process, at which everybody has a login."""

    def __init__(self, town: Town, addresses: Sequence[str]) -> None:
        mailboxes = {address: address for address in addresses}
        settings = FrontSettings(
            host=HOST, mailboxes=mailboxes, passwords=dict.fromkeys(mailboxes, "secret")
        )
        self.smtp = SmtpFront(settings, SystemClock(), town.take)

    def login(self, sender: str) -> SmtpSettings:
        return SmtpSettings(
            host="127.0.0.1",
            port=self.smtp.port,
            tls="none",
            user=sender,
            password="secret",
            local_hostname="localhost",
        )


async def _keep(town: Town, address: str, mail: StoredMail) -> None:
    await town.keep(address, mail.raw)


async def _end(task: asyncio.Task[None]) -> None:
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)


@asynccontextmanager
async def open_town(
    folder: Path, dovecot: Dovecot, postfix: Postfix | None = None
) -> AsyncIterator[Town]:
    """Everything that the service needs, and its configuration in the folder. A `dovecot` with an
    empty mailbox of the service.

    Without `postfix` an embedded server stands in for it, which keeps the letters itself; with it
    everybody reads their mailbox.
    """
    clock = SystemClock()
    everybody = (GRETA, *map(address_of, PLAYERS))
    later = {address_of(name, number) for name in BY_MAIL for number in range(2, MOST_TABLES)}
    async with AsyncExitStack() as stack:
        telegram = await stack.enter_async_context(TelegramStandIn(clock))
        town = Town(
            folder,
            dovecot,
            telegram,
            lambda sender: postfix.exchanger() if postfix is not None else front.login(sender),
        )
        if postfix is None:
            front = EmbeddedFront(town, (ORDERS, *everybody, *later))
            await front.smtp.start()
            stack.push_async_callback(front.smtp.stop)
        else:
            for address in everybody:
                keep = partial(_keep, town, address)
                watcher = asyncio.create_task(
                    ImapInbox(dovecot.imap_settings(address), clock, lambda: 0.5).watch(keep)
                )
                stack.push_async_callback(_end, watcher)
        port = postfix.submission_port if postfix is not None else front.smtp.port
        login = f'host = "127.0.0.1"\ntls = "none"\nuser = "{ORDERS}"\npassword = "secret"\n'
        file = folder / "pbem.toml"
        file.touch(mode=0o600)
        file.write_text(
            f'[service]\naddress = "{ORDERS}"\nauthserv_id = "{HOST}"\nsweep_seconds = 0.3\n[gm]\naddresses = ["{GRETA}"]\n'
            f"[imap]\nport = {dovecot.imap_port}\n{login}[smtp]\nport = {port}\n{login}"
            f'[telegram]\ntoken = "{telegram.token}"\napi_url = "{telegram.api_url}"\npoll_seconds = 5\n',
            "utf-8",
        )
        yield town


# --------------------------------------------------------------------------------------- the script
@dataclass
class Table:
    """Three who play one table after the other, two by mail and one by chat, each as soon as they
    are asked; up to the `limit`.
    """

    town: Town
    cleo: User
    number: int = 0
    limit: tuple[int, int] | None = None
    """The table and the phase that are not played any more; None: they play on."""
    reached: int = 0
    """The newest phase of this table that anybody was asked about."""
    turning: asyncio.Lock = field(default_factory=asyncio.Lock)
    """Held while one table is ended and the next one opened."""

    async def link(self) -> None:
        """Cleo asks for the link to the bot by mail, and follows it."""
        asked = await self._asked("Cleo", 1)
        await self.town.write(
            address_of("Cleo"), str(asked.mail["Reply-To"]), "telegram", asked.mail
        )
        link = await self.town.letter(
            lambda letter: letter.reader == address_of("Cleo") and "?start=" in text_of(letter.mail)
        )
        await self.cleo.starts(code_in(text_of(link.mail)))
        await self.cleo.hears(1)

    async def open(self) -> None:
        """A new table in place of the last one, by commands beside the service."""
        self.number += 1
        self.reached = 0
        slug, by = f"heron{self.number}", gm.By("test")
        async with open_desk(self.town.config) as services:
            if self.number > 1:
                await gm.end(services, f"heron{self.number - 1}", by)
            await gm.open_table(
                services,
                gm.NewTable(slug, f"Heron {self.number}", PLAYED, {}, "UTC", seed=bytes([1] * 32)),
                by,
            )
            for name in PLAYERS:
                await gm.invite(services, slug, name, address_of(name, self.number), by)
            await gm.start(services, slug, by)

    async def play(self) -> None:
        """Until the limit; table after table."""
        while True:
            async with asyncio.TaskGroup() as group:
                over = group.create_task(self._end())
                playing = [group.create_task(self._play(name)) for name in PLAYERS]
                await over
                for task in playing:
                    task.cancel()
            async with self.turning:
                if self.limit is not None and (self.number, PHASES + 1) >= self.limit:
                    return
                await self.open()

    async def stop_soon(self) -> tuple[int, int]:
        """Nobody plays any more after the phase that is being played; the limit."""
        async with self.turning:
            self.limit = self.number, self.reached + 1
        async with self.town.news:
            self.town.news.notify_all()
        return self.limit

    async def _end(self) -> None:
        """Wait for the end of this table, or for its limit."""

        def is_over() -> bool:
            number, phase = self.town.rows("SELECT id, phase_number FROM games ORDER BY id")[-1]
            return phase > PHASES or (self.limit is not None and (number, phase) >= self.limit)

        async with self.town.news:
            await self.town.news.wait_for(is_over)

    async def _play(self, name: str) -> None:
        phase = 0
        while True:
            asked = await self._asked(name, phase + 1)
            phase = asked.phase
            self.reached = max(self.reached, phase)
            if phase > PHASES or (self.limit is not None and (self.number, phase) >= self.limit):
                return
            first, last = next(texts for word, texts in ANSWERS.items() if word in asked.subject)
            bid = 9 - PLAYERS.index(name)
            press = (f"to all: {name} has thought about phase {phase}",) if phase == 1 else ()
            if name in BY_CHAT:
                for words in (first, *press, last.format(bid=bid)):
                    await self.cleo.says(words)
            # mails of one second may change places in dovecot, so there is one that orders
            # something
            else:
                for words in (*press, last.format(bid=bid)):
                    await self.town.write(
                        address_of(name, self.number),
                        str(asked.mail["Reply-To"]),
                        words,
                        asked.mail,
                    )

    async def _asked(self, name: str, phase: int) -> Letter:
        """The letter that asks somebody about this phase, or the next one in which they are asked
        anything.
        """
        seat = len(PLAYERS) * (self.number - 1) + PLAYERS.index(name) + 1
        return await self.town.letter(lambda letter: letter.seat == seat and letter.phase >= phase)


# ------------------------------------------------------------------------------------- what is left
@dataclass
class Windows:
    """The letters in the only window in which one may go out twice: taken by the next server when
    the service was killed, and not known to be.
    """

    mails: Counter[str] = field(default_factory=Counter)
    chats: set[tuple[int, int]] = field(default_factory=set)
    """Messages of chats that were being sent, with how many messages of the bot had been shown by
    then.
    """
    _counted: Counter[str] = field(default_factory=Counter)

    def look(self, town: Town) -> None:
        """After a kill, before the next start."""
        taken = Counter(letter.message_id for letter in town.letters)
        for number, channel, name in town.rows(
            "SELECT id, channel, message_id FROM outbox WHERE state = 'sending'"
        ):
            if channel == "telegram":
                self.chats.add((number, len(town.shown(by_bot=True))))
            elif (
                taken[name] > self._counted[name]
            ):  # not that of an earlier kill, which nobody has tried again since
                self.mails[name] += 1
                self._counted[name] = taken[name]


async def at_rest(town: Town, lives: Lives) -> None:
    """Wait until all is handled and sent; the service ends by itself only if it fails."""
    waiting = "SELECT id, 'in' FROM inbox WHERE state = 'new' UNION SELECT id, 'out' FROM outbox WHERE state IN ('queued', 'sending')"
    async with asyncio.timeout(
        PATIENCE_SECONDS + 3 * len(town.rows(waiting))
    ):  # a chat takes one message a second
        while town.rows(waiting):
            assert await lives.live(0.5) is None


_RECORD = {
    "game": "SELECT status, phase_number, chance_place, attempts FROM games WHERE id = {game}",
    "phases": "SELECT number, kind, status FROM phases WHERE game_id = {game} ORDER BY number",
    "states": "SELECT phase_number, ordinal, body, chance_place FROM states WHERE game_id = {game}"
    " ORDER BY phase_number, ordinal",
    "events": "SELECT phase_number, ordinal, kind, body, audience FROM events"
    " WHERE game_id = {game} ORDER BY phase_number, ordinal",
    "orders": "SELECT phase_number, seats.number, version, canonical, final FROM orders"
    " JOIN seats ON seats.id = seat_id WHERE seats.game_id = {game}"
    " ORDER BY phase_number, seats.number, version",
    "press": "SELECT phase_number, kind, text FROM press WHERE game_id = {game} ORDER BY 1, 2, 3",
    "inbox": "SELECT channel, state, outcome, count(*) FROM inbox WHERE game_id = {game}"
    " GROUP BY 1, 2, 3 ORDER BY 1, 2, 3",
    "letters": "SELECT kind, state, count(*) FROM outbox WHERE game_id = {game}"
    " AND channel = 'mail' GROUP BY 1, 2 ORDER BY 1, 2",
}
BY_PHASE = ("phases", "states", "events", "orders", "press")
"""The parts whose rows begin with the number of their phase, in its order."""


def records_of(town: Town) -> list[dict[str, list[tuple[Any, ...]]]]:
    """All that each table leaves behind, without the numbers of rows, and instants."""
    games = [game for (game,) in town.rows("SELECT id FROM games ORDER BY id")]
    return [
        {part: town.rows(words.format(game=game)) for part, words in _RECORD.items()}
        for game in games
    ]


__all__ = [
    "GRETA",
    "ORDERS",
    "PLAYERS",
    "Letter",
    "Lives",
    "Table",
    "Town",
    "Windows",
    "address_of",
    "at_rest",
    "open_town",
    "records_of",
]
