"""Whoever plays by which channel, with words or with buttons, leaves no trace in the game: the same
orders give the same states, the same events and the same bulletin, byte for byte (threat 24).
"""

import asyncio
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Literal, NamedTuple

import pytest
import sqlalchemy as sa
from hypothesis import Phase, example, given, settings
from hypothesis import strategies as st

from pbem.store import tables
from tests.desk.chatting import GROUP, ChatDesk, labels, open_chat_desk
from tests.desk.gm_chat import bind
from tests.desk.harness import address_of
from tests.desk.visitors import look_on

Way = Literal["mail", "words", "taps"]
WAYS: tuple[Way, ...] = ("mail", "words", "taps")
NAMES, USERS = ("Anna", "Bartek", "Chloé"), (11, 12, 13)
BIDS, STEPS = (11, 2, 1), (10, 1)


class Played(NamedTuple):
    """What a game came to. Nothing in it tells who wrote how."""

    states: list[tuple[object, ...]]
    events: list[tuple[object, ...]]
    orders: list[tuple[object, ...]]
    mails: list[bytes]
    chat: list[tuple[str, bytes | None]]


async def bid(there: ChatDesk, number: int, way: Way) -> None:
    name, user, sum_of_money = NAMES[number], USERS[number], BIDS[number]
    if way == "mail":
        await there.desk.write(name, f"bid {sum_of_money}")
    elif way == "words":
        await there.says(user, f"I bid {sum_of_money}")
    else:
        await tap(there, user, "Bid", *steps_to(sum_of_money), "Take it")


def steps_to(sum_of_money: int) -> list[str]:
    """The buttons from nothing to that sum."""
    pressed = []
    for step in STEPS:
        count, sum_of_money = divmod(sum_of_money, step)
        pressed += [f"+{step}"] * count
    return pressed


async def fortify(there: ChatDesk, number: int, way: Way) -> None:
    name, user = NAMES[number], USERS[number]
    if way == "mail":
        await there.desk.write(name, "fortify everywhere")
    elif way == "words":
        await there.says(user, "fortify all")
    else:
        await tap(there, user, "Orders for", "Fortify")


async def tap(there: ChatDesk, user: int, *wanted: str) -> None:
    """From the menu of `/orders` on, button by button, in one message; each is known by how it
    begins.
    """
    await there.says(user, "/orders")
    menu = there.last(user)
    for word in wanted:
        now = next(
            message for message in there.box.to(user) if message.message_id == menu.message_id
        )
        await there.taps(user, menu, next(label for label in labels(now) if label.startswith(word)))


async def play(folder: Path, ways: tuple[tuple[Way, ...], tuple[Way, ...]]) -> Played:
    """Three players with both channels bid and give orders, each time each in their own way; an
    observer and a group read along.
    """
    async with open_chat_desk(folder, players=3) as there:
        desk = there.desk
        for name, user in zip(NAMES, USERS, strict=True):
            await bind(desk, address_of(name), user)
        await look_on(desk, "Wanda")
        async with desk.services.database.write() as work:
            chat_id = await work.chats.put(
                "telegram", str(GROUP), title="Heron", state="active", since=desk.clock.now()
            )
            await work.chats.belong(chat_id, 1)
        before = len(desk.letters("Wanda"))
        for phase, act in enumerate((bid, fortify)):
            for number in range(len(NAMES)):
                await act(there, number, ways[phase][number])
            await desk.everybody_passes()
            await there.settle()
        async with desk.services.database.read() as work:

            async def rows(*columns: sa.Column[object]) -> list[tuple[object, ...]]:
                found = await work.connection.execute(sa.select(*columns).order_by(*columns[:3]))
                return [tuple(row) for row in found]

            assert [row.trace for row in await work.inbox.list_by_state("shunted")] == []
            state, event, order = tables.states.c, tables.events.c, tables.orders.c
            return Played(
                states=await rows(
                    state.phase_number, state.ordinal, state.body, state.chance_place
                ),
                events=await rows(
                    event.phase_number,
                    event.ordinal,
                    event.kind,
                    event.body,
                    event.audience,
                    event.rules,
                ),
                orders=[
                    row
                    for row in await rows(
                        order.phase_number, order.seat_id, order.version, order.canonical
                    )
                    if row[2] == 1
                ],
                mails=desk.postbox.to(address_of("Wanda"))[before:],
                chat=[(message.html, message.picture) for message in there.box.to(GROUP)],
            )


def played(ways: tuple[tuple[Way, ...], tuple[Way, ...]]) -> Played:
    with TemporaryDirectory() as folder:
        return asyncio.run(play(Path(folder), ways))


@cache
def by_mail_alone() -> Played:
    return played((("mail",) * 3, ("mail",) * 3))


@pytest.mark.long(held_by="tests/desk/chat, tests/desk/messages (each channel by itself)")
@settings(max_examples=3, phases=(Phase.explicit, Phase.generate))
@example((("taps", "taps", "words"), ("taps", "words", "taps")))
@given(st.tuples(*[st.tuples(*[st.sampled_from(WAYS)] * 3)] * 2))
def test_who_writes_by_which_channel_changes_no_byte_of_the_game(
    ways: tuple[tuple[Way, ...], tuple[Way, ...]],
) -> None:
    expected, found = by_mail_alone(), played(ways)
    assert len(expected.mails) == len(expected.chat) == 2, "the check looks at something"
    assert found.orders == expected.orders
    assert found.states == expected.states
    assert found.events == expected.events
    assert found.mails == expected.mails
    assert found.chat == expected.chat
