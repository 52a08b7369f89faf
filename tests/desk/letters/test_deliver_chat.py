"""Sending to chats: retried until it is told, by mail where the chat is closed, at Telegram's pace
(threat 33).
"""

import dataclasses
import json
from datetime import datetime
from itertools import chain
from pathlib import Path
from typing import get_args

import pytest

from pbem.desk import gm
from pbem.desk.chat.commands import COMMANDS, IN_GROUPS, IN_PRIVATE, OF_MASTERS, words_of
from pbem.desk.envelope.message import TELEGRAM
from pbem.desk.letters.deliver import deliver_next
from pbem.desk.letters.post import read_post
from pbem.desk.letters.queue import ANSWERS, NEWS
from pbem.desk.table import load_table
from pbem.desk.upkeep.mailbox import ChatMailbox, JoinedMailbox
from pbem.desk.upkeep.status import read_status
from pbem.grammar.house.parsing import hear
from pbem.store.repositories.post.outbox import NewOutboxRow, OutboxState
from pbem.telegram.ports import Answer, ChatDeferred, ChatMessage, ChatRefused, ChatSent
from pbem.telegram.updates import Said, read_update
from tests.chatbox import Chatbox
from tests.desk.chatting import ChatDesk, open_chat_desk
from tests.desk.harness import ReadableMailbox, StandingClock, changed, text_of
from tests.desk.lobbies import code_of, open_lobby
from tests.desk.mastery import flat, gm_last, gm_letters
from tests.desk.phases.test_sweep import counted
from tests.rows import each_row

ANNA, BEN = 11, 12
STATES = get_args(OutboxState)


async def receipts(there: ChatDesk) -> list[tuple[str, str]]:
    """What became of the receipts, each with its channel."""
    async with there.desk.services.database.read() as work:
        rows = [await work.outbox.list_by_state(state, game_id=1) for state in STATES]
    letters = sorted(chain.from_iterable(rows), key=lambda row: row.id)
    return [(row.channel, row.state) for row in letters if row.kind == "receipt"]


async def test_only_letters_that_a_chat_may_show_get_words_for_one(tmp_path: Path) -> None:
    async with open_chat_desk(tmp_path) as there:

        async def in_chat() -> list[bool]:
            """What everybody gets, and what each player gets."""
            async with there.desk.services.read() as tx:
                game = await tx.work.games.find(1)
                assert game is not None
                post = await read_post(tx, await load_table(tx, game))
            return [post.facts(seat).in_chat for seat in (None, *(to for _, to in post.seats()))]

        assert await in_chat() == [False, False, False]
        await there.link("Anna", ANNA)
        assert await in_chat() == [True, True, False]


async def answered(there: ChatDesk, answer: Answer) -> None:
    await there.link("Anna", ANNA)
    there.box.answers[ANNA] = answer
    await there.says(ANNA, "bid 9")


async def test_f6_what_perhaps_arrived_is_sent_until_it_is_told_and_says_so(tmp_path: Path) -> None:
    async with open_chat_desk(tmp_path) as there:
        await answered(there, ChatDeferred(None, "Bad Gateway", maybe_sent=True))
        there.desk.clock.forward(minutes=5)
        await there.settle()
        assert await receipts(there) == [("telegram", "queued")]
        there.box.answers[ANNA] = ChatDeferred(300, "Too Many Requests")
        there.desk.clock.forward(minutes=5)
        await there.settle()
        del there.box.answers[ANNA]
        await there.says(ANNA, "bid 7")
        there.desk.clock.forward(minutes=5)
        await there.settle()
        first, second = (posted for posted in there.box.to(ANNA) if "Bid" in posted.text)
        assert first.text.startswith("Again, in case")
        assert "In place of" not in first.text
        assert "Once more" not in second.text
        assert await receipts(there) == [("telegram", "sent"), ("telegram", "sent")]


async def test_f6_what_a_day_long_cannot_be_sent_goes_by_mail_and_the_game_master_hears_once(
    tmp_path: Path,
) -> None:
    async with open_chat_desk(tmp_path) as there:
        await answered(there, ChatDeferred(None, "Bad Gateway", maybe_sent=True))
        await there.says(ANNA, "status")
        there.desk.clock.forward(hours=23)
        await there.settle()
        assert await receipts(there) == [("telegram", "queued")]
        there.desk.clock.forward(hours=2)
        await there.settle()
        assert await receipts(there) == [("telegram", "refused"), ("mail", "sent")]
        assert any("Bid 9" in text_of(mail) for mail in there.desk.letters("Anna"))
        told = [
            mail
            for mail in gm_letters(there.desk)
            if "Telegram refuses messages to Anna" in str(mail["Subject"])
        ]
        assert "We sent it by mail now" in flat(text_of(told[0]))
        assert len(told) <= 2  # one a day


async def test_f6_who_has_a_chat_alone_gets_nothing_lost_in_silence(tmp_path: Path) -> None:
    async with open_chat_desk(tmp_path, players=0) as there:
        await open_lobby(there.desk)
        await there.says(ANNA, f"/start join_{await code_of(there.desk)}")
        there.box.answers[ANNA] = ChatDeferred(None, "Bad Gateway", maybe_sent=True)
        await there.says(ANNA, "status")
        there.desk.clock.forward(hours=25)
        await there.settle()
        assert "does not have it" in flat(text_of(gm_last(there.desk, "Telegram refuses messages")))


async def test_f6_a_message_that_telegram_minds_alone_does_not_hold_up_the_others_for_a_day(
    tmp_path: Path,
) -> None:
    async with open_chat_desk(tmp_path) as there:
        await there.link("Anna", ANNA)
        await there.link("Bartek", BEN)
        there.desk.services = changed(there.desk.services, messenger=(box := Minding("order in")))
        there.box = box
        await there.says(ANNA, "bid 9")
        await there.says(ANNA, "/who")
        assert box.to(ANNA) == []
        there.desk.clock.forward(minutes=5)
        await there.says(BEN, "/who")
        there.desk.clock.forward(minutes=5)
        await there.settle()
        assert await receipts(there) == [("telegram", "queued")]
        assert box.to(ANNA)


async def test_what_did_not_arrive_waits_and_is_sent_when_it_can_be(tmp_path: Path) -> None:
    async with open_chat_desk(tmp_path) as there:
        await answered(there, ChatDeferred(500.0, "Too Many Requests"))
        assert await receipts(there) == [("telegram", "queued")]
        del there.box.answers[ANNA]
        there.desk.clock.forward(seconds=501)
        await there.settle()
        assert await receipts(there) == [("telegram", "sent")]
        assert "Bid 9" in there.last(ANNA).text


async def test_who_has_blocked_the_bot_gets_the_same_by_mail(tmp_path: Path) -> None:
    async with open_chat_desk(tmp_path) as there:
        await answered(there, ChatRefused(403, "bot was blocked by the user", "chat"))
        assert await receipts(there) == [("telegram", "refused"), ("mail", "sent")]
        assert "Bid 9" in text_of(there.desk.letters("Anna")[-1])
        told = flat(text_of(gm_last(there.desk, "Anna has closed the chat")))
        assert "goes by mail instead" in told
        assert str(ANNA) not in told.partition("Code")[0]


async def test_what_waits_for_a_chat_that_is_closed_comes_by_mail_in_its_order(
    tmp_path: Path,
) -> None:
    async with open_chat_desk(tmp_path) as there:
        await there.link("Anna", ANNA)
        await there.says(ANNA, "everything by telegram")
        there.box.answers[ANNA] = ChatRefused(403, "bot was blocked by the user", "chat")
        before = len(there.desk.letters("Anna"))
        await there.desk.everybody_passes()
        await there.settle()
        (mail,) = there.desk.letters("Anna")[before:]
        assert "orders due" in str(mail["Subject"])


async def test_the_game_master_learns_when_nobody_reaches_a_player_any_more(tmp_path: Path) -> None:
    async with open_chat_desk(tmp_path, players=0) as there:
        await open_lobby(there.desk)
        for user in (ANNA, BEN):
            await there.says(user, f"/start join_{await code_of(there.desk)}")
        await gm.start(there.desk.services, "heron", gm.By("test"))
        await there.settle()
        status = await read_status(there.desk.services, "heron")
        assert {seat.address_state for seat in status.seats} == {"chat"}
        await there.joins(ANNA, ("member", "kicked"), chat=ANNA)
        told = flat(text_of(gm_last(there.desk, "has closed the chat")))
        assert "we know no other way" in told
        assert "replace Phone11 with NAME ADDRESS" in told
        status = await read_status(there.desk.services, "heron")
        assert sorted(seat.address_state for seat in status.seats) == ["chat", "none"]


def said(text: str) -> Said:
    raw = {
        "message_id": 1,
        "date": 1,
        "chat": {"id": 5, "type": "private"},
        "from": {"id": 5, "is_bot": False, "first_name": "x"},
    }
    update = read_update(json.dumps({"update_id": 1, "message": raw | {"text": text}}).encode())
    assert isinstance(update, Said)
    return update


@each_row(
    ("text", "means"),
    [
        ("/status", "status"),
        ("/status@realm_bot", "status"),
        ("/who", "players"),
        ("/timezone Europe/Oslo", "my time zone is Europe/Oslo"),
        ("/join heron-k7m2qd", "join heron-k7m2qd"),
        ("/press Ben: hello\nthere", "press to Ben: hello\nthere"),
        ("/press to Ben: hello", "press to Ben: hello"),
        ("/absence from 3 to 10 July", "away from 3 to 10 July"),
        ("/start", "help"),
        ("/start join_heron-k7m2qd", "join heron-k7m2qd"),
        ("/start my_7", "G7: orders"),
        ("/nonsense 5", "nonsense 5"),
        ("/march@realm_bot 2 from P1 to P2", "march 2 from P1 to P2"),
        ("/take_over heron-k7m2qd", "take over heron-k7m2qd"),
        ("/extend 12h", "extend 12h"),
        ("/final", "final"),
        ("/available heron", "I can substitute at heron"),
        ("/available no", "I cannot substitute"),
        ("march 3 from P1 to P2", "march 3 from P1 to P2"),
    ],
)
def test_a_command_means_words_that_every_channel_knows(text: str, means: str) -> None:
    assert words_of(said(text)) == means


def test_every_command_of_the_menus_is_one_and_its_word_is_known() -> None:
    for offered in (*IN_PRIVATE, *IN_GROUPS):
        assert offered.name in COMMANDS
        word = COMMANDS[offered.name]("")
        assert hear(word).commands, word
    assert {offered.name for offered in OF_MASTERS} == {"gm", "bind"}


class Watcher:
    """Takes updates in, or does not."""

    def __init__(self, clock: StandingClock) -> None:
        self._now = clock.now()
        self.drained_until: datetime | None = self._now
        self.is_watching = True

    async def drain(self) -> datetime:
        return self._now


async def test_two_mailboxes_are_read_as_far_as_the_one_that_is_read_least() -> None:
    clock = StandingClock()
    watcher, mail = Watcher(clock), ReadableMailbox(clock)
    joined = JoinedMailbox(mail, ChatMailbox(watcher))
    began = clock.now()
    clock.forward(hours=1)
    assert joined.drained_until == began
    assert await joined.drain() == began
    watcher.is_watching = False
    with pytest.raises(OSError, match="nobody takes"):
        await joined.drain()
    unread = ReadableMailbox(clock)
    unread.broken = True
    joined = JoinedMailbox(unread, ChatMailbox(Watcher(clock)))
    assert joined.drained_until is None
    with pytest.raises(OSError, match="cannot be read"):
        await joined.drain()


@pytest.mark.parametrize("word", ["/start", "/status", "hello", "bid 3"])
async def test_f65_any_word_of_a_person_opens_their_chat_again_and_brings_what_they_missed(
    tmp_path: Path, word: str
) -> None:
    """Telegram sends no update about who unblocks a bot that it has forgotten."""
    async with open_chat_desk(tmp_path, players=0) as there:
        await open_lobby(there.desk)
        for user in (ANNA, BEN):
            await there.says(user, f"/start join_{await code_of(there.desk)}")
        await there.joins(ANNA, ("member", "kicked"), chat=ANNA)
        there.box.answers[ANNA] = ChatRefused(403, "bot was blocked by the user", "chat")
        await gm.start(there.desk.services, "heron", gm.By("test"))
        await there.settle()
        del there.box.answers[ANNA]
        before = len(there.box.to(ANNA))
        await there.says(ANNA, word)
        missed = there.box.to(ANNA)[before:]
        assert any("our bid, please" in posted.text for posted in missed[:-1])
        assert len(missed) > 1
        async with there.desk.services.database.read() as work:
            assert (await work.people.find_address("telegram", str(ANNA))).state == "confirmed"  # type: ignore[union-attr]
            assert await work.outbox.list_withheld_to("telegram", str(ANNA), 10) == []


async def test_f65_the_message_at_which_the_block_was_seen_comes_too_and_nothing_that_went_by_mail(
    tmp_path: Path,
) -> None:
    async with open_chat_desk(tmp_path, players=0) as there:
        await open_lobby(there.desk)
        await there.says(ANNA, f"/start join_{await code_of(there.desk)}")
        there.box.answers[ANNA] = ChatRefused(403, "bot was blocked by the user", "chat")
        await there.says(ANNA, "/status")
        del there.box.answers[ANNA]
        before = len(there.box.to(ANNA))
        await there.says(ANNA, "/who")
        assert len(there.box.to(ANNA)) == before + 2
    (folder := tmp_path / "mail").mkdir()
    async with open_chat_desk(folder) as there:
        await answered(there, ChatRefused(403, "bot was blocked by the user", "chat"))
        del there.box.answers[ANNA]
        before = len(there.box.to(ANNA))
        await there.says(ANNA, "/who")
        assert len(there.box.to(ANNA)) == before + 1


class Minding(Chatbox):
    """Telegram that fails over one text."""

    def __init__(self, minded: str) -> None:
        super().__init__()
        self._minded = minded

    async def send(self, message: ChatMessage) -> Answer:
        return (
            ChatDeferred(None, "Internal Server Error")
            if self._minded in message.html
            else await super().send(message)
        )


class WithoutPictures(Chatbox):
    """Telegram where no picture can be read."""

    async def send(self, message: ChatMessage) -> Answer:
        answer = await super().send(dataclasses.replace(message, picture=None))
        return (
            ChatSent(answer.message_id, ("picture",))
            if isinstance(answer, ChatSent) and message.picture is not None
            else answer
        )


async def test_who_does_not_get_the_picture_is_told_where_it_is(tmp_path: Path) -> None:
    async with open_chat_desk(tmp_path) as there:
        await there.link("Anna", ANNA)
        await there.desk.everybody_passes()
        await there.settle()
        there.desk.services = changed(there.desk.services, messenger=(box := WithoutPictures()))
        there.box = box
        await there.says(ANNA, "/map")
        assert "Telegram did not take the picture" in there.last(ANNA).text
        assert "/board tells the board in words" in there.last(ANNA).text
        async with there.desk.services.database.read() as work:
            rows = [
                row
                for row in await work.outbox.list_last_to("telegram", str(ANNA), 5)
                if "without" in (row.answer or "")
            ]
        assert [row.answer for row in rows] == [f"telegram:{ANNA}:1 without picture"]
        assert len(there.box.to(ANNA)) == 2


async def test_the_board_in_words_needs_no_picture(tmp_path: Path) -> None:
    async with open_chat_desk(tmp_path) as there:
        await there.link("Anna", ANNA)
        await there.desk.everybody_passes()
        await there.settle()
        await there.says(ANNA, "/map")
        assert there.last(ANNA).picture is not None
        await there.says(ANNA, "/board")
        assert there.last(ANNA).picture is None
        assert "the realm" in there.last(ANNA).text
        assert "P1" in text_of(await there.desk.write("Anna", "text board"))
        await there.says(ANNA, "/happened")
        assert "Turn 1" in there.last(ANNA).text


async def test_who_does_not_say_by_mail_which_table_is_meant_is_told_how(tmp_path: Path) -> None:
    async with open_chat_desk(tmp_path) as there:
        await there.desk.open_game(2, slug="wolf")
        asked = flat(text_of(await there.desk.write("Anna", "bid 5", token=False)))
        assert "the name of the game you mean" in asked
    assert '"heron: status"' in asked


async def queue_many(there: ChatDesk) -> None:
    """News, and 59 answers behind it, for Anna's chat."""
    desk = there.desk
    async with desk.services.database.write() as work:
        (model,) = await work.outbox.list_last_to(TELEGRAM, str(ANNA), 1)
        for number in range(60):
            await work.outbox.queue(
                NewOutboxRow(
                    channel=TELEGRAM,
                    kind="test",
                    address=str(ANNA),
                    letter=model.letter,
                    message_id=None,
                    created_at=desk.clock.now(),
                    lane=ANSWERS if number else NEWS,
                )
            )


async def test_f53_many_answers_behind_a_message_of_a_chat_do_not_keep_it_from_going_first(
    tmp_path: Path,
) -> None:
    """Answers go before news, and a chat keeps its order: the first to the chat goes, and all
    behind it are put off at once.
    """
    async with open_chat_desk(tmp_path) as there:
        await there.link("Anna", ANNA)
        await there.settle()
        desk, before = there.desk, len(there.box.to(ANNA))
        desk.clock.forward(minutes=5)
        await queue_many(there)
        for sent in range(1, 6):
            await deliver_next(desk.services)
            assert len(there.box.to(ANNA)) == before + sent
            desk.clock.forward(seconds=1)


async def test_many_messages_behind_one_that_telegram_does_not_take_cost_a_few_statements(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_chat_desk(tmp_path) as there:
        await there.link("Anna", ANNA)
        await there.settle()
        there.desk.clock.forward(minutes=5)
        there.box.answers[ANNA] = ChatDeferred(500.0, "Bad Gateway")
        await queue_many(there)
        with counted(monkeypatch) as sent:
            await deliver_next(there.desk.services)
        assert len(sent) < 40, "60 messages"
