"""Mails out: a few SMTP connections side by side, kept for a burst, and an answer to each mail that
the outbox can act upon.
"""

import asyncio
import re
import ssl
from dataclasses import dataclass, field
from typing import Literal, Self

import aiosmtplib
import structlog
from aiosmtplib import SMTPResponse, SMTPStatus

from pbem.mail.dialogue import Dialogue, path, stuffed
from pbem.mail.oauth import AccessTokens, OAuthError
from pbem.mail.ports import Deferred, Delivery, OutboundMail, Refused, Sent

Tls = Literal["tls", "starttls", "none"]

_log = structlog.get_logger(__name__)
_SIZE_EXCEEDED = (
    552  # RFC 1870 6.1: the one permanent answer to MAIL FROM that is about the message
)
_CLOSING = 421
_ADDRESS_STATUS = re.compile(
    r"5\.[12]\.\d"
)  # RFC 3463 3.2, 3.3: some servers know the recipient only after the text
_POLICY_STATUS = re.compile(
    r"5\.[3567]\.\d"
)  # RFC 3463 3.4 to 3.8: the system, the protocol, the content, the policy
# What is wrong is our dialogue or our login (RFC 5321 4.2.2, RFC 4954 6), and no fault of this mail
# or its reader.
_OUR_FAULT = frozenset({500, 501, 502, 503, 504, 530, 534, 535, 538})
_DONE = (SMTPStatus.completed, SMTPStatus.will_forward)
_QUIT_TIMEOUT_SECONDS = 1.0
_OVER = "the service stopped"


@dataclass(frozen=True, slots=True, kw_only=True)
class SmtpSettings:
    """How to reach the server that sends our mails; `tls` is from the first byte ("tls", port 465),
    after STARTTLS, or not at all.

    With `tokens` we log in by OAuth; `trusted` are the certificates that TLS goes by, if not the
    system's.
    """

    host: str
    port: int
    tls: Tls
    user: str | None = None
    password: str | None = field(default=None, repr=False)
    tokens: AccessTokens | None = None
    trusted: ssl.SSLContext | None = field(default=None, repr=False)
    local_hostname: str | None = None
    timeout_seconds: float = 60.0
    """For each step: connecting, the greeting, EHLO, TLS, logging in, MAIL, RCPT, DATA, the end of
    the text, RSET.
    """
    mail_seconds: float = 240.0
    """For all steps of one mail, also where a server answers each just in time: less than the
    outbox lends a letter out for.
    """
    keep_open_seconds: float = 15.0
    mails_per_connection: int = 50
    connections: int = 6


class SmtpOutbound:
    """Sends mails, this many at a time, each over a connection that is kept open between them for a
    while.

    `send` never raises for anything the server or the network does; it says `Sent`, `Deferred` or
    `Refused`. A mail for which the connection broke after its text was under way is `Deferred`: it
    may have arrived, and the retry carries the same Message-ID. A mail on which the server hangs
    holds up its own connection and no other.
    """

    def __init__(self, settings: SmtpSettings) -> None:
        self._settings = settings
        self._room = asyncio.Semaphore(settings.connections)
        self._lines: list[_Line] = []
        self._idle: list[_Line] = []
        self._ending: asyncio.TimerHandle | None = None
        self._is_over = False

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *raised: object) -> None:
        await self.close()

    async def send(self, mail: OutboundMail) -> Delivery:
        """Deliver one mail to its one recipient."""
        async with self._room:
            if self._is_over:
                return Deferred(None, _OVER)
            line = self._idle.pop() if self._idle else self._new_line()
            try:
                return await line.send(mail)
            finally:
                self._idle.append(line)

    def hurry(self, seconds: float) -> None:
        """The service stops: a mail still under way after this time is `Deferred`, and no other
        goes out then.
        """
        loop = asyncio.get_running_loop()
        self._ending = loop.call_later(seconds, self._end)

    def _end(self) -> None:
        self._is_over = True
        for line in self._lines:
            line.end()

    async def close(self) -> None:
        """Say QUIT if a server is there."""
        if self._ending is not None:
            self._ending.cancel()
        await asyncio.gather(*(line.close() for line in self._lines))

    def _new_line(self) -> "_Line":
        line = _Line(self._settings)
        self._lines.append(line)
        return line


class _Line:
    """One connection, made when it is needed, for one mail after the other."""

    def __init__(self, settings: SmtpSettings) -> None:
        self._settings = settings
        self._lock = asyncio.Lock()
        self._client: aiosmtplib.SMTP | None = None
        self._dialogue: Dialogue | None = None
        self._extensions: frozenset[str] = frozenset()
        self._sent_on_connection = 0
        self._is_clean = True
        """The last mail on the connection went through: there is no transaction to be reset."""
        self._ends_at = 0.0
        """When the mail in hand must be through."""
        self._connecting: asyncio.Timeout | None = None
        self._is_over = False
        self._used_at = 0.0
        self._closing: asyncio.TimerHandle | None = None
        self._closing_task: asyncio.Task[None] | None = (
            None  # held, or it might be collected before it has run
        )

    async def send(self, mail: OutboundMail) -> Delivery:
        """Deliver one mail that is safe for the wire."""
        async with self._lock:
            try:
                self._ends_at = asyncio.get_running_loop().time() + self._settings.mail_seconds
                return await self._send(mail)
            except aiosmtplib.SMTPAuthenticationError as refusal:
                if self._settings.tokens is not None:
                    self._settings.tokens.forget()
                self._drop()
                return Deferred(refusal.code, refusal.message)
            except (
                aiosmtplib.SMTPResponseException
            ) as refusal:  # greeting, EHLO, STARTTLS or AUTH: our trouble, not the reader's
                self._drop()
                return Deferred(refusal.code, refusal.message)
            except OAuthError as error:
                self._drop()
                return Deferred(None, f"OAuth: {error}")
            except (
                aiosmtplib.SMTPException,
                OSError,
            ) as error:  # TimeoutError, ConnectionError and ssl.SSLError are OSErrors
                self._drop()
                return Deferred(
                    None,
                    str(error) or type(error).__name__,
                    hung=isinstance(error, TimeoutError | aiosmtplib.SMTPTimeoutError),
                )
            except asyncio.CancelledError:
                # in the middle of a dialogue; the next caller must not read its answers
                self._drop()
                raise
            finally:
                self._close_later()

    def end(self) -> None:
        """Leave the mail that is under way."""
        self._is_over = True
        if self._connecting is not None:
            self._connecting.reschedule(asyncio.get_running_loop().time())
        elif self._dialogue is not None and self._lock.locked():
            self._dialogue.abort()

    async def close(self) -> None:
        """Say QUIT, if there is somebody to say it to."""
        async with self._lock:
            self._cancel_closing()
            await self._quit()

    async def _send(self, mail: OutboundMail) -> Delivery:
        stage, answer = await self._announce(mail)
        if stage == "text":
            assert self._dialogue is not None  # noqa: S101 - it was announced on it
            self._dialogue.say(stuffed(mail.raw))
            answer = await self._reply(self._dialogue)
            if answer.code == SMTPStatus.completed:
                self._is_clean = True
                return Sent(answer.message)
        if stage == "MAIL":
            if answer.code == _SIZE_EXCEEDED:
                return Refused(answer.code, answer.message, "message")
            # that we may not send under our own name is no fault of the reader's
            return self._deferred(answer)
        if not _is_permanent(answer.code):
            return self._deferred(answer)
        if stage == "RCPT":
            is_policy = _POLICY_STATUS.match(answer.message)
            return Refused(answer.code, answer.message, "message" if is_policy else "recipient")
        is_address = _ADDRESS_STATUS.match(answer.message)
        return Refused(answer.code, answer.message, "recipient" if is_address else "message")

    def _deferred(self, answer: SMTPResponse) -> Deferred:
        if answer.code == _CLOSING:
            self._drop()
        return Deferred(answer.code, answer.message)

    async def _announce(self, mail: OutboundMail) -> tuple[str, SMTPResponse]:
        """All that comes before the text, on the connection there is or a new one: at which stage
        we are, and what the server said last.
        """
        dialogue = await self._kept_connection()
        if dialogue is not None:
            try:
                stage, answer = await self._say_envelope(dialogue, mail)
            except aiosmtplib.SMTPServerDisconnected as error:
                # servers close idle connections; no part of the mail's text was under way
                _log.debug("smtp.reconnecting", reason=type(error).__name__)
            else:
                if stage != "MAIL" or answer.code != _CLOSING:
                    return stage, answer
            self._drop()
        if self._is_over:
            raise aiosmtplib.SMTPServerDisconnected(_OVER)
        try:
            async with asyncio.timeout_at(self._ends_at) as self._connecting:
                dialogue = await self._connect()
        finally:
            self._connecting = None
        return await self._say_envelope(dialogue, mail)

    async def _say_envelope(
        self, dialogue: Dialogue, mail: OutboundMail
    ) -> tuple[str, SMTPResponse]:
        self._sent_on_connection += 1
        self._is_clean = False
        size = b" SIZE=%d" % len(mail.raw) if "size" in self._extensions else b""
        stages = (
            ("MAIL", b"MAIL FROM:" + path(mail.envelope_from) + size + b"\r\n", _DONE[:1]),
            ("RCPT", b"RCPT TO:" + path(mail.recipient) + b"\r\n", _DONE),
            ("DATA", b"DATA\r\n", (SMTPStatus.start_input,)),
        )
        at_once = "pipelining" in self._extensions
        if at_once:
            dialogue.say(b"".join([command for _, command, _ in stages]))
        for stage, command, wanted in stages:
            if not at_once:
                dialogue.say(command)
            answer = await self._reply(dialogue)
            if answer.code not in wanted:
                if at_once and stage != "DATA":
                    await self._read_rest(dialogue, stage)
                return stage, answer
        return "text", answer

    async def _read_rest(self, dialogue: Dialogue, refused: str) -> None:
        """The server's replies to the commands behind a refused one. It may now wait for a text
        (RFC 2920 3.1) and must not get one; the next mail finds out that it has gone.
        """
        try:
            for _ in ("RCPT", "DATA") if refused == "MAIL" else ("DATA",):
                last = await self._reply(dialogue)
        except aiosmtplib.SMTPException as error:
            _log.debug("smtp.reconnecting", reason=type(error).__name__)
            self._drop()
            return
        if last.code == SMTPStatus.start_input:
            self._drop()

    async def _reply(self, dialogue: Dialogue) -> SMTPResponse:
        """One step."""
        now = asyncio.get_running_loop().time()
        return await dialogue.reply(min(now + self._settings.timeout_seconds, self._ends_at))

    async def _kept_connection(self) -> Dialogue | None:
        """The connection over which the last mail went, made ready for another one."""
        dialogue = self._dialogue
        if dialogue is None:
            return None
        if self._sent_on_connection >= self._settings.mails_per_connection:
            await self._quit()
        elif not dialogue.is_quiet:
            self._drop()
        elif not self._is_clean:
            dialogue.say(b"RSET\r\n")
            try:
                is_clean = (await self._reply(dialogue)).code == SMTPStatus.completed
            except aiosmtplib.SMTPException as error:
                _log.debug("smtp.reconnecting", reason=type(error).__name__)
                is_clean = False
            if not is_clean:
                self._drop()
        return self._dialogue

    async def _connect(self) -> Dialogue:
        client = new_client(self._settings, self._settings.timeout_seconds)
        self._client, self._sent_on_connection = client, 0
        await client.connect()
        if client.is_ehlo_or_helo_needed:
            try:
                await client.ehlo()
            except aiosmtplib.SMTPHeloError:
                if not client.is_connected:
                    raise
                await client.helo()
        self._extensions = frozenset(client.esmtp_extensions)
        self._dialogue = Dialogue.take_over(client)
        return self._dialogue

    async def _quit(self) -> None:
        if self._dialogue is not None and self._dialogue.is_quiet:
            self._dialogue.say(b"QUIT\r\n")
            try:
                now = asyncio.get_running_loop().time()
                await self._dialogue.reply(now + _QUIT_TIMEOUT_SECONDS)
            except (aiosmtplib.SMTPException, OSError) as error:
                _log.debug("smtp.quit_failed", reason=type(error).__name__)
        self._drop()

    def _drop(self) -> None:
        if self._dialogue is not None:
            self._dialogue.close()
        if self._client is not None:
            self._client.close()
        self._client = self._dialogue = None

    def _close_later(self) -> None:
        if self._client is not None:
            self._used_at = asyncio.get_running_loop().time()
            self._look_at_use()

    def _look_at_use(self) -> None:
        """One timer serves many mails: when it runs out, it looks for how long none was sent."""
        if self._closing is None:
            closes_at = self._used_at + self._settings.keep_open_seconds
            self._closing = asyncio.get_running_loop().call_at(closes_at, self._run_out)

    def _run_out(self) -> None:
        self._closing = None
        if self._lock.locked():  # the mail in hand sets it again
            return
        loop = asyncio.get_running_loop()
        if loop.time() < self._used_at + self._settings.keep_open_seconds:
            self._look_at_use()
        else:
            self._closing_task = loop.create_task(self.close())

    def _cancel_closing(self) -> None:
        if self._closing is not None:
            self._closing.cancel()
            self._closing = None


def new_client(settings: SmtpSettings, timeout_seconds: float) -> aiosmtplib.SMTP:
    """A connection to be made by `connect`, logged in and all."""
    return aiosmtplib.SMTP(
        hostname=settings.host,
        port=settings.port,
        use_tls=settings.tls == "tls",
        start_tls=settings.tls == "starttls",
        tls_context=settings.trusted,
        username=settings.user,
        password=settings.password,
        oauth_token_generator=settings.tokens.get if settings.tokens is not None else None,
        local_hostname=settings.local_hostname,
        timeout=timeout_seconds,
    )


def _is_permanent(code: int) -> bool:
    return 500 <= code < 600 and code not in _OUR_FAULT
