"""The webhook: who may call (threat 18), and that 200 means stored."""

import asyncio
import dataclasses
import json
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from datetime import timedelta
from typing import Any

import httpx
import pytest

from pbem.demo.telegram import TelegramStandIn
from pbem.demo.telegram.faults import DROP
from pbem.telegram.connection import Connection
from pbem.telegram.ports import PolledElsewhere, Store, TelegramTrouble
from pbem.telegram.settings import WebhookSettings
from pbem.telegram.webhook import TelegramWebhook
from tests.servers.telegram import START, HandClock
from tests.telegram.support import NOBODY, Shelf, watching

SECRET = "a-secret-of-the-webhook_1"
HEADER = "X-Telegram-Bot-Api-Secret-Token"
UPDATE = {"update_id": 7, "message": {"text": "P1: fortify"}}


def free_port() -> int:
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        return int(sock.getsockname()[1])


@pytest.fixture
def settings() -> WebhookSettings:
    port = free_port()
    return WebhookSettings(
        url=f"http://127.0.0.1:{port}/hook",
        secret=SECRET,
        port=port,
        path="/hook",
        drain_seconds=0.01,
    )


@pytest.fixture
def webhook(
    connection: Connection, settings: WebhookSettings, telegram_clock: HandClock
) -> TelegramWebhook:
    return TelegramWebhook(connection, settings, telegram_clock, lambda: 0.5)


@asynccontextmanager
async def listening(
    webhook: TelegramWebhook, telegram: TelegramStandIn, store: Store
) -> AsyncIterator[asyncio.Task[None]]:
    async with watching(webhook, store) as task:
        await telegram.until(lambda: bool(telegram.network.webhook.url))
        yield task


async def call(
    settings: WebhookSettings, body: bytes, headers: dict[str, str], method: str = "POST"
) -> int:
    async with httpx.AsyncClient() as client:
        return (
            await client.request(method, settings.url, content=body, headers=headers)
        ).status_code


async def test_what_telegram_pushes_is_stored_byte_for_byte_and_confirmed_by_200(
    telegram: TelegramStandIn, webhook: TelegramWebhook, shelf: Shelf
) -> None:
    async with listening(webhook, telegram, shelf):
        anna = telegram.user("Anna")
        for word in ("one", "two", "three ✠"):
            await anna.says(word)
        await telegram.emptied()
        assert webhook.is_watching
        assert not webhook.is_silent()
    assert shelf.texts == ["one", "two", "three ✠"]
    assert telegram.handing.push_statuses == [200, 200, 200]
    (asked,) = [call for call in telegram.calls if call.method == "setWebhook"]
    assert asked.fields["secret_token"] == SECRET
    assert asked.fields["max_connections"] == "1"


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 401),
        ({HEADER: ""}, 403),
        ({HEADER: "wrong"}, 403),
        ({HEADER: SECRET[:-1]}, 403),
        ({HEADER: SECRET + "x"}, 403),
        ({HEADER: SECRET.upper()}, 403),
        ({HEADER: f"{SECRET},{SECRET}"}, 403),
        ({HEADER: "x" * 8000}, 403),
        ({"Authorization": SECRET}, 401),
        ({"X-Telegram-Bot-Api-Secret": SECRET}, 401),
    ],
)
async def test_whoever_does_not_know_the_secret_is_not_listened_to(
    telegram: TelegramStandIn,
    webhook: TelegramWebhook,
    settings: WebhookSettings,
    shelf: Shelf,
    headers: dict[str, str],
    status: int,
) -> None:
    async with listening(webhook, telegram, shelf):
        for body in (json.dumps(UPDATE).encode(), b"{", b""):
            assert await call(settings, body, headers) == status
    assert not shelf.entered.is_set()


async def test_with_two_secret_headers_of_which_one_is_right_nobody_gets_in(
    telegram: TelegramStandIn, webhook: TelegramWebhook, settings: WebhookSettings, shelf: Shelf
) -> None:
    async with listening(webhook, telegram, shelf), httpx.AsyncClient() as client:
        answer = await client.post(
            settings.url, content=json.dumps(UPDATE), headers=[(HEADER, SECRET), (HEADER, "wrong")]
        )
        assert answer.status_code == 403
    assert not shelf.entered.is_set()


async def test_the_secret_is_refused_before_the_body_has_come(
    telegram: TelegramStandIn, webhook: TelegramWebhook, settings: WebhookSettings, shelf: Shelf
) -> None:
    async with listening(webhook, telegram, shelf):
        reader, writer = await asyncio.open_connection("127.0.0.1", settings.port)
        writer.write(
            f"POST {settings.path} HTTP/1.1\r\nHost: x\r\n{HEADER}: wrong\r\nContent-Length: 100000\r\n\r\n".encode()
        )
        assert (await reader.readline()).startswith(b"HTTP/1.1 403")
        writer.close()
        await writer.wait_closed()


async def test_what_is_no_update_is_refused_even_with_the_secret(
    telegram: TelegramStandIn, webhook: TelegramWebhook, settings: WebhookSettings, shelf: Shelf
) -> None:
    bodies = [
        *(b"", b"{", b"[]", b"null", b"{}", b'{"update_id": "7"}', b"\xff\xfe"),
        b"[" * 5000,
        b"[" * 100_000,
    ]
    async with listening(webhook, telegram, shelf):
        for body in bodies:
            assert await call(settings, body, {HEADER: SECRET}) == 400
    assert shelf.updates == []


@pytest.mark.parametrize(
    "body",
    [
        b'{"update_id":1}x',
        b'{"update_id":1,"message":' + b"[" * 100_000,
        b'{"update_id":1,"message":' + b'{"a":' * 100_000 + b"1" + b"}" * 100_001,
        rb'{"update_id":1,"message":{"text":"\ud800"}}',
        b'{"update_id":1,"message":{"text":"\xff"}}',
        b'{"message":{"date":NaN},"update_id":1}',
    ],
)
async def test_f58_an_update_that_nobody_can_read_is_stored_and_not_repeated_for_ever(
    telegram: TelegramStandIn,
    webhook: TelegramWebhook,
    settings: WebhookSettings,
    shelf: Shelf,
    body: bytes,
) -> None:
    async with listening(webhook, telegram, shelf):
        assert await call(settings, body, {HEADER: SECRET}) == 200
    assert [(update.update_id, update.raw) for update in shelf.updates] == [(1, body)]


@pytest.mark.parametrize(
    "begun",
    [
        "",
        "POST /hook HT",
        f"POST /hook HTTP/1.1\r\nHost: x\r\n{HEADER}: {SECRET}\r\n",
        f"POST /hook HTTP/1.1\r\nHost: x\r\n{HEADER}: {SECRET}\r\nContent-Length: 5\r\n\r\n12",
        f"POST /hook HTTP/1.1\r\nHost: x\r\n{HEADER}: {SECRET}\r\nTransfer-Encoding: chunked\r\n\r\n",
    ],
    ids=["silent", "a line", "a head", "a body", "chunks"],
)
async def test_f58_who_calls_and_falls_silent_is_hung_up_on(
    telegram: TelegramStandIn,
    connection: Connection,
    settings: WebhookSettings,
    telegram_clock: HandClock,
    shelf: Shelf,
    begun: str,
) -> None:
    impatient = dataclasses.replace(settings, idle_seconds=0.05, body_seconds=0.05)
    async with listening(
        TelegramWebhook(connection, impatient, telegram_clock, lambda: 0.5), telegram, shelf
    ):
        reader, writer = await asyncio.open_connection("127.0.0.1", settings.port)
        writer.write(begun.encode())
        with suppress(ConnectionResetError):  # so it ends where something lies unread
            await reader.read()  # until it is closed
        writer.close()
    assert shelf.updates == []


async def test_a_body_beyond_the_cap_is_refused(
    telegram: TelegramStandIn, webhook: TelegramWebhook, settings: WebhookSettings, shelf: Shelf
) -> None:
    async with listening(webhook, telegram, shelf):
        reader, writer = await asyncio.open_connection("127.0.0.1", settings.port)
        writer.write(
            f"POST {settings.path} HTTP/1.1\r\nHost: x\r\n{HEADER}: {SECRET}\r\nContent-Length: 1048577\r\n\r\n".encode()
        )
        assert (await reader.readline()).startswith(b"HTTP/1.1 400")
        writer.close()
        await writer.wait_closed()
    assert shelf.updates == []


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [("GET", "/hook", 405), ("PUT", "/hook", 405), ("POST", "/other", 404)],
)
async def test_only_posts_to_the_path_count(
    telegram: TelegramStandIn,
    webhook: TelegramWebhook,
    settings: WebhookSettings,
    shelf: Shelf,
    method: str,
    path: str,
    status: int,
) -> None:
    async with listening(webhook, telegram, shelf):
        other = dataclasses.replace(settings, url=settings.url.replace("/hook", path))
        assert await call(other, json.dumps(UPDATE).encode(), {HEADER: SECRET}, method) == status
    assert shelf.updates == []


async def test_200_comes_only_after_the_store_and_500_when_it_fails(
    telegram: TelegramStandIn, webhook: TelegramWebhook, shelf: Shelf
) -> None:
    shelf.failing = {b"poison"}
    async with listening(webhook, telegram, shelf):
        await telegram.user("Anna").says("poison")
        await telegram.handing.push()
        await shelf.failed(1)
        assert telegram.waiting == 1
        assert set(telegram.handing.push_statuses) == {500}
        assert webhook.last_error == "an update could not be stored: OSError"
        shelf.failing.clear()
        shelf.open.clear()
        shelf.entered.clear()
        pushing = asyncio.create_task(telegram.handing.push())
        await shelf.entered.wait()
        assert telegram.waiting == 1
        shelf.open.set()
        await pushing
        assert telegram.waiting == 0
    assert shelf.texts == ["poison"]


async def test_drained_is_what_telegram_no_longer_holds(
    telegram: TelegramStandIn, webhook: TelegramWebhook, telegram_clock: HandClock, shelf: Shelf
) -> None:
    async with listening(webhook, telegram, shelf):
        assert await webhook.drain() == START
        shelf.open.clear()
        await telegram.user("Anna").says("just in time")
        await shelf.entered.wait()
        telegram_clock.advance(60)
        draining = asyncio.create_task(webhook.drain())
        asked = telegram.counts()["getWebhookInfo"]
        await telegram.until(lambda: telegram.counts()["getWebhookInfo"] >= asked + 3)
        assert not draining.done()
        assert webhook.drained_until == START
        shelf.open.set()
        assert await draining == START + timedelta(seconds=60)
    assert shelf.texts == ["just in time"]


async def test_the_webhook_is_set_in_spite_of_trouble_and_what_waited_is_pushed(
    telegram: TelegramStandIn, webhook: TelegramWebhook, shelf: Shelf
) -> None:
    await telegram.user("Anna").says("before we were there")
    telegram.fail("setWebhook", DROP, DROP)
    telegram.fail("getWebhookInfo", DROP)
    async with listening(webhook, telegram, shelf):
        await telegram.emptied()
        await webhook.drain()
    assert shelf.texts == ["before we were there"]


async def test_a_webhook_that_somebody_takes_away_stops_us_loudly(
    telegram: TelegramStandIn, webhook: TelegramWebhook, connection: Connection, shelf: Shelf
) -> None:
    task = asyncio.create_task(webhook.watch(shelf))
    await webhook.drain()
    await connection.bot.set_webhook(f"{NOBODY}/elsewhere")
    with pytest.raises(TelegramTrouble):
        await webhook.drain()
    with pytest.raises(PolledElsewhere, match="taken away"):
        await task
    assert (webhook.is_watching, webhook.is_silent()) == (False, True)


async def test_a_taken_port_is_said_at_once(
    connection: Connection, settings: WebhookSettings, webhook: TelegramWebhook, shelf: Shelf
) -> None:
    with socket.socket() as sock:
        sock.bind((settings.host, settings.port))
        sock.listen()
        with pytest.raises(OSError, match="in use"):
            await webhook.watch(shelf)


@pytest.mark.parametrize(
    "changes",
    [
        {"secret": ""},
        {"secret": "short"},
        {"secret": "x" * 257},
        {"secret": "with space " * 3},
        {"path": "hook"},
    ],
)
def test_settings_that_telegram_would_not_take_are_refused(
    settings: WebhookSettings, changes: dict[str, Any]
) -> None:
    with pytest.raises(ValueError):
        dataclasses.replace(settings, **changes)
    assert SECRET not in repr(settings)
