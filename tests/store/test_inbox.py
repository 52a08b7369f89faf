"""The contract of the inbox."""

import asyncio
from datetime import timedelta

import pytest

from pbem.store import Database, StoreConflict
from pbem.store.repositories.post.inbox import NewMessage

from .samples import NOW, SECOND, add_game, add_message, start_game


async def test_a_message_comes_back_as_it_was_stored(database: Database) -> None:
    async with database.write() as work:
        added = await work.inbox.add_once(
            NewMessage(
                channel="mail",
                message_key="<1@x> ff",
                raw=b"\x00\xff\r\n",
                received_at=NOW,
                stored_at=NOW + SECOND,
                facts='{"uid": 7}',
            )
        )
    assert added is not None
    async with database.read() as work:
        row = await work.inbox.find(added)
        assert row is not None
        assert (row.state, row.attempts, row.facts, row.received_at, row.stored_at) == (
            "new",
            0,
            '{"uid": 7}',
            NOW,
            NOW + SECOND,
        )
        assert await work.inbox.read_raw(added) == b"\x00\xff\r\n"


async def test_a_second_copy_is_known_and_changes_nothing(database: Database) -> None:
    async with database.write() as work:
        first = await add_message(work, "same")
        assert await work.inbox.mark_handled(first, "orders")
    async with database.write() as work:
        assert (
            await work.inbox.add_once(
                NewMessage(
                    channel="mail", message_key="same", raw=b"other", received_at=NOW, stored_at=NOW
                )
            )
            is None
        )
        assert (
            await work.inbox.add_once(
                NewMessage(
                    channel="telegram",
                    message_key="same",
                    raw=b"other",
                    received_at=NOW,
                    stored_at=NOW,
                )
            )
            is not None
        )
    async with database.read() as work:
        assert await work.inbox.count_by_state() == {"handled": 1, "new": 1}
        assert await work.inbox.read_raw(first) != b"other"


async def test_new_messages_come_in_the_order_of_arrival(database: Database) -> None:
    async with database.write() as work:
        ids = [await add_message(work, str(number), NOW - number * SECOND) for number in range(5)]
        await work.inbox.mark_ignored(ids[1], "vacation")
    async with database.read() as work:
        assert [row.id for row in await work.inbox.next_new(3)] == [ids[0], ids[2], ids[3]]


async def test_a_message_is_settled_once(database: Database) -> None:
    async with database.write() as work:
        game_id = await start_game(work)
        message = await add_message(work)
        assert await work.inbox.mark_handled(message, "orders", game_id=game_id)
        assert not await work.inbox.mark_handled(message, "again")
        assert not await work.inbox.mark_ignored(message, "again")
        assert not await work.inbox.shunt(message, "again")
        assert await work.inbox.pick(message) is None
        assert await work.inbox.count_try(message) is None
        row = await work.inbox.find(message)
    assert row is not None
    assert (row.state, row.outcome, row.game_id, row.trace) == ("handled", "orders", game_id, None)


async def test_tries_are_counted_and_a_requeue_forgets_them(database: Database) -> None:
    async with database.write() as work:
        message = await add_message(work)
    for attempt in (1, 2, 3):
        async with database.write() as work:
            assert await work.inbox.count_try(message) == attempt
    async with database.write() as work:
        assert await work.inbox.shunt(message, "Traceback ...")
        assert [row.trace for row in await work.inbox.list_by_state("shunted")] == ["Traceback ..."]
        assert await work.inbox.next_new(10) == []
    async with database.write() as work:
        assert await work.inbox.requeue(message)
        assert not await work.inbox.requeue(message)
        (row,) = await work.inbox.next_new(10)
        assert (row.attempts, row.trace, row.outcome) == (0, None, None)


async def test_what_is_picked_is_the_message_that_goes_first_with_its_bytes(
    database: Database,
) -> None:
    async with database.write() as work:
        eve, dan, anna = [
            await work.inbox.add_once(
                NewMessage(
                    channel="mail",
                    message_key=sender,
                    raw=sender.encode(),
                    received_at=NOW,
                    stored_at=NOW,
                    lane=lane,
                    sender=sender,
                )
            )
            for sender, lane in (("?eve", 2), ("?dan", 2), ("anna", 0))
        ]
        assert eve is not None
        assert dan is not None
        assert anna is not None
        no_strangers = await work.inbox.pick(dan, bound=2)
        assert no_strangers is not None
        assert (no_strangers[0].id, no_strangers[1]) == (anna, b"anna")
        assert await work.inbox.mark_handled(anna, "orders")
        assert await work.inbox.pick(dan, bound=2) is None, "no stranger may be handled now"
        assert await work.inbox.pick(anna) is None, "it is handled: nothing is asked for"
        for but_not, first in (((), eve), (("?eve",), dan), (("?eve", "?dan"), None)):
            picked = await work.inbox.pick(eve, bound=2, but_not=but_not)
            assert (picked[0].id if picked is not None else None) == first


async def test_a_requeued_message_may_carry_new_facts(database: Database) -> None:
    async with database.write() as work:
        message = await add_message(work)
        await work.inbox.mark_handled(message, "waits-for-confirmation")
        assert await work.inbox.requeue(message, facts='{"confirmed": true}')
        row = await work.inbox.find(message)
    assert row is not None
    assert (row.state, row.facts) == ("new", '{"confirmed": true}')


async def test_an_earlier_copy_is_known_by_the_beginning_of_its_key(database: Database) -> None:
    async with database.write() as work:
        first, second = await add_message(work, "<1@x> aa"), await add_message(work, "<1@x> bb")
        other = await add_message(work, "<1_x> cc")
        assert await work.inbox.list_earlier("mail", "<1@x> ", second) == []
        await work.inbox.mark_handled(first, "orders")
        assert [row.id for row in await work.inbox.list_earlier("mail", "<1@x> ", second)] == [
            first
        ]
        assert await work.inbox.list_earlier("mail", "<1@x> ", first) == []
        assert await work.inbox.list_earlier("telegram", "<1@x> ", second) == []
        assert await work.inbox.list_earlier("mail", "<1_X> ", other) == []


async def test_a_parked_message_is_left_alone_until_its_game_lets_it_go(database: Database) -> None:
    async with database.write() as work:
        game, other_game = await add_game(work), await add_game(work, "egret")
        late, next_one = await add_message(work, "late"), await add_message(work, "next")
        assert await work.inbox.park(late, game)
        assert not await work.inbox.park(late, game)
        assert [row.id for row in await work.inbox.next_new(5)] == [next_one]
        assert await work.inbox.count_new_received_by(NOW + SECOND) == 1
        assert await work.inbox.release(other_game) == 0
        assert await work.inbox.release(game) == 1
        assert [row.id for row in await work.inbox.next_new(5)] == [late, next_one]


async def test_of_forty_handlers_one_wins(database: Database) -> None:
    async with database.write() as work:
        message = await add_message(work)

    async def handle(number: int) -> bool:
        async with database.write() as work:
            if await work.inbox.count_try(message) is None:
                return False
            await asyncio.sleep(0)
            return await work.inbox.mark_handled(message, f"by {number}")

    won = await asyncio.gather(*(handle(number) for number in range(40)))
    assert won.count(True) == 1
    async with database.read() as work:
        row = await work.inbox.find(message)
    assert row is not None
    assert (row.outcome, row.attempts) == (f"by {won.index(True)}", 1)


async def test_the_deadlines_own_second_counts_as_received_by_it(database: Database) -> None:
    deadline = NOW + timedelta(milliseconds=200)
    async with database.write() as work:
        await add_message(work, "before", NOW - SECOND)
        await add_message(work, "same second", NOW + timedelta(milliseconds=900))
        await add_message(work, "next second", NOW + SECOND)
        handled = await add_message(work, "handled", NOW)
        await work.inbox.mark_handled(handled, "orders")
    async with database.read() as work:
        assert await work.inbox.count_new_received_by(deadline) == 2


async def test_bytes_are_dropped_after_a_time_but_the_copy_stays_known(database: Database) -> None:
    async with database.write() as work:
        old, waiting = await add_message(work, "old"), await add_message(work, "waiting")
        await work.inbox.mark_handled(old, "orders")
        assert await work.inbox.drop_raw_before(NOW) == 0
        assert await work.inbox.drop_raw_before(NOW + SECOND) == 1
        assert await work.inbox.read_raw(old) is None
        assert await work.inbox.read_raw(waiting) is not None
        assert (
            await work.inbox.add_once(
                NewMessage(
                    channel="mail", message_key="old", raw=b"", received_at=NOW, stored_at=NOW
                )
            )
            is None
        )


async def test_a_message_of_a_game_that_is_not_there_is_refused(database: Database) -> None:
    async with database.write() as work:
        message = await add_message(work)
    with pytest.raises(StoreConflict):
        async with database.write() as work:
            await work.inbox.mark_handled(message, "orders", game_id=404)
    async with database.read() as work:
        row = await work.inbox.find(message)
    assert row is not None
    assert row.state == "new"
