"""The contract of the orders: every version kept, and which one counts."""

import asyncio
from datetime import timedelta

import pytest

from pbem.store import Database, StoreConflict

from .samples import HOUR, NOW, SECOND, add_message, add_orders, start_game

DEADLINE = NOW + HOUR


async def begin(database: Database) -> tuple[int, int, int]:
    """A game with an open phase; its id and those of its two seats."""
    async with database.write() as work:
        game_id = await start_game(work, deadline=DEADLINE)
        first, second = await work.seats.list_of_game(game_id)
    return game_id, first.id, second.id


async def test_each_message_of_a_seat_is_a_version_of_its_own(database: Database) -> None:
    game_id, ada, _ = await begin(database)
    async with database.write() as work:
        first = await add_orders(work, game_id, ada, "P1: fortify")
        second = await add_orders(work, game_id, ada, "P1: march")
        assert first is not None
        assert second is not None
        assert (first.version, second.version) == (1, 2)
        assert await work.orders.history(ada) == [first, second]
        assert await work.orders.history(ada, 2) == []
        assert await work.orders.newest(ada, 1) == second
        assert await work.orders.newest(ada, 2) is None
    assert (second.canonical, second.orders, second.received_at, second.final) == (
        ("P1: march",),
        '[{"type":"fortify"}]',
        NOW,
        False,
    )


async def test_one_message_gives_a_seat_one_version(database: Database) -> None:
    game_id, ada, ben = await begin(database)
    async with database.write() as work:
        message = await add_message(work)
        assert await add_orders(work, game_id, ada, "P1: fortify", inbox_id=message) is not None
        assert await add_orders(work, game_id, ada, "P1: fortify", inbox_id=message) is None
        assert await add_orders(work, game_id, ben, "P2: fortify", inbox_id=message) is not None
        assert [row.seat_id for row in await work.orders.find_by_message(message)] == [ada, ben]


async def test_the_newest_version_received_by_the_deadline_counts(database: Database) -> None:
    game_id, ada, ben = await begin(database)
    async with database.write() as work:
        await add_orders(work, game_id, ada, "early", DEADLINE - HOUR)
        await add_orders(
            work, game_id, ada, "in the last second", DEADLINE + timedelta(milliseconds=999)
        )
        await add_orders(work, game_id, ada, "late", DEADLINE + SECOND)
        await add_orders(work, game_id, ben, "late too", DEADLINE + SECOND)
    async with database.read() as work:
        assert [
            (row.seat_id, row.canonical, row.version)
            for row in await work.orders.latest(game_id, 1)
        ] == [(ada, ("in the last second",), 2)]
        assert await work.orders.latest(game_id, 2) == []


async def test_versions_tell_the_order_and_not_the_time_of_receipt(database: Database) -> None:
    game_id, ada, ben = await begin(database)
    async with database.write() as work:
        await add_orders(work, game_id, ben, "P2: fortify", NOW)
        await add_orders(work, game_id, ada, "handled first", NOW + SECOND)
        await add_orders(work, game_id, ada, "handled second", NOW)
        assert [row.canonical[0] for row in await work.orders.latest(game_id, 1)] == [
            "handled second",
            "P2: fortify",
        ]


async def test_an_extended_deadline_lets_later_orders_count(database: Database) -> None:
    game_id, ada, _ = await begin(database)
    async with database.write() as work:
        await add_orders(work, game_id, ada, "late", DEADLINE + SECOND)
        assert await work.orders.latest(game_id, 1) == []
        assert await work.phases.move_deadline(game_id, 1, DEADLINE, DEADLINE + HOUR)
        assert len(await work.orders.latest(game_id, 1)) == 1


async def test_orders_for_a_phase_that_never_was_are_refused(database: Database) -> None:
    game_id, ada, _ = await begin(database)
    with pytest.raises(StoreConflict):
        async with database.write() as work:
            await add_orders(work, game_id, ada, "P1: fortify", phase_number=2)


async def test_versions_of_many_messages_at_once_have_no_gap(database: Database) -> None:
    game_id, ada, _ = await begin(database)

    async def add(number: int) -> int:
        async with database.write() as work:
            message = await add_message(work, f"message {number}")
            row = await add_orders(work, game_id, ada, "P1: fortify", inbox_id=message)
            assert row is not None
            return row.version

    assert sorted(await asyncio.gather(*(add(number) for number in range(20)))) == list(
        range(1, 21)
    )
