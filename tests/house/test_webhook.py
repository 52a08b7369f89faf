"""The real service with a webhook: Telegram calls it over HTTP, and nobody else is listened to
(threat 16).
"""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import httpx
import pytest

from pbem.demo.clock import FastClock
from pbem.demo.servers import EmbeddedMail
from pbem.demo.telegram import TelegramStandIn
from pbem.house import open_service
from pbem.telegram.settings import Line, WebhookSettings
from tests.desk.chatting import code_in
from tests.desk.harness import text_of
from tests.house.test_by_telegram import ChatHouse
from tests.house.test_service import ANNA, BEN, GM, HOST, ORDERS, config_of
from tests.telegram.test_webhook import HEADER, SECRET, free_port

STRANGER = 66_666


@dataclass
class HookedHouse(ChatHouse):
    """A service that Telegram calls."""

    hook: WebhookSettings

    async def call(self, update: dict[str, Any], secret: str | None = SECRET) -> int:
        """Somebody posts an update to the service, the way Telegram does."""
        headers = {} if secret is None else {HEADER: secret}
        async with httpx.AsyncClient() as client:
            return (
                await client.post(self.hook.url, content=json.dumps(update), headers=headers)
            ).status_code

    async def stored(self) -> int:
        async with self.service.services.database.read() as work:
            return sum((await work.inbox.count_by_state()).values())

    def message(self, update_id: int, user: int, text: str) -> dict[str, Any]:
        said = {
            "message_id": update_id,
            "date": int(self.clock.now().timestamp()),
            "chat": {"id": user, "type": "private"},
            "from": {"id": user, "is_bot": False, "first_name": "Somebody"},
            "text": text,
        }
        return {"update_id": update_id, "message": said}


@pytest.fixture
async def there(tmp_path: Path) -> AsyncIterator[HookedHouse]:
    async with hooked_house(tmp_path) as found:
        yield found


@asynccontextmanager
async def hooked_house(folder: Path) -> AsyncIterator[HookedHouse]:
    clock, port = FastClock(), free_port()
    hook = WebhookSettings(
        url=f"http://127.0.0.1:{port}/hook",
        secret=SECRET,
        port=port,
        path="/hook",
        drain_seconds=0.01,
    )
    async with EmbeddedMail(clock, host=HOST) as mail, TelegramStandIn(clock) as telegram:
        for address in (ORDERS, GM, ANNA, BEN):
            await mail.add_account(address, f"pass-{address}", imap=address == ORDERS)
        line = Line(
            replace(telegram.settings, back_off_seconds=0.01, max_back_off_seconds=0.02), hook
        )
        imap, smtp = mail.imap_settings(ORDERS), mail.smtp_settings(ORDERS)
        async with open_service(
            config_of(folder), clock, imap=imap, smtp=smtp, telegram=line
        ) as service:
            await telegram.until(lambda: bool(telegram.network.webhook.url))
            yield HookedHouse(service, mail, clock, telegram, hook)


@pytest.mark.long(held_by="tests/telegram/test_webhook.py (each update once)")
async def test_orders_come_in_by_the_webhook_once_however_often_they_are_posted(
    there: HookedHouse,
) -> None:
    assert there.service.telegram_service is not None
    await there.service.telegram_service.look()
    await there.open_game()
    ben = there.telegram.user("Ben")
    await ben.starts(code_in(text_of(await there.last(BEN))))
    await there.settle()
    await ben.says("bid 3")
    await there.settle()
    assert "Bid 3" in ben.by_bot[-1].text
    before, again = await there.stored(), there.message(900_001, ben.user_id, "bid 8")
    assert [await there.call(again) for _ in range(3)] == [200, 200, 200]
    await there.settle()
    assert await there.stored() == before + 1
    assert "Bid 8" in ben.by_bot[-1].text
    assert "version 2" in ben.by_bot[-1].text


@pytest.mark.long(held_by="tests/telegram/test_webhook.py (who does not know the secret)")
@pytest.mark.parametrize(("secret", "status"), [(None, 401), ("wrong", 403), (SECRET[:-1], 403)])
async def test_whoever_does_not_know_the_secret_stores_nothing(
    there: HookedHouse, secret: str | None, status: int
) -> None:
    before = await there.stored()
    assert await there.call(there.message(900_001, STRANGER, "bid 8"), secret) == status
    await there.settle()
    assert await there.stored() == before
    assert not [
        call for call in there.telegram.calls if call.fields.get("chat_id") == str(STRANGER)
    ]
