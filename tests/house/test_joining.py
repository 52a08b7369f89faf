"""A game opened with a code, joined from three addresses, voted on and started by itself, over
real SMTP and IMAP on loopback.
"""

from email.message import EmailMessage
from email.policy import SMTP
from pathlib import Path

import pytest

from pbem.demo.clock import FastClock
from pbem.demo.servers import EmbeddedMail
from pbem.desk import gm
from pbem.house import open_service
from pbem.mail.ports import OutboundMail, Sent
from pbem.mail.smtp import SmtpOutbound
from tests.desk.harness import parse, text_of
from tests.house.test_service import GM, HOST, ORDERS, House, config_of
from tests.played import PLAYED

PLAYERS = tuple(f"{name}@{HOST}" for name in ("anna", "ben", "cleo"))


async def post_new(there: House, address: str, text: str) -> None:
    """Somebody who got nothing from us yet writes to the house."""
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"], mail["Message-ID"] = (
        address,
        ORDERS,
        "hello",
        f"<new.{address}>",
    )
    mail.set_content(text)
    async with SmtpOutbound(there.mail.smtp_settings(address)) as outbound:
        assert isinstance(
            await outbound.send(OutboundMail(address, ORDERS, mail.as_bytes(policy=SMTP))), Sent
        )


@pytest.mark.long(held_by="tests/desk/lobby (each step), tests/house/test_service.py (the wires)")
async def test_three_strangers_join_by_code_vote_and_play(tmp_path: Path) -> None:
    clock = FastClock()
    async with EmbeddedMail(clock, host=HOST) as mail:
        for address in (ORDERS, GM, *PLAYERS):
            await mail.add_account(address, f"pass-{address}", imap=address == ORDERS)
        async with open_service(
            config_of(tmp_path),
            clock,
            imap=mail.imap_settings(ORDERS),
            smtp=mail.smtp_settings(ORDERS),
        ) as service:
            there = House(service, mail, clock)
            table = gm.NewTable(
                "heron",
                "Heron",
                PLAYED,
                {},
                "UTC",
                "Greta",
                least_players=3,
                most_players=3,
                votes=("version",),
                starts="full",
            )
            await gm.open_table(service.services, table, gm.By("test"))
            async with service.services.database.read() as work:
                game = await work.games.find_by_slug("heron")
            assert game is not None
            for address, name in zip(PLAYERS, ("Anna", "Ben", "Cleo"), strict=True):
                await post_new(there, address, f"join {game.join_code} as {name}")
            await there.handled(3)
            for address, wish in zip(
                PLAYERS, ("yes, green", "yes, in teal\nmy time zone is oslo", "yes"), strict=True
            ):
                await there.post(address, wish)
            await there.handled(6)
            async with service.services.database.read() as work:
                assert [
                    (seat.name, seat.colour) for seat in await work.seats.list_of_game(game.id)
                ] == [("Anna", "green"), ("Ben", "teal"), ("Cleo", "red")]
            for address in PLAYERS:
                await there.post(address, "vote grand")
            await there.handled(9)
            async with service.services.database.read() as work:
                game = await work.games.find_by_slug("heron")
            assert game is not None
            assert (game.status, game.phase_number) == ("running", 1)
            letters = [parse(raw) for raw in await mail.mails(PLAYERS[0])]
            assert any(
                "The players vote for version grand" in " ".join(text_of(letter).split())
                for letter in letters
            )
            await there.post(PLAYERS[1], "bid 7")
            await there.handled(10)
            assert "Bid 7" in text_of(await there.last(PLAYERS[1]))
            assert set(await there.outbox()) == {"sent"}
