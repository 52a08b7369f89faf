"""The embedded provider does what real ones do."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from pbem.demo.servers import EmbeddedMail
from pbem.mail.inbound.bounces import parse_bounce
from pbem.mail.ports import OutboundMail, Refused, Sent
from pbem.mail.smtp import SmtpOutbound
from tests.mail.io.support import PAST, HandClock, Shelf, inbox_of, watching

GAME = "realm@svc.example"
ANNA = "anna@players.example"
BEN = "ben@players.example"


def written(sender: str, word: str = "P1: fortify", extra: str = "") -> bytes:
    return f"{extra}From: {sender}\r\nTo: orders@svc.example\r\nSubject: Re\r\nMessage-ID: <1@players.example>\r\n\r\n{word}\r\n".encode()


@pytest.fixture
async def mail(clock: HandClock) -> AsyncIterator[EmbeddedMail]:
    async with EmbeddedMail(clock, host="mx.svc.example") as embedded:
        await embedded.add_account(GAME, "pw", aliases=("orders@svc.example",))
        for player in (ANNA, BEN):
            await embedded.add_account(player, "pw", imap=False)
        yield embedded


async def send(
    mail: EmbeddedMail, login: str | None, recipient: str, raw: bytes, sender: str | None = None
) -> object:
    async with SmtpOutbound(mail.smtp_settings(login)) as outbound:
        return await outbound.send(
            OutboundMail(sender if sender is not None else login or "", recipient, raw)
        )


async def header(mail: EmbeddedMail, address: str) -> list[str]:
    return (await mail.mails(address))[-1].split(b"\r\n\r\n")[0].decode().split("\r\n")


async def test_a_token_in_the_address_reaches_the_alias_s_mailbox_and_is_stamped(
    mail: EmbeddedMail,
) -> None:
    assert isinstance(await send(mail, ANNA, "Orders+Tok-1@svc.example", written(ANNA)), Sent)
    lines = await header(mail, GAME)
    assert lines[:3] == [
        f"Return-Path: <{ANNA}>",
        "Delivered-To: Orders+Tok-1@svc.example",
        "X-Original-To: Orders+Tok-1@svc.example",
    ]


@pytest.mark.parametrize(
    ("login", "author", "verdict"),
    [
        (ANNA, f"Anna <{ANNA}>", "dmarc=pass header.from=players.example"),
        (ANNA, f"Ben <{BEN}>", "dmarc=fail header.from=players.example"),
        (None, f"Ben <{BEN}>", "dmarc=fail header.from=players.example"),
        (None, "Eve <eve@elsewhere.example>", "dmarc=none header.from=elsewhere.example"),
        (ANNA, f"{ANNA}, {BEN}", "dmarc=permerror"),
        (ANNA, f"Anna <{ANNA}>\r\nFrom: Ben <{BEN}>", "dmarc=permerror"),
        (ANNA, "(" * 900, "dmarc=permerror"),
        (ANNA, "x@y; dmarc=pass header.from=players.example", "dmarc=permerror"),
    ],
)
async def test_only_who_logged_in_and_writes_under_that_name_passes(
    mail: EmbeddedMail, login: str | None, author: str, verdict: str
) -> None:
    forged = "Authentication-Results: mx.svc.example; dmarc=pass header.from=players.example\r\n"
    assert isinstance(
        await send(mail, login, "orders@svc.example", written(author, extra=forged)), Sent
    )
    stamps = [
        line for line in await header(mail, GAME) if line.startswith("Authentication-Results:")
    ]
    assert stamps[0] == f"Authentication-Results: mx.svc.example; {verdict}"
    assert len(stamps) == 2


async def test_unknown_recipients_are_refused_at_rcpt(mail: EmbeddedMail) -> None:
    refusal = await send(mail, ANNA, "nobody@svc.example", written(ANNA))
    assert isinstance(refusal, Refused)
    assert (refusal.code, refusal.about) == (550, "recipient")


async def test_a_dead_mailbox_takes_the_mail_and_reports_it(mail: EmbeddedMail) -> None:
    mail.kill_mailbox(BEN)
    assert isinstance(
        await send(mail, GAME, BEN, written(GAME), sender="orders+verp7@svc.example"), Sent
    )
    (report,) = await mail.mails(GAME)
    assert report.startswith(b"Return-Path: <>\r\n")
    bounce = parse_bounce(report)
    assert bounce is not None
    assert (bounce.kind, bounce.recipient, bounce.message_id, bounce.verp_local_part) == (
        "hard",
        BEN,
        "<1@players.example>",
        "orders+verp7",
    )
    assert await mail.mails(BEN) == []


async def test_nobody_reports_to_the_null_sender(mail: EmbeddedMail) -> None:
    mail.kill_mailbox(BEN)
    assert isinstance(await send(mail, GAME, BEN, written(GAME), sender=""), Sent)
    assert await mail.mails(GAME) == []


async def test_arrivals_are_announced_and_carry_the_injected_time(
    clock: HandClock, shelf: Shelf
) -> None:
    arrived: list[str] = []
    async with EmbeddedMail(clock, on_arrival=lambda mailbox, raw: arrived.append(mailbox)) as mail:
        await mail.add_account(GAME, "pw")
        waiting = asyncio.create_task(mail.wait_for_mails(GAME, 2))
        for _ in range(2):
            await send(mail, None, GAME, written(ANNA))
            clock.advance(60)
        assert len(await waiting) == 2
        async with watching(inbox_of(mail.imap_settings(GAME), clock), shelf) as inbox:
            await inbox.drain()
    assert arrived == [GAME, GAME]
    assert [(stored.received_at - PAST).total_seconds() for stored in shelf.mails] == [0, 60]


async def test_seventeen_accounts_can_be_read_by_the_production_client(clock: HandClock) -> None:
    players = [f"p{number}@players.example" for number in range(17)]
    async with EmbeddedMail(clock) as mail:
        for player in players:
            await mail.add_account(player, f"secret of {player}")
        for player in players:
            await send(mail, None, player, written(ANNA, player))
        for player in players:
            shelf = Shelf()
            async with watching(inbox_of(mail.imap_settings(player), clock), shelf) as inbox:
                await inbox.drain()
            assert [stored.raw.endswith(f"{player}\r\n".encode()) for stored in shelf.mails] == [
                True
            ]
