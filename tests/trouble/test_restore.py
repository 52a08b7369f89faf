"""Backup and restore, with the real service over real SMTP and IMAP: what came after the backup
comes back, and no letter goes out twice.
"""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path

import pytest
import sqlalchemy as sa

from pbem.demo.clock import FastClock
from pbem.demo.servers import EmbeddedMail
from pbem.desk.phases.standings import end_of_deadline
from pbem.desk.upkeep.housekeeping import begin_restored, kept_name
from pbem.house import open_service
from pbem.store import tables
from pbem.store.backup import put_in_place, unnamed_copy, write_backup
from pbem.store.database import open_database
from pbem.store.repositories.marks import RESTORED
from tests.desk.harness import parse, text_of
from tests.house.test_service import ANNA, BEN, GM, HOST, ORDERS, House, config_of


@asynccontextmanager
async def provider() -> AsyncIterator[tuple[EmbeddedMail, FastClock]]:
    """The mail servers, which outlive the service."""
    clock = FastClock()
    async with EmbeddedMail(clock, host=HOST) as mail:
        for address in (ORDERS, GM, ANNA, BEN):
            await mail.add_account(address, f"pass-{address}", imap=address == ORDERS)
        yield mail, clock


@asynccontextmanager
async def life(folder: Path, mail: EmbeddedMail, clock: FastClock) -> AsyncIterator[House]:
    """One life of the service."""
    async with open_service(
        config_of(folder), clock, imap=mail.imap_settings(ORDERS), smtp=mail.smtp_settings(ORDERS)
    ) as service:
        yield House(service, mail, clock)


def file_of(folder: Path) -> Path:
    return folder / "data" / "pbem.sqlite"


async def restore(folder: Path, backup: Path, clock: FastClock, *, send: bool = False) -> int:
    """What the command does; how many letters are withheld."""
    file = file_of(folder)
    with unnamed_copy(backup, file) as copy:
        database = open_database(f"sqlite+aiosqlite:///{copy}")
        restored = await begin_restored(database, clock.now(), send=send)
        await database.dispose()
        assert put_in_place(copy, file, kept_name(file, clock.now()))
    return restored.withheld


async def every_mail(mail: EmbeddedMail) -> Counter[str]:
    arrived = [raw for address in (GM, ANNA, BEN) for raw in await mail.mails(address)]
    return Counter(str(parse(raw)["Message-ID"]) for raw in arrived)


async def canonical_orders(there: House) -> list[tuple[int, str]]:
    async with there.service.services.database.read() as work:
        found = await work.connection.execute(
            sa.select(tables.orders.c.seat_id, tables.orders.c.canonical).order_by(
                tables.orders.c.id
            )
        )
        return [(row[0], row[1][0]) for row in found]


@pytest.mark.long(
    held_by="tests/store/test_backup.py (what a backup holds), tests/trouble/test_smtp_trouble.py"
    " (no letter twice)"
)
async def test_orders_sent_after_the_backup_come_back_and_no_letter_is_sent_twice(
    tmp_path: Path,
) -> None:
    backup = tmp_path / "backup.sqlite"
    async with provider() as (mail, clock):
        async with life(tmp_path, mail, clock) as there:
            await there.open_game()
            await there.post(ANNA, "bid 12")
            await there.handled(1)
            clock.advance_to(clock.now() + timedelta(hours=1))
            await asyncio.to_thread(write_backup, file_of(tmp_path), backup, clock.now())
            clock.advance_to(clock.now() + timedelta(hours=1))
            await there.post(BEN, "bid 7")
            await there.handled(2)
            await there.post(ANNA, "bid 130")
            await there.handled(3)
            orders = await canonical_orders(there)
        before = await every_mail(mail)
        await there.post(BEN, "bid 2. That is all.")  # while nobody is there to read it
        await restore(tmp_path, backup, clock)
        async with life(tmp_path, mail, clock) as again:
            await again.handled(4)
            found = await canonical_orders(again)
            assert found[:3] == orders
            assert found[3] == (2, "Bid 2")
            async with again.service.services.database.read() as work:
                assert await work.marks.find(RESTORED) is None
                withheld = await work.outbox.list_by_state("withheld")
            assert {row.answer for row in withheld} == {"answered-before-restore"}
            assert len(withheld) == 2
        after = await every_mail(mail)
        assert max(after.values()) == 1
        assert len(after) == len(before) + 1
        assert "Bid 2" in text_of(parse((await mail.mails(BEN))[-1])), "what was never answered is"
        kept = kept_name(file_of(tmp_path), clock.now())
        assert kept.exists()


@pytest.mark.long(held_by="tests/cli/test_backups.py (a restore, with and without)")
@pytest.mark.parametrize("send", [False, True])
async def test_what_the_backup_had_not_sent_is_withheld_unless_wanted(
    tmp_path: Path, send: bool
) -> None:
    backup = tmp_path / "backup.sqlite"
    async with provider() as (mail, clock):
        async with life(tmp_path, mail, clock) as there:
            await there.open_game()
            mail.front.answer("RCPT", "451 4.3.0 try later", recipient=ANNA)
            await there.post(ANNA, "bid 12")
            await there.handled(1)
            await asyncio.to_thread(write_backup, file_of(tmp_path), backup, clock.now())
            clock.advance_to(clock.now() + timedelta(hours=1))
            await there.service.settle()
            assert set(await there.outbox()) == {"sent"}
        assert await restore(tmp_path, backup, clock, send=send) == (0 if send else 1)
        async with life(tmp_path, mail, clock) as again:
            await again.handled(1)
            clock.advance_to(clock.now() + timedelta(hours=1))
            await again.service.settle()
            assert (await again.outbox()).get("withheld", 0) == (0 if send else 1)
        assert max((await every_mail(mail)).values()) == (2 if send else 1)


@pytest.mark.long(held_by="tests/cli/test_backups.py (a restore), tests/desk/phases (a close)")
async def test_a_phase_closed_since_the_backup_is_closed_again_from_the_same_orders(
    tmp_path: Path,
) -> None:
    backup = tmp_path / "backup.sqlite"
    async with provider() as (mail, clock):
        async with life(tmp_path, mail, clock) as there:
            await there.open_game()
            await asyncio.to_thread(write_backup, file_of(tmp_path), backup, clock.now())
            await there.post(ANNA, "bid 12")
            await there.post(BEN, "bid 7")
            await there.handled(2)
            await close(there)
            states = await all_states(there)
        await restore(tmp_path, backup, clock)
        async with life(tmp_path, mail, clock) as again:
            await again.handled(2)
            assert await all_states(again) == states


async def close(there: House) -> None:
    async with there.service.services.database.read() as work:
        phase = await work.phases.find(1, 1)
    assert phase is not None
    there.clock.advance_to(end_of_deadline(phase.deadline))
    await there.service.inbox.drain()
    await there.service.settle()


async def all_states(there: House) -> list[tuple[int, bytes]]:
    async with there.service.services.database.read() as work:
        assert (game := await work.games.find(1)) is not None
        assert game.phase_number == 2
        found = await work.connection.execute(
            sa.select(tables.states.c.phase_number, tables.states.c.body)
        )
        return sorted((row[0], row[1]) for row in found)
