"""The fixtures of the Telegram room's tests."""

from collections.abc import AsyncIterator

import pytest

from pbem.demo.telegram import TelegramStandIn
from pbem.telegram.connection import Connection
from tests.servers.telegram import telegram, telegram_clock
from tests.telegram.support import Shelf, quick

__all__ = ["telegram", "telegram_clock"]


@pytest.fixture
async def connection(telegram: TelegramStandIn) -> AsyncIterator[Connection]:
    async with Connection(quick(telegram)) as opened:
        yield opened


@pytest.fixture
def shelf() -> Shelf:
    return Shelf()
