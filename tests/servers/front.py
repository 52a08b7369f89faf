"""SMTP in front of dovecot, for whole games: takes mails, hands them on by LMTP or APPEND, reports
what dovecot does not want.
"""

import smtplib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime

from pbem.clock import Clock
from pbem.demo.front import FrontSettings, SmtpFront, UndeliverableError
from pbem.mail.smtp import SmtpSettings
from tests.servers.dovecot import Dovecot


class ServerTime:
    """The clock of the machine, by which dovecot stamps what comes by LMTP."""

    def now(self) -> datetime:
        return datetime.now(UTC)


class DovecotFront:
    """With a `clock` mails are appended with its time as INTERNALDATE; without, dovecot stamps them
    itself.
    """

    def __init__(self, dovecot: Dovecot, clock: Clock | None, host: str) -> None:
        self._dovecot = dovecot
        self._clock = clock
        self._mailboxes = {user: user for user in dovecot.users}
        self.smtp = SmtpFront(
            FrontSettings(
                host=host, mailboxes=self._mailboxes, passwords=dovecot.users, refuse_unknown=False
            ),
            clock or ServerTime(),
            self._deliver,
        )

    def add_account(self, address: str, password: str, aliases: tuple[str, ...] = ()) -> None:
        self._dovecot.add_user(address, password)
        for name in (address, *aliases):
            self._mailboxes[name] = address

    def settings(self, user: str | None = None) -> SmtpSettings:
        password = None if user is None else self._dovecot.users[user]
        return SmtpSettings(
            host="127.0.0.1",
            port=self.smtp.port,
            tls="none",
            user=user,
            password=password,
            local_hostname="localhost",
        )

    async def _deliver(self, mailbox: str, raw: bytes, received_at: datetime) -> None:
        if self._clock is not None:
            await self._dovecot.append(mailbox, raw, received_at)
            return
        try:
            await self._dovecot.deliver(mailbox, raw)
        except smtplib.SMTPRecipientsRefused as refusal:
            code, text = next(iter(refusal.recipients.values()))
            raise UndeliverableError(f"{code} {text.decode('utf-8', 'replace')}") from refusal


@asynccontextmanager
async def running_front(
    dovecot: Dovecot, clock: Clock | None = None, host: str = "mail.example"
) -> AsyncIterator[DovecotFront]:
    front = DovecotFront(dovecot, clock, host)
    await front.smtp.start()
    try:
        yield front
    finally:
        await front.smtp.stop()
        await dovecot.hang_up()
