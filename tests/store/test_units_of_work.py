"""What a unit of work promises, whatever database is underneath."""

import asyncio
from datetime import UTC, timedelta, timezone

import pytest
import sqlalchemy as sa

from pbem.store import Database, StoreError

from .samples import NOW, add_game, add_message


async def count_messages(database: Database) -> int:
    async with database.read() as work:
        return sum((await work.inbox.count_by_state()).values())


async def test_a_unit_of_work_is_kept_when_its_block_ends(database: Database) -> None:
    async with database.write() as work:
        await add_message(work)
    assert await count_messages(database) == 1


async def test_an_exception_takes_everything_back_and_comes_through(database: Database) -> None:
    async def write_and_fail() -> None:
        async with database.write() as work:
            await add_message(work)
            raise LookupError("mine")

    with pytest.raises(LookupError, match="mine"):
        await write_and_fail()
    assert await count_messages(database) == 0


async def test_a_roll_back_takes_everything_back_and_ends_without_an_exception(
    database: Database,
) -> None:
    async with database.write() as work:
        await add_message(work)
        await work.rollback()
    assert await count_messages(database) == 0


async def test_nothing_is_written_after_a_roll_back(database: Database) -> None:
    async def write_on() -> None:
        async with database.write() as work:
            await work.rollback()
            await add_message(work)

    with pytest.raises(sa.exc.ResourceClosedError):
        await write_on()
    assert await count_messages(database) == 0


async def test_a_cancelled_unit_of_work_leaves_nothing_and_blocks_nobody(
    database: Database,
) -> None:
    written = asyncio.Event()

    async def write_and_wait() -> None:
        async with database.write() as work:
            await add_message(work, "half")
            written.set()
            await asyncio.Event().wait()

    task = asyncio.create_task(write_and_wait())
    await written.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    async with database.write() as work:
        await add_message(work, "whole")
    assert await count_messages(database) == 1


async def test_a_unit_of_work_cancelled_anywhere_is_kept_whole_or_not_at_all(
    database: Database,
) -> None:
    async def write(number: int) -> None:
        async with database.write() as work:
            await add_message(work, f"{number} first")
            await add_message(work, f"{number} second")

    cancelled = 0
    for steps in range(60):
        task = asyncio.create_task(write(steps))
        for _ in range(steps):
            await asyncio.sleep(0)
        task.cancel()
        try:
            await task
        except asyncio.CancelledError:
            cancelled += 1
        assert await count_messages(database) % 2 == 0
    assert cancelled > 0
    async with database.write() as work:
        await add_message(work, "after all")
    assert await count_messages(database) % 2 == 1


async def test_one_who_waits_for_his_turn_can_be_cancelled(database: Database) -> None:
    async def write() -> None:
        async with database.write() as work:
            await add_message(work, "waiting")

    async with database.write() as work:
        await add_message(work, "first")
        task = asyncio.create_task(write())
        for _ in range(5):
            await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
    async with database.write() as work:
        await add_message(work, "second")
    assert await count_messages(database) == 2


async def test_forty_who_read_and_then_write_lose_nothing(database: Database) -> None:
    async with database.write() as work:
        game_id = await add_game(work)

    async def add_one() -> None:
        async with database.write() as work:
            game = await work.games.lock(game_id)
            assert game is not None
            await asyncio.sleep(0)
            assert await work.games.move_chance(game_id, game.chance_place, game.chance_place + 1)

    await asyncio.gather(*(add_one() for _ in range(40)))
    async with database.read() as work:
        game = await work.games.find(game_id)
    assert game is not None
    assert game.chance_place == 40


async def test_a_reader_sees_one_moment_while_others_write(database: Database) -> None:
    async with database.read() as look:
        assert await look.inbox.count_by_state() == {}
        async with database.write() as work:
            await add_message(work)
        assert await look.inbox.count_by_state() == {}
    assert await count_messages(database) == 1


async def test_a_reader_does_not_see_what_is_not_kept_yet(database: Database) -> None:
    async with database.write() as work:
        await add_message(work)
        assert await count_messages(database) == 0
    assert await count_messages(database) == 1


async def test_a_reader_cannot_write(database: Database) -> None:
    with pytest.raises(StoreError):
        async with database.read() as work:
            await add_message(work)
    assert await count_messages(database) == 0


async def test_many_readers_at_once_are_served(database: Database) -> None:
    assert await asyncio.gather(*(count_messages(database) for _ in range(60))) == [0] * 60


@pytest.mark.parametrize("hours", [-11, 0, 5.75, 13])
async def test_an_instant_comes_back_aware_and_in_utc(database: Database, hours: float) -> None:
    told = NOW.astimezone(timezone(timedelta(hours=hours))) + timedelta(microseconds=123_456)
    async with database.write() as work:
        message = await add_message(work, received_at=told)
    async with database.read() as work:
        row = await work.inbox.find(message)
    assert row is not None
    assert row.received_at == told
    assert row.received_at.tzinfo is UTC


async def test_an_instant_without_a_zone_is_refused(database: Database) -> None:
    naive = NOW.replace(tzinfo=None)
    with pytest.raises(sa.exc.StatementError, match="time zone"):
        async with database.write() as work:
            await add_message(work, received_at=naive)


async def test_what_is_no_json_is_refused(database: Database) -> None:
    with pytest.raises(sa.exc.StatementError, match="malformed"):
        async with database.write() as work:
            await work.log.add(
                game_id=None, actor="cli", command="x", at=NOW, detail="{'not': json}"
            )
