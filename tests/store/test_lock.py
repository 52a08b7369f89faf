"""One service a database."""

import os
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import AsyncIterator
from datetime import datetime, timedelta
from pathlib import Path

import msgspec
import pytest

from pbem.store import (
    AlreadyServed,
    Database,
    StoreConflict,
    StoreUnwritable,
    lock_database,
    migrate,
    open_database,
)
from pbem.store.claims import ClaimLost
from pbem.store.lock import Holder, is_held, is_lost, lock_file_of, refuse_far_holder, sign_database
from pbem.store.repositories.marks import SERVED

from .samples import NOW, add_message

HOLDER = """
import sys
from pathlib import Path
from pbem.store import lock_database
with lock_database(Path(sys.argv[1])):
    print("locked", flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "pbem.sqlite"


@pytest.fixture
async def used(file: Path) -> AsyncIterator[Database]:
    database = open_database(f"sqlite+aiosqlite:///{file}")
    await migrate(database)
    yield database
    await database.dispose()


def signed_in(path: Path) -> Holder:
    return msgspec.json.decode(path.read_bytes(), type=Holder)


def test_a_second_holder_is_told_who_is_first(file: Path) -> None:
    with lock_database(file) as lock:
        assert lock.path == file.with_name("pbem.lock")
        assert (signed_in(lock.path).pid, signed_in(lock.path).host) == (
            os.getpid(),
            socket.gethostname(),
        )
        with (
            pytest.raises(
                AlreadyServed, match=f"process {os.getpid()} on {socket.gethostname()}"
            ) as refused,
            lock_database(file),
        ):
            pytest.fail("locked twice")
        assert (refused.value.pid, refused.value.database) == (os.getpid(), file)
    with lock_database(file):
        pass


def test_another_process_holds_the_database_till_it_dies_however_it_dies(file: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", HOLDER, file],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "locked\n"
        with pytest.raises(AlreadyServed) as refused, lock_database(file):
            pytest.fail("locked twice")
        assert refused.value.pid == other.pid
        other.send_signal(signal.SIGKILL)
    with lock_database(file) as lock:
        assert signed_in(lock.path).pid == os.getpid()


def test_f11_the_lock_belongs_to_the_database_by_whatever_name_it_is_reached(
    file: Path, tmp_path: Path
) -> None:
    file.touch()
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "link.sqlite").symlink_to(file)
    (tmp_path / "folder").symlink_to(tmp_path)
    with lock_database(file):
        for name in (
            tmp_path / "elsewhere" / "link.sqlite",
            tmp_path / "folder" / "pbem.sqlite",
            tmp_path / "elsewhere" / ".." / "pbem.sqlite",
        ):
            with pytest.raises(AlreadyServed), lock_database(name):
                pytest.fail("locked twice")
        with lock_database(tmp_path / "another.sqlite"):
            pass


def test_f11_a_database_with_a_second_name_is_not_served(file: Path, tmp_path: Path) -> None:
    """A hard link: nobody could find one lock by both names, and SQLite would keep a log beside
    each.
    """
    file.touch()
    os.link(file, tmp_path / "second.sqlite")
    with pytest.raises(StoreConflict, match="2 names"), lock_database(tmp_path / "second.sqlite"):
        pytest.fail("locked")


def test_an_error_within_the_block_comes_through_and_unlocks(file: Path) -> None:
    with pytest.raises(LookupError, match="mine"), lock_database(file):
        raise LookupError("mine")
    with lock_database(file):
        pass


@pytest.mark.parametrize(
    "rubbish", ["no number at all, and longer than any", "4711\n", "{}", "[1]", "\x00"]
)
def test_a_lock_file_with_rubbish_in_it_is_taken_over(file: Path, rubbish: str) -> None:
    lock_file_of(file).write_text(rubbish)
    with lock_database(file) as lock:
        assert signed_in(lock.path).pid == os.getpid()


def test_a_service_of_an_earlier_version_is_told_by_its_number(file: Path) -> None:
    with lock_database(file) as lock:
        lock.path.write_text("4711\n")
        with pytest.raises(AlreadyServed, match="process 4711"), lock_database(file):
            pytest.fail("locked twice")


def test_a_lock_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    with (
        pytest.raises(StoreUnwritable, match="nowhere"),
        lock_database(tmp_path / "nowhere" / "pbem.sqlite"),
    ):
        pytest.fail("locked")


async def foreign(
    used: Database, at: datetime, host: str = "elsewhere", boot: str = "another"
) -> None:
    async with used.write() as work:
        await work.marks.put(SERVED, at, msgspec.json.encode(Holder(4711, host, boot)).decode())


async def test_f11_a_service_of_another_host_is_refused_by_name_till_it_has_been_silent(
    used: Database, file: Path
) -> None:
    with lock_database(file) as lock:
        await foreign(used, NOW)
        with pytest.raises(AlreadyServed, match="process 4711 on elsewhere"):
            async with sign_database(used, lock, lambda: NOW + timedelta(seconds=99)):
                pytest.fail("served twice")
        with pytest.raises(AlreadyServed):
            await refuse_far_holder(used, NOW + timedelta(seconds=99))
        async with sign_database(used, lock, lambda: NOW + timedelta(seconds=100)):
            pass
        async with used.read() as work:
            assert await work.marks.find(SERVED) is None


@pytest.mark.parametrize("near", ["host", "boot"])
async def test_f11_what_a_killed_service_of_this_machine_left_keeps_nobody_out(
    used: Database, file: Path, near: str
) -> None:
    with lock_database(file) as lock:
        ours = signed_in(lock.path)
        await foreign(
            used,
            NOW,
            *(
                (ours.host, "before the reboot")
                if near == "host"
                else ("another-container", ours.boot)
            ),
        )
        async with sign_database(used, lock, lambda: NOW), used.read() as work:
            assert (mark := await work.marks.find(SERVED)) is not None
        assert str(os.getpid()) in mark.detail


async def test_f11_a_service_whose_row_another_one_took_ends(used: Database, file: Path) -> None:
    clock = [NOW]
    with lock_database(file) as lock:
        async with sign_database(used, lock, lambda: clock[0]) as claim:
            clock[0] += timedelta(seconds=30)
            await claim.renew()
            async with used.read() as work:
                assert (mark := await work.marks.find(SERVED)) is not None
            assert mark.at == clock[0]
            await foreign(used, clock[0])
            clock[0] += timedelta(seconds=30)
            with pytest.raises(ClaimLost, match="elsewhere"):
                await claim.renew()
        async with used.read() as work:
            assert await work.marks.find(SERVED) is not None, "it is the other one's"


async def test_f52_a_service_takes_nothing_more_when_its_file_was_replaced(
    used: Database, file: Path, tmp_path: Path
) -> None:
    with lock_database(file) as lock:
        lock.sign()
        assert not is_lost(file)
        shutil.copyfile(file, tmp_path / "other")
        os.replace(tmp_path / "other", file)
        assert is_lost(file)
        with pytest.raises(StoreUnwritable, match="deleted or replaced"):
            async with used.write() as work:
                await add_message(work, "lost")
        with pytest.raises(StoreUnwritable, match="deleted or replaced"):
            async with used.read():
                pytest.fail("read")
    assert not is_held(file)
    assert not is_lost(file)


async def test_f52_after_a_deletion_nothing_begins_with_an_empty_database(
    used: Database, file: Path
) -> None:
    with lock_database(file) as lock:
        lock.sign()
        os.unlink(file)
        assert is_lost(file)
        with pytest.raises(StoreUnwritable, match="deleted or replaced"):
            async with used.write():
                pytest.fail("written")
    with pytest.raises(StoreConflict, match="pbem restore"), lock_database(file):
        pytest.fail("locked")
    with lock_database(file, to_restore=True):
        os.mknod(file)
    with lock_database(file):
        pass
