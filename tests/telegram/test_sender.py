"""Sending in trouble: what each refusal and each silence means for the outbox (threat 33)."""

import json

import pytest

from pbem.demo.telegram import Fault, TelegramStandIn, User
from pbem.demo.telegram.faults import DROP, GARBLE, LOSE, SILENCE
from pbem.telegram.connection import Connection
from pbem.telegram.ports import (
    Button,
    ChatDeferred,
    ChatMessage,
    ChatMoved,
    ChatRefused,
    ChatSent,
    Command,
    TelegramTrouble,
)
from pbem.telegram.sender import TelegramSender
from tests.servers.telegram import HandClock
from tests.telegram.support import picture, quick


@pytest.fixture
def sender(connection: Connection) -> TelegramSender:
    return TelegramSender(connection)


@pytest.fixture
async def anna(telegram: TelegramStandIn) -> User:
    anna = telegram.user("Anna")
    await anna.starts()
    return anna


async def test_too_many_messages_say_when_to_come_again(
    telegram: TelegramStandIn, sender: TelegramSender, anna: User
) -> None:
    telegram.fail("sendMessage", Fault.too_many(7))
    answer = await sender.send(ChatMessage(chat_id=anna.chat_id, html="x"))
    assert isinstance(answer, ChatDeferred)
    assert (answer.seconds, answer.maybe_sent) == (7.0, False)
    assert isinstance(await sender.send(ChatMessage(chat_id=anna.chat_id, html="x")), ChatSent)
    assert len(anna.by_bot) == 1


@pytest.mark.parametrize(
    ("fault", "maybe_sent", "arrived"),
    [
        (DROP, True, 0),
        (LOSE, True, 1),
        (GARBLE, True, 1),
        (Fault("garble", text="[]"), True, 1),
        (Fault("garble", text='{"status": "up"}'), True, 1),
        (Fault("garble", text='{"ok": true, "result": {}}'), True, 1),
        (Fault("answer"), True, 0),
        (Fault.refused(502, "Bad Gateway"), True, 0),
        (Fault.refused(504, "Gateway Timeout"), True, 0),
        (Fault.refused(429, "Too Many Requests"), False, 0),
        (Fault.refused(401, "Unauthorized"), False, 0),
        (Fault.refused(404, "Not Found"), False, 0),
    ],
)
async def test_trouble_defers_and_says_whether_the_message_may_have_arrived(
    telegram: TelegramStandIn,
    sender: TelegramSender,
    anna: User,
    fault: Fault,
    maybe_sent: bool,
    arrived: int,
) -> None:
    telegram.fail("sendMessage", fault)
    answer = await sender.send(ChatMessage(chat_id=anna.chat_id, html="x"))
    assert isinstance(answer, ChatDeferred)
    assert answer.seconds is None
    assert answer.maybe_sent is maybe_sent
    assert len(anna.by_bot) == arrived


async def test_silence_is_a_time_out_and_may_have_been_heard(
    telegram: TelegramStandIn, anna: User
) -> None:
    telegram.fail("sendMessage", SILENCE)
    async with Connection(quick(telegram, timeout_seconds=0.05)) as connection:
        answer = await TelegramSender(connection).send(ChatMessage(chat_id=anna.chat_id, html="x"))
    assert isinstance(answer, ChatDeferred)
    assert answer.maybe_sent


async def test_where_nobody_listens_nothing_has_been_sent(telegram_clock: HandClock) -> None:
    async with TelegramStandIn(telegram_clock) as gone:
        settings = quick(gone)
    async with Connection(settings) as connection:
        answer = await TelegramSender(connection).send(ChatMessage(chat_id=1, html="x"))
    assert isinstance(answer, ChatDeferred)
    assert not answer.maybe_sent


async def test_the_chats_nobody_may_write_to(
    telegram: TelegramStandIn, sender: TelegramSender, anna: User
) -> None:
    ben, group = telegram.user("Ben"), telegram.group("Heron")
    cases = {
        "before /start": (ben.chat_id, 403),
        "a chat that does not exist": (123, 400),
        "a group without us": (group.chat_id, 403),
    }
    for case, (chat_id, code) in cases.items():
        answer = await sender.send(ChatMessage(chat_id=chat_id, html="x"))
        assert isinstance(answer, ChatRefused), case
        assert (answer.code, answer.about) == (code, "chat"), case
    await group.adds_bot(anna)
    assert isinstance(
        await sender.send(ChatMessage(chat_id=group.chat_id, html="hello all")), ChatSent
    )
    await group.removes_bot(anna)
    kicked = await sender.send(ChatMessage(chat_id=group.chat_id, html="x"))
    assert isinstance(kicked, ChatRefused)
    assert (kicked.code, kicked.about) == (403, "chat")


async def test_who_unblocks_us_can_be_written_to_again(sender: TelegramSender, anna: User) -> None:
    await anna.blocks()
    assert isinstance(await sender.send(ChatMessage(chat_id=anna.chat_id, html="x")), ChatRefused)
    await anna.unblocks()
    assert isinstance(await sender.send(ChatMessage(chat_id=anna.chat_id, html="x")), ChatSent)


@pytest.mark.parametrize(
    ("description", "about"),
    [
        ("Bad Request: not enough rights to send text messages to the chat", "chat"),
        ("Bad Request: have no rights to send a message", "chat"),
        ("Bad Request: CHAT_WRITE_FORBIDDEN", "chat"),
        ("Bad Request: group chat was deactivated", "chat"),
        ("Bad Request: PEER_ID_INVALID", "chat"),
        ("Bad Request: TOPIC_CLOSED", "chat"),
        ("Bad Request: message thread not found", "chat"),
        ("Bad Request: MESSAGE_ID_INVALID", "message"),
        ("Bad Request: message can't be edited", "message"),
        ("Bad Request: something new", "message"),
    ],
)
async def test_of_what_a_400_speaks(
    telegram: TelegramStandIn, sender: TelegramSender, anna: User, description: str, about: str
) -> None:
    telegram.fail("sendMessage", Fault.refused(400, description))
    answer = await sender.send(ChatMessage(chat_id=anna.chat_id, html="x"))
    assert isinstance(answer, ChatRefused)
    assert (answer.code, answer.about) == (400, about)


async def test_too_large_a_request_is_the_message_s_fault(
    telegram: TelegramStandIn, sender: TelegramSender, anna: User
) -> None:
    telegram.fail("sendPhoto", Fault.refused(413, "Request Entity Too Large"))
    answer = await sender.send(ChatMessage(chat_id=anna.chat_id, picture=picture()))
    assert answer == ChatRefused(413, "Request Entity Too Large", "message")


async def test_a_group_that_became_a_supergroup_tells_its_new_id(
    telegram: TelegramStandIn, sender: TelegramSender, anna: User
) -> None:
    group = telegram.group("Heron")
    await group.adds_bot(anna)
    old = group.chat_id
    new = await group.becomes_supergroup()
    assert await sender.send(ChatMessage(chat_id=old, html="x")) == ChatMoved(new)
    assert isinstance(await sender.send(ChatMessage(chat_id=new, html="x")), ChatSent)
    assert [shown.text for shown in group.by_bot] == ["x"]


@pytest.mark.parametrize("png", [b"no picture at all", picture(9_999, 2)[:60]])
async def test_a_picture_that_telegram_does_not_take_costs_no_words(
    sender: TelegramSender, anna: User, png: bytes
) -> None:
    answer = await sender.send(
        ChatMessage(
            chat_id=anna.chat_id, html="<b>Turn 6", picture=png, buttons=((Button("a", data="1"),),)
        )
    )
    (shown,) = anna.by_bot
    assert isinstance(answer, ChatSent)
    assert sorted(answer.without) == ["markup", "picture"]
    assert (shown.text, shown.picture, shown.labels) == ("Turn 6", None, ("a",))
    alone = await sender.send(ChatMessage(chat_id=anna.chat_id, picture=png))
    assert isinstance(alone, ChatRefused)
    assert alone.about == "message"


async def test_a_picture_comes_to_words_that_had_none(sender: TelegramSender, anna: User) -> None:
    first = await sender.send(ChatMessage(chat_id=anna.chat_id, html="Turn 6"))
    assert isinstance(first, ChatSent)
    await sender.send(
        ChatMessage(chat_id=anna.chat_id, html="Turn 6", picture=picture(), edits=first.message_id)
    )
    assert anna.by_bot[0].picture == picture()


async def test_an_edit_of_a_deleted_or_foreign_message_is_refused(
    telegram: TelegramStandIn, sender: TelegramSender, anna: User
) -> None:
    theirs = await anna.says("mine")
    ours = await sender.send(ChatMessage(chat_id=anna.chat_id, html="ours"))
    assert isinstance(ours, ChatSent)
    await anna.deletes(anna.by_bot[0])
    for message_id in (theirs.message_id, ours.message_id):
        answer = await sender.send(
            ChatMessage(chat_id=anna.chat_id, html="changed", edits=message_id)
        )
        assert isinstance(answer, ChatRefused)
        assert answer.about == "message"
    assert [shown.text for shown in anna.chat] == ["/start", "mine"]


async def test_protection_thread_and_no_preview_are_asked_for(
    telegram: TelegramStandIn, sender: TelegramSender, anna: User
) -> None:
    await sender.send(
        ChatMessage(
            chat_id=anna.chat_id, html="https://x.example", protect=True, silent=True, thread_id=5
        )
    )
    (call,) = [call for call in telegram.calls if call.method == "sendMessage"]
    assert json.loads(call.fields["link_preview_options"]) == {"is_disabled": True}
    assert (call.fields["message_thread_id"], anna.by_bot[0].protected, anna.by_bot[0].silent) == (
        "5",
        True,
        True,
    )


async def test_a_late_answer_to_a_tap_is_no_error(
    telegram: TelegramStandIn, sender: TelegramSender, anna: User
) -> None:
    await sender.send(
        ChatMessage(chat_id=anna.chat_id, html="P1", buttons=((Button("Fortify", data="7"),),))
    )
    tap = await anna.taps(anna.by_bot[0], "Fortify")
    assert tap.answer is None
    tap.expire()
    assert not await sender.answer_tap(tap.callback_id, "Taken")
    assert not await sender.answer_tap("unheard of")
    second = await anna.taps(anna.by_bot[0], "Fortify")
    telegram.fail("answerCallbackQuery", DROP)
    assert not await sender.answer_tap(second.callback_id)
    assert await sender.answer_tap(second.callback_id)
    assert await second.answered() == ""


async def test_menus_differ_by_scope_and_trouble_is_raised(
    telegram: TelegramStandIn, sender: TelegramSender, anna: User
) -> None:
    gm, group = telegram.user("Gina"), telegram.group("Heron")
    await gm.starts()
    await group.adds_bot(gm)
    await sender.set_commands("private", [Command("orders", "Your orders")])
    await sender.set_commands("group", [Command("status", "The table")])
    await sender.set_commands(gm.chat_id, [Command("gm", "All tables")])
    assert [menu[0].name for menu in (anna.menu, group.menu, gm.menu)] == ["orders", "status", "gm"]
    telegram.fail("setMyCommands", DROP)
    telegram.fail("getMe", Fault.too_many(3))
    with pytest.raises(TelegramTrouble):
        await sender.set_commands("private", [])
    with pytest.raises(TelegramTrouble) as trouble:
        await sender.me()
    assert trouble.value.seconds == 3.0


async def test_leaving_a_group_once_and_again(
    telegram: TelegramStandIn, sender: TelegramSender, anna: User
) -> None:
    group = telegram.group("Heron")
    await group.adds_bot(anna)
    await sender.leave(group.chat_id)
    await sender.leave(group.chat_id)
    assert isinstance(await sender.send(ChatMessage(chat_id=group.chat_id, html="x")), ChatRefused)
    with pytest.raises(TelegramTrouble):
        await sender.leave(123)


async def test_no_answer_holds_the_token(telegram: TelegramStandIn, anna: User) -> None:
    async with Connection(quick(telegram, token="1000001:SECRET-CANARY")) as connection:
        sender = TelegramSender(connection)
        answer = await sender.send(ChatMessage(chat_id=anna.chat_id, html="x"))
        telegram.fail(
            "sendMessage",
            Fault.refused(400, "Bad Request: https://proxy.example/bot1000001:SECRET-CANARY/x"),
        )
        echoed = await sender.send(ChatMessage(chat_id=anna.chat_id, html="x"))
        with pytest.raises(TelegramTrouble) as trouble:
            await sender.me()
    assert "canary" not in f"{answer} {echoed} {trouble.value}".lower()
    assert "***" in f"{echoed}"
    assert isinstance(answer, ChatDeferred)
