"""The real service in one process, over real SMTP and IMAP on loopback, through the trouble that
servers make.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from email.message import EmailMessage
from email.policy import SMTP
from pathlib import Path

import pytest
import structlog

from pbem.config import Config, DatabaseSection, GmSection, ImapSection, ServiceSection, SmtpSection
from pbem.demo.clock import FastClock
from pbem.demo.servers import EmbeddedMail
from pbem.desk import gm
from pbem.house import Service, open_service
from pbem.mail.ports import OutboundMail, Sent
from pbem.mail.smtp import SmtpOutbound
from pbem.store.claims import ClaimLost
from pbem.store.database import open_database
from pbem.store.repositories.marks import MARK_SPACING, SERVED
from pbem.store.repositories.post.inbox import NewMessage
from tests.desk.harness import parse, text_of
from tests.played import PLAYED
from workers.inprocess import InProcessWorkers
from workers.jobs import QUEUES

HOST = "mail.example"
ORDERS, GM, ANNA, BEN = (f"{name}@{HOST}" for name in ("orders", "gm", "anna", "ben"))

structlog.configure(logger_factory=structlog.ReturnLoggerFactory())


def config_of(folder: Path) -> Config:
    return Config.model_construct(
        service=ServiceSection(data_dir=folder / "data", address=ORDERS, authserv_id=HOST),
        imap=ImapSection(),
        smtp=SmtpSection(),
        gm=GmSection(addresses=(GM,)),
        database=DatabaseSection(),
    )


@dataclass
class House:
    """A running service, the provider it lives at, and two players."""

    service: Service
    mail: EmbeddedMail
    clock: FastClock

    async def open_game(self) -> None:
        services = self.service.services
        await gm.open_table(
            services,
            gm.NewTable("heron", "Heron", PLAYED, {}, "UTC", seed=bytes(32)),
            gm.By("test"),
        )
        await gm.invite(services, "heron", "Anna", ANNA, gm.By("test"))
        await gm.invite(services, "heron", "Ben", BEN, gm.By("test"))
        await gm.start(services, "heron", gm.By("test"))
        await self.service.settle()

    async def last(self, address: str) -> EmailMessage:
        return parse((await self.mail.mails(address))[-1])

    async def post(self, address: str, text: str) -> None:
        """The player answers the newest mail by SMTP, under their own login."""
        base = await self.last(address)
        mail = EmailMessage()
        mail["From"], mail["To"], mail["Message-ID"] = (
            address,
            str(base["Reply-To"]),
            f"<{len(text)}.{address}>",
        )
        mail["In-Reply-To"] = str(base["Message-ID"])
        mail.set_content(text)
        async with SmtpOutbound(self.mail.smtp_settings(address)) as outbound:
            sent = await outbound.send(
                OutboundMail(address, str(base["Reply-To"]), mail.as_bytes(policy=SMTP))
            )
        assert isinstance(sent, Sent), sent

    async def handled(self, count: int) -> None:
        """Wait until IDLE has brought so many messages and all of them were worked on."""
        async with asyncio.timeout(30):
            while True:
                await self.service.inbox.drain()
                await self.service.settle()
                async with self.service.services.database.read() as work:
                    states = await work.inbox.count_by_state()
                states.pop("new", None)  # IDLE may have brought it after the work was settled
                if sum(states.values()) >= count:
                    return

    async def outbox(self) -> dict[str, int]:
        async with self.service.services.database.read() as work:
            return await work.outbox.count_by_state()


@asynccontextmanager
async def house(folder: Path) -> AsyncIterator[House]:
    clock = FastClock()
    async with EmbeddedMail(clock, host=HOST) as mail:
        for address in (ORDERS, GM, ANNA, BEN):
            await mail.add_account(address, f"pass-{address}", imap=address == ORDERS)
        async with open_service(
            config_of(folder),
            clock,
            imap=mail.imap_settings(ORDERS),
            smtp=mail.smtp_settings(ORDERS),
        ) as service:
            yield House(service, mail, clock)


async def test_a_mail_comes_in_by_idle_and_its_receipt_goes_out(tmp_path: Path) -> None:
    async with house(tmp_path) as there:
        await there.open_game()
        count = len(await there.mail.mails(ANNA))
        await there.post(ANNA, "bid 12")
        async with asyncio.timeout(30):
            mails = await there.mail.wait_for_mails(ANNA, count + 1)
        assert "Bid 12" in text_of(parse(mails[-1]))


@pytest.mark.long(held_by="tests/mail/io/test_imap_trouble.py (a connection that is cut)")
async def test_a_cut_connection_to_the_mailbox_loses_nothing(tmp_path: Path) -> None:
    async with house(tmp_path) as there:
        await there.open_game()
        there.mail.drop_imap()
        await there.post(ANNA, "bid 12")
        there.mail.drop_imap()
        await there.handled(1)
        assert "Bid 12" in text_of(await there.last(ANNA))


@pytest.mark.long(
    held_by="tests/trouble/test_smtp_trouble.py (whatever may be mended is tried again)"
)
async def test_a_server_that_says_later_gets_the_same_letter_later_under_the_same_id(
    tmp_path: Path,
) -> None:
    async with house(tmp_path) as there:
        await there.open_game()
        there.mail.front.answer("RCPT", "451 4.3.0 try later", recipient=ANNA)
        count = len(await there.mail.mails(ANNA))
        await there.post(ANNA, "bid 12")
        await there.handled(1)
        async with there.service.services.database.read() as work:
            (waiting,) = await work.outbox.list_by_state("queued")
        assert (waiting.attempts, waiting.kind) == (1, "receipt")
        assert len(await there.mail.mails(ANNA)) == count
        there.clock.advance_to(waiting.next_try_at)
        await there.service.settle()
        assert len(await there.mail.mails(ANNA)) == count + 1
        assert str((await there.last(ANNA))["Message-ID"]) == waiting.message_id


@pytest.mark.long(held_by="tests/trouble/test_smtp_trouble.py (a no to the recipient)")
async def test_a_refused_recipient_is_suspended_and_the_gm_told_and_a_mail_from_there_mends_it(
    tmp_path: Path,
) -> None:
    async with house(tmp_path) as there:
        await there.open_game()
        there.mail.front.answer("RCPT", "550 5.1.1 no such user", recipient=ANNA)
        await there.post(ANNA, "bid 12")
        await there.handled(1)
        async with there.service.services.database.read() as work:
            assert [row.address for row in await work.people.list_suspended()] == [ANNA]
        assert "bounces" in str((await there.last(GM))["Subject"])
        await there.post(ANNA, "bid 130")
        await there.handled(2)
        async with there.service.services.database.read() as work:
            assert await work.people.list_suspended() == []


@pytest.mark.long(
    held_by="tests/mail/io/test_bounces.py (reports), tests/desk/letters/test_mail_comes_back.py"
)
async def test_a_delivery_report_suspends_the_address_and_tells_the_gm(tmp_path: Path) -> None:
    async with house(tmp_path) as there:
        await there.open_game()
        there.mail.kill_mailbox(ANNA)  # before the order: its receipt must find the mailbox dead
        await there.post(ANNA, "bid 12")
        await there.handled(2)
        async with there.service.services.database.read() as work:
            assert [row.address for row in await work.people.list_suspended()] == [ANNA]
            outcomes = {row.outcome for row in await work.inbox.list_by_state("ignored")}
        assert outcomes == {"bounce-hard"}
        assert "bounces" in str((await there.last(GM))["Subject"])


@pytest.mark.long(held_by="tests/desk/phases/test_sweep.py (what is due is found)")
async def test_an_emptied_queue_loses_nothing(tmp_path: Path) -> None:
    async with house(tmp_path) as there:
        await there.open_game()
        workers = there.service.workers
        assert isinstance(workers, InProcessWorkers)
        broker = workers._broker
        await workers.stop()
        await there.post(ANNA, "bid 12")
        await there.service.inbox.drain()
        for queue in QUEUES:
            broker.flush(queue)
        workers.prune()
        assert not workers.underway.busy
        async with there.service.services.database.read() as work:
            assert await work.inbox.count_by_state() == {"new": 1}
        fresh = type(workers)()
        there.service.workers = fresh
        object.__setattr__(there.service.services, "jobs", fresh.jobs)
        fresh.start(there.service.services)
        await there.service.settle()
        assert "Bid 12" in text_of(await there.last(ANNA))
        assert set(await there.outbox()) == {"sent"}


@pytest.mark.long(
    held_by="tests/desk/messages/test_mishaps.py (a try counts from when it was read)"
)
async def test_f7_a_service_that_ends_soon_after_its_start_counts_against_no_message(
    tmp_path: Path,
) -> None:
    async with house(tmp_path) as there:
        await there.open_game()
        answered = str((await there.last(ANNA))["Reply-To"])
    clock = there.clock
    async with EmbeddedMail(clock, host=HOST) as mail:
        for address in (ORDERS, GM, ANNA, BEN):
            await mail.add_account(address, f"pass-{address}", imap=address == ORDERS)
        config, imap, smtp = (
            config_of(tmp_path),
            mail.imap_settings(ORDERS),
            mail.smtp_settings(ORDERS),
        )
        raw = f"From: {ANNA}\r\nTo: {answered}\r\nMessage-ID: <1@x.example>\r\n\r\nbid 12\r\n".encode()
        database = open_database(config.database_url())
        async with database.write() as work:
            await work.inbox.add_once(
                NewMessage(
                    channel="mail",
                    message_key="|1",
                    raw=raw,
                    received_at=clock.now(),
                    stored_at=clock.now(),
                )
            )
        await database.dispose()
        for _ in range(5):
            async with open_service(config, clock, imap=imap, smtp=smtp):
                """It ends before its first sweep."""
        async with open_service(config, clock, imap=imap, smtp=smtp) as service:
            await service.settle()
            async with service.services.database.read() as work:
                assert await work.inbox.count_by_state() == {"handled": 1}
        assert "Bid 12" in text_of(parse((await mail.mails(ANNA))[-1]))


async def test_f11_a_service_whose_database_another_host_took_ends(tmp_path: Path) -> None:
    async with house(tmp_path) as there:
        async with there.service.services.database.write() as work:
            await work.marks.put(SERVED, there.clock.now(), '{"pid": 1, "host": "elsewhere"}')
        there.clock.advance_to(there.clock.now() + MARK_SPACING)
        with pytest.raises(ClaimLost, match="elsewhere"):
            await there.service.run(0.01, asyncio.Event())
