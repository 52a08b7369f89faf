"""One IMAP connection: the few commands an inbox needs, each bounded in time and ended at once when
the connection is lost.
"""

import asyncio
import base64
import math
import re
import ssl
from collections.abc import Awaitable, Callable, Coroutine, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import format_datetime, parsedate_to_datetime
from typing import Any, Literal

import aioimaplib
import structlog
from aioimaplib.aioimaplib import AUTH, Command, quoted

from pbem.mail.oauth import AccessTokens, OAuthError
from pbem.mail.ports import ImapError

Tls = Literal["tls", "starttls", "none"]

_log = structlog.get_logger(__name__)
_INTERNALDATE = re.compile(
    rb'INTERNALDATE "([ \d]\d-[A-Za-z]{3}-\d{4} \d\d:\d\d:\d\d [+-]\d{4})"', re.IGNORECASE
)
_SIZE = re.compile(rb"RFC822\.SIZE (\d+)", re.IGNORECASE)
_UID = re.compile(rb"\bUID (\d+)", re.IGNORECASE)
_EMPTY_BODY = re.compile(rb'BODY\[[^\]]*\](?:<\d+>)? (?:""|NIL)', re.IGNORECASE)
_RESPONSE_CODE = re.compile(rb"\[(UIDVALIDITY|UIDNEXT) (\d+)\]", re.IGNORECASE)
# The folder's name goes to the server as it stands: other than ASCII has to be given in the
# server's own spelling (RFC 3501 5.1.3).
_FOLDER = re.compile(r"[ -~]+")
_COUNTED = re.compile(rb"^\* (\d+) (?:(EXISTS)|EXPUNGE)\r?$", re.MULTILINE | re.IGNORECASE)
_COUNT_LINE_OCTETS = 24
_CLOSE_SECONDS = 5.0
_MESSAGE = re.compile(rb"(?:\* )?\d+ FETCH \(", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class ImapSettings:
    """How to reach the mailbox. `done_mailbox` names a folder for the mails that are stored;
    without it they stay and are marked read.

    With `tokens` we log in by OAuth and not by the password; `trusted` are the certificates that
    TLS goes by, if not the system's. Folder names that are not ASCII are given as the server lists
    them (modified UTF-7).
    """

    host: str
    port: int
    tls: Tls
    user: str
    password: str = field(repr=False)
    tokens: AccessTokens | None = None
    trusted: ssl.SSLContext | None = field(default=None, repr=False)
    mailbox: str = "INBOX"
    done_mailbox: str | None = None
    poll_seconds: float = 60.0
    timeout_seconds: float = 30.0
    max_mail_octets: int = 10 * 1024 * 1024
    back_off_seconds: float = 1.0
    max_back_off_seconds: float = 60.0
    least_pause_seconds: float = 1.0
    """The pause before we look again, where the server announced mail and there was none."""

    def __post_init__(self) -> None:
        for folder in (self.mailbox, self.done_mailbox):
            if folder is not None and not _FOLDER.fullmatch(folder):
                raise ValueError(f"mailbox name is not printable ASCII: {folder!r}")
        for name, value in (("user", self.user), ("password", self.password)):
            if any(character in value for character in "\0\r\n"):
                raise ValueError(f"IMAP {name} has a line break or NUL")


@dataclass(frozen=True, slots=True)
class Selected:
    """What SELECT told: the validity of the UIDs, and the next one to be given (if the server says
    so).
    """

    uidvalidity: int
    uidnext: int | None


@dataclass(frozen=True, slots=True)
class MailHead:
    """What is known of a mail before it is fetched; `received_at` is its INTERNALDATE in UTC,
    `head` the beginning of its header.
    """

    uid: int
    size: int
    received_at: datetime
    head: bytes


class ImapConnection:
    """An open, logged-in connection. Every method raises `ImapError` when it does not get its
    answer; the connection is then useless.
    """

    def __init__(self, settings: ImapSettings) -> None:
        self._settings = settings
        self._lost = asyncio.Event()
        self._news = asyncio.Event()
        self._client: aioimaplib.IMAP4 | None = None

    async def open(self) -> Selected:
        """Connect, log in, select the mailbox."""
        settings = self._settings
        context = self._trusted() if settings.tls == "tls" else None
        self._client = client = aioimaplib.IMAP4(
            settings.host,
            settings.port,
            timeout=settings.timeout_seconds,
            conn_lost_cb=self._on_lost,
            ssl_context=context,
        )
        _overhear(client.protocol, self._news.set)
        await self._bounded(client.wait_hello_from_server())
        if settings.tls == "starttls":
            await self._start_tls(client)
        if client.get_state() != "AUTH":
            await self._log_in(client)
        if settings.done_mailbox is not None:
            if not client.has_capability("MOVE"):
                raise ImapError("the server cannot move mails (RFC 6851): unset done_mailbox")
            await self._bounded(
                client.create(quoted(settings.done_mailbox))
            )  # "already exists" is as good
        lines = await self._run("SELECT", client.select(quoted(settings.mailbox)))
        codes = {
            name.upper(): int(number) for name, number in _RESPONSE_CODE.findall(b"\n".join(lines))
        }
        if b"UIDVALIDITY" not in codes:
            raise ImapError("SELECT without UIDVALIDITY")
        return Selected(codes[b"UIDVALIDITY"], codes.get(b"UIDNEXT"))

    async def search(self, *criteria: str) -> list[int]:
        """The UIDs that match, in ascending order, of all that the server had when it was asked.

        Servers search what the session knows of, and look for what is new only afterwards; NOOP
        makes them look before (RFC 3501 6.1.2).
        """
        await self._run("NOOP", self._open_client.noop())
        self._news.clear()  # what NOOP told of is found by this search
        lines = await self._run("SEARCH", self._open_client.uid_search(*criteria, charset=None))
        # Only the untagged answer has nothing but numbers; the last line is the text of the tagged
        # one.
        words = [word for line in lines[:-1] for word in line.split()]
        return sorted({int(word) for word in words if word.isdigit()})

    async def fetch_heads(self, uids: Sequence[int], octets: int) -> list[MailHead]:
        """Of each mail that is not gone, by UID: size, INTERNALDATE, and the first `octets` of the
        header, if any are wanted.

        For a few dozen mails at once: the library takes the lines of an answer apart by recursion.
        """
        header = f" BODY.PEEK[HEADER]<0.{octets}>" if octets else ""
        lines = await self._fetch(",".join(map(str, uids)), f"RFC822.SIZE INTERNALDATE{header}")
        found: dict[int, MailHead] = {}
        for told, literal in _messages(lines[:-1]):
            named, size, date = _UID.search(told), _SIZE.search(told), _INTERNALDATE.search(told)
            if named and size and date and int(named[1]) in uids:
                found[int(named[1])] = MailHead(
                    int(named[1]), int(size[1]), _parse_internaldate(date[1]), literal
                )
        return [found[uid] for uid in sorted(found)]

    async def fetch(self, uid: int, section: str) -> bytes | None:
        """A section of a mail, `BODY.PEEK[...]`, without marking it read; None if the mail is
        gone.
        """
        lines = (await self._fetch(str(uid), section))[:-1]
        told = b" ".join(
            line for line in lines if isinstance(line, bytes)
        )  # the library hands lines over as bytes,
        literals = [
            line for line in lines if isinstance(line, bytearray)
        ]  # and literals as bytearrays
        if not any(int(number) == uid for number in _UID.findall(told)):
            return None
        if literals:
            return bytes(literals[0])
        return b"" if _EMPTY_BODY.search(told) else None

    async def mark_done(self, uid: int) -> None:
        """Say that the mail is stored: move it to `done_mailbox`, or mark it read."""
        if self._settings.done_mailbox is None:
            await self._run(
                "STORE", self._open_client.uid("store", str(uid), "+FLAGS.SILENT", r"(\Seen)")
            )
        else:
            await self._run(
                "MOVE", self._open_client.uid("move", str(uid), quoted(self._settings.done_mailbox))
            )

    async def wait(self, seconds: float, wake: asyncio.Event, least: float = 0.0) -> bool:
        """IDLE (RFC 2177) until the server has told of mail since the last `search`, `wake` is set,
        or the time is up; whether it told. For `least` seconds only `wake` counts.

        Servers tell of a new mail once, and they may do so in the answer to any command: what came
        with the last FETCH is not said again in IDLE. So it is the connection that is listened to,
        not IDLE's own answers.
        """
        client = self._open_client
        if wake.is_set() or (self._news.is_set() and not least):
            return self._news.is_set()
        if not client.has_capability("IDLE"):
            await self._listen(seconds, wake, least)
            return self._news.is_set()
        idle = await self._bounded(
            client.idle_start(timeout=seconds + self._settings.timeout_seconds)
        )
        await self._listen(seconds, wake, least)
        client.idle_done()
        await self._bounded(idle)
        while not client.protocol.idle_queue.empty():
            client.protocol.idle_queue.get_nowait()
        return self._news.is_set()

    async def _listen(self, seconds: float, wake: asyncio.Event, least: float) -> None:
        if least:
            await self._first_of(least, wake, self._lost)
        await self._first_of(seconds, self._news, wake, self._lost)
        self._fail_if_lost()

    async def close(self) -> None:
        """Hang up. The server needs no farewell, and a lost one would not answer it."""
        client, self._client = self._client, None
        if client is None:
            return
        transport = client.protocol.transport
        if transport is not None:
            if client.has_pending_idle():
                client.idle_done()  # stops the library's timer too
            transport.abort()
            await self._first_of(_CLOSE_SECONDS, self._lost)
        await asyncio.gather(*_give_up(client), return_exceptions=True)

    @property
    def _open_client(self) -> aioimaplib.IMAP4:
        if self._client is None:
            raise ImapError("not connected")
        return self._client

    def _on_lost(self, error: Exception | None) -> None:
        _log.debug("imap.connection_lost", reason=str(error))
        self._lost.set()

    def _fail_if_lost(self) -> None:
        if self._lost.is_set():
            raise ImapError("connection lost")

    def _trusted(self) -> ssl.SSLContext:
        return self._settings.trusted or ssl.create_default_context()

    async def _log_in(self, client: aioimaplib.IMAP4) -> None:
        settings = self._settings
        if settings.tokens is None:
            await self._run("LOGIN", client.login(quoted(settings.user), settings.password))
            return
        try:
            token = await settings.tokens.get()
        except OAuthError as error:
            raise ImapError(f"OAuth: {error}") from error
        try:
            await self._run("AUTHENTICATE", _authenticate(client, settings.user, token))
        except ImapError:
            settings.tokens.forget()
            raise
        await self._bounded(
            client.protocol.capability()
        )  # a server may offer more to whom it knows

    async def _start_tls(self, client: aioimaplib.IMAP4) -> None:
        if client.get_state() != "NONAUTH" or not client.has_capability("STARTTLS"):
            raise ImapError("the server offers no STARTTLS")
        protocol = client.protocol
        await self._run("STARTTLS", protocol.execute(Command("STARTTLS", protocol.new_tag())))
        if protocol.incomplete_line:
            raise ImapError("plain text after STARTTLS")
        loop = asyncio.get_running_loop()
        context = self._trusted()
        protocol.transport = await self._bounded(
            loop.start_tls(
                protocol.transport, protocol, context, server_hostname=self._settings.host
            )
        )
        await self._bounded(
            protocol.capability()
        )  # what was said in the clear does not count (RFC 9051 6.2.1)

    async def _fetch(self, uids: str, items: str) -> list[bytes | bytearray]:
        # Bounded by the library: this many seconds without a byte, for a big mail takes its time.
        return await self._run(
            "FETCH", self._open_client.uid("fetch", uids, f"(UID {items})"), seconds=None
        )

    async def _run(
        self, name: str, command: Coroutine[Any, Any, Any], seconds: float | None = math.inf
    ) -> list[bytes | bytearray]:
        response = await self._bounded(command, seconds)
        if response.result != "OK":
            told = bytes(response.lines[-1]).decode("ascii", "replace") if response.lines else ""
            raise ImapError(f"{name}: {response.result} {told}".rstrip())
        return list(response.lines)

    async def _bounded(self, work: Awaitable[Any], seconds: float | None = math.inf) -> Any:
        """What `work` returns, unless the connection is lost or the settings' time is up before
        (`None`: no limit of ours).
        """
        task = asyncio.ensure_future(work)
        try:
            await self._first_of(
                self._settings.timeout_seconds if seconds == math.inf else seconds,
                self._lost,
                task=task,
            )
            if not task.done():
                raise ImapError("connection lost" if self._lost.is_set() else "no answer in time")
            return task.result()
        except (aioimaplib.AioImapException, OSError) as error:
            raise ImapError(str(error) or type(error).__name__) from error
        finally:
            if not task.done():
                task.cancel()
                # One of its tasks may hold a lock that the cancelled one wants back before it ends.
                given_up = _give_up(self._client) if self._client is not None else []
                await asyncio.gather(task, *given_up, return_exceptions=True)

    @staticmethod
    async def _first_of(
        seconds: float | None, *events: asyncio.Event, task: "asyncio.Future[Any] | None" = None
    ) -> None:
        """Until the task is done, one of the events is set, or the time is up."""
        waiters = [asyncio.ensure_future(event.wait()) for event in events]
        try:
            await asyncio.wait(
                [*waiters, *([task] if task is not None else [])],
                timeout=seconds,
                return_when=asyncio.FIRST_COMPLETED,
            )
        finally:
            for waiter in waiters:
                waiter.cancel()
            await asyncio.gather(*waiters, return_exceptions=True)


class _Authenticate(Command):  # type: ignore[misc]  # the library is untyped
    """A server says why it refuses a token in a challenge, and continues when that is answered by
    an empty line.
    """

    def __init__(self, protocol: Any, first: str) -> None:
        super().__init__("AUTHENTICATE", protocol.new_tag(), "XOAUTH2", first)
        self._protocol = protocol

    def flush(self) -> None:
        self._protocol.send("")


async def _authenticate(client: aioimaplib.IMAP4, user: str, token: str) -> Any:
    protocol = client.protocol
    first = base64.b64encode(f"user={user}\1auth=Bearer {token}\1\1".encode()).decode("ascii")
    async with protocol.state_condition:
        response = await protocol.execute(_Authenticate(protocol, first), scrub=first)
        if response.result == "OK":
            protocol.state = AUTH
    return response


def _give_up(client: aioimaplib.IMAP4) -> list["asyncio.Task[Any]"]:
    """Cancel whatever the library does in the background: it waits for answers for ever, also when
    the connection is gone.
    """
    leftovers = [*client.tasks, *client.protocol.tasks]
    for task in leftovers:
        task.cancel()
    return leftovers


def _overhear(protocol: Any, on_news: Callable[[], None]) -> None:
    """Call `on_news` whenever the server tells another number of mails than before; the library
    drops what no command has asked for.

    After one was expunged any number is news. A text of this form within a mail calls it as well,
    which costs one search.
    """
    receive = protocol.data_received
    tail, known = b"", b""

    def data_received(data: bytes) -> None:
        nonlocal tail, known
        heard = tail + data
        for count, exists in _COUNTED.findall(heard):
            if exists and count != known:
                on_news()
            known = count if exists else b""
        tail = heard[-_COUNT_LINE_OCTETS:] if not heard.endswith(b"\n") else b""
        receive(data)

    protocol.data_received = data_received


def _messages(lines: Sequence[bytes | bytearray]) -> Iterator[tuple[bytes, bytes]]:
    """The parts of an answer to FETCH for each message: its lines, and its (first) literal."""
    told: list[bytes] = []
    literals: list[bytearray] = []
    for line in [*lines, b"* 0 FETCH ("]:
        if isinstance(
            line, bytearray
        ):  # the library hands lines over as bytes, and literals as bytearrays
            literals.append(line)
            continue
        if _MESSAGE.match(line):
            yield b" ".join(told), bytes(literals[0]) if literals else b""
            told, literals = [], []
        told.append(line)


def format_day(instant: datetime) -> str:
    """The day of an instant in UTC, as SEARCH wants it (RFC 3501 6.4.4): `1-Feb-2026`, whatever the
    language here.
    """
    _, day, month, year, *_ = format_datetime(instant.astimezone(UTC)).split()
    return f"{int(day)}-{month}-{year}"


def _parse_internaldate(told: bytes) -> datetime:
    try:
        moment = parsedate_to_datetime(told.decode("ascii"))
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, OverflowError) as error:
        raise ImapError("INTERNALDATE that is no date") from error
