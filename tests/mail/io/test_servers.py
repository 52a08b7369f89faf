"""Over dovecot: the way of a whole game's mails, and TLS."""

import asyncio
import dataclasses
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from pbem.mail.inbound.bounces import parse_bounce
from pbem.mail.ports import OutboundMail, Sent
from pbem.mail.smtp import SmtpOutbound
from tests.mail.io.support import ADDRESS, PAST, HandClock, Shelf, inbox_of, mail, watching
from tests.servers.dovecot import Dovecot, make_certificate, running_dovecot
from tests.servers.front import running_front

pytestmark = pytest.mark.servers


@pytest.fixture
async def dovecot() -> AsyncIterator[Dovecot]:
    with running_dovecot({ADDRESS: "pw"}) as server:
        yield server


async def test_a_mail_goes_through_the_front_by_lmtp_to_the_inbox(
    dovecot: Dovecot, clock: HandClock, shelf: Shelf
) -> None:
    async with (
        running_front(dovecot) as front,
        watching(inbox_of(dovecot.imap_settings(ADDRESS), clock), shelf) as inbox,
    ):
        await inbox.drain()
        async with SmtpOutbound(front.settings()) as outbound:
            assert isinstance(
                await outbound.send(
                    OutboundMail(
                        "anna@players.example", f"orders+tok@{ADDRESS.split('@')[1]}", mail("x")
                    )
                ),
                Sent,
            )
        (stored,) = await shelf.holding(1)
    assert b"Delivered-To: orders+tok@svc.example\r\n" in stored.raw
    assert stored.raw.endswith(mail("x"))


async def test_with_a_clock_the_front_stamps_its_time(
    dovecot: Dovecot, clock: HandClock, shelf: Shelf
) -> None:
    async with (
        running_front(dovecot, clock) as front,
        watching(inbox_of(dovecot.imap_settings(ADDRESS), clock), shelf),
    ):
        async with SmtpOutbound(front.settings()) as outbound:
            await outbound.send(OutboundMail("anna@players.example", ADDRESS, mail("x")))
        (stored,) = await shelf.holding(1)
    assert stored.received_at == PAST


@pytest.mark.parametrize("known_to_front", [False, True])
async def test_an_unknown_recipient_comes_back_as_a_report(
    dovecot: Dovecot, clock: HandClock, shelf: Shelf, known_to_front: bool
) -> None:
    async with (
        running_front(dovecot) as front,
        watching(inbox_of(dovecot.imap_settings(ADDRESS), clock), shelf),
    ):
        if known_to_front:  # and dovecot is the one that refuses
            front.add_account("gone@players.example", "pw")
            dovecot.remove_user("gone@players.example")
        raw = mail("x").replace(b"Subject:", b"Message-ID: <7@svc.example>\r\nSubject:")
        async with SmtpOutbound(front.settings()) as outbound:
            await outbound.send(
                OutboundMail("orders+verp@svc.example", "gone@players.example", raw)
            )
        (stored,) = await shelf.holding(1)
    bounce = parse_bounce(stored.raw)
    assert bounce is not None
    assert (bounce.kind, bounce.recipient, bounce.status, bounce.message_id) == (
        *("hard", "gone@players.example", "5.1.1", "<7@svc.example>"),
    )
    assert bounce.verp_local_part == "orders+verp"


@pytest.mark.parametrize("tls", ["tls", "starttls"])
async def test_the_inbox_reads_over_tls_and_only_from_whom_it_can_trust(
    tmp_path: Path, clock: HandClock, shelf: Shelf, monkeypatch: pytest.MonkeyPatch, tls: str
) -> None:
    certificate = make_certificate(tmp_path)
    with running_dovecot({ADDRESS: "pw"}, certificate) as dovecot:
        port = dovecot.imaps_port if tls == "tls" else dovecot.imap_port
        settings = dataclasses.replace(
            dovecot.imap_settings(ADDRESS),
            host="localhost",
            port=port,
            tls="tls" if tls == "tls" else "starttls",
        )
        doubtful = asyncio.Event()
        stranger = inbox_of(settings, clock, on_back_off=doubtful.set)
        async with watching(stranger, shelf):
            await doubtful.wait()
            assert "certificate" in str(stranger.last_error).lower()
        monkeypatch.setenv("SSL_CERT_FILE", str(certificate[0]))
        async with watching(inbox_of(settings, clock), shelf) as inbox:
            await inbox.drain()
            await dovecot.deliver(ADDRESS, mail("secret"))
            await shelf.holding(1)


async def test_starttls_is_not_given_up_for_a_server_that_has_none(
    dovecot: Dovecot, clock: HandClock, shelf: Shelf
) -> None:
    refused = asyncio.Event()
    inbox = inbox_of(dovecot.imap_settings(ADDRESS), clock, on_back_off=refused.set, tls="starttls")
    async with watching(inbox, shelf):
        await refused.wait()
        assert "STARTTLS" in str(inbox.last_error)
