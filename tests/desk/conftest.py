"""A desk for each test, and a desk with a bot, whose table of two has begun."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.desk.chatting import ChatDesk, open_chat_desk
from tests.desk.harness import Desk, open_desk


@pytest.fixture
async def desk(tmp_path: Path) -> AsyncIterator[Desk]:
    async with open_desk(tmp_path) as opened:
        yield opened


@pytest.fixture
async def there(tmp_path: Path) -> AsyncIterator[ChatDesk]:
    async with open_chat_desk(tmp_path) as opened:
        yield opened
