"""The way of a mail, looked over with each fault that it can have."""

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta

import pytest
from pydantic import SecretStr

from pbem.config import Config
from pbem.demo.clock import FastClock
from pbem.demo.servers import EmbeddedMail
from pbem.desk.ports import Outbound
from pbem.doctor.examination import examine
from pbem.doctor.mailbox import ProbingConnection, find_mails
from pbem.doctor.post import check_imap, check_round_trip, check_smtp
from pbem.findings import Finding, Grade, worst_of
from pbem.house import open_service
from pbem.mail.ports import Delivery, OutboundMail, Sent
from pbem.mail.smtp import SmtpOutbound
from pbem.servers import imap_settings, smtp_settings
from tests.doctor.conftest import HOST, ORDERS, Configured
from tests.mail.io.support import PAST
from tests.postbox import Postbox
from tests.servers.dovecot import running_dovecot

WORD = "abad1deafeed"


@asynccontextmanager
async def mailbox(config: Config) -> AsyncIterator[ProbingConnection]:
    findings, connection = await check_imap(config, imap_settings(config))
    assert connection is not None, findings
    try:
        yield connection
    finally:
        await connection.close()


async def go_round(
    config: Config, clock: FastClock, outbound: Outbound | None = None, wait_seconds: float = 20.0
) -> dict[str, Finding]:
    async with mailbox(config) as connection, SmtpOutbound(smtp_settings(config)) as real:
        findings = await check_round_trip(
            config, connection, outbound or real, clock, WORD, wait_seconds
        )
        assert await find_mails(connection, WORD) == [], "the mailbox is left clean"
    return {finding.check: finding for finding in findings}


async def smtp_of(config: Config) -> Finding:
    return await check_smtp(config, smtp_settings(config))


async def imap_of(config: Config) -> Finding:
    findings, connection = await check_imap(config, imap_settings(config))
    if connection is not None:
        await connection.close()
    return findings[0]


def closed_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port: int = taken.getsockname()[1]
        return port


class Losing:
    """Takes every mail, and loses those that somebody chooses."""

    def __init__(self, outbound: Outbound, *, detailed: bool, plain: bool) -> None:
        self._outbound = outbound
        self._loses = {True: detailed, False: plain}

    async def send(self, mail: OutboundMail) -> Delivery:
        return (
            Sent("250 lost")
            if self._loses["+" in mail.recipient]
            else await self._outbound.send(mail)
        )


async def test_everything_is_well(configured: Configured, clock: FastClock) -> None:
    config = configured()
    assert (await smtp_of(config)).grade is Grade.OK
    assert (await imap_of(config)).grade is Grade.OK
    found = await go_round(config, clock)
    assert {check: finding.grade for check, finding in found.items()} == {
        "mail to ourselves": Grade.OK,
        "subaddressing": Grade.OK,
        "Authentication-Results": Grade.OK,
        "clock": Grade.OK,
    }


async def test_a_wrong_password_is_told_for_each_server_and_not_shown(
    configured: Configured,
) -> None:
    wrong = {"password": SecretStr("wr0ng-xylophone")}
    for finding in (await smtp_of(configured(smtp=wrong)), await imap_of(configured(imap=wrong))):
        assert finding.grade is Grade.BROKEN
        assert "password" in finding.mend
        assert "xylophone" not in finding.words + finding.mend


async def test_a_wrong_port_is_told(configured: Configured) -> None:
    wrong = {"port": closed_port()}
    for finding in (await smtp_of(configured(smtp=wrong)), await imap_of(configured(imap=wrong))):
        assert (finding.grade, "no server listens there" in finding.words) == (Grade.BROKEN, True)
        assert ".port" in finding.mend


async def test_a_host_that_does_not_exist_is_told(configured: Configured) -> None:
    finding = await imap_of(configured(imap={"host": "no-such-host.invalid"}))
    assert (finding.grade, "spelling of imap.host" in finding.mend) == (Grade.BROKEN, True)


@pytest.mark.parametrize("tls", ["implicit", "starttls"])
async def test_a_server_without_tls_is_told(configured: Configured, tls: str) -> None:
    for finding in (
        await smtp_of(configured(smtp={"tls": tls})),
        await imap_of(configured(imap={"tls": tls})),
    ):
        assert finding.grade is Grade.BROKEN
        assert ".tls" in finding.mend


async def test_a_folder_that_is_not_there_is_told(configured: Configured) -> None:
    finding = await imap_of(configured(imap={"mailbox": "Nowhere"}))
    assert (finding.grade, "imap.mailbox" in finding.mend) == (Grade.BROKEN, True)


async def test_a_server_that_takes_no_empty_sender_is_doubtful(
    configured: Configured, mail: EmbeddedMail
) -> None:
    mail.front.answer("MAIL", "550 5.7.1 who are you", recipient="")
    mail.front.answer("MAIL", "550 5.7.1 who are you", recipient="<>")
    finding = await smtp_of(configured())
    assert (finding.grade, "empty envelope sender" in finding.words) == (Grade.WARNING, True)


async def test_a_server_that_does_not_let_us_send_as_ourselves_is_broken(
    configured: Configured, mail: EmbeddedMail
) -> None:
    mail.front.answer("MAIL", "553 5.7.1 not yours", recipient=ORDERS)
    finding = await smtp_of(configured())
    assert (finding.grade, "service.address" in finding.mend) == (Grade.BROKEN, True)


async def test_a_mail_that_never_arrives_is_told_after_the_time_limit(
    configured: Configured, clock: FastClock
) -> None:
    found = await go_round(configured(), clock, Postbox(), wait_seconds=0.0)
    assert list(found) == ["mail to ourselves"]
    assert found["mail to ourselves"].grade is Grade.BROKEN
    assert "did not arrive" in found["mail to ourselves"].words


async def test_subaddressing_that_is_refused_is_told(
    configured: Configured, clock: FastClock, mail: EmbeddedMail
) -> None:
    mail.front.answer("RCPT", "550 5.1.1 no such mailbox", recipient=f"orders+doctor-{WORD}@{HOST}")
    found = await go_round(configured(), clock)
    assert found["mail to ourselves"].grade is Grade.OK
    assert (found["subaddressing"].grade, "550" in found["subaddressing"].words) == (
        Grade.BROKEN,
        True,
    )
    assert "subaddressing = false" in found["subaddressing"].mend


async def test_subaddressing_that_loses_mail_is_told(
    configured: Configured, clock: FastClock
) -> None:
    config = configured()
    async with SmtpOutbound(smtp_settings(config)) as real:
        found = await go_round(
            config, clock, Losing(real, detailed=True, plain=False), wait_seconds=0.5
        )
    assert found["mail to ourselves"].grade is Grade.OK
    assert (found["subaddressing"].grade, "did not arrive" in found["subaddressing"].words) == (
        Grade.BROKEN,
        True,
    )


async def test_only_the_mail_with_a_detail_arriving_is_doubtful(
    configured: Configured, clock: FastClock
) -> None:
    config = configured()
    async with SmtpOutbound(smtp_settings(config)) as real:
        found = await go_round(
            config, clock, Losing(real, detailed=False, plain=True), wait_seconds=0.5
        )
    assert (found["mail to ourselves"].grade, found["subaddressing"].grade) == (
        Grade.WARNING,
        Grade.OK,
    )


async def test_without_subaddressing_nothing_is_sent_to_a_detail(
    configured: Configured, clock: FastClock, mail: EmbeddedMail
) -> None:
    found = await go_round(configured(service={"subaddressing": False}), clock)
    assert "subaddressing" not in found
    assert len(await mail.mails(ORDERS)) == 1


async def test_a_probe_that_comes_back_is_told_and_taken_away(
    configured: Configured, clock: FastClock, mail: EmbeddedMail
) -> None:
    config = configured()
    async with SmtpOutbound(smtp_settings(config)) as real:

        class Bouncing:
            async def send(self, probe: OutboundMail) -> Delivery:
                report = (
                    b"From: mailer-daemon@house.example\r\nSubject: failed\r\n\r\nYour mail about "
                    + WORD.encode()
                    + b" came back.\r\n"
                )
                return await real.send(OutboundMail("", ORDERS, report))

        found = await go_round(config, clock, Bouncing())
    assert "delivery report" in found["mail to ourselves"].words


async def test_the_name_of_the_server_that_judges_is_found_out(
    configured: Configured, clock: FastClock
) -> None:
    unset = (await go_round(configured(service={"authserv_id": None}), clock))[
        "Authentication-Results"
    ]
    assert (unset.grade, f'authserv_id = "{HOST}"' in unset.mend) == (Grade.WARNING, True)
    wrong = (await go_round(configured(service={"authserv_id": "mx.other.example"}), clock))[
        "Authentication-Results"
    ]
    assert (wrong.grade, f'authserv_id = "{HOST}"' in wrong.mend) == (Grade.BROKEN, True)


@pytest.mark.parametrize(
    ("off", "grade"),
    [(600, Grade.BROKEN), (-600, Grade.BROKEN), (20, Grade.WARNING), (0, Grade.OK)],
)
async def test_a_clock_that_is_off_is_told(
    configured: Configured, clock: FastClock, off: float, grade: Grade
) -> None:
    finding = (await go_round(configured(), FastClock(clock.now() - timedelta(seconds=off))))[
        "clock"
    ]
    assert finding.grade is grade
    if off:
        assert ("ahead of" if off > 0 else "behind") in finding.words


@pytest.mark.long(held_by="tests/desk/messages/test_policy.py (what is about nobody)")
async def test_the_running_service_ignores_the_probe(
    configured: Configured, clock: FastClock, mail: EmbeddedMail
) -> None:
    config = configured()
    async with open_service(
        config, clock, imap=imap_settings(config), smtp=smtp_settings(config)
    ) as service:
        findings = [
            finding async for finding in examine(config, None, clock, mail=True, wait_seconds=20)
        ]
        await service.inbox.drain()
        await service.settle()
        async with service.services.database.read() as work:
            states, letters = await work.inbox.count_by_state(), await work.outbox.count_by_state()
            outcomes = {row.outcome for row in await work.inbox.list_by_state("ignored")}
    assert worst_of([finding for finding in findings if finding.check != "Python"]) is Grade.OK, (
        findings
    )
    assert set(states) <= {"ignored"}
    assert outcomes <= {"automatic:own-mail"}
    assert letters == {}
    async with mailbox(config) as connection:
        assert await connection.search("ALL") == []


@pytest.mark.servers
async def test_a_real_server_finds_and_removes_a_probe_and_nothing_else(clock: FastClock) -> None:
    with running_dovecot({ORDERS: "secret"}) as dovecot:
        for word in (WORD, "something else"):
            await dovecot.append(
                ORDERS,
                f"From: {ORDERS}\r\nTo: {ORDERS}\r\nSubject: probe {word}\r\n\r\n{word}\r\n".encode(),
                PAST,
            )
        connection = ProbingConnection(dovecot.imap_settings(ORDERS))
        await connection.open()
        try:
            assert connection.has("IDLE")
            assert connection.has("UIDPLUS")
            (found,) = await find_mails(connection, WORD)
            assert found.received_at == PAST
            await connection.remove(found.uid)
            assert len(await connection.search("ALL")) == 1
        finally:
            await connection.close()


async def test_a_mailbox_that_is_cut_off_while_we_wait_is_told(
    configured: Configured, clock: FastClock, mail: EmbeddedMail
) -> None:
    class Cutting:
        async def send(self, probe: OutboundMail) -> Delivery:
            mail.drop_imap()
            return Sent("250 and gone")

    config = configured()
    async with asyncio.timeout(30), mailbox(config) as connection:
        (finding,) = await check_round_trip(config, connection, Cutting(), clock, WORD, 20.0)
    assert (finding.grade, "could not read" in finding.words) == (Grade.BROKEN, True)
