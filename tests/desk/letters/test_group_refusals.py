"""F-96: a group that refuses, over HTTP: its game master hears once, what can go goes, the rest is
tried again, and the group opens when it speaks.
"""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from pbem.demo.telegram import Fault, Group, TelegramStandIn, User
from pbem.demo.telegram.chats import Shown
from pbem.desk.letters.bounces import TOLD_A_DAY
from pbem.telegram.connection import Connection
from pbem.telegram.sender import TelegramSender
from tests.desk.chatting import ChatDesk, open_chat_desk
from tests.desk.harness import changed, text_of
from tests.desk.mastery import flat, gm_letters

TOPIC = 77
CLOSED = "Bad Request: TOPIC_CLOSED"
NO_WORDS = "Bad Request: not enough rights to send text messages to the chat"
NO_PHOTOS = "Bad Request: not enough rights to send photos to the chat"


@dataclass
class Stage:
    """A table with a bound group, at a Telegram that can be told to refuse."""

    there: ChatDesk
    telegram: TelegramStandIn
    group: Group
    greta: User

    async def bind(self, **fields: Any) -> None:
        await self.says("/bind heron", where=None)
        code = self.greta.by_bot[-1].text.partition("/bind ")[2].split()[0]
        await self.says(f"/bind {code}", where=self.group.chat_id, **fields)

    async def says(self, text: str, *, where: int | None, **fields: Any) -> None:
        await self.there.says(self.greta.chat_id, text, where=where, **fields)

    async def bulletin(self) -> list[Shown]:
        """A turn passes; what the group got."""
        before = len(self.group.by_bot)
        await self.there.desk.everybody_passes()
        await self.there.settle()
        return list(self.group.by_bot[before:])

    def told(self) -> list[str]:
        """What the game master was told of the group."""
        return [
            flat(text_of(mail))
            for mail in gm_letters(self.there.desk)
            if "group" in str(mail["Subject"])
        ]

    def refuse(self, description: str, times: int, status: int = 400) -> None:
        for method in ("sendMessage", "sendPhoto"):
            self.telegram.fail(method, *[Fault.refused(status, description)] * times)

    def takes(self) -> None:
        self.telegram._faults.clear()


@asynccontextmanager
async def on_stage(folder: Path) -> AsyncIterator[Stage]:
    async with open_chat_desk(folder) as there, TelegramStandIn(there.desk.clock) as telegram:
        greta, group = telegram.user("Greta"), telegram.group("Heron at night")
        await greta.starts()
        await group.adds_bot(greta)
        async with Connection(telegram.settings) as connection:
            there.desk.services = changed(there.desk.services, messenger=TelegramSender(connection))
            async with there.desk.services.database.write() as work:
                (master,) = await work.masters.list_all()
                await work.people.add_address(
                    master.person_id, "telegram", str(greta.chat_id), "confirmed"
                )
                for topic in ("news", "bulletins", "press"):
                    await work.preferences.put(master.person_id, f"route.{topic}", "mail")
            await there.joins(greta.chat_id, ("left", "member"), chat=group.chat_id)
            yield Stage(there, telegram, group, greta)


@pytest.mark.parametrize(
    ("description", "status", "said"),
    [
        (NO_WORDS, 400, "Give the bot the right to send messages there"),
        ("Bad Request: CHAT_WRITE_FORBIDDEN", 400, "Give the bot the right to send messages"),
        (CLOSED, 400, "The General topic of"),
        ("Forbidden: bot was kicked from the supergroup chat", 403, "Add the bot to the group"),
    ],
)
async def test_a_group_that_refuses_is_told_of_once_tried_again_and_opens_when_it_speaks(
    tmp_path: Path, description: str, status: int, said: str
) -> None:
    """F-96: no refusal closes a group for good."""
    async with on_stage(tmp_path) as stage:
        await stage.bind()
        stage.refuse(description, 9, status)
        assert await stage.bulletin() == []
        stage.there.desk.clock.forward(minutes=6)
        await stage.there.settle()
        stage.there.desk.clock.forward(minutes=16)
        await stage.there.settle()
        (told,) = stage.told()
        assert said in told
        tries = stage.telegram.counts()["sendPhoto"] + stage.telegram.counts()["sendMessage"]
        stage.takes()
        await stage.says("hello?", where=stage.group.chat_id)
        stage.there.desk.clock.forward(minutes=1)
        await stage.there.settle()
        assert stage.group.by_bot[-1].picture is not None
        assert stage.telegram.counts()["sendPhoto"] + stage.telegram.counts()["sendMessage"] > tries
        stage.refuse(description, 9, status)
        await stage.bulletin()
        assert len(stage.told()) == 2, "it had opened, so this is new"


async def test_rights_that_are_given_open_the_group_at_once(tmp_path: Path) -> None:
    """F-96: `my_chat_member` says that the bot may do more, or less, than before."""
    async with on_stage(tmp_path) as stage:
        await stage.bind()
        stage.refuse(NO_WORDS, 9)
        assert await stage.bulletin() == []
        stage.takes()
        stage.there.desk.clock.forward(seconds=5)
        await stage.there.joins(
            stage.greta.chat_id, ("member", "administrator"), chat=stage.group.chat_id
        )
        assert stage.group.by_bot[-1].picture is not None


async def test_a_message_is_dropped_after_a_day_and_the_next_one_is_tried(tmp_path: Path) -> None:
    """F-96: without another letter to the game master, who knows already."""
    async with on_stage(tmp_path) as stage:
        await stage.bind()
        stage.refuse(NO_WORDS, 99)
        await stage.bulletin()
        for _ in range(26):
            stage.there.desk.clock.forward(hours=1)
            await stage.there.settle()
        assert len(stage.told()) == 1
        stage.takes()
        async with stage.there.desk.services.database.read() as work:
            refused = await work.outbox.list_by_state("refused")
        assert any("given up after a day" in (row.answer or "") for row in refused)
        assert await stage.bulletin()


async def test_without_the_right_to_send_photos_the_words_arrive(tmp_path: Path) -> None:
    """F-96: the game master hears once; a picture that is taken ends it."""
    async with on_stage(tmp_path) as stage:
        await stage.bind()
        for _ in range(2):
            stage.telegram.fail("sendPhoto", Fault.refused(400, NO_PHOTOS))
            (shown,) = await stage.bulletin()
            assert shown.picture is None
            assert shown.text
        (told,) = stage.told()
        assert "Give the bot the right to send photos there" in told
        (shown,) = await stage.bulletin()
        assert shown.picture is not None
        stage.telegram.fail("sendPhoto", Fault.refused(400, NO_PHOTOS))
        await stage.bulletin()
        assert len(stage.told()) == 2


async def test_rights_that_come_and_go_do_not_flood_the_game_master(tmp_path: Path) -> None:
    """F-96: who rules the group takes a right and gives it back, again and again."""
    async with on_stage(tmp_path) as stage:
        await stage.bind()
        for _ in range(20):
            stage.telegram.fail("sendMessage", Fault.refused(400, NO_WORDS))
            await stage.says("/status", where=stage.group.chat_id)
            stage.there.desk.clock.forward(minutes=6)
            await stage.there.settle()
        assert 2 <= len(stage.told()) <= TOLD_A_DAY


async def test_a_topic_that_is_bound_gets_everything(tmp_path: Path) -> None:
    """F-96, F-99: bulletins, public press and answers stand in the topic of `/bind`; an answer to
    a message of a group without topics is in none.
    """
    async with on_stage(tmp_path) as stage:
        topic = {"message_thread_id": TOPIC, "is_topic_message": True}
        await stage.bind(**topic)
        assert "in this topic" in stage.group.by_bot[-1].text
        (shown,) = await stage.bulletin()
        assert shown.fields["message_thread_id"] == TOPIC
        await stage.there.desk.write("Anna", "press to all: hello", token=True)
        await stage.there.settle()
        assert "hello" in stage.group.by_bot[-1].text
        assert stage.group.by_bot[-1].fields["message_thread_id"] == TOPIC
        await stage.says("/status", where=stage.group.chat_id, message_thread_id=5)
        assert "message_thread_id" not in stage.group.by_bot[-1].fields


async def test_a_closed_topic_falls_back_and_a_deleted_one_is_forgotten(tmp_path: Path) -> None:
    """F-96: the words go to General. A topic that is open again is used again."""
    async with on_stage(tmp_path) as stage:
        await stage.bind(message_thread_id=TOPIC, is_topic_message=True)
        stage.telegram.fail("sendPhoto", Fault.refused(400, CLOSED))
        (shown,) = await stage.bulletin()
        assert "message_thread_id" not in shown.fields
        (told,) = stage.told()
        assert "goes to the General topic for now" in told
        (shown,) = await stage.bulletin()
        assert shown.fields["message_thread_id"] == TOPIC
        gone = "Bad Request: message thread not found"
        stage.telegram.fail("sendPhoto", Fault.refused(400, gone))
        (shown,) = await stage.bulletin()
        assert "message_thread_id" not in shown.fields
        assert "was deleted" in stage.told()[-1]
        (shown,) = await stage.bulletin()
        assert "message_thread_id" not in shown.fields
        assert len(stage.told()) == 2


async def test_a_supergroup_that_is_known_already_keeps_the_table(tmp_path: Path) -> None:
    """F-96: the bot may hear of the new group before the old one says where it has gone."""
    async with on_stage(tmp_path) as stage:
        await stage.bind()
        old = stage.group.chat_id
        new = await stage.group.becomes_supergroup()
        await stage.there.joins(stage.greta.chat_id, ("left", "administrator"), chat=new)
        moved = {
            "message_id": 9,
            "date": int(stage.there.desk.clock.now().timestamp()),
            "chat": {"id": old, "type": "group", "title": "Heron"},
            "from": {"id": 1087968824, "is_bot": True, "first_name": "Group"},
            "migrate_to_chat_id": new,
        }
        await stage.there.bring("message", json.loads(json.dumps(moved)))
        assert await stage.bulletin()
