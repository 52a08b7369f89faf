"""Two processes' worth of desks over one PostgreSQL: what they do at the same instant comes out as
if one had done it.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from pbem.desk.messages.mishaps import SURVIVALS
from pbem.desk.messages.receive import receive
from pbem.desk.phases.close import close_phase
from pbem.desk.upkeep.records import verify_game
from pbem.store.database import open_database
from pbem.store.work import Work
from tests.desk.harness import Desk, changed, open_desk
from tests.desk.scenario import play, read_record
from tests.servers.postgres import Postgres

pytestmark = pytest.mark.servers


@dataclass
class Hosts:
    """Two desks, each with connections of its own; the game is opened at the first."""

    first: Desk
    second: Desk


@asynccontextmanager
async def open_on(url: str, folder: Path) -> AsyncIterator[Desk]:
    database = open_database(url)
    async with open_desk(folder, database=database) as desk:
        yield replace(desk, services=changed(desk.services, turn=database.claims.turn("intake")))


@pytest.fixture
async def hosts(tmp_path: Path, postgres: Postgres) -> AsyncIterator[Hosts]:
    name = await asyncio.to_thread(postgres.create)
    async with AsyncExitStack() as stack:
        first, second = [
            await stack.enter_async_context(open_on(postgres.url(name), tmp_path)) for _ in range(2)
        ]
        await first.open_game()
        second.clock.instant = first.clock.instant
        yield Hosts(first, second)
    await asyncio.to_thread(postgres.drop, name)


@pytest.mark.long(
    held_by="tests/store (every repository on both databases),"
    " tests/desk/whole/test_twice.py (the scenario)"
)
async def test_the_whole_scenario_leaves_the_same_record_on_both_kinds_of_database(
    tmp_path: Path, postgres: Postgres
) -> None:
    records: list[dict[str, list[Any]]] = []
    (tmp_path / "lite").mkdir()
    async with open_desk(tmp_path / "lite") as desk:
        await play(desk, tmp_path / "lite" / "progress")
        records.append(await read_record(desk))
    async with open_on(postgres.url(await asyncio.to_thread(postgres.create)), tmp_path) as desk:
        await play(desk, tmp_path / "progress")
        records.append(await read_record(desk))
        assert await verify_game(desk.services, "heron") == []
    for part, rows in records[0].items():
        assert records[1][part] == rows, part


@pytest.mark.long(held_by="tests/desk/messages/test_lanes.py (their order)")
async def test_messages_are_handled_in_their_order_by_whoever_comes_first(hosts: Hosts) -> None:
    for count in range(1, 7):
        await hosts.first.write("Anna", f"bid {count}", work=False)
    async with hosts.first.services.database.read() as work:
        rows = await work.inbox.next_new(10)
    await asyncio.gather(
        *(
            receive(desk.services, row.id)
            for row in reversed(rows)
            for desk in (hosts.second, hosts.first)
        )
    )
    async with hosts.first.services.database.read() as work:
        seat = (await work.seats.list_of_game(1))[0]
        versions = [(row.version, row.canonical) for row in await work.orders.history(seat.id, 1)]
        assert await work.inbox.count_by_state() == {"handled": 6}
        assert (await work.outbox.count_by_state())["queued"] == 6
    assert versions == [(count, (f"Bid {count}",)) for count in range(1, 7)]


async def test_a_close_at_two_hosts_at_the_same_instant_happens_once(hosts: Hosts) -> None:
    hosts.first.clock.forward(hours=25)
    hosts.second.clock.instant = hosts.first.clock.instant
    await asyncio.gather(
        *(close_phase(desk.services, 1, 1) for desk in (hosts.first, hosts.second))
    )
    async with hosts.first.services.database.read() as work:
        game = await work.games.find(1)
        phases = [(phase.number, phase.status) for phase in await work.phases.list_of_game(1)]
        letters = await work.outbox.list_by_state("queued", 100)
    assert game is not None
    assert (game.phase_number, game.attempts) == (2, 0)
    assert phases == [(1, "closed"), (2, "open")]
    assert len({letter.dedupe_key for letter in letters}) == len(letters)
    assert sum(letter.kind == "bulletin" for letter in letters) == 1, "the game master's"
    assert sum(letter.kind == "turn" for letter in letters) == 3
    assert await verify_game(hosts.first.services, "heron") == []


@pytest.mark.long(
    held_by="tests/store/test_units_of_work.py (on both databases), tests/desk/phases/test_close.py"
)
@pytest.mark.parametrize("hop", range(0, 60, 15))
async def test_an_order_and_a_close_at_the_same_instant_are_one_after_the_other(
    hosts: Hosts, hop: int
) -> None:
    """The order comes in at one host while the other one closes early, which waits some steps of
    its loop first.
    """
    for name in ("Bartek", "Chloé", "Anna"):
        await hosts.first.write(name, "bid 3. final", work=False)
    async with hosts.first.services.database.read() as work:
        rows = await work.inbox.next_new(10)
    await receive(hosts.first.services, rows[-1].id)
    await hosts.first.write("Anna", "bid 12", work=False)

    async def close() -> None:
        for _ in range(hop):
            await asyncio.sleep(0)
        await close_phase(hosts.second.services, 1, 1)

    await asyncio.gather(receive(hosts.first.services, rows[-1].id + 1), close())
    await hosts.first.work()
    async with hosts.first.services.database.read() as work:
        message = await work.inbox.find(rows[-1].id + 1)
        kept = await work.orders.find_by_message(rows[-1].id + 1)
        game = await work.games.find(1)
        newest = [await work.orders.newest(row.seat_id, 1) for row in kept]
    assert message is not None
    assert game is not None
    if kept:
        assert message.outcome == "orders", "it was in time"
        assert [row.id for row in kept] == [row.id for row in newest if row is not None], (
            "and counts"
        )
    else:
        assert (message.outcome, game.phase_number) == ("wrong-phase", 2), (
            "the phase was over, and the player told so"
        )
    assert await verify_game(hosts.first.services, "heron") == []


@pytest.mark.long(held_by="tests/desk/messages/test_mishaps.py (on one host)")
async def test_a_message_that_ends_whoever_handles_it_is_laid_aside(hosts: Hosts) -> None:
    class Ended(BaseException):
        """As if the process were gone."""

    class Deadly:
        def reached(self, step: str) -> None:
            if step == "receive.written":
                raise Ended

    deadly = replace(hosts.second.services, steps=Deadly())
    await hosts.first.write("Anna", "bid 12", work=False)
    await hosts.first.write("Anna", "bid 5", work=False)
    async with hosts.first.services.database.read() as work:
        first, second = await work.inbox.next_new(2)
    for _ in range(SURVIVALS):
        with pytest.raises(Ended):
            await receive(deadly, second.id)
    await receive(hosts.first.services, second.id)
    async with hosts.first.services.database.read() as work:
        assert [row.id for row in await work.inbox.list_by_state("shunted")] == [first.id]
        assert [row.id for row in await work.inbox.list_by_state("handled")] == [second.id]
        assert "gm-shunted" in {row.kind for row in await work.outbox.list_by_state("queued")}


@pytest.mark.long(held_by="tests/desk/messages/test_mishaps.py (on one host)")
async def test_a_database_that_ends_a_try_is_no_fault_of_the_message(hosts: Hosts) -> None:
    await hosts.first.write("Anna", "bid 12", work=False)

    async def lock_game(work: Work) -> None:
        assert await work.games.lock(1) is not None

    impatient = open_database(
        str(hosts.second.services.database.writer.url.render_as_string(hide_password=False)),
        busy_timeout_seconds=0.05,
    )
    services = replace(hosts.second.services, database=impatient)
    async with hosts.first.services.database.write() as work:
        await lock_game(work)
        for _ in range(SURVIVALS + 1):
            with pytest.raises(Exception, match="lock"):
                await receive(services, 1)
    await impatient.dispose()
    await receive(hosts.first.services, 1)
    async with hosts.first.services.database.read() as work:
        assert await work.inbox.count_by_state() == {"handled": 1}


async def test_a_late_mail_waits_for_its_close_and_is_no_poison(hosts: Hosts) -> None:
    async with hosts.first.services.database.read() as work:
        (phase,) = await work.phases.list_running()
    hosts.first.clock.instant = hosts.second.clock.instant = phase.deadline + timedelta(seconds=1)
    await hosts.first.write(
        "Anna", "bid 12", work=False, received_at=phase.deadline + timedelta(seconds=1)
    )
    for _ in range(SURVIVALS + 1):
        await receive(hosts.first.services, 1)
        async with hosts.first.services.database.write() as work:
            assert await work.inbox.release(1) == 1
    async with hosts.first.services.database.read() as work:
        assert await work.inbox.count_by_state() == {"new": 1}
