"""Claims exclude other tasks; on PostgreSQL also other processes, until they leave or die."""

import asyncio
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from pbem.store import Database, StoreBusy, StoreError, open_database
from pbem.store.claims import ClaimLost
from tests.servers.postgres import Postgres

HOLDER = """
import asyncio, sys
from pbem.store import open_database

async def main():
    database = open_database(sys.argv[1])
    async with database.claims.turn("intake"), database.claims.attempt("serve"):
        print("held", flush=True)
        await asyncio.to_thread(sys.stdin.read)

asyncio.run(main())
"""


@asynccontextmanager
async def another_process(url: str) -> AsyncIterator[asyncio.subprocess.Process]:
    """A process with the turn `intake` and the claim `serve`; killed at the end without a word."""
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", HOLDER, url, stdin=pipe, stdout=pipe
    )
    assert process.stdout is not None
    assert await process.stdout.readline() == b"held\n"
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
        await process.communicate()


async def until_free(database: Database, name: str) -> None:
    """The server notices only after a moment that a process was killed."""
    async with asyncio.timeout(20):
        while await database.claims.holder(name) is not None:
            pass


@pytest.fixture
def server_url(postgres: Postgres, migrated_name: str) -> str:
    return postgres.url(migrated_name)


@pytest.fixture
async def on_server(server_url: str) -> AsyncIterator[Database]:
    opened = open_database(server_url)
    yield opened
    await opened.dispose()


async def test_a_turn_is_one_tasks_at_a_time_in_the_order_of_asking(database: Database) -> None:
    turn = database.claims.turn("intake")
    happened: list[str] = []

    async def enter(number: int) -> None:
        async with turn:
            happened.append(f"in {number}")
            await asyncio.sleep(0)
            happened.append(f"out {number}")

    await asyncio.gather(*(enter(number) for number in range(5)))
    assert happened == [f"{way} {number}" for number in range(5) for way in ("in", "out")]


async def test_turns_of_other_names_do_not_wait(database: Database) -> None:
    async with database.claims.turn("intake"), database.claims.turn("something else"):
        pass


async def test_an_error_within_a_turn_comes_through_and_ends_it(database: Database) -> None:
    turn = database.claims.turn("intake")
    with pytest.raises(LookupError, match="mine"):
        async with turn:
            raise LookupError("mine")
    async with turn:
        pass


async def test_a_second_attempt_gets_nothing_until_the_first_has_left(database: Database) -> None:
    async with database.claims.attempt("close 1") as first:
        assert first is not None
        await first.renew()
        async with (
            database.claims.attempt("close 1") as second,
            database.claims.attempt("close 2") as other,
        ):
            assert second is None
            assert other is not None
        assert await database.claims.holder("close 1")
    assert await database.claims.holder("close 1") is None
    async with database.claims.attempt("close 1") as again:
        assert again is not None


async def test_whoever_stops_waiting_for_a_turn_leaves_no_trace(database: Database) -> None:
    turn = database.claims.turn("intake")
    async with turn:
        waiting = asyncio.create_task(turn.__aenter__())
        await asyncio.sleep(0)
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
    async with turn:
        pass


@pytest.mark.servers
async def test_another_process_holds_its_claims_until_it_is_killed(
    on_server: Database, server_url: str
) -> None:
    turn = on_server.claims.turn("intake")
    async with another_process(server_url) as other:
        async with on_server.claims.attempt("serve") as claim:
            assert claim is None
        assert (
            await on_server.claims.holder("serve")
            == f"pbem serve: process {other.pid} on {os.uname().nodename}"[:63]
        )
        waiting = asyncio.create_task(turn.__aenter__())
        assert await asyncio.wait([waiting], timeout=0.2) == (set(), {waiting})
        other.kill()
        async with asyncio.timeout(20):
            await waiting
        await turn.__aexit__(None, None, None)
    await until_free(on_server, "serve")
    async with on_server.claims.attempt("serve") as claim:
        assert claim is not None


@pytest.mark.servers
async def test_a_wait_that_is_cancelled_on_the_server_gives_up_its_place(
    on_server: Database, server_url: str
) -> None:
    turn = on_server.claims.turn("intake")
    async with another_process(server_url):
        waiting = asyncio.create_task(turn.__aenter__())
        assert await asyncio.wait([waiting], timeout=0.2) == (set(), {waiting})
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
    async with asyncio.timeout(20), turn:
        pass


@pytest.mark.servers
async def test_a_claim_whose_connection_was_cut_is_taken_again_or_lost(
    on_server: Database, postgres: Postgres, server_url: str
) -> None:
    cut = "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE application_name LIKE 'pbem %'"
    async with on_server.claims.attempt("serve") as claim:
        assert claim is not None
        await claim.renew()
        assert await asyncio.to_thread(postgres.sql, cut) == "1"
        await claim.renew()
        assert str(os.getpid()) in str(await on_server.claims.holder("serve"))
        assert await asyncio.to_thread(postgres.sql, cut) == "1"
        async with another_process(server_url) as other:
            with pytest.raises(ClaimLost, match=f"process {other.pid}"):
                await claim.renew()
        await until_free(on_server, "serve")
        await claim.renew()


@pytest.mark.servers
async def test_a_turn_whose_connection_was_cut_ends_like_any_other(
    on_server: Database, postgres: Postgres
) -> None:
    turn = on_server.claims.turn("intake")
    cut = "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE application_name LIKE 'pbem intake%'"
    async with turn:
        assert await asyncio.to_thread(postgres.sql, cut) == "1"
    async with turn:
        pass


@pytest.mark.servers
async def test_a_server_that_is_away_is_told_as_such(postgres: Postgres) -> None:
    nowhere = open_database("postgresql+asyncpg://pbem@127.0.0.1:1/pbem")
    with pytest.raises(StoreError):
        async with nowhere.claims.turn("intake"):
            pytest.fail("there is nothing to hold")
    with pytest.raises(StoreError):
        async with nowhere.claims.attempt("serve"):
            pytest.fail("there is nothing to hold")
    await nowhere.dispose()


@pytest.mark.servers
async def test_a_turn_that_does_not_come_is_busy(
    server_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pbem.store.database._TURN_SECONDS", 0.05)
    hasty = open_database(server_url)
    async with another_process(server_url):
        with pytest.raises(StoreBusy):
            async with hasty.claims.turn("intake"):
                pytest.fail("somebody else has it")
    await hasty.dispose()
