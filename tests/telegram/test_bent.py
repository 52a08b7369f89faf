"""F-10: whatever stands in an answer of the Bot API, a bent update costs itself at most, and no
field raises.
"""

import json

import pytest

from pbem.demo.telegram import Fault, TelegramStandIn
from pbem.demo.telegram.faults import ApiError
from pbem.telegram.batch import cut_updates, number_of
from pbem.telegram.connection import MOST_WAITED_SECONDS, Connection
from pbem.telegram.ports import ChatDeferred, ChatMessage, ChatMoved, TelegramTrouble
from pbem.telegram.sender import TelegramSender
from pbem.telegram.settings import WebhookSettings
from pbem.telegram.webhook import TelegramWebhook
from tests.servers.telegram import START, HandClock
from tests.telegram.support import Shelf, poller_of, watching

DEEP = b"[" * 100_000 + b"]" * 100_000
BENT = {
    "half a surrogate": rb'{"update_id":%d,"message":{"text":"\ud800"}}',
    "half a surrogate as a name": rb'{"update_id":%d,"\udfff":{}}',
    "no UTF-8": b'{"update_id":%d,"message":{"text":"\xff\xfe"}}',
    "a control character": b'{"update_id":%d,"message":{"text":"\x00\x1f"}}',
    "brackets in a text": rb'{"update_id":%d,"message":{"text":"]}\"],[{\\"}}',
    "too deep": b'{"update_id":%d,"message":' + DEEP + b"}",
    "a number without end": b'{"update_id":%d,"message":{"date":' + b"9" * 10_000 + b"}}",
    "no number": b'{"update_id":%d,"message":{"date":NaN,"x":1e999}}',
    "words that nobody knows": b'{"update_id":%d,"message":nil}',
}


def batch(*updates: bytes) -> bytes:
    return b'{"ok":true,"result":[' + b",".join(updates) + b"]}"


@pytest.mark.parametrize("kind", BENT)
async def test_f10_a_bent_update_is_stored_in_its_own_bytes_and_passed(
    telegram: TelegramStandIn,
    telegram_clock: HandClock,
    connection: Connection,
    shelf: Shelf,
    kind: str,
) -> None:
    anna = telegram.user("Anna")
    for word in ("before", "bent", "behind"):
        await anna.says(word)
    first = telegram.network.updates.first(START, 1)[0].update_id
    bent = BENT[kind] % (first + 1)
    sound = [waiting.as_bytes() for waiting in telegram.network.updates.first(START, 3)]
    telegram.fail("getUpdates", Fault("garble", text=batch(sound[0], bent, sound[2])))
    poller = poller_of(connection, telegram_clock)
    async with watching(poller, shelf):
        await telegram.emptied()
        await poller.drain()
    assert [update.raw for update in shelf.updates] == [sound[0], bent, sound[2]]
    assert [update.update_id for update in shelf.updates] == [first, first + 1, first + 2]


async def test_f10_half_a_character_that_somebody_wrote_is_stored_and_read(
    telegram: TelegramStandIn, telegram_clock: HandClock, connection: Connection, shelf: Shelf
) -> None:
    anna = telegram.user("Anna")
    for word in ("P1: fortify", "half \ud800", "P2: work"):
        await anna.says(word)
    poller = poller_of(connection, telegram_clock)
    async with watching(poller, shelf):
        await telegram.emptied()
        await poller.drain()
    assert shelf.texts == ["P1: fortify", "half \N{REPLACEMENT CHARACTER}", "P2: work"]


async def test_f10_updates_without_a_number_are_stored_and_keep_no_close_waiting(
    telegram: TelegramStandIn, telegram_clock: HandClock, connection: Connection, shelf: Shelf
) -> None:
    nameless = b'{"update_id":"seven","message":{}}'
    poller = poller_of(connection, telegram_clock)
    async with watching(poller, shelf):
        await telegram.polled()
        telegram.fail("getUpdates", *[Fault("garble", text=batch(nameless).decode())] * 3)
        assert await poller.drain() == START
        await telegram.until(lambda: telegram.handing.is_polled)
    assert {update.raw for update in shelf.updates} == {nameless}


@pytest.mark.parametrize(
    "answer",
    [
        *("", "[]", "{}", '{"result":', '{"result":[', '{"result":[{"update_id":1}'),
        *('{"result":{}}', '{"x":[1]}', '"'),
    ],
)
async def test_f10_an_answer_without_updates_is_trouble_and_no_more(
    telegram: TelegramStandIn, connection: Connection, answer: str
) -> None:
    telegram.fail("getUpdates", Fault("garble", text=answer))
    with pytest.raises(TelegramTrouble):
        await connection.updates(None, 0, ["message"])


def test_f10_updates_are_cut_as_a_parser_of_json_would_cut_them() -> None:
    updates = [
        {"update_id": 1, "message": {"text": 'a "quoted\\" ] , ['}},
        {},
        [],
        "x",
        7,
        None,
        {"update_id": 2, "result": [1, 2]},
    ]
    for indent in (None, 2):
        answer = json.dumps(
            {
                "ok": True,
                "description": "result",
                "other": [[1], {"result": [5]}],
                "result": updates,
            },
            indent=indent,
        )
        cut = cut_updates(answer.encode())
        assert cut is not None
        assert [json.loads(update) for update in cut] == updates
    assert cut_updates(b'{"ok":true, "result" : [ ] }') == []
    assert [
        number_of(raw)
        for raw in (
            *(b'{"x":1,"update_id":5}', b'{"update_id":-5}', b'{"update_id":true}', b"[5]", b"{"),
        )
    ] == [5, None, None, None, None]


def test_f10_cutting_looks_at_no_octet_twice() -> None:
    """A text without an end does not make every quotation mark in it a new beginning."""
    for filler in (rb"\"", b"\\", b'"', b"[", b",", b'{"', b'\\\\"'):
        assert cut_updates(b'{"result":["' + filler * 200_000) is None


BENT_NUMBERS = ["soon", "7", -5, 1e300, float("nan"), 10**400, True, [3], {"in": 3}, "\ud800"]


@pytest.mark.parametrize("value", BENT_NUMBERS, ids=lambda value: ascii(value)[:20])
async def test_f10_a_bent_retry_after_raises_in_nobody(
    telegram: TelegramStandIn,
    telegram_clock: HandClock,
    connection: Connection,
    shelf: Shelf,
    value: object,
) -> None:
    fault = Fault("answer", ApiError(429, "Too Many Requests", retry_after=value))
    telegram.fail("sendMessage", fault)
    answer = await TelegramSender(connection).send(ChatMessage(chat_id=7, html="x"))
    assert isinstance(answer, ChatDeferred)
    assert answer.seconds is None or 0 <= answer.seconds <= MOST_WAITED_SECONDS
    if value in (10**400, 1e300):
        return  # the poller would wait as long as it ever does
    telegram.fail("getUpdates", fault)
    await telegram.user("Anna").says("P1: fortify")
    async with watching(poller_of(connection, telegram_clock), shelf):
        await shelf.holding(1)


@pytest.mark.parametrize("value", [*BENT_NUMBERS, 0, 5], ids=lambda value: ascii(value)[:20])
async def test_f10_a_group_moves_to_no_bent_number_and_to_nobody_s_private_chat(
    telegram: TelegramStandIn, connection: Connection, value: object
) -> None:
    telegram.fail(
        "sendMessage", Fault("answer", ApiError(400, "Bad Request", migrate_to_chat_id=value))
    )
    answer = await TelegramSender(connection).send(ChatMessage(chat_id=-7, html="x"))
    assert not isinstance(answer, ChatMoved) or answer.new_chat_id == -5


@pytest.mark.parametrize(
    "value", [value for value in BENT_NUMBERS if value != "7"], ids=lambda value: ascii(value)[:20]
)
async def test_f10_a_message_is_known_by_a_number_only(
    telegram: TelegramStandIn, connection: Connection, value: object
) -> None:
    sent = {"message_id": value, "date": 1, "chat": {"id": 7, "type": "private"}}
    telegram.fail("sendMessage", Fault("garble", text=json.dumps({"ok": True, "result": sent})))
    answer = await TelegramSender(connection).send(ChatMessage(chat_id=7, html="x"))
    assert isinstance(answer, ChatDeferred)
    assert answer.maybe_sent


@pytest.mark.parametrize(
    "answer",
    [
        {"ok": False, "error_code": 400, "description": ["a"]},
        {"ok": False, "error_code": 400, "description": 7},
        {"ok": False, "error_code": 400},
        {"ok": False, "error_code": 400, "parameters": [1]},
        {"ok": False, "error_code": 403, "description": "\ud800" * 5000},
        {"ok": False, "error_code": 409, "description": {}},
        {"ok": False, "error_code": 401, "description": 0},
    ],
)
async def test_f10_bent_words_of_an_error_raise_in_nobody(
    telegram: TelegramStandIn,
    telegram_clock: HandClock,
    connection: Connection,
    answer: dict[str, object],
) -> None:
    bent = ApiError(0, "")
    bent.body = lambda: answer  # type: ignore[method-assign]
    telegram.fail("sendMessage", Fault("answer", bent))
    telegram.fail("getMe", Fault("answer", bent))
    told = await TelegramSender(connection).send(ChatMessage(chat_id=7, html="x"))
    assert len(getattr(told, "text", "").encode()) < 5000
    with pytest.raises(TelegramTrouble):
        await TelegramSender(connection).me()


@pytest.mark.parametrize(
    "me",
    [
        {"id": "1", "is_bot": True, "first_name": "x", "username": "realm_bot"},
        {"id": 1, "is_bot": True, "first_name": "x", "username": 7},
        {"id": 1, "is_bot": True, "first_name": "x", "username": "realm bot?start=x"},
        [],
        None,
        7,
        {},
    ],
)
async def test_f10_who_we_are_is_a_number_and_a_name(
    telegram: TelegramStandIn, connection: Connection, me: object
) -> None:
    telegram.fail("getMe", Fault("garble", text=json.dumps({"ok": True, "result": me})))
    with pytest.raises(TelegramTrouble):
        await TelegramSender(connection).me()


@pytest.mark.parametrize(
    "change",
    [
        {"pending_update_count": "many"},
        {"pending_update_count": None},
        {"url": 7},
        {"last_error_date": 10**30},
        {"last_error_date": "x"},
    ],
)
async def test_f10_bent_news_of_a_webhook_are_trouble_and_it_goes_on(
    telegram: TelegramStandIn,
    telegram_clock: HandClock,
    connection: Connection,
    shelf: Shelf,
    change: dict[str, object],
) -> None:
    settings = WebhookSettings(
        url="http://127.0.0.1:9/hook", secret="x" * 16, port=0, drain_seconds=0.01
    )
    info = {
        "url": settings.url,
        "has_custom_certificate": False,
        "pending_update_count": 0,
    } | change
    telegram.fail(
        "getWebhookInfo", *[Fault("garble", text=json.dumps({"ok": True, "result": info}))] * 2
    )
    webhook = TelegramWebhook(connection, settings, telegram_clock, lambda: 0.5)
    async with watching(webhook, shelf):
        assert await webhook.drain() == START
