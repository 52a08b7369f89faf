"""F-111: what comes twice to chats after a kill: few messages, and each says so."""

import asyncio
from contextlib import suppress
from pathlib import Path
from random import Random

import msgspec
import pytest

from pbem.desk.chat.messages import ChatDraft
from pbem.desk.letters.deliver import deliver_next, free_leases
from pbem.desk.precedence import CHATS_AT_ONCE, FOR_ANSWERS
from pbem.store.repositories.post.outbox import NewOutboxRow
from pbem.telegram.ports import Answer, ChatMessage
from tests.chatbox import Chatbox
from tests.desk.chatting import ChatDesk, open_chat_desk
from tests.desk.harness import changed
from tests.desk.lobby.test_kills import DiesAt, Ended

AGAIN = "Again, in case the first did not reach you:\n"


class Unheard(Chatbox):
    """Takes every message, and the process dies before it hears so."""

    def __init__(self) -> None:
        super().__init__()
        self.took = asyncio.Event()

    async def send(self, message: ChatMessage) -> Answer:
        await super().send(message)
        self.took.set()
        never: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        return await never


class DiesAtNth(DiesAt):
    """Ends the process the n-th time that a step is reached."""

    def __init__(self, label: str, times: int) -> None:
        super().__init__(label)
        self._left = times

    def reached(self, step: str) -> None:
        if step == self.label and self._left:
            self._left -= 1
            if not self._left:
                raise Ended(step)


async def queue(there: ChatDesk, chats: list[int]) -> None:
    """A message for each of these chats, in this order."""
    async with there.desk.services.database.write() as work:
        for number, chat in enumerate(chats, 1):
            await work.outbox.queue(
                NewOutboxRow(
                    channel="telegram",
                    kind="bulletin",
                    address=str(chat),
                    letter=msgspec.json.encode(ChatDraft(f"part {number}")).decode(),
                    message_id=None,
                    created_at=there.desk.clock.now(),
                    dedupe_key=f"part:{number}",
                )
            )


@pytest.mark.parametrize("seed", range(6))
async def test_a_letter_of_ten_parts_goes_on_behind_the_part_that_is_known(
    tmp_path: Path, seed: int
) -> None:
    """F-111: killed at any part, before or behind its record: one part comes twice at most."""
    drawn = Random(seed)
    label, times = drawn.choice(("deliver.answered", "deliver.recorded")), drawn.randint(1, 10)
    async with open_chat_desk(tmp_path) as there:
        desk = there.desk
        await queue(there, [77] * 10)
        desk.services = changed(desk.services, steps=DiesAtNth(label, times))
        with suppress(Ended):
            await there.settle()
        assert len(there.box.to(77)) == times
        await free_leases(desk.services)
        await there.settle()
        texts = [posted.text for posted in there.box.to(77)]
        expected = [f"part {number}" for number in range(1, 11)]
        if label == "deliver.answered":
            expected.insert(times, f"{AGAIN}part {times}")
        assert texts == expected


async def test_of_ten_messages_to_ten_chats_few_come_twice_and_say_so(there: ChatDesk) -> None:
    """F-111: it was six of ten. A process that is killed hears of none that are under way."""
    desk, dying = there.desk, Unheard()
    chats = list(range(201, 211))
    await queue(there, chats)
    desk.services = changed(desk.services, messenger=dying)
    tasks = []
    for _ in range(10):
        dying.took.clear()
        took = asyncio.create_task(dying.took.wait())
        tasks.append(asyncio.create_task(deliver_next(desk.services)))
        await asyncio.wait({tasks[-1], took}, return_when=asyncio.FIRST_COMPLETED)
        took.cancel()
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    taken = {message.chat_id for message in dying.sent}
    assert 1 <= len(taken) <= CHATS_AT_ONCE - FOR_ANSWERS
    desk.services = changed(desk.services, messenger=there.box)
    await free_leases(desk.services)
    desk.clock.forward(minutes=6)
    await there.settle()
    for chat in chats:
        (posted,) = there.box.to(chat)
        assert posted.text.startswith(AGAIN) == (chat in taken), chat
