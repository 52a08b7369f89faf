"""F-96: the table of what Telegram refuses, a row at a time, over HTTP."""

import pytest

from pbem.demo.telegram import Fault, TelegramStandIn, User
from pbem.demo.telegram.faults import ApiError
from pbem.telegram.connection import Connection
from pbem.telegram.ports import ChatDeferred, ChatMessage, ChatMoved, ChatRefused, ChatSent
from pbem.telegram.refusals import LATER, REFUSALS, Refusal, refusal_of
from pbem.telegram.sender import TelegramSender
from tests.telegram.support import picture

TOPIC = 77


def words_of(row: Refusal) -> str:
    """How Telegram words it; a row without words is about whatever has a row of no other."""
    head = {400: "Bad Request", 403: "Forbidden", 413: "Request Entity Too Large"}
    words = row.words or "something new"
    return f"{head.get(row.status, 'Error')}: {words.upper() if '_' in words else words}"


def named(row: Refusal) -> str:
    return f"{row.status} {row.words}"


@pytest.fixture
async def anna(telegram: TelegramStandIn) -> User:
    anna = telegram.user("Anna")
    await anna.starts()
    return anna


@pytest.mark.parametrize("row", [row for row in REFUSALS if row.status != 429], ids=named)
async def test_each_refusal_has_its_answer(
    telegram: TelegramStandIn, connection: Connection, anna: User, row: Refusal
) -> None:
    """F-96: what can go goes, without markup, picture or topic; the rest says why it cannot."""
    assert refusal_of(row.status, words_of(row)) is row
    telegram.fail("sendPhoto", Fault.refused(row.status, words_of(row)))
    message = ChatMessage(chat_id=anna.chat_id, html="<b>Turn 6</b>", picture=picture())
    answer = await TelegramSender(connection).send(
        ChatMessage(**{name: getattr(message, name) for name in ("chat_id", "html", "picture")})
        if row.deed != "general"
        else ChatMessage(
            chat_id=message.chat_id, html=message.html, picture=message.picture, thread_id=TOPIC
        )
    )
    match row.deed:
        case "plain" | "words" | "general":
            assert isinstance(answer, ChatSent)
            lost = {"plain": "markup", "words": "picture", "general": "topic"}[row.deed]
            assert answer.without == (lost,)
            assert answer.refused == ((row.kind,) if row.kind not in ("markup", "picture") else ())
            (shown,) = anna.by_bot
            assert shown.text == "Turn 6" if row.deed != "plain" else "Turn 6" in shown.text
            assert (shown.picture is None) == (row.deed == "words")
            assert "message_thread_id" not in shown.fields
        case "wait":
            assert isinstance(answer, ChatRefused)
            assert (answer.code, answer.about, answer.kind) == (row.status, "chat", row.kind)
        case "later":
            assert isinstance(answer, ChatDeferred)
        case _:
            assert isinstance(answer, ChatRefused)
            assert (answer.code, answer.about) == (row.status, "message")


async def test_too_many_and_moved_say_when_and_where(
    telegram: TelegramStandIn, connection: Connection, anna: User
) -> None:
    """F-96: 429 names the seconds, and a group that was upgraded its new number."""
    sender, message = TelegramSender(connection), ChatMessage(chat_id=anna.chat_id, html="x")
    telegram.fail("sendMessage", Fault.too_many(9))
    answer = await sender.send(message)
    assert isinstance(answer, ChatDeferred)
    assert answer.seconds == 9.0
    upgraded = "Bad Request: group chat was upgraded to a supergroup chat"
    telegram.fail(
        "sendMessage",
        Fault("answer", ApiError(400, upgraded, migrate_to_chat_id=-1_002_000_000_009)),
    )
    assert await sender.send(message) == ChatMoved(-1_002_000_000_009)


async def test_several_refusals_of_one_message_cost_what_each_costs(
    telegram: TelegramStandIn, connection: Connection, anna: User
) -> None:
    """F-96: a closed topic in a group without the right to send photos: the words arrive."""
    telegram.fail(
        "sendPhoto",
        Fault.refused(400, "Bad Request: TOPIC_CLOSED"),
        Fault.refused(400, "Bad Request: not enough rights to send photos to the chat"),
    )
    answer = await TelegramSender(connection).send(
        ChatMessage(chat_id=anna.chat_id, html="x", picture=picture(), thread_id=TOPIC)
    )
    assert isinstance(answer, ChatSent)
    assert answer.without == ("topic", "picture")
    assert answer.refused == ("topic-closed", "no-pictures")


async def test_a_closed_general_topic_and_a_picture_alone_have_no_way_out(
    telegram: TelegramStandIn, connection: Connection, anna: User
) -> None:
    """F-96: there is nothing left to send, or nowhere else to send it."""
    sender = TelegramSender(connection)
    telegram.fail("sendMessage", Fault.refused(400, "Bad Request: TOPIC_CLOSED"))
    answer = await sender.send(ChatMessage(chat_id=anna.chat_id, html="x"))
    assert isinstance(answer, ChatRefused)
    assert (answer.about, answer.kind) == ("chat", "general-closed")
    telegram.fail("sendPhoto", Fault.refused(400, "Bad Request: CHAT_SEND_PHOTOS_FORBIDDEN"))
    alone = await sender.send(ChatMessage(chat_id=anna.chat_id, picture=picture()))
    assert isinstance(alone, ChatRefused)
    assert alone.about == "message"


def test_every_row_can_be_reached() -> None:
    """F-96: no row stands behind one that takes its answers; what has no row is tried again."""
    for row in REFUSALS:
        assert refusal_of(row.status, words_of(row)) is row, row
    assert refusal_of(418, "I'm a teapot") is LATER
