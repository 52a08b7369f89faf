"""A table by way of a real mail server of each kind: postfix in and out, set up as deploy/ advises,
and dovecot behind it.
"""

import asyncio
import json
import re
import smtplib
import ssl
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import make_msgid
from pathlib import Path

import pytest

from pbem.demo.clock import FastClock
from pbem.desk import gm
from pbem.house import Service, open_service
from pbem.mail.ports import OutboundMail, Refused, Sent
from pbem.mail.smtp import SmtpOutbound
from tests.desk.harness import text_of
from tests.house.test_service import config_of
from tests.played import PLAYED
from tests.servers.dovecot import Dovecot, running_dovecot
from tests.servers.greylist import Greylist, running_greylist
from tests.servers.postfix import Postfix, running_postfix
from tests.servers.reader import Reader, reading

HOST = "mail.example"
ORDERS, GM, ANNA, BARTEK, CLEO = (
    f"{name}@{HOST}" for name in ("orders", "gm", "anna", "bartek", "cleo")
)
DESK, GRETA, DMYTRO, EMIL = (f"{name}@{HOST}" for name in ("desk", "greta", "dmytro", "emil"))
"""The second test's own, so that no mail of the first one is in its way."""

pytestmark = [
    pytest.mark.servers,
    pytest.mark.long(
        held_by="tests/mail/io/test_servers.py (postfix and dovecot at work),"
        " tests/doctor/test_post.py"
    ),
]


@dataclass(frozen=True)
class PostOffice:
    """The servers of a town."""

    dovecot: Dovecot
    postfix: Postfix
    greylist: Greylist


@pytest.fixture(scope="module")
def town() -> Iterator[PostOffice]:
    users = dict.fromkeys((ORDERS, GM, ANNA, BARTEK, DESK, GRETA, DMYTRO, EMIL), "secret")
    with running_greylist() as greylist, running_dovecot(users) as dovecot:
        restrictions = {"smtpd_recipient_restrictions": greylist.restriction}
        with running_postfix(dovecot, HOST, gone=(CLEO,), settings=restrictions) as postfix:
            yield PostOffice(dovecot, postfix, greylist)


@dataclass
class Table:
    """The real service in that town, and who reads there."""

    town: PostOffice
    service: Service
    clock: FastClock
    readers: dict[str, Reader]

    async def open(self, *players: str) -> None:
        services = self.service.services
        await gm.open_table(
            services,
            gm.NewTable("heron", "Heron", PLAYED, {}, "UTC", seed=bytes(32)),
            gm.By("test"),
        )
        for address in players:
            await gm.invite(
                services, "heron", address.partition("@")[0].capitalize(), address, gm.By("test")
            )
        await self.service.settle()

    async def start(self) -> None:
        await gm.start(self.service.services, "heron", gm.By("test"))
        await self.service.settle()

    async def write(self, sender: str, recipient: str, text: str, **more: str) -> str:
        """From somewhere in the world: to the mail exchanger, without a password. The mail's
        Message-ID.
        """
        mail = EmailMessage()
        mail["From"], mail["To"], mail["Message-ID"] = sender, recipient, make_msgid(domain=HOST)
        for name, value in more.items():
            mail[name.replace("_", "-")] = value
        mail.set_content(text)
        async with SmtpOutbound(self.town.postfix.exchanger()) as outbound:
            sent = await outbound.send(OutboundMail(sender, recipient, mail.as_bytes(policy=SMTP)))
        assert isinstance(sent, Sent), sent
        return str(mail["Message-ID"])


@asynccontextmanager
async def table(
    town: PostOffice, folder: Path, service_address: str, *readers: str
) -> AsyncIterator[Table]:
    """The clock stands at this moment, and goes only forwards: dovecot stamps the mails by its
    own.
    """
    clock = FastClock(datetime.now(UTC))
    config = config_of(folder)
    section = config.service.model_copy(
        update={"address": service_address, "authserv_id": f"mx.{HOST}"}
    )
    gms = config.gm.model_copy(update={"addresses": readers[:1]})
    config = config.model_copy(update={"service": section, "gm": gms})
    async with AsyncExitStack() as stack:
        reading_them = {
            address: await stack.enter_async_context(
                reading(town.dovecot.imap_settings(address), clock)
            )
            for address in readers
        }
        imap, smtp = (
            town.dovecot.imap_settings(service_address),
            town.postfix.submission(service_address),
        )
        service = await stack.enter_async_context(open_service(config, clock, imap=imap, smtp=smtp))
        yield Table(town, service, clock, reading_them)


def phase_of(mail: EmailMessage) -> int:
    """The phase whose orders the mail asks for; 0 for an invitation and for what asks for none."""
    token = re.search(r"\+o\d+-(\d+)-", str(mail["Reply-To"]))
    return int(token[1]) if token is not None else 0


@pytest.mark.long(
    held_by="tests/house/test_by_telegram.py (a table through the whole house),"
    " tests/mail/io (the servers)"
)
async def test_a_table_is_played_through_postfix_and_dovecot_and_a_dead_mailbox_is_found_out(
    town: PostOffice, tmp_path: Path
) -> None:
    async with table(town, tmp_path, ORDERS, GM, ANNA, BARTEK) as there:
        await there.open(ANNA, BARTEK, CLEO)
        told = await there.readers[GM].wait_for(lambda mail: "bounces" in str(mail["Subject"]))
        assert CLEO in text_of(told)
        async with there.service.services.database.read() as work:
            assert [row.address for row in await work.people.list_suspended()] == [CLEO]
            (report,) = [
                row
                for row in await work.inbox.list_by_state("ignored")
                if row.outcome == "bounce-hard"
            ]
            raw = await work.inbox.read_raw(report.id) or b""
        assert b"multipart/report; report-type=delivery-status" in raw
        assert f"Final-Recipient: rfc822; {CLEO}".encode() in raw
        assert b"Status: 5.1.1" in raw

        await there.start()
        turn = await there.readers[ANNA].wait_for(lambda mail: phase_of(mail) == 1)
        assert str(turn["Reply-To"]).startswith("orders+")
        order = await there.write(ANNA, str(turn["Reply-To"]), "bid 12")
        receipt = await there.readers[ANNA].wait_for(lambda mail: "Bid 12" in text_of(mail))
        assert str(receipt["In-Reply-To"]) == order

        forged = f"mx.{HOST}; dmarc=pass header.from={HOST}"
        await there.write(BARTEK, ORDERS, "bid 7", Authentication_Results=forged)
        asked = await there.readers[BARTEK].wait_for(lambda mail: "+c" in str(mail["Reply-To"]))
        assert "Bid 7" not in text_of(asked)

        async with there.service.services.database.read() as work:
            (phase,) = await work.phases.list_running()
        there.clock.advance_to(phase.deadline + timedelta(seconds=1))
        for _ in range(3):
            await there.service.settle()
            await there.service.inbox.drain()
        async with there.service.services.database.read() as work:
            (open_now,) = await work.phases.list_running()
            letters, received = (
                await work.outbox.list_by_state("sent"),
                await work.inbox.count_by_state(),
            )
        assert (phase.number, open_now.number) == (1, 2)
        assert [letter.kind for letter in letters if letter.address == CLEO] == ["invitation"]
        assert received == {"handled": 2, "ignored": 1}
        for name in (ANNA, BARTEK):
            await there.readers[name].wait_for(lambda mail: phase_of(mail) == 2)


async def test_a_greylisted_letter_comes_when_it_is_asked_for_again_and_comes_once(
    town: PostOffice, tmp_path: Path
) -> None:
    town.greylist.watched.add(DMYTRO)
    async with table(town, tmp_path, DESK, GRETA, DMYTRO, EMIL) as there:
        await there.open(DMYTRO, EMIL)
        await there.readers[EMIL].wait_for(lambda _: True)
        async with there.service.services.database.read() as work:
            (waiting,) = await work.outbox.list_by_state("queued")
        assert (waiting.address, waiting.attempts) == (DMYTRO, 1)
        assert [recipient for _, recipient in town.greylist.held] == [DMYTRO]
        assert there.readers[DMYTRO].mails == []

        there.clock.advance_to(waiting.next_try_at)
        await there.service.settle()
        letter = await there.readers[DMYTRO].wait_for(lambda _: True)
        assert str(letter["Message-ID"]) == waiting.message_id
        async with there.service.services.database.read() as work:
            assert await work.people.list_suspended() == []
            assert set(await work.outbox.count_by_state()) == {"sent"}
        assert len(there.readers[DMYTRO].mails) == 1


async def test_the_doctor_finds_nothing_to_mend_with_these_servers(
    town: PostOffice, tmp_path: Path
) -> None:
    file = tmp_path / "pbem.toml"
    login = f'host = "127.0.0.1"\ntls = "none"\nuser = "{DESK}"\npassword = "secret"\n'
    file.touch(mode=0o600)
    file.write_text(
        f'[service]\naddress = "{DESK}"\nauthserv_id = "mx.{HOST}"\n[gm]\naddresses = ["{GRETA}"]\n'
        f"[imap]\nport = {town.dovecot.imap_port}\n{login}[smtp]\nport = {town.postfix.submission_port}\n{login}",
        "utf-8",
    )
    asked = await asyncio.create_subprocess_exec(
        sys.executable,
        "-c",
        "from pbem.cli import main; main()",
        "doctor",
        "--json",
        "--config",
        str(file),
        cwd=tmp_path,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    said, complained = await asked.communicate()
    assert asked.returncode == 0, (said + complained).decode()
    findings = {finding["check"]: finding["grade"] for finding in json.loads(said)["findings"]}
    assert {"SMTP", "IMAP", "mail to ourselves", "subaddressing", "clock"} <= findings.keys()
    # No filter stands before these servers, and it writes nothing on mail of our own anyway.
    assert {
        check: grade for check, grade in findings.items() if grade != "ok" and check != "Python"
    } == {"Authentication-Results": "warning"}


async def test_mail_for_nobody_and_for_elsewhere_is_refused_at_the_door(town: PostOffice) -> None:
    async with SmtpOutbound(town.postfix.exchanger()) as outbound:
        for recipient, code in ((f"nobody@{HOST}", 550), ("somebody@elsewhere.example", 554)):
            answer = await outbound.send(
                OutboundMail(ANNA, recipient, b"Subject: hello\r\n\r\nhello\r\n")
            )
            assert isinstance(answer, Refused)
            assert answer.code == code


def test_mail_from_outside_may_come_encrypted_and_nobody_may_log_in_there(town: PostOffice) -> None:
    with smtplib.SMTP("127.0.0.1", town.postfix.mx_port) as outside:
        outside.ehlo("elsewhere.example")
        assert (
            outside.starttls(context=ssl.create_default_context(cafile=town.postfix.certificate))[0]
            == 220
        )
        outside.ehlo("elsewhere.example")
        assert not outside.has_extn("auth")
