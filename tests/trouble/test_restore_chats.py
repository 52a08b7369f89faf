"""Backup and restore of a service with a bot: Telegram gives no message twice, and yet nothing is
lost (F-55).
"""

import asyncio
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
import sqlalchemy as sa

from pbem.demo.clock import FastClock
from pbem.demo.servers import EmbeddedMail
from pbem.demo.telegram import TelegramStandIn
from pbem.house import open_service
from pbem.store import tables
from pbem.store.backup import write_backup
from pbem.telegram.settings import Line
from tests.house.test_by_telegram import ChatHouse, linked
from tests.house.test_service import ANNA, BEN, GM, HOST, ORDERS, config_of
from tests.trouble.test_restore import file_of, restore


@dataclass
class Provider:
    """The mail servers and Telegram, which outlive the service."""

    folder: Path
    mail: EmbeddedMail
    telegram: TelegramStandIn
    clock: FastClock

    @asynccontextmanager
    async def life(self) -> AsyncIterator[ChatHouse]:
        line = Line(
            replace(self.telegram.settings, back_off_seconds=0.01, max_back_off_seconds=0.02)
        )
        imap, smtp = self.mail.imap_settings(ORDERS), self.mail.smtp_settings(ORDERS)
        async with open_service(
            config_of(self.folder), self.clock, imap=imap, smtp=smtp, telegram=line
        ) as service:
            yield ChatHouse(service, self.mail, self.clock, self.telegram)


@asynccontextmanager
async def provider(folder: Path) -> AsyncIterator[Provider]:
    clock = FastClock()
    async with EmbeddedMail(clock, host=HOST) as mail, TelegramStandIn(clock) as telegram:
        for address in (ORDERS, GM, ANNA, BEN):
            await mail.add_account(address, f"pass-{address}", imap=address == ORDERS)
        yield Provider(folder, mail, telegram, clock)


async def orders_of(there: ChatHouse) -> list[tuple[int, tuple[str, ...]]]:
    async with there.service.services.database.read() as work:
        found = await work.connection.execute(
            sa.select(tables.orders.c.seat_id, tables.orders.c.canonical).order_by(
                tables.orders.c.phase_number, tables.orders.c.id
            )
        )
        return [(row[0], tuple(row[1])) for row in found]


@pytest.mark.long(
    held_by="tests/telegram/test_journal.py (the journal), tests/trouble/test_restore.py (a restore)"
)
@pytest.mark.parametrize("by_command", [True, False], ids=["pbem restore", "another tool"])
async def test_f55_orders_given_by_chat_since_the_backup_come_back_and_nobody_is_answered_twice(
    tmp_path: Path, by_command: bool
) -> None:
    backup = tmp_path / "backup.sqlite"
    async with provider(tmp_path) as world:
        async with world.life() as there:
            assert there.service.telegram_service is not None
            await there.service.telegram_service.look()
            await there.open_game()
            ben = await linked(there, BEN, "Ben")
            await asyncio.to_thread(write_backup, file_of(tmp_path), backup, world.clock.now())
            await ben.says("bid 2")
            await there.settle()
            await there.to_deadline()
            await there.settle()
            turn = next(shown for shown in reversed(ben.by_bot) if "Help" in shown.labels)
            await ben.taps(
                turn, next(label for label in turn.labels if label.startswith("Orders for"))
            )
            await there.settle()
            await ben.taps(ben.by_bot[-1], "Fortify")
            await there.settle()
            before, shown = await orders_of(there), len(ben.by_bot)
            assert before[0] == (2, ("Bid 2",))
            assert len(before) >= 2
        if by_command:
            await restore(tmp_path, backup, world.clock)
        else:
            shutil.copyfile(backup, file_of(tmp_path))
        async with world.life() as again:
            await again.settle()
            await again.settle()
            assert await orders_of(again) == before
            receipts = [
                one.text
                for one in ben.by_bot[shown:]
                if "Bid 2" in one.text and "taken" in one.text.casefold()
            ]
            assert receipts == []
        async with world.life() as later:
            await later.settle()
            assert await orders_of(later) == before
