"""The real service with mail and Telegram: one plays by each, and nobody notices; and what happens
when Telegram fails.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path

import pytest

from pbem.demo.clock import FastClock
from pbem.demo.servers import EmbeddedMail
from pbem.demo.telegram import Fault, TelegramStandIn, User
from pbem.desk.upkeep.health import look_at_health
from pbem.house import open_service
from pbem.telegram.settings import Line
from tests.desk.chatting import code_in
from tests.desk.harness import text_of
from tests.house.test_service import ANNA, BEN, GM, HOST, ORDERS, House, config_of


@dataclass
class ChatHouse(House):
    """A service with a bot, and the Telegram it lives at."""

    telegram: TelegramStandIn

    async def settle(self) -> None:
        """Everything that was said is handled, and everything that is due has gone out, at
        Telegram's pace.
        """
        while True:
            await self.service.services.intake.mailbox.drain()
            await self.service.settle()
            async with self.service.services.database.read() as work:
                due = await work.outbox.next_due_at()
            if due is None or due - self.clock.now() > timedelta(seconds=70):
                return
            self.clock.advance_to(max(due, self.clock.now()))

    @property
    def telegraph_stops(self) -> bool:
        return (
            self.service.telegram_service is not None and self.service.telegram_service.is_stopped
        )

    async def to_deadline(self, before: timedelta = timedelta(seconds=-2)) -> None:
        async with self.service.services.database.read() as work:
            (phase,) = await work.phases.list_running()
        self.clock.advance_to(phase.deadline - before)


@asynccontextmanager
async def chat_house(folder: Path) -> AsyncIterator[ChatHouse]:
    clock = FastClock()
    async with EmbeddedMail(clock, host=HOST) as mail, TelegramStandIn(clock) as telegram:
        for address in (ORDERS, GM, ANNA, BEN):
            await mail.add_account(address, f"pass-{address}", imap=address == ORDERS)
        line = Line(replace(telegram.settings, back_off_seconds=0.01, max_back_off_seconds=0.02))
        imap, smtp = mail.imap_settings(ORDERS), mail.smtp_settings(ORDERS)
        async with open_service(
            config_of(folder), clock, imap=imap, smtp=smtp, telegram=line
        ) as service:
            yield ChatHouse(service, mail, clock, telegram)


async def linked(there: ChatHouse, address: str, name: str) -> User:
    """A player follows the link of their turn mail."""
    assert there.service.telegram_service is not None
    user = there.telegram.user(name)
    await user.starts(code_in(text_of(await there.last(address))))
    await there.settle()
    return user


async def test_one_plays_by_mail_and_one_by_telegram_and_nobody_notices(tmp_path: Path) -> None:
    async with chat_house(tmp_path) as there:
        assert there.service.telegram_service is not None
        await there.service.telegram_service.look()
        await there.open_game()
        ben = await linked(there, BEN, "Ben")
        assert [command.name for command in ben.menu][:2] == ["orders", "status"]
        await ben.says("bid 3")
        await there.post(ANNA, "bid 12")
        await there.settle()
        assert "Bid 3" in ben.by_bot[-1].text
        assert "Bid 12" in text_of(await there.last(ANNA))
        await there.to_deadline()
        await there.settle()
        turn = next(shown for shown in reversed(ben.by_bot) if "Help" in shown.labels)
        assert turn.picture is not None
        assert "Your orders, please by" in turn.text
        mail = " ".join(text_of(await there.last(ANNA)).split())
        offered = "You can also play by Telegram"
        assert "elegram" not in mail.replace(offered, "").partition("https://t.me")[0]
        tap = await ben.taps(
            turn, next(label for label in turn.labels if label.startswith("Orders for"))
        )
        await there.settle()
        assert tap.answer == ""
        menu = ben.by_bot[-1]
        tap = await ben.taps(menu, "Fortify")
        await there.settle()
        assert tap.answer == ""
        assert "Fortify!" in ben.by_bot[-1].text
        assert there.telegram.violations == []


@pytest.mark.long(held_by="tests/desk/phases/test_close.py (a close is held until all is read)")
async def test_a_close_waits_for_a_telegram_that_cannot_be_read_as_for_the_mailbox(
    tmp_path: Path,
) -> None:
    async with chat_house(tmp_path) as there:
        assert there.service.telegram_service is not None
        await there.service.telegram_service.look()
        await there.open_game()
        ben = await linked(there, BEN, "Ben")
        await there.service.telegram_service.stop()
        await there.to_deadline(before=timedelta(hours=1))  # Telegram keeps an update for a day
        await ben.says("bid 3")
        await there.to_deadline()
        async with asyncio.timeout(60):
            await there.service.settle()
        async with there.service.services.database.read() as work:
            (phase,) = await work.phases.list_running()
        assert (phase.number, phase.status) == (1, "held")
        there.service.telegram_service.start(there.service.services)
        await there.settle()
        async with there.service.services.database.read() as work:
            (phase,) = await work.phases.list_running()
            (game,) = await work.games.list_by_status("running")
            seats = await work.seats.list_of_game(game.id)
            bid = await work.orders.newest(seats[1].id, 1)
        assert phase.number == 2
        assert bid is not None
        assert bid.canonical == ("Bid 3",)


@pytest.mark.long(held_by="tests/telegram/test_poller.py (a second poller)")
async def test_a_second_poller_stops_ours_for_good_and_everybody_who_should_know_is_told(
    tmp_path: Path,
) -> None:
    async with chat_house(tmp_path) as there:
        assert there.service.telegram_service is not None
        await there.service.telegram_service.look()
        there.telegram.fail(
            "getUpdates",
            *[Fault.refused(409, "Conflict: terminated by other getUpdates request")] * 3,
        )
        await there.telegram.user("Eve").says("hello")
        async with asyncio.timeout(20):
            while not there.telegraph_stops:
                await there.service.settle()
                await there.service.telegram_service.look()
        await there.service.settle()
        assert "We have stopped reading Telegram" in str((await there.last(GM))["Subject"])
        assert len([mail for mail in await there.mail.mails(GM) if b"stopped reading" in mail]) == 1
        health = await look_at_health(there.service.services.database, there.clock.now())
        assert "telegram-stopped" in health.reasons
        await there.open_game()
        await there.post(ANNA, "bid 12")
        await there.handled(1)
        assert "Bid 12" in text_of(await there.last(ANNA))
