"""A house of several processes: one that serves, some that work, a PostgreSQL, a Redis, and a mail
provider for everybody.
"""

import asyncio
import json
import os
import signal
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from email.message import EmailMessage
from email.parser import BytesHeaderParser
from email.policy import SMTP, default
from pathlib import Path
from typing import Any

from pbem.config import load_config
from pbem.demo.servers import EmbeddedMail
from pbem.desk.ports import Services
from pbem.mail.ports import OutboundMail, Sent
from pbem.mail.smtp import SmtpOutbound
from pbem.opening import SystemClock, open_desk
from tests.desk.harness import parse

ROOT = Path(__file__).parents[2]
HOST = "mail.example"
NAMES = ("Anna", "Bartek", "Chloé")
ORDERS, GM = f"orders@{HOST}", f"gm@{HOST}"
PATIENCE_SECONDS = 60.0

Line = dict[str, Any]


def address_of(name: str) -> str:
    return f"{name.lower().replace('é', 'e')}@{HOST}"


@dataclass
class Hand:
    """A process of ours, and what it has logged."""

    process: asyncio.subprocess.Process
    lines: list[Line] = field(default_factory=list)
    other: list[str] = field(default_factory=list)

    async def ended(self) -> int:
        async with asyncio.timeout(PATIENCE_SECONDS):
            return await self.process.wait()

    def tell(self, number: signal.Signals) -> None:
        self.process.send_signal(number)


class Fleet:
    """All processes, and the people who write to them."""

    def __init__(
        self, folder: Path, mail: EmbeddedMail, database_url: str, broker_url: str
    ) -> None:
        self.config = folder / "pbem.toml"
        self.mail = mail
        self.hands: list[Hand] = []
        self._news = asyncio.Condition()
        self._readers: list[asyncio.Task[None]] = []
        self._written = 0
        self._arrived: dict[str, dict[str, bytes]] = {}
        self._seen: dict[str, int] = {}
        imap, smtp = mail.imap_settings(ORDERS), mail.smtp_settings(ORDERS)
        self.config.write_text(
            f'[service]\naddress = "{ORDERS}"\nauthserv_id = "{HOST}"\nsweep_seconds = 0.2\n'
            f'[gm]\naddresses = ["{GM}"]\n'
            f'[imap]\nhost = "127.0.0.1"\nport = {imap.port}\ntls = "none"\nuser = "{ORDERS}"\npassword = "secret"\n'
            f'[smtp]\nhost = "127.0.0.1"\nport = {smtp.port}\ntls = "none"\nuser = "{ORDERS}"\npassword = "secret"\n'
            f'[database]\nurl = "{database_url}"\n'
            f'[broker]\nurl = "{broker_url}"\n',
            encoding="utf-8",
        )

    async def begin(self, *words: str) -> Hand:
        """Start `pbem WORDS` on this house."""
        return await self._start(
            "-c", "import pbem.cli; pbem.cli.main()", *words, "--config", str(self.config)
        )

    async def begin_doomed(self, step: str) -> Hand:
        """Start a worker that is killed at a step."""
        return await self._start("-m", "tests.scale.doomed", str(self.config), step)

    async def _start(self, *words: str) -> Hand:
        environment = {
            name: value for name, value in os.environ.items() if not name.startswith("PBEM_")
        }
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            *words,
            cwd=ROOT,
            env=environment,
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.PIPE,
            limit=1 << 20,
        )
        hand = Hand(process)
        self.hands.append(hand)
        self._readers.append(asyncio.create_task(self._read(hand)))
        return hand

    async def _read(self, hand: Hand) -> None:
        assert hand.process.stderr is not None
        async for raw in hand.process.stderr:
            text = raw.decode().strip()
            try:
                line = json.loads(text)
            except ValueError:
                hand.other.append(text)
                continue
            async with self._news:
                hand.lines.append(line)
                self._news.notify_all()

    async def said(
        self, event: str, *, times: int = 1, by: Hand | None = None, **facts: object
    ) -> None:
        """Wait until somebody (or this one) has logged the event so often."""

        def is_so(line: Line) -> bool:
            return line["event"] == event and all(
                line.get(name) == value for name, value in facts.items()
            )

        hands = [by] if by is not None else self.hands
        await self._until(
            lambda: sum(is_so(line) for hand in hands for line in hand.lines) >= times,
            f"{event} {facts}",
        )

    def count(self, event: str) -> int:
        return sum(line["event"] == event for hand in self.hands for line in hand.lines)

    async def _until(
        self, holds: Callable[[], bool], what: str, seconds: float = PATIENCE_SECONDS
    ) -> None:
        try:
            async with asyncio.timeout(seconds), self._news:
                await self._news.wait_for(holds)
        except TimeoutError as error:
            told = "\n".join(
                f"{number}: {line}"
                for number, hand in enumerate(self.hands)
                for line in (*hand.lines[-15:], *hand.other[-15:])
            )
            raise AssertionError(f"waited in vain for {what}\n{told}") from error

    async def arrived(self, address: str, message_id: str) -> bytes:
        """The mail with this Message-ID, as soon as it is in the mailbox."""
        found = self._arrived.setdefault(address, {})
        try:
            async with asyncio.timeout(PATIENCE_SECONDS):
                while message_id not in found:
                    seen = self._seen.get(address, 0)
                    mails = await self.mail.wait_for_mails(address, seen + 1)
                    found.update((_message_id(raw), raw) for raw in mails[seen:])
                    self._seen[address] = len(mails)
        except TimeoutError:
            await self._until(lambda: False, f"{message_id} for {address}", 0)
        return found[message_id]

    async def all_arrived(self, services: Services) -> None:
        """Wait until every letter that was written is in its mailbox."""
        async with services.database.read() as work:
            letters = await letters_of(work)
        for address, message_id in letters:
            await self.arrived(address, message_id)

    async def question(self, services: Services, name: str) -> EmailMessage:
        """The newest turn mail to a player."""
        async with services.database.read() as work:
            rows = await letters_of(work, "turn")
        newest = [message_id for address, message_id in rows if address == address_of(name)][-1]
        return parse(await self.arrived(address_of(name), newest))

    async def post(self, name: str, text: str, question: EmailMessage) -> None:
        """A player answers a question."""
        self._written += 1
        address = address_of(name)
        mail = EmailMessage()
        mail["From"], mail["To"], mail["Message-ID"] = (
            address,
            str(question["Reply-To"]),
            f"<{self._written}.{address}>",
        )
        mail["In-Reply-To"] = str(question["Message-ID"])
        mail.set_content(text, cte="quoted-printable")
        async with SmtpOutbound(self.mail.smtp_settings(address)) as outbound:
            assert isinstance(
                await outbound.send(
                    OutboundMail(address, str(question["Reply-To"]), mail.as_bytes(policy=SMTP))
                ),
                Sent,
            )

    async def stop(self) -> None:
        """End whoever still runs, and hear them out."""
        for hand in self.hands:
            if hand.process.returncode is None:
                hand.tell(signal.SIGCONT)
                hand.tell(signal.SIGTERM)
        try:
            await asyncio.gather(*(hand.ended() for hand in self.hands))
        except TimeoutError:
            for hand in self.hands:
                if hand.process.returncode is None:
                    hand.process.kill()
            raise
        finally:
            await asyncio.gather(*self._readers)


def _message_id(raw: bytes) -> str:
    return str(BytesHeaderParser(policy=default).parsebytes(raw)["Message-ID"])


async def letters_of(work: Any, *kinds: str) -> list[tuple[str, str]]:
    """Address and Message-ID of the letters in the outbox, in the order they were written."""
    rows = [
        row
        for state in ("queued", "sending", "sent")
        for row in await work.outbox.list_by_state(state, 10_000)
    ]
    return [
        (row.address, row.message_id)
        for row in sorted(rows, key=lambda row: row.id)
        if not kinds or row.kind in kinds
    ]


@asynccontextmanager
async def open_fleet(
    folder: Path, database_url: str, broker_url: str
) -> AsyncIterator[tuple[Fleet, Services]]:
    """A fleet without hands yet, and a desk beside it as the operator's commands have it."""
    async with AsyncExitStack() as stack:
        mail = await stack.enter_async_context(EmbeddedMail(SystemClock(), host=HOST))
        for address in (ORDERS, GM, *map(address_of, NAMES)):
            await mail.add_account(address, "secret", imap=address == ORDERS)
        fleet = Fleet(folder, mail, database_url, broker_url)
        stack.push_async_callback(fleet.stop)
        services = await stack.enter_async_context(open_desk(load_config(fleet.config)))
        yield fleet, services
