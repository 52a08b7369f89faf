"""A mail provider within this process: SMTP and IMAP on loopback, mailboxes in memory, the injected
clock on every mail.
"""

import asyncio
from argparse import Namespace
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Self

from proxyprotocol.sock import SocketInfo
from pymap.backend.dict import Config, DictBackend, Identity, Login
from pymap.concurrent import Subsystem
from pymap.imap import IMAPServer
from pymap.parsing.message import AppendMessage
from pymap.user import UserMetadata
from pysasl.hashing import Cleartext

from pbem.clock import Clock
from pbem.demo.front import FrontSettings, SmtpFront
from pbem.mail.imap_commands import ImapSettings
from pbem.mail.smtp import SmtpSettings

Arrived = Callable[[str, bytes], None]


@dataclass(frozen=True, slots=True)
class Arrival:
    """A mail in a mailbox, as it was delivered."""

    raw: bytes
    received_at: datetime


class EmbeddedMail:
    """SMTP and IMAP for a demonstration or a test: `async with EmbeddedMail(clock) as mail: await
    mail.add_account(...)`.

    Everything is in memory and passwords are kept in the clear: this is for loopback and for
    nothing else.
    """

    def __init__(
        self, clock: Clock, *, host: str = "mail.example", on_arrival: Arrived | None = None
    ) -> None:
        """`host` is the name in `Received` and the authserv-id; `on_arrival(mailbox, raw)` is
        called after each delivery.
        """
        self.host = host
        self._clock = clock
        self._on_arrival = on_arrival
        self._mailboxes: dict[str, str] = {}
        self._passwords: dict[str, str] = {}
        self._arrivals: dict[str, list[Arrival]] = {}
        self._news = asyncio.Condition()
        self._dead: set[str] = set()
        self._renumberings = 0
        self.front = SmtpFront(
            FrontSettings(
                host=host, mailboxes=self._mailboxes, passwords=self._passwords, dead=self._dead
            ),
            clock,
            self._deliver,
        )
        self._config, self._backend = _imap_backend()
        self._imap: asyncio.Server | None = None
        self._imap_port = 0
        self._imap_writers: set[asyncio.StreamWriter] = set()
        self._imap_sessions: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> Self:
        self._config.apply_context()
        self._imap = await asyncio.start_server(self._serve_imap, "127.0.0.1", 0)
        self._imap_port = self._imap.sockets[0].getsockname()[1]
        await self.front.start()
        return self

    async def __aexit__(self, *raised: object) -> None:
        await self.front.stop()
        if self._imap is not None:
            self._imap.close()
            sessions = list(self._imap_sessions)
            self.drop_imap()
            await asyncio.gather(*sessions, return_exceptions=True)
            await self._imap.wait_closed()

    async def add_account(
        self, address: str, password: str, *, aliases: tuple[str, ...] = (), imap: bool = True
    ) -> None:
        """A mailbox with a login. Mail to an alias lands in it as well, and so does
        `local+anything@host`.

        Without `imap` the mailbox can only be read by `mails`, which spares the IMAP server the
        work of indexing what nobody asks for.
        """
        mailbox = address.lower()
        for name in (mailbox, *(alias.lower() for alias in aliases)):
            self._mailboxes[name] = mailbox
        self._passwords[mailbox] = password
        self._arrivals[mailbox] = []
        if imap:
            await self._identity(mailbox).set(
                UserMetadata(self._config, mailbox, password=password)
            )

    def kill_mailbox(self, address: str) -> None:
        """From now on the mailbox takes mails and reports them undeliverable to their envelope
        sender.
        """
        self._dead.add(self._mailboxes[address.lower()])

    def imap_settings(self, address: str) -> ImapSettings:
        """What the production client needs to read this mailbox."""
        return ImapSettings(
            host="127.0.0.1",
            port=self._imap_port,
            tls="none",
            user=address.lower(),
            password=self._passwords[address.lower()],
        )

    def smtp_settings(self, address: str | None = None) -> SmtpSettings:
        """What the production client needs to send: as this account, or without a login."""
        login = None if address is None else address.lower()
        return SmtpSettings(
            host="127.0.0.1",
            port=self.front.port,
            tls="none",
            user=login,
            password=None if login is None else self._passwords[login],
            local_hostname="localhost",
        )

    async def mails(self, address: str) -> list[bytes]:
        """All mails that ever came into this mailbox, oldest first."""
        return [arrival.raw for arrival in self._arrivals[self._mailboxes[address.lower()]]]

    async def wait_for_mails(self, address: str, count: int) -> list[bytes]:
        """The mails of this mailbox, as soon as there are at least this many."""
        arrivals = self._arrivals[self._mailboxes[address.lower()]]
        async with self._news:
            await self._news.wait_for(lambda: len(arrivals) >= count)
        return [arrival.raw for arrival in arrivals]

    def drop_imap(self) -> None:
        """Hang up on every IMAP client."""
        for writer in self._imap_writers:
            writer.transport.abort()

    async def renumber(self, address: str) -> None:
        """Give the mailbox a new UIDVALIDITY, new UIDs and no flags, as a server does after a
        restore. Hangs up on its readers.
        """
        mailbox = self._mailboxes[address.lower()]
        async with self._identity(mailbox).new_session() as session:
            self._renumberings += 1
            await session.mailbox_set.rename_mailbox("INBOX", f"before-{self._renumberings}")
        for arrival in self._arrivals[mailbox]:
            await self._index(mailbox, arrival)
        self.drop_imap()

    async def _deliver(self, mailbox: str, raw: bytes, received_at: datetime) -> None:
        arrival = Arrival(raw, received_at)
        if mailbox in self._backend.login.users_dict:
            await self._index(mailbox, arrival)
        async with self._news:
            self._arrivals[mailbox].append(arrival)
            self._news.notify_all()
        if self._on_arrival is not None:
            self._on_arrival(mailbox, raw)

    async def _index(self, mailbox: str, arrival: Arrival) -> None:
        async with self._identity(mailbox).new_session() as session:
            inbox = await session.mailbox_set.get_mailbox("INBOX")
            await inbox.append(AppendMessage(arrival.raw, arrival.received_at), recent=True)

    def _identity(self, mailbox: str) -> Identity:
        return Identity(mailbox, self._backend.login, None, frozenset())

    async def _serve_imap(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        session = asyncio.current_task()
        if session is not None:
            self._imap_sessions.add(session)
            session.add_done_callback(self._imap_sessions.discard)
        self._imap_writers.add(writer)
        try:
            await IMAPServer(self._backend.login, self._config)(
                reader, writer, SocketInfo.get(writer, None, unique_id=b"loopback")
            )
        finally:
            self._imap_writers.discard(writer)


def _imap_backend() -> tuple[Config, DictBackend]:
    """The in-memory backend without its hashing of passwords (0.1 s of CPU for each account and
    login) and without threads.
    """
    arguments = Namespace(
        debug=False, passlib_cfg=None, proxy_protocol=None, inherited_sockets=None
    )
    config = Config(
        arguments,
        demo_data=False,
        demo_user="",
        demo_password="",
        host="127.0.0.1",
        port=0,
        debug=False,
        tls_enabled=False,
        reject_insecure_auth=False,
        hash_context=Cleartext(),
        cpu_subsystem=Subsystem.for_asyncio(),
        invalid_user_sleep=0.0,
    )
    return config, DictBackend(Login(config), config)
