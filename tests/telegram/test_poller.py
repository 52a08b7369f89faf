"""Long polling: every update stored before it is confirmed."""

import asyncio
import contextlib
from collections.abc import Sequence
from datetime import timedelta

import pytest

from pbem.demo.telegram import Fault, TelegramStandIn
from pbem.demo.telegram.faults import DROP, GARBLE, LOSE
from pbem.telegram.connection import Connection
from pbem.telegram.ports import PolledElsewhere, StoredUpdate, TelegramTrouble
from tests.servers.telegram import START, HandClock
from tests.telegram.support import NOBODY, Shelf, poller_of, quick, watching


async def test_what_users_say_is_stored_in_its_own_bytes_and_then_confirmed(
    telegram: TelegramStandIn, telegram_clock: HandClock, connection: Connection, shelf: Shelf
) -> None:
    anna = telegram.user("Anna")
    await anna.says("P1: fortify")
    async with watching(poller_of(connection, telegram_clock), shelf):
        await shelf.holding(1)
        await anna.says("P2: march, ✠ and 🜲")
        await shelf.holding(2)
        await telegram.emptied()
    assert shelf.texts == ["P1: fortify", "P2: march, ✠ and 🜲"]
    assert shelf.updates[0].raw.startswith(b'{"update_id"')
    assert {update.received_at for update in shelf.updates} == {START}


async def test_nothing_is_confirmed_while_the_store_has_not_returned(
    telegram: TelegramStandIn, telegram_clock: HandClock, connection: Connection, shelf: Shelf
) -> None:
    shelf.open.clear()
    await telegram.user("Anna").says("P1: fortify")
    async with watching(poller_of(connection, telegram_clock), shelf):
        await shelf.entered.wait()
        assert telegram.waiting == 1
        shelf.open.set()
        await telegram.emptied()
    assert shelf.texts == ["P1: fortify"]


async def test_a_poller_stopped_in_the_middle_of_storing_loses_nothing(
    telegram: TelegramStandIn, telegram_clock: HandClock, connection: Connection, shelf: Shelf
) -> None:
    shelf.open.clear()
    await telegram.user("Anna").says("P1: fortify")
    async with watching(poller_of(connection, telegram_clock), shelf):
        await shelf.entered.wait()
    assert (shelf.updates, telegram.waiting) == ([], 1)
    shelf.open.set()
    async with watching(poller_of(connection, telegram_clock), shelf):
        await telegram.emptied()
    assert shelf.texts == ["P1: fortify"]


async def test_a_store_that_fails_gets_the_update_again_and_others_do_not_wait_for_it(
    telegram: TelegramStandIn, telegram_clock: HandClock, connection: Connection, shelf: Shelf
) -> None:
    anna = telegram.user("Anna")
    for word in ("first", "poison", "third"):
        await anna.says(word)
    shelf.failing = {b"poison"}
    poller = poller_of(connection, telegram_clock)
    async with watching(poller, shelf):
        await shelf.failed(3)
        await shelf.holding(2)
        assert shelf.texts == ["first", "third"]
        assert telegram.network.updates.confirmed == [shelf.updates[0].update_id]
        assert (poller.drained_until, bool(poller.last_error)) == (None, True)
        shelf.failing.clear()
        await telegram.emptied()
        await poller.drain()
        assert (bool(poller.drained_until), poller.last_error) == (True, None)
    assert sorted(shelf.texts) == ["first", "poison", "third"]


@pytest.mark.parametrize(
    "fault",
    [
        DROP,
        LOSE,
        GARBLE,
        Fault("garble", text="[]"),
        Fault("answer"),
        Fault.refused(502, "Bad Gateway"),
        Fault.refused(401, "Unauthorized"),
        Fault.too_many(0),
    ],
)
async def test_no_trouble_on_the_way_loses_an_update(
    telegram: TelegramStandIn,
    telegram_clock: HandClock,
    connection: Connection,
    shelf: Shelf,
    fault: Fault,
) -> None:
    anna = telegram.user("Anna")
    telegram.fail("deleteWebhook", DROP)
    telegram.fail("getUpdates", fault, fault)
    await anna.says("before")
    async with watching(poller_of(connection, telegram_clock), shelf):
        await shelf.holding(1)
        telegram.fail("getUpdates", fault)
        await anna.says("after")
        await shelf.holding(2)
        await telegram.emptied()
    assert shelf.texts == ["before", "after"]


async def test_a_backlog_of_many_batches_comes_whole_and_in_order(
    telegram: TelegramStandIn, telegram_clock: HandClock, connection: Connection, shelf: Shelf
) -> None:
    anna = telegram.user("Anna")
    for number in range(250):
        await anna.says(f"press {number}")
    poller = poller_of(connection, telegram_clock)
    async with watching(poller, shelf):
        await poller.drain()
        assert shelf.texts == [f"press {number}" for number in range(250)]
        await telegram.emptied()


async def test_drained_until_is_the_instant_of_asking_and_waits_for_the_store(
    telegram: TelegramStandIn, telegram_clock: HandClock, connection: Connection, shelf: Shelf
) -> None:
    poller = poller_of(connection, telegram_clock)
    async with watching(poller, shelf):
        assert await poller.drain() == START
        await telegram.polled()
        telegram_clock.advance(60)
        shelf.open.clear()
        await telegram.user("Anna").says("just in time")
        await shelf.entered.wait()
        draining = asyncio.create_task(poller.drain())
        await asyncio.wait({draining}, timeout=0)
        assert not draining.done()
        assert poller.drained_until == START
        telegram_clock.advance(60)
        shelf.open.set()
        assert await draining == START + timedelta(seconds=120)
        assert shelf.texts == ["just in time"]


async def test_what_came_while_the_answer_was_stored_does_not_count_as_drained(
    telegram: TelegramStandIn, telegram_clock: HandClock, connection: Connection, shelf: Shelf
) -> None:
    shelf.open.clear()
    await telegram.user("Anna").says("early")
    poller = poller_of(connection, telegram_clock)
    draining = asyncio.create_task(poller.drain())
    await asyncio.wait({draining}, timeout=0)
    async with watching(poller, shelf):
        await shelf.entered.wait()
        telegram_clock.advance(60)
        shelf.open.set()
        assert await draining == START


async def test_a_drain_does_not_wait_for_a_long_poll_to_end(
    telegram: TelegramStandIn, telegram_clock: HandClock, connection: Connection, shelf: Shelf
) -> None:
    poller = poller_of(connection, telegram_clock)
    async with watching(poller, shelf):
        await telegram.polled()
        telegram_clock.advance(5)
        assert await poller.drain() == START + timedelta(seconds=5)
        await telegram.polled()
        await telegram.user("Anna").says("still heard")
        await shelf.holding(1)


async def test_a_drain_waits_through_an_outage(
    telegram: TelegramStandIn, telegram_clock: HandClock, connection: Connection, shelf: Shelf
) -> None:
    poller = poller_of(connection, telegram_clock)
    telegram.is_down = True
    async with watching(poller, shelf):
        draining = asyncio.create_task(poller.drain())
        await telegram.until(lambda: len(telegram.calls) >= 3)
        assert not draining.done()
        await telegram.user("Anna").says("during the outage")
        telegram.is_down = False
        await draining
    assert shelf.texts == ["during the outage"]


async def test_a_second_poller_stops_the_first_loudly(
    telegram: TelegramStandIn, telegram_clock: HandClock, connection: Connection, shelf: Shelf
) -> None:
    poller = poller_of(connection, telegram_clock)
    task = asyncio.create_task(poller.watch(shelf))
    await telegram.polled()
    assert (poller.is_watching, poller.is_silent()) == (True, False)
    async with (
        Connection(quick(telegram)) as other,
        watching(poller_of(other, telegram_clock), shelf),
    ):
        with pytest.raises(PolledElsewhere, match="terminated by other getUpdates"):
            await task
        await telegram.user("Anna").says("to the one that goes on")
        await shelf.holding(1)
    assert (poller.is_watching, poller.is_silent()) == (False, True)
    assert "Conflict" in (poller.last_error or "")


async def test_a_webhook_left_behind_is_taken_away_and_one_set_meanwhile_stops_us(
    telegram: TelegramStandIn, telegram_clock: HandClock, connection: Connection, shelf: Shelf
) -> None:
    await connection.bot.set_webhook(f"{NOBODY}/old")
    await telegram.user("Anna").says("while the webhook was dead")
    poller = poller_of(connection, telegram_clock)
    task = asyncio.create_task(poller.watch(shelf))
    await shelf.holding(1)
    await telegram.polled()
    await connection.bot.set_webhook(f"{NOBODY}/new")
    with pytest.raises(PolledElsewhere):
        await task
    assert shelf.texts == ["while the webhook was dead"]


async def test_a_poller_that_dies_of_something_unforeseen_says_so(
    telegram: TelegramStandIn, connection: Connection, shelf: Shelf
) -> None:
    class BrokenClock(HandClock):
        reads = 0

        def now(self) -> object:  # type: ignore[override]  # broken on purpose
            self.reads += 1
            if self.reads > 2:
                raise ZeroDivisionError("the clock has stopped")
            return super().now()

    await telegram.user("Anna").says("not lost")
    clock = BrokenClock()
    poller = poller_of(connection, clock)
    draining = asyncio.create_task(poller.drain())
    with pytest.raises(ZeroDivisionError):
        await poller.watch(shelf)
    with pytest.raises(TelegramTrouble):
        await draining
    assert (poller.is_watching, poller.is_silent(), poller.last_error, telegram.waiting) == (
        *(False, True, "the clock has stopped", 1),
    )


async def test_a_poller_that_hangs_is_noticed_by_its_silence(
    telegram: TelegramStandIn, telegram_clock: HandClock, connection: Connection, shelf: Shelf
) -> None:
    poller = poller_of(connection, telegram_clock)
    async with watching(poller, shelf):
        await poller.drain()
        assert (poller.is_watching, poller.is_silent()) == (True, False)
        shelf.open.clear()
        await telegram.user("Anna").says("never stored")
        await shelf.entered.wait()
        telegram_clock.advance(3 * (50 + 10) + 1)
        assert (poller.is_watching, poller.is_silent()) == (True, True)


async def test_numbers_that_begin_anew_from_below_are_not_skipped(
    telegram: TelegramStandIn, telegram_clock: HandClock, connection: Connection, shelf: Shelf
) -> None:
    anna = telegram.user("Anna")
    poller = poller_of(connection, telegram_clock)
    async with watching(poller, shelf):
        await anna.says("before the silence")
        await shelf.holding(1)
        await telegram.emptied()
        await poller.drain()
        telegram_clock.advance(8 * 24 * 3600)
        telegram.network.updates.count_from(17)
        await anna.says("a week later")
        assert (await shelf.holding(2))[-1].update_id == 17
        await telegram.emptied()
    assert shelf.texts == ["before the silence", "a week later"]


async def test_what_nobody_fetches_for_a_day_is_gone(
    telegram: TelegramStandIn, telegram_clock: HandClock, connection: Connection, shelf: Shelf
) -> None:
    anna = telegram.user("Anna")
    await anna.says("too long ago")
    telegram_clock.advance(23 * 3600)
    await anna.says("yesterday")
    telegram_clock.advance(2 * 3600)
    poller = poller_of(connection, telegram_clock)
    async with watching(poller, shelf):
        await poller.drain()
    assert shelf.texts == ["yesterday"]
    assert len(telegram.network.updates.expired) == 1


async def test_an_update_that_no_library_can_read_is_stored_like_any_other(
    telegram: TelegramStandIn, telegram_clock: HandClock, connection: Connection, shelf: Shelf
) -> None:
    await telegram.network.deliver("message", {"date": "yesterday", "chat": 7})
    await telegram.user("Anna").says("behind it")
    async with watching(poller_of(connection, telegram_clock), shelf):
        await shelf.holding(2)
        await telegram.emptied()
    assert shelf.texts == ["behind it"]


async def test_the_token_is_in_no_error(
    telegram: TelegramStandIn, telegram_clock: HandClock, shelf: Shelf
) -> None:
    async with Connection(quick(telegram, token="1000001:SECRET-CANARY")) as connection:
        poller = poller_of(connection, telegram_clock)
        telegram.fail(
            "deleteWebhook",
            *[Fault.refused(400, "Bad Request: /bot1000001:SECRET-CANARY/deleteWebhook")] * 2,
        )
        async with watching(poller, shelf):
            await telegram.until(lambda: len(telegram.calls) >= 2)
            error = poller.last_error
        telegram.fail(
            "getUpdates", Fault.refused(400, "Bad Request: /bot1000001:SECRET-CANARY/getUpdates")
        )
        with pytest.raises(TelegramTrouble, match=r"/bot\*\*\*/getupdates") as trouble:
            await connection.updates(None, 0, ["message"])
    assert error
    assert "canary" not in f"{error} {trouble.value} {connection.settings}".lower()


async def test_a_store_may_be_handed_the_same_update_twice_but_never_a_gap(
    telegram: TelegramStandIn, telegram_clock: HandClock, connection: Connection
) -> None:
    """The answer to every second request is lost after Telegram has acted upon it."""
    kept: list[StoredUpdate] = []

    async def store(update: StoredUpdate) -> None:
        kept.append(update)

    anna = telegram.user("Anna")
    poller = poller_of(connection, telegram_clock)
    async with watching(poller, store):
        for number in range(20):
            telegram.fail("getUpdates", LOSE)
            await anna.says(f"press {number}")
            with contextlib.suppress(TelegramTrouble):
                await poller.drain()
        await telegram.emptied()
    ids = sorted({update.update_id for update in kept})
    assert ids == list(range(ids[0], ids[0] + 20))


async def test_f14_what_comes_in_one_answer_is_stored_at_once_and_confirmed_afterwards(
    telegram: TelegramStandIn, telegram_clock: HandClock, connection: Connection, shelf: Shelf
) -> None:
    """F-14: 600 updates of a stranger made a player wait for 45 s, for each was a transaction of
    its own.
    """
    eve, sizes, waiting = telegram.user("Eve"), list[int](), list[int]()
    for number in range(130):
        await eve.says(f"spam {number}")

    async def store_all(updates: Sequence[StoredUpdate]) -> None:
        sizes.append(len(updates))
        waiting.append(telegram.waiting)

    poller = poller_of(connection, telegram_clock)
    async with watching(poller, shelf, store_all):
        await poller.drain()
        await telegram.emptied()
    assert (sizes, waiting, shelf.updates) == ([100, 30], [130, 30], [])


async def test_f14_updates_that_cannot_be_stored_at_once_are_stored_one_by_one(
    telegram: TelegramStandIn, telegram_clock: HandClock, connection: Connection, shelf: Shelf
) -> None:
    anna = telegram.user("Anna")
    for word in ("first", "poison", "third"):
        await anna.says(word)
    shelf.failing = {b"poison"}

    async def store_all(updates: Sequence[StoredUpdate]) -> None:
        if any(b"poison" in update.raw for update in updates):
            raise OSError("one of them cannot be stored")

    async with watching(poller_of(connection, telegram_clock), shelf, store_all):
        await shelf.failed(2)
        await shelf.holding(2)
        assert shelf.texts == ["first", "third"]
        assert telegram.waiting == 2
        shelf.failing.clear()
        await telegram.emptied()
    assert shelf.texts == ["first", "third", "poison"]
