"""The stand-in for Telegram as a fixture: `telegram` is one that runs, `telegram_clock` its
clock.
"""

from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta

import pytest

from pbem.demo.telegram import TelegramStandIn

START = datetime(2024, 2, 29, 12, 0, 0, tzinfo=UTC)


class HandClock:
    """A clock that moves when it is told to."""

    def __init__(self, moment: datetime = START) -> None:
        self.moment = moment

    def now(self) -> datetime:
        return self.moment

    def advance(self, seconds: float) -> None:
        self.moment += timedelta(seconds=seconds)


@pytest.fixture
def telegram_clock() -> HandClock:
    return HandClock()


@pytest.fixture
async def telegram(telegram_clock: HandClock) -> AsyncIterator[TelegramStandIn]:
    async with TelegramStandIn(telegram_clock) as stand_in:
        yield stand_in
