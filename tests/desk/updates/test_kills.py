"""Orders, press, an edit and a button by Telegram, the process ending at each of their steps:
nothing lost, nothing done or sent twice.

A message to a chat may be read twice where the process ends between Telegram's answer and its
record, and nowhere else.
"""

import dataclasses
import json
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from pbem.desk.letters.deliver import free_leases
from pbem.desk.messages.intake import store_update
from pbem.telegram.ports import StoredUpdate
from tests.desk.chatting import ChatDesk, open_chat_desk
from tests.desk.harness import Desk, parse
from tests.desk.lobby.test_kills import DiesAt, Ended

ANNA, MESSAGE = 101, 5_000
LABELS = (
    *("intake.stored", "receive.written", "receive.kept", "deliver.answered", "deliver.recorded"),
)
WINDOW = "deliver.answered"
AGAIN = "Again, in case the first did not reach you:\n"


async def work_on(there: ChatDesk) -> None:
    """Work until all is done, begun again where the process ended."""
    for _ in range(2):
        with suppress(Ended):
            await there.settle()
            return
        await free_leases(there.desk.services)


async def brings(there: ChatDesk, kind: str, content: dict[str, Any]) -> None:
    """Telegram hands an update over until it is confirmed, and once more for good measure."""
    there.updates += 1
    raw = json.dumps({"update_id": there.updates, kind: content}).encode()
    for _ in range(2):
        with suppress(Ended):
            await store_update(
                there.desk.services, StoredUpdate(there.updates, raw, there.desk.clock.now())
            )
    await work_on(there)


def said(there: ChatDesk, text: str, message_id: int, **more: object) -> dict[str, Any]:
    now = int(there.desk.clock.now().timestamp())
    user = {"id": ANNA, "is_bot": False, "first_name": "Anna"}
    return {
        "message_id": message_id,
        "date": now,
        "chat": {"id": ANNA, "type": "private"},
        "from": user,
        "text": text,
    } | more


async def writes(desk: Desk, there: ChatDesk, text: str) -> None:
    with suppress(Ended):
        await desk.write("Bartek", text, work=False)
    await work_on(there)


@dataclass(frozen=True)
class Kept:
    """What has become of it all."""

    orders: list[tuple[str, ...]]
    press: list[tuple[str, tuple[int, ...]]]
    mails: frozenset[tuple[str, str]]
    chat: tuple[str, ...]
    repeated: tuple[int, int]
    """Messages of the chat, and mails, that went out twice."""


async def play(there: ChatDesk, steps: DiesAt, *, late: bool) -> Kept:
    """Anna plays by Telegram, Bartek by mail, and they write to one another; `late`: the process
    ends where she changes her message.
    """
    desk = there.desk
    await there.link("Anna", ANNA)
    posted = len(there.box.to(ANNA))
    steps.armed = not late
    begun = desk.clock.now()
    await brings(there, "message", said(there, "bid 3\nto Bartek: shall we?", MESSAGE))
    desk.clock.forward(minutes=5)
    await writes(desk, there, "to Anna: we shall\nENDPRESS\nbid 4")
    desk.clock.forward(minutes=5)
    steps.armed = steps.armed or late
    edited = said(
        there, "bid 5\nto Bartek: shall we?", MESSAGE, edit_date=int(desk.clock.now().timestamp())
    )
    await brings(there, "edited_message", edited | {"date": int(begun.timestamp())})
    desk.clock.forward(minutes=5)
    button = (
        next(one for line in there.box.to(ANNA)[-1].buttons for one in line)
        if there.box.to(ANNA)[-1].buttons
        else None
    )
    if button is not None:
        shown = {
            "message_id": there.box.to(ANNA)[-1].message_id,
            "chat": {"id": ANNA, "type": "private"},
            "date": 1,
        }
        user = {"id": ANNA, "is_bot": False, "first_name": "Anna"}
        await brings(
            there,
            "callback_query",
            {"id": "tap", "from": user, "message": shown, "data": button.data},
        )
    async with desk.services.database.read() as work:
        orders = [row.canonical for seat in (1, 2) for row in await work.orders.history(seat, 1)]
        press = [(row.text, row.recipients) for row in await work.press.list_of_game(1)]
        left = await work.outbox.list_by_state("queued", 50)
        assert await work.inbox.list_by_state("shunted") == []
    assert left == []
    texts = [message.text.removeprefix(AGAIN) for message in there.box.to(ANNA)[posted:]]
    mails = Counter(
        (mail.recipient, str(parse(mail.raw)["Message-ID"])) for mail in desk.postbox.mails
    )
    repeated = (len(texts) - len(set(texts)), mails.total() - len(mails))
    return Kept(orders, press, frozenset(mails), tuple(dict.fromkeys(texts)), repeated)


@pytest.mark.long(held_by="tests/desk/whole/test_twice.py (every job done again)")
async def test_wherever_the_process_ends_a_chat_is_answered_once_and_press_goes_once(
    tmp_path: Path,
) -> None:
    outcomes: dict[tuple[str, bool], Kept] = {}
    for label, late in (
        ("", False),
        *((label, late) for label in LABELS for late in (False, True)),
    ):
        folder = tmp_path / f"{label or 'whole'}{late}"
        folder.mkdir()
        steps = DiesAt(label)
        async with open_chat_desk(folder) as there:
            there.desk.services = dataclasses.replace(there.desk.services, steps=steps)
            outcomes[label, late] = await play(there, steps, late=late)
        assert steps.seen >= set(LABELS), "all of it happens"
    whole = outcomes["", False]
    assert whole.orders == [("Bid 3",), ("Bid 5",), ("Bid 4",)]
    assert whole.press == [("shall we?", (2,)), ("we shall", (1,))]
    for (label, late), kept in outcomes.items():
        assert sum(kept.repeated) <= (label == WINDOW), (label, late)
        assert dataclasses.replace(kept, repeated=(0, 0)) == dataclasses.replace(
            whole, repeated=(0, 0)
        ), (label, late)
    assert outcomes[WINDOW, False].repeated == (0, 1)
    assert outcomes[WINDOW, True].repeated == (1, 0)
