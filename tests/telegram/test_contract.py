"""What the real sender does over HTTP, the one in memory does too."""

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from typing import Protocol

import pytest

from pbem.demo.telegram import TelegramStandIn, User
from pbem.telegram.connection import Connection
from pbem.telegram.ports import (
    Answer,
    Button,
    ChatMessage,
    ChatRefused,
    ChatSent,
    Command,
    Messenger,
)
from pbem.telegram.sender import TelegramSender
from tests.chatbox import Chatbox
from tests.telegram.support import picture

ROWS = (
    (Button("Fortify", data="7a"), Button("March", data="7b")),
    (Button("Rules", url="https://realm.example/rules"),),
)


@dataclass(frozen=True, slots=True)
class Seen:
    """What a reader has before their eyes."""

    message_id: int
    text: str
    picture: bytes | None
    buttons: tuple[tuple[Button, ...], ...]
    reply_to: int | None
    silent: bool


class Desk(Protocol):
    """A messenger, and one reader who may be written to."""

    @property
    def messenger(self) -> Messenger: ...

    @property
    def reader(self) -> int: ...

    def seen(self) -> list[Seen]: ...

    async def tap(self, message_id: int, label: str) -> str: ...

    def tap_answers(self) -> list[tuple[str, bool]]: ...

    def menu(self) -> Sequence[Command]: ...

    async def block(self) -> None: ...


class RealDesk:
    def __init__(self, connection: Connection, anna: User, telegram: TelegramStandIn) -> None:
        self.messenger: Messenger = TelegramSender(connection)
        self.reader = anna.chat_id
        self._anna = anna
        self._telegram = telegram

    def seen(self) -> list[Seen]:
        return [
            Seen(
                shown.message_id,
                shown.text,
                shown.picture,
                shown.buttons,
                shown.reply_to,
                shown.silent,
            )
            for shown in self._anna.by_bot
        ]

    async def tap(self, message_id: int, label: str) -> str:
        (message,) = [shown for shown in self._anna.chat if shown.message_id == message_id]
        return (await self._anna.taps(message, label)).callback_id

    def tap_answers(self) -> list[tuple[str, bool]]:
        return [
            (tap.answer, tap.alert)
            for tap in self._telegram.network.taps.values()
            if tap.answer is not None
        ]

    def menu(self) -> Sequence[Command]:
        return self._anna.menu

    async def block(self) -> None:
        await self._anna.blocks()


class FakeDesk:
    def __init__(self) -> None:
        self._box = Chatbox()
        self.messenger: Messenger = self._box
        self.reader = 42

    def seen(self) -> list[Seen]:
        return [
            Seen(
                posted.message_id,
                posted.text,
                posted.picture,
                posted.buttons,
                posted.reply_to,
                posted.silent,
            )
            for posted in self._box.to(self.reader)
        ]

    async def tap(self, message_id: int, label: str) -> str:
        (message,) = [
            posted for posted in self._box.to(self.reader) if posted.message_id == message_id
        ]
        assert label in [button.text for row in message.buttons for button in row]
        return "tap-1"

    def tap_answers(self) -> list[tuple[str, bool]]:
        return [(tap.text, tap.alert) for tap in self._box.taps]

    def menu(self) -> Sequence[Command]:
        return self._box.menus["private"]

    async def block(self) -> None:
        self._box.answers[self.reader] = ChatRefused(403, "bot was blocked by the user", "chat")


@pytest.fixture(params=["real", "fake"])
async def desk(
    request: pytest.FixtureRequest, telegram: TelegramStandIn, connection: Connection
) -> AsyncIterator[Desk]:
    if request.param == "fake":
        yield FakeDesk()
    else:
        anna = telegram.user("Anna")
        await anna.starts()
        yield RealDesk(connection, anna, telegram)


def sent(answer: Answer) -> int:
    assert isinstance(answer, ChatSent), answer
    return answer.message_id


async def test_messages_stand_in_the_chat_in_order_as_they_are_read(desk: Desk) -> None:
    first = sent(
        await desk.messenger.send(
            ChatMessage(chat_id=desk.reader, html="<b>Turn 6</b> &amp; on", buttons=ROWS)
        )
    )
    second = sent(
        await desk.messenger.send(
            ChatMessage(chat_id=desk.reader, html="again", reply_to=first, silent=True)
        )
    )
    assert desk.seen() == [
        Seen(first, "Turn 6 & on", None, ROWS, None, False),
        Seen(second, "again", None, (), first, True),
    ]


async def test_a_picture_comes_with_its_caption_or_alone(desk: Desk) -> None:
    png = picture()
    first = sent(
        await desk.messenger.send(
            ChatMessage(chat_id=desk.reader, html="<i>The board</i>", picture=png, buttons=ROWS)
        )
    )
    second = sent(await desk.messenger.send(ChatMessage(chat_id=desk.reader, picture=png)))
    assert desk.seen() == [
        Seen(first, "The board", png, ROWS, None, False),
        Seen(second, "", png, (), None, False),
    ]


async def test_an_edit_changes_words_and_buttons_in_place(desk: Desk) -> None:
    first = sent(
        await desk.messenger.send(ChatMessage(chat_id=desk.reader, html="P1", buttons=ROWS))
    )
    assert await desk.messenger.send(
        ChatMessage(chat_id=desk.reader, html="P1: <b>Fortify!</b>", edits=first)
    ) == ChatSent(first)
    assert desk.seen() == [Seen(first, "P1: Fortify!", None, (), None, False)]


async def test_an_edit_without_words_changes_the_buttons_alone(desk: Desk) -> None:
    first = sent(
        await desk.messenger.send(ChatMessage(chat_id=desk.reader, html="P1", buttons=ROWS))
    )
    assert await desk.messenger.send(
        ChatMessage(chat_id=desk.reader, buttons=ROWS[:1], edits=first)
    ) == ChatSent(first)
    assert desk.seen() == [Seen(first, "P1", None, ROWS[:1], None, False)]
    assert await desk.messenger.send(ChatMessage(chat_id=desk.reader, edits=first)) == ChatSent(
        first
    )
    assert desk.seen() == [Seen(first, "P1", None, (), None, False)]


async def test_an_edit_of_a_picture_changes_its_caption_and_keeps_the_picture(desk: Desk) -> None:
    png = picture()
    first = sent(
        await desk.messenger.send(ChatMessage(chat_id=desk.reader, html="Turn 6", picture=png))
    )
    assert await desk.messenger.send(
        ChatMessage(chat_id=desk.reader, html="Closed.", edits=first)
    ) == ChatSent(first)
    assert desk.seen() == [Seen(first, "Closed.", png, (), None, False)]


async def test_an_edit_may_bring_another_picture(desk: Desk) -> None:
    first = sent(
        await desk.messenger.send(
            ChatMessage(chat_id=desk.reader, html="Turn 6", picture=picture(2, 2))
        )
    )
    changed = ChatMessage(
        chat_id=desk.reader, html="Turn <b>7</b>", picture=picture(3, 3), buttons=ROWS, edits=first
    )
    assert await desk.messenger.send(changed) == ChatSent(first)
    assert desk.seen() == [Seen(first, "Turn 7", picture(3, 3), ROWS, None, False)]


@pytest.mark.parametrize("png", [None, picture()])
async def test_an_edit_that_changes_nothing_counts_as_sent(desk: Desk, png: bytes | None) -> None:
    first = sent(
        await desk.messenger.send(
            ChatMessage(chat_id=desk.reader, html="P1", picture=png, buttons=ROWS)
        )
    )
    for html, again in (("P1", png), ("P1", None), ("", None)):
        assert await desk.messenger.send(
            ChatMessage(chat_id=desk.reader, html=html, picture=again, buttons=ROWS, edits=first)
        ) == ChatSent(first)
    assert len(desk.seen()) == 1


async def test_an_edit_of_a_message_that_is_gone_is_refused_about_the_message(desk: Desk) -> None:
    answer = await desk.messenger.send(ChatMessage(chat_id=desk.reader, html="P1", edits=999))
    assert isinstance(answer, ChatRefused)
    assert (answer.code, answer.about) == (400, "message")


async def test_a_reply_to_what_is_gone_is_sent_without_its_head(desk: Desk) -> None:
    first = sent(
        await desk.messenger.send(ChatMessage(chat_id=desk.reader, html="still said", reply_to=999))
    )
    assert desk.seen() == [Seen(first, "still said", None, (), None, False)]


@pytest.mark.parametrize(
    ("html", "shown"),
    [
        ("<b>2 < 3", "2 < 3"),
        ("<i>a</b>", "a"),
        ("<script>x</script> &amp; y", "<script>x</script> & y"),
    ],
)
@pytest.mark.parametrize("png", [None, picture()])
async def test_markup_that_nobody_can_read_costs_no_words(
    desk: Desk, html: str, shown: str, png: bytes | None
) -> None:
    answer = await desk.messenger.send(ChatMessage(chat_id=desk.reader, html=html, picture=png))
    first = sent(answer)
    assert answer == ChatSent(first, ("markup",))
    assert desk.seen() == [Seen(first, shown, png, (), None, False)]
    assert await desk.messenger.send(
        ChatMessage(chat_id=desk.reader, html=f"{html}!", edits=first)
    ) == ChatSent(first, ("markup",))
    assert desk.seen() == [Seen(first, f"{shown}!", png, (), None, False)]


@pytest.mark.parametrize(
    "wrong",
    [
        {"html": "x" * 4097},
        {"html": "🜲" * 2049},
        {"html": "x" * 1025, "picture": picture()},
        {"html": ""},
        {"html": "<b> \n</b>"},
        {"html": "half \ud83d"},
        {"html": "x", "buttons": ((Button("\ud83d", data="1"),),)},
        {"picture": b""},
        {"picture": b"\xff\xd8\xff" + b"x" * (10 * 1024 * 1024)},
        {"html": "x", "buttons": ((Button("", data="1"),),)},
        {"html": "x", "buttons": ((Button("a"),),)},
        {"html": "x", "buttons": ((Button("a", data="1", url="https://x.example"),),)},
        {"html": "x", "buttons": ((Button("a", data="x" * 65),),)},
        {"html": "x", "buttons": ((Button("a", data="é" * 33),),)},
        {"html": "x", "buttons": ((Button("a", data=""),),)},
        {"html": "x", "buttons": tuple((Button("a", data="1"),) for _ in range(101))},
    ],
)
async def test_what_no_chat_can_take_is_refused_about_the_message(
    desk: Desk, wrong: dict[str, object]
) -> None:
    # one field each
    answer = await desk.messenger.send(ChatMessage(chat_id=desk.reader, **wrong))  # type: ignore[arg-type]
    assert isinstance(answer, ChatRefused)
    assert (answer.code, answer.about) == (400, "message")
    assert desk.seen() == []


async def test_the_longest_messages_that_are_allowed_are_sent(desk: Desk) -> None:
    sent(
        await desk.messenger.send(
            ChatMessage(chat_id=desk.reader, html="<b>" + "x" * 4096 + "</b>")
        )
    )
    sent(
        await desk.messenger.send(
            ChatMessage(chat_id=desk.reader, html="&amp;" * 1024, picture=picture())
        )
    )
    assert [len(seen.text) for seen in desk.seen()] == [4096, 1024]


async def test_who_has_blocked_us_is_refused_about_the_chat(desk: Desk) -> None:
    await desk.block()
    answer = await desk.messenger.send(ChatMessage(chat_id=desk.reader, html="hello?"))
    assert isinstance(answer, ChatRefused)
    assert (answer.code, answer.about) == (403, "chat")
    assert desk.seen() == []


async def test_taps_are_answered_at_most_with_two_hundred_characters(desk: Desk) -> None:
    first = sent(
        await desk.messenger.send(ChatMessage(chat_id=desk.reader, html="P1", buttons=ROWS))
    )
    assert await desk.messenger.answer_tap(await desk.tap(first, "Fortify"), "x" * 300, alert=True)
    assert desk.tap_answers() == [("x" * 200, True)]


async def test_menus_and_the_name_of_the_bot(desk: Desk) -> None:
    menu = [Command("orders", "Your orders"), Command("press", "Write to others")]
    await desk.messenger.set_commands("private", menu)
    assert tuple(desk.menu()) == tuple(menu)
    assert (await desk.messenger.me()).username == "realm_bot"
