"""F-94: a text that a chat program has cut is one message: in press, notes and orders, after a
crash, and where a part of it is changed.
"""

import dataclasses
import json
from contextlib import suppress
from pathlib import Path

import pytest

from pbem.desk.chat.inbound import wait_anew
from pbem.desk.messages.intake import store_update, store_updates
from pbem.telegram.parts import WAIT
from pbem.telegram.ports import StoredUpdate
from tests.desk.chatting import ChatDesk, open_chat_desk
from tests.desk.harness import text_of
from tests.desk.lobby.test_kills import DiesAt, Ended
from tests.desk.mastery import gm_letters

ANNA, MESSAGE = 5000, 11
TALK = "I have thought about it, and the quokka sleeps. "
SECOND = "ld like to talk about the north. Greta must not hear of this."


def full(begin: str, end: str = "I wou") -> str:
    """A text of 4,096 characters."""
    return begin + (TALK * 90)[: 4096 - len(begin) - len(end)] + end


def update(there: ChatDesk, text: str, number: int, **more: object) -> StoredUpdate:
    there.updates += 1
    content: dict[str, object] = {
        "message_id": MESSAGE + number,
        "date": int(there.desk.clock.now().timestamp()),
        "chat": {"id": ANNA, "type": "private"},
        "from": {"id": ANNA, "is_bot": False, "first_name": "Anna"},
        "text": text,
    }
    kind = "edited_message" if "edit_date" in more else "message"
    raw = json.dumps({"update_id": there.updates, kind: content | more}).encode()
    return StoredUpdate(there.updates, raw, there.desk.clock.now())


async def brings(there: ChatDesk, *updates: StoredUpdate) -> None:
    await store_updates(there.desk.services, updates)
    await there.desk.work()


async def press_of(there: ChatDesk) -> list[str]:
    async with there.desk.services.database.read() as work:
        return [row.text for row in await work.press.list_of_game(1)]


async def orders_of(there: ChatDesk) -> list[tuple[str, ...]]:
    async with there.desk.services.database.read() as work:
        return [row.canonical for row in await work.orders.history(1, 1)]


async def notes_of(there: ChatDesk) -> int:
    return len([mail for mail in gm_letters(there.desk) if "quokka" in text_of(mail)])


async def outcomes_of(there: ChatDesk) -> list[str | None]:
    async with there.desk.services.database.read() as work:
        rows = [*await work.inbox.list_by_state("handled"), *await work.inbox.list_by_state("new")]
        parts = await work.inbox.list_by_state("ignored")
    return [row.outcome for row in rows if row.channel == "telegram"] + [
        row.outcome for row in parts if row.outcome == "part"
    ]


async def test_press_that_was_cut_is_one_press_and_nobody_else_reads_a_word(
    there: ChatDesk,
) -> None:
    """F-94: the first half goes to nobody before the rest has come."""
    await there.link("Anna", ANNA)
    await brings(there, update(there, full("press to Bartek: "), 0))
    assert await press_of(there) == []
    assert there.box.to(ANNA)[-1].text.find("Sent to") < 0
    there.desk.clock.forward(seconds=2)
    await brings(there, update(there, SECOND, 1))
    (text,) = await press_of(there)
    assert text.endswith(f"I wou{SECOND}")
    await there.settle()
    assert await notes_of(there) == 0
    assert "Sent to Bartek." in there.last(ANNA).text
    assert (await outcomes_of(there))[-1] == "part"


async def test_both_in_one_answer_of_telegram_are_one_message(there: ChatDesk) -> None:
    """F-94: a poll brings both at once; a third part may be full itself."""
    await there.link("Anna", ANNA)
    parts = (full("press to Bartek: "), full("ld ", "I wou"), SECOND)
    await brings(there, *(update(there, text, at) for at, text in enumerate(parts)))
    (text,) = await press_of(there)
    assert text.endswith(f"I wou{SECOND}")
    assert "I would I have" in text
    assert len(text) > 8000


async def test_a_part_that_nothing_follows_is_handled_when_the_wait_is_over(
    there: ChatDesk,
) -> None:
    """F-94: a text may just be long. Ten seconds later, or with the next update, it is whole."""
    await there.link("Anna", ANNA)
    await brings(there, update(there, full("press to Bartek: ", "That is all."), 0))
    assert await press_of(there) == []
    there.desk.clock.instant += WAIT
    await there.desk.work()
    assert len(await press_of(there)) == 1
    await brings(there, update(there, f"press to Bartek: {TALK * 60}", 1))
    assert len(await press_of(there)) == 1
    await brings(there, update(there, "bid 3", 2))
    assert len(await press_of(there)) == 2
    assert await orders_of(there) == [("Bid 3",)]


async def test_orders_and_notes_that_were_cut_are_read_as_one(there: ChatDesk) -> None:
    """F-94: orders behind a long note, cut at the end of a line."""
    await there.link("Anna", ANNA)
    note = "GM: " + (TALK * 90)[:4000].strip()
    await brings(there, update(there, note, 0), update(there, TALK * 3 + "\n\nbid 4", 1))
    await there.settle()
    assert await orders_of(there) == [("Bid 4",)]
    assert await notes_of(there) == 1


async def test_an_edit_of_a_part_is_an_edit_of_the_whole(there: ChatDesk) -> None:
    """F-94: the first part stays as it was, and the press does not go again."""
    await there.link("Anna", ANNA)
    now = int(there.desk.clock.now().timestamp())
    first = full("press to Bartek:\n", "\nENDPRESS\nbid ")
    await brings(there, update(there, first.strip(), 0), update(there, "3", 1))
    assert await orders_of(there) == [("Bid 3",)]
    there.desk.clock.forward(minutes=2)
    await brings(there, update(there, "4", 1, date=now, edit_date=now + 120))
    assert await orders_of(there) == [("Bid 3",), ("Bid 4",)]
    there.desk.clock.forward(minutes=2)
    changed = first.replace("quokka", "wombat", 1).strip()
    await brings(there, update(there, changed, 0, date=now, edit_date=now + 240))
    assert (await orders_of(there))[-1] == ("Bid 4",)
    assert len(await press_of(there)) == 1


async def test_captions_and_forwarded_texts_stay_apart(there: ChatDesk) -> None:
    """F-94: they are no parts of what was typed before."""
    await there.link("Anna", ANNA)
    first = update(there, full("press to Bartek: "), 0)
    repeated = update(there, SECOND, 1, forward_origin={"type": "user"}, forward_date=1)
    await brings(there, first, repeated)
    (text,) = await press_of(there)
    assert "Greta" not in text
    assert await notes_of(there) == 0


async def test_a_close_waits_for_the_rest_of_what_came_before_the_deadline(there: ChatDesk) -> None:
    """F-94: the first part came in time, so all of it did."""
    await there.link("Anna", ANNA)
    async with there.desk.services.database.read() as work:
        (phase,) = await work.phases.list_running()
    there.desk.clock.instant = phase.deadline
    await brings(there, update(there, full("GM: ", "\n\nbid "), 0))
    there.desk.clock.forward(seconds=3)
    await there.desk.work()
    await brings(there, update(there, "3", 1))
    assert await orders_of(there) == [("Bid 3",)]


@pytest.mark.parametrize("label", ["intake.stored", "receive.written", "receive.kept"])
async def test_wherever_the_process_ends_a_cut_text_is_handled_once(
    tmp_path: Path, label: str
) -> None:
    """F-94: each part is handed over again until it is confirmed; after a restart the first part
    waits anew, since the next may have come meanwhile.
    """
    steps = DiesAt(label)
    async with open_chat_desk(tmp_path) as there:
        await there.link("Anna", ANNA)
        desk = there.desk
        desk.services = dataclasses.replace(desk.services, steps=steps)
        first = update(there, full("press to Bartek: "), 0)
        second = update(there, SECOND, 1)
        for part in (first, second):
            steps.armed = True
            for _ in range(2):
                with suppress(Ended):
                    await store_update(desk.services, part)
                    await desk.work()
            if part is first:
                desk.clock.forward(hours=1)
                await wait_anew(desk.services)
                await desk.work()
                assert await press_of(there) == []
        await there.settle()
        (text,) = await press_of(there)
        assert text.endswith(f"I wou{SECOND}")
        assert await notes_of(there) == 0
