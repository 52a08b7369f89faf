"""A whole game over dovecot, in the past, where nobody answers for long: a Dragon Attack, an
elimination, an end; and a bounce.
"""

import asyncio
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from pbem.demo.clock import FastClock
from pbem.desk import gm
from pbem.desk.upkeep.records import verify_game
from pbem.house import Service, open_service
from pbem.mail.imap import ImapInbox
from pbem.mail.imap_commands import ImapSettings
from pbem.mail.ports import OutboundMail, Sent, StoredMail, check_wire
from pbem.mail.smtp import SmtpOutbound
from tests.desk.harness import parse, text_of
from tests.house.test_service import config_of
from tests.played import PLAYED
from tests.servers.dovecot import running_dovecot
from tests.servers.front import running_front

HOST = "mail.example"
NAMES = ("Anna", "Bartek", "Cleo")
ORDERS, GM = f"orders@{HOST}", f"gm@{HOST}"
PAST = datetime(2024, 2, 26, 12, 0, tzinfo=UTC)
"""Dovecot takes no INTERNALDATE of the future, so the game is long over."""


def address_of(name: str) -> str:
    return f"{name.lower()}@{HOST}"


async def read_all(settings: ImapSettings, clock: FastClock) -> list[bytes]:
    """Everything in a mailbox, by the production client."""
    mails: list[bytes] = []

    async def keep(mail: StoredMail) -> None:
        mails.append(mail.raw)

    inbox = ImapInbox(settings, clock, lambda: 0.5)
    watcher = asyncio.create_task(inbox.watch(keep))
    async with asyncio.timeout(20):
        await inbox.drain()
    watcher.cancel()
    await asyncio.gather(watcher, return_exceptions=True)
    return mails


async def drained(service: Service) -> None:
    """Work until the mailbox holds nothing new and nothing is due."""
    for _ in range(3):
        await service.settle()
        await service.inbox.drain()
    await service.settle()


@pytest.mark.servers
@pytest.mark.long(
    held_by="tests/house/test_postfix_game.py (a table through dovecot, a dead mailbox found out),"
    " tests/mail/io (the inbox against dovecot), tests/desk/phases (the Dragon Attack)"
)
async def test_a_whole_game_with_a_dragon_attack_and_a_bounce_over_dovecot(tmp_path: Path) -> None:
    clock = FastClock(PAST)
    users = dict.fromkeys((ORDERS, GM, *map(address_of, NAMES)), "secret")
    with running_dovecot(users) as dovecot:
        async with (
            running_front(dovecot, clock, HOST) as front,
            open_service(
                config_of(tmp_path),
                clock,
                imap=dovecot.imap_settings(ORDERS),
                smtp=front.settings(ORDERS),
                new_seed=lambda: bytes(range(32)),
            ) as service,
        ):
            services = service.services
            await gm.open_table(
                services, gm.NewTable("heron", "Heron", PLAYED, {}, "UTC"), gm.By("test")
            )
            for name in NAMES:
                await gm.invite(services, "heron", name, address_of(name), gm.By("test"))
            await gm.start(services, "heron", gm.By("test"))
            await drained(service)

            turn = parse((await read_all(dovecot.imap_settings(address_of("Anna")), clock))[-1])
            raw = (
                f"From: {address_of('Anna')}\r\nTo: {turn['Reply-To']}\r\nMessage-ID: <1@{HOST}>\r\n"
                f"In-Reply-To: {turn['Message-ID']}\r\n\r\nbid 12\r\n"
            ).encode()
            check_wire(raw)
            async with SmtpOutbound(front.settings(address_of("Anna"))) as outbound:
                assert isinstance(
                    await outbound.send(
                        OutboundMail(address_of("Anna"), str(turn["Reply-To"]), raw)
                    ),
                    Sent,
                )
            await drained(service)
            receipt = parse((await read_all(dovecot.imap_settings(address_of("Anna")), clock))[-1])
            assert "Bid 12" in text_of(receipt)

            del front._mailboxes[
                address_of("Cleo")
            ]  # her account is closed: the relay takes the mail and reports it
            for _ in range(40):
                async with services.database.read() as work:
                    running = await work.phases.list_running()
                if not running:
                    break
                clock.advance_to(running[0].deadline + timedelta(seconds=1))
                await drained(service)

            async with services.database.read() as work:
                game = await work.games.find(1)
                kinds = {event.kind for event in await work.events.list_of_game(1)}
                suspended = [row.address for row in await work.people.list_suspended()]
                seats = {seat.status for seat in await work.seats.list_of_game(1)}
                states = await work.inbox.count_by_state()
            assert game is not None
            assert game.status == "over"
            assert "dragon-attack" in kinds
            assert "eliminated" in seats
            assert suspended == [address_of("Cleo")]
            assert "shunted" not in states
            assert "new" not in states
            assert await verify_game(services, "heron") == []
            ending = parse((await read_all(dovecot.imap_settings(address_of("Anna")), clock))[-1])
            assert bytes(range(32)).hex() in "".join(text_of(ending).split())
            told = [
                str(parse(mail)["Subject"])
                for mail in await read_all(dovecot.imap_settings(GM), clock)
            ]
            assert sum("bounces" in subject for subject in told) == 1
