"""An SMTP server on loopback that does what a provider's does: refuse, stamp, deliver, and report
what could not be delivered.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.message import Message
from email.parser import BytesHeaderParser
from email.policy import compat32
from email.utils import format_datetime, getaddresses
from typing import Literal

from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword, Session

from pbem.clock import Clock
from pbem.demo.reports import FailedDelivery, format_report

Stage = Literal["MAIL", "RCPT", "DATA"]
_MAX_FROM_CHARACTERS = 320
_MAX_MAIL_OCTETS = 40 * 1024 * 1024


class UndeliverableError(Exception):
    """Raised by `Deliver`: the mailbox will not take the mail. The text is an SMTP reply, such as
    `550 5.1.1 no such mailbox`.
    """


Deliver = Callable[[str, bytes, datetime], Awaitable[None]]
"""Puts the bytes into a mailbox with the moment as its INTERNALDATE."""


@dataclass(slots=True)
class ScriptedAnswer:
    """An answer to give instead of the usual one; None hangs up without a word. `recipient` limits
    it to one address.
    """

    stage: Stage
    answer: str | None
    recipient: str | None = None
    times: int = 1


@dataclass(slots=True, kw_only=True)
class FrontSettings:
    """`mailboxes` maps every local address to its mailbox, `passwords` the logins to their
    passwords; both may grow while it runs.

    A `dead` mailbox takes mails and then reports them undeliverable. Unknown recipients are refused
    at RCPT, or accepted and reported (`refuse_unknown = False`), as a relay does.
    """

    host: str
    mailboxes: Mapping[str, str]
    passwords: Mapping[str, str]
    dead: set[str] = field(default_factory=set)
    refuse_unknown: bool = True


class SmtpFront:
    """Loopback SMTP: AUTH, subaddressing (`orders+TOKEN@host` is `orders@host`), stamps, delivery
    reports, scripted answers.

    A sender who has logged in under an address passes DMARC for it; any other use of a local
    address fails.
    """

    def __init__(self, settings: FrontSettings, clock: Clock, deliver: Deliver) -> None:
        self._settings = settings
        self._clock = clock
        self._deliver = deliver
        self._script: list[ScriptedAnswer] = []
        self._server: asyncio.Server | None = None
        self._connections: set[SMTP] = set()
        self._serial = 0
        self.port = 0
        self.connections_made = 0

    async def start(self, port: int = 0) -> None:
        """Listen on 127.0.0.1; port 0 takes a free one (`self.port`)."""
        logging.getLogger("mail.log").setLevel(
            logging.ERROR
        )  # aiosmtpd warns of its own deprecated attribute at every login
        self._server = await asyncio.get_running_loop().create_server(
            self._connection, "127.0.0.1", port
        )
        self.port = self._server.sockets[0].getsockname()[1]

    async def stop(self) -> None:
        """Stop listening and hang up on everybody."""
        if self._server is not None:
            self._server.close()
            self.drop_connections()
            await self._server.wait_closed()
            self._server = None

    def drop_connections(self) -> None:
        """Hang up on everybody, in the middle of a word if need be."""
        for connection in self._connections:
            _hang_up(connection)
        self._connections.clear()

    def answer(
        self, stage: Stage, answer: str | None, *, recipient: str | None = None, times: int = 1
    ) -> None:
        """Script an answer, such as `451 4.3.0 try later`; None hangs up."""
        self._script.append(ScriptedAnswer(stage, answer, recipient, times))

    def mailbox_of(self, address: str) -> str | None:
        """The local mailbox of an address, with or without a `+detail`."""
        local, _, host = address.lower().rpartition("@")
        return self._settings.mailboxes.get(f"{local}@{host}") or self._settings.mailboxes.get(
            f"{local.partition('+')[0]}@{host}"
        )

    def _connection(self) -> SMTP:
        connection = SMTP(
            self,
            hostname=self._settings.host,
            ident="pbem demo",
            enable_SMTPUTF8=True,
            data_size_limit=_MAX_MAIL_OCTETS,
            authenticator=self._authenticate,
            auth_require_tls=False,
            loop=asyncio.get_running_loop(),
        )
        self._connections.add(connection)
        self.connections_made += 1
        return connection

    def _authenticate(
        self, server: SMTP, session: Session, envelope: Envelope, mechanism: str, data: object
    ) -> AuthResult:
        if isinstance(data, LoginPassword):
            login = data.login.decode("utf-8", "replace").lower()
            if self._settings.passwords.get(login) == data.password.decode("utf-8", "replace"):
                return AuthResult(success=True, auth_data=login)
        return AuthResult(success=False, handled=False)

    def _scripted(self, server: SMTP, stage: Stage, recipient: str) -> str | None:
        for scripted in self._script:
            if scripted.stage == stage and scripted.recipient in (None, recipient):
                scripted.times -= 1
                if scripted.times <= 0:
                    self._script.remove(scripted)
                if scripted.answer is None:
                    _hang_up(server)
                    return "421 4.3.2 closing"
                return scripted.answer
        return None

    async def handle_MAIL(  # noqa: N802 - aiosmtpd finds its handlers by this name
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        if scripted := self._scripted(server, "MAIL", address):
            return scripted
        envelope.mail_from = address
        envelope.mail_options.extend(options)
        return "250 2.1.0 OK"

    async def handle_RCPT(  # noqa: N802 - as above
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        if scripted := self._scripted(server, "RCPT", address):
            return scripted
        if self._settings.refuse_unknown and self.mailbox_of(address) is None:
            return f"550 5.1.1 <{address}>: no such mailbox"
        envelope.rcpt_tos.append(address)
        envelope.rcpt_options.extend(options)
        return "250 2.1.5 OK"

    async def handle_DATA(  # noqa: N802 - as above
        self, server: SMTP, session: Session, envelope: Envelope
    ) -> str:
        if scripted := self._scripted(server, "DATA", envelope.rcpt_tos[0]):
            return scripted
        raw = envelope.original_content or b""
        verdict = self._verdict(raw, login=getattr(session, "auth_data", None))
        sender = (
            "" if envelope.mail_from in (None, "<>") else str(envelope.mail_from)
        )  # the null sender, as aiosmtpd spells it
        for recipient in envelope.rcpt_tos:
            await self._deliver_to(recipient, sender, raw, verdict)
        return f"250 2.0.0 taken as {self._serial}"

    async def _deliver_to(self, recipient: str, sender: str, raw: bytes, verdict: str) -> None:
        now = self._clock.now()
        self._serial += 1
        refusal = await self._put(
            recipient, self._stamped(recipient, sender, raw, verdict, now), now
        )
        home = self.mailbox_of(sender)
        if refusal is None or home is None or home in self._settings.dead:
            return  # delivered; or nobody to tell, or nobody who can be told (RFC 5321 6.1)
        report = format_report(
            FailedDelivery(
                reporting_host=self._settings.host,
                sender=sender,
                recipient=recipient,
                reply=refusal,
                at=now,
                serial=self._serial,
                raw=raw,
            )
        )
        await self._put(
            sender, self._stamped(sender, "", report, "dmarc=none", now), now
        )  # a report about a report is never sent

    async def _put(self, recipient: str, raw: bytes, now: datetime) -> str | None:
        """Deliver, or say why not."""
        mailbox = self.mailbox_of(recipient)
        if mailbox is None:
            return f"550 5.1.1 <{recipient}>: no such mailbox"
        if mailbox in self._settings.dead:
            return f"550 5.1.6 <{recipient}>: mailbox has moved, no address left"
        try:
            await self._deliver(mailbox, raw, now)
        except UndeliverableError as refusal:
            return str(refusal)
        return None

    def _stamped(
        self, recipient: str, sender: str, raw: bytes, verdict: str, now: datetime
    ) -> bytes:
        host = self._settings.host
        stamps = (
            f"Return-Path: <{sender}>",
            f"Delivered-To: {recipient}",
            f"X-Original-To: {recipient}",
            f"Authentication-Results: {host}; {verdict}",
            (
                f"Received: by {host} with ESMTP id {self._serial};"
                f" {format_datetime(now.astimezone(UTC))}"
            ),
        )
        return "".join(f"{stamp}\r\n" for stamp in stamps).encode("utf-8", "replace") + raw

    def _verdict(self, raw: bytes, *, login: str | None) -> str:
        header: Message = BytesHeaderParser(policy=compat32).parsebytes(
            raw.partition(b"\r\n\r\n")[0]
        )
        fields = [str(value) for value in header.get_all("From", [])]
        authors = getaddresses(fields) if sum(map(len, fields)) <= _MAX_FROM_CHARACTERS else []
        address = authors[0][1].lower() if len(fields) == len(authors) == 1 else ""
        domain = address.rpartition("@")[2]
        if not domain.replace(".", "").replace("-", "").isalnum() or not domain.isascii():
            return "dmarc=permerror"
        if login is not None:
            return f"dmarc={'pass' if address == login else 'fail'} header.from={domain}"
        return f"dmarc={'fail' if self.mailbox_of(address) else 'none'} header.from={domain}"


def _hang_up(connection: SMTP) -> None:
    if isinstance(connection.transport, asyncio.WriteTransport):
        connection.transport.abort()
