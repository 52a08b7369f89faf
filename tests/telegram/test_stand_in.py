"""The stand-in does what Telegram does: what other tests lean on."""

import json

import httpx
import pytest

from pbem.demo.telegram import Fault, TelegramStandIn
from pbem.demo.telegram.faults import ApiError
from pbem.demo.telegram.markup import Entity, parse_html
from pbem.telegram.connection import Connection
from pbem.telegram.ports import Button, ChatDeferred, ChatMessage, ChatRefused, ChatSent
from pbem.telegram.sender import TelegramSender
from pbem.telegram.text import deep_link
from pbem.telegram.updates import Joined, Said, Tapped, read_update
from tests.rows import each_row
from tests.servers.telegram import HandClock
from tests.telegram.support import NOBODY, Shelf, picture, poller_of, quick, watching


@pytest.fixture
def sender(connection: Connection) -> TelegramSender:
    return TelegramSender(connection)


def heard(telegram: TelegramStandIn) -> list[object]:
    return [
        read_update(waiting.as_bytes())
        for waiting in telegram.network.updates.first(telegram.network.clock.now(), 100)
    ]


async def test_what_users_do_is_told_as_telegram_tells_it(
    telegram: TelegramStandIn, sender: TelegramSender
) -> None:
    anna, ben = telegram.user("Anna"), telegram.user("Ben")
    await anna.opens(deep_link("realm_bot", "join-7"))
    said = await anna.says("march 2 from P1 to P2")
    await anna.edits(said, "march 3 from P1 to P2")
    await anna.forwards("P9: work", by=ben)
    await anna.sends_picture(picture(), "my plan")
    sent = await sender.send(
        ChatMessage(chat_id=anna.chat_id, html="P1", buttons=((Button("Fortify", data="7"),),))
    )
    assert isinstance(sent, ChatSent)
    await anna.says("that one", reply_to=anna.by_bot[0])
    await anna.taps(anna.by_bot[0], "Fortify")
    await ben.forges(99, "row-of-anna")
    start, order, edit, forward, image, reply, tap, forged = heard(telegram)
    assert isinstance(start, Said)
    assert (start.start_payload, start.user_id, start.user_name) == ("join-7", anna.user_id, "Anna")
    assert isinstance(order, Said)
    assert isinstance(edit, Said)
    assert (order.is_edit, edit.is_edit, edit.message_id, edit.text) == (
        False,
        True,
        order.message_id,
        "march 3 from P1 to P2",
    )
    assert isinstance(forward, Said)
    assert (forward.sent_for_others, forward.user_id) == ("forward", anna.user_id)
    assert isinstance(image, Said)
    assert (image.has_attachment, image.text) == (True, "my plan")
    assert isinstance(reply, Said)
    assert reply.reply_to == sent.message_id
    assert isinstance(tap, Tapped)
    assert (tap.data, tap.message_id, tap.user_id) == ("7", sent.message_id, anna.user_id)
    assert isinstance(forged, Tapped)
    assert (forged.data, forged.message_id, forged.user_id) == ("row-of-anna", 99, ben.user_id)


async def test_what_cannot_be_done_with_a_phone_is_an_error_of_the_test(
    telegram: TelegramStandIn, sender: TelegramSender
) -> None:
    anna, group = telegram.user("Anna"), telegram.group("Heron")
    await anna.starts()
    rules = ((Button("Rules", url=deep_link("realm_bot", "rules")),),)
    await sender.send(ChatMessage(chat_id=anna.chat_id, html="P1", buttons=rules))
    with pytest.raises(LookupError, match="no button 'Fortify'"):
        await anna.taps(anna.by_bot[0], "Fortify")
    with pytest.raises(LookupError, match="opens"):
        await anna.taps(anna.by_bot[0], "Rules")
    with pytest.raises(ValueError, match="cannot edit"):
        await anna.edits(anna.by_bot[0], "mine")
    with pytest.raises(ValueError, match="does not lead"):
        await anna.opens(deep_link("other_bot", "x"))
    await anna.opens(anna.by_bot[0].button("Rules").url or "")
    await anna.blocks()
    with pytest.raises(ValueError, match="has blocked"):
        await anna.says("hello?")
    with pytest.raises(LookupError):
        await group.taps(anna, await group.says(anna, "hello"), "Fortify")


async def test_groups_come_and_go_and_move(telegram: TelegramStandIn) -> None:
    gina, group = telegram.user("Gina"), telegram.group("Heron")
    await group.says(gina, "before the bot was here")
    await group.adds_bot(gina, "table-7")
    old = group.chat_id
    await group.says(gina, "P1: fortify")
    await group.says_anonymously("P2: fortify")
    new = await group.becomes_supergroup()
    await group.says(gina, "after")
    await group.removes_bot(gina)
    await group.says(gina, "nobody hears this")
    added, start, order, anonymous, moved, _, after, removed = heard(telegram)
    assert isinstance(added, Joined)
    assert (added.change, added.user_id, added.chat_title) == ("added", gina.user_id, "Heron")
    assert isinstance(start, Said)
    assert (start.start_payload, start.addressed_to, start.chat_kind) == (
        "table-7",
        "realm_bot",
        "group",
    )
    assert isinstance(order, Said)
    assert (order.chat_kind, order.sent_for_others) == ("group", None)
    assert isinstance(anonymous, Said)
    assert anonymous.sent_for_others == "sender-chat"
    assert isinstance(moved, Joined)
    assert (moved.chat_id, moved.migrated_to) == (old, new)
    assert isinstance(after, Said)
    assert after.chat_id == new
    assert isinstance(removed, Joined)
    assert (removed.change, removed.chat_id) == ("removed", new)


async def test_in_privacy_mode_a_bot_hears_of_a_group_only_what_is_meant_for_it(
    telegram_clock: HandClock,
) -> None:
    async with (
        TelegramStandIn(telegram_clock, reads_all=False) as telegram,
        Connection(quick(telegram)) as connection,
    ):
        gina, group = telegram.user("Gina"), telegram.group("Heron")
        await group.adds_bot(gina)
        await TelegramSender(connection).send(ChatMessage(chat_id=group.chat_id, html="Turn 6"))
        for word in ("just talk", "/status", "hey @realm_bot"):
            await group.says(gina, word)
        await group.says(gina, "to you", reply_to=group.by_bot[0])
        await group.edits(gina, await group.says(gina, "talk again"), "still talk")
        assert [said.text for said in heard(telegram) if isinstance(said, Said)] == [
            "/status",
            "hey @realm_bot",
            "to you",
        ]


async def test_messages_faster_than_the_limits_are_recorded(
    telegram: TelegramStandIn, telegram_clock: HandClock, sender: TelegramSender
) -> None:
    group = telegram.group("Heron")
    users = [telegram.user(f"User{number}") for number in range(31)]
    await group.adds_bot(users[0])
    for user in users:
        await user.starts()
        await sender.send(ChatMessage(chat_id=user.chat_id, html="bulletin"))
    telegram_clock.advance(0.5)
    await sender.send(ChatMessage(chat_id=users[0].chat_id, html="too soon"))
    for _ in range(21):
        telegram_clock.advance(1)
        await sender.send(ChatMessage(chat_id=group.chat_id, html="chatter"))
    assert [violation.limit for violation in telegram.violations] == [
        "30/s",
        "30/s",
        "20/min a group",
    ]
    assert telegram.violations[0].chat_id == users[30].chat_id
    telegram_clock.advance(0.25)
    await sender.send(ChatMessage(chat_id=users[1].chat_id, html="one"))
    telegram_clock.advance(0.25)
    await sender.send(ChatMessage(chat_id=users[1].chat_id, html="two"))
    assert telegram.violations[-1].limit == "1/s a chat"
    assert telegram.violations[-1].wait.total_seconds() == 0.75


async def test_a_stand_in_that_keeps_the_limits_refuses_with_429(telegram_clock: HandClock) -> None:
    async with (
        TelegramStandIn(telegram_clock, keeps_limits=True) as telegram,
        Connection(quick(telegram)) as connection,
    ):
        sender, anna = TelegramSender(connection), telegram.user("Anna")
        await anna.starts()
        assert isinstance(
            await sender.send(ChatMessage(chat_id=anna.chat_id, html="one")), ChatSent
        )
        answer = await sender.send(ChatMessage(chat_id=anna.chat_id, html="two"))
        assert isinstance(answer, ChatDeferred)
        assert answer.seconds == 1.0
        telegram_clock.advance(1)
        assert isinstance(
            await sender.send(ChatMessage(chat_id=anna.chat_id, html="two")), ChatSent
        )
        assert [shown.text for shown in anna.by_bot] == ["one", "two"]


async def test_a_failed_push_is_tried_again_by_itself_where_that_is_wanted(
    telegram_clock: HandClock, shelf: Shelf
) -> None:
    async with (
        TelegramStandIn(telegram_clock, push_retry_seconds=0.01) as telegram,
        Connection(quick(telegram)) as connection,
    ):
        await connection.bot.set_webhook(f"{NOBODY}/nobody")
        await telegram.user("Anna").says("P1: fortify")
        await telegram.until(lambda: len(telegram.handing.push_statuses) >= 2)
        assert telegram.waiting == 1
        async with watching(poller_of(connection, telegram_clock), shelf):
            await shelf.holding(1)


async def test_waiting_for_what_comes_sees_it_when_it_is_there(
    telegram: TelegramStandIn, sender: TelegramSender
) -> None:
    anna = telegram.user("Anna")
    await anna.starts()
    for word in ("one", "two"):
        await sender.send(ChatMessage(chat_id=anna.chat_id, html=word))
    assert [shown.text for shown in await anna.hears(2)] == ["one", "two"]
    assert len(await anna.sees(lambda chat: len(chat) == 3)) == 3


@pytest.mark.parametrize(
    ("fields", "code", "words"),
    [
        ({"text": ""}, 400, "message text is empty"),
        ({"text": "x" * 4097}, 400, "message is too long"),
        ({"text": "<b>x", "parse_mode": "HTML"}, 400, "can't parse entities: Can't find end tag"),
        ({"text": "x", "parse_mode": "Markdown"}, 400, "unsupported parse_mode"),
        ({"text": "x", "reply_markup": "{"}, 400, "can't parse reply_markup"),
        ({"text": "x", "reply_markup": "[]"}, 400, "object expected"),
        (
            {
                "text": "x",
                "reply_markup": {"inline_keyboard": [[{"text": "a", "callback_data": "x" * 65}]]},
            },
            400,
            "BUTTON_DATA_INVALID",
        ),
        (
            {"text": "x", "reply_markup": {"inline_keyboard": [[{"text": "a", "url": "nowhere"}]]}},
            400,
            "Wrong HTTP URL",
        ),
        (
            {"text": "x", "reply_markup": {"inline_keyboard": [[{"text": "a"}]]}},
            400,
            "Text buttons are unallowed",
        ),
        (
            {"text": "x", "reply_parameters": {"message_id": 999}},
            400,
            "message to be replied not found",
        ),
        ({"text": "x", "chat_id": "nobody"}, 400, "chat_id"),
    ],
)
async def test_calls_that_are_wrong_are_refused_in_telegram_s_words(
    telegram: TelegramStandIn, fields: dict[str, object], code: int, words: str
) -> None:
    anna = telegram.user("Anna")
    await anna.starts()
    async with httpx.AsyncClient() as client:
        answer = await client.post(
            f"{telegram.api_url}/bot{telegram.token}/sendMessage",
            json={"chat_id": anna.chat_id, **fields},
        )
        unknown = await client.get(f"{telegram.api_url}/bot{telegram.token}/sendDice")
    assert (answer.status_code, unknown.status_code) == (code, 404)
    assert words in answer.json()["description"]
    assert anna.by_bot == ()


async def test_faults_come_in_turn_and_calls_are_kept(
    telegram: TelegramStandIn, sender: TelegramSender
) -> None:
    anna = telegram.user("Anna")
    await anna.starts()
    telegram.fail("sendMessage", Fault.too_many(1), Fault.refused(400, "Bad Request: no"))
    answers = [await sender.send(ChatMessage(chat_id=anna.chat_id, html="x")) for _ in range(3)]
    assert [type(answer) for answer in answers] == [ChatDeferred, ChatRefused, ChatSent]
    assert telegram.counts()["sendMessage"] == 3
    assert json.loads(telegram.calls[-1].fields["link_preview_options"])


@each_row(
    ("html", "text", "entities"),
    [
        ("<b>a<i>b</i></b>", "ab", [Entity("b", 0, 2), Entity("i", 1, 1)]),
        ("🜲<code>x</code>", "🜲x", [Entity("code", 2, 1)]),
        ("  <b> x </b>  ", "x", [Entity("b", 0, 1)]),
        ("a &amp; &lt;b&gt; &quot;&#39;&#x41; &nbsp; &", "a & <b> \"'A &nbsp; &", []),
        ("<a href='https://x.example'>x</a>", "x", [Entity("a", 0, 1, "https://x.example")]),
        ("<B>x</B>", "x", [Entity("b", 0, 1)]),
        ("<b></b>x", "x", []),
        ("<blockquote expandable>x</blockquote>", "x", [Entity("blockquote", 0, 1)]),
        ("&#0;x&#xD800;", "&#0;x&#xD800;", []),
    ],
)
def test_html_is_read_as_telegram_reads_it(html: str, text: str, entities: list[Entity]) -> None:
    marked = parse_html(html)
    assert (marked.text, list(marked.entities)) == (text, entities)


@each_row(
    ("html", "words"),
    [
        ("<b>x", 'end tag corresponding to start tag "b"'),
        ("x</b>", "Unexpected end tag at byte offset 1"),
        ("é<b><i>x</b></i>", 'Unmatched end tag at byte offset 9, expected "</i>", found "</b>"'),
        ("<script>x</script>", 'Unsupported start tag "script" at byte offset 0'),
        ("2 < 3", 'Unsupported start tag "" at byte offset 2'),
        ("<span>x</span>", 'must have class "tg-spoiler"'),
        ("x<b", "Unclosed start tag at byte offset 1"),
        ("<b>x</b", "Unclosed end tag at byte offset 4"),
        ('<a href="x>y</a>', "Expected end of tag"),
    ],
)
def test_html_that_telegram_refuses_is_refused(html: str, words: str) -> None:
    with pytest.raises(ApiError) as refusal:
        parse_html(html)
    assert refusal.value.code == 400
    assert words in refusal.value.description
