"""Copies of a database that is in use, and their way back."""

import asyncio
import os
import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest

from pbem.store import Database, StoreConflict, StoreUnwritable, migrate, open_database
from pbem.store.backup import BackupUnfit, put_in_place, unnamed_copy, write_backup
from pbem.store.repositories.marks import BACKED_UP

from .samples import NOW, add_message


@pytest.fixture
async def used(tmp_path: Path) -> AsyncIterator[Database]:
    """A database that is open, with a message."""
    database = open_database(f"sqlite+aiosqlite:///{tmp_path / 'pbem.sqlite'}")
    await migrate(database)
    async with database.write() as work:
        await add_message(work, "first")
    yield database
    await database.dispose()


def file_of(database: Database) -> Path:
    assert database.file is not None
    return database.file


async def keys_in(file: Path) -> list[str]:
    with closing(sqlite3.connect(file)) as connection:
        return [key for (key,) in connection.execute("SELECT message_key FROM inbox ORDER BY id")]


async def test_a_copy_has_what_was_kept_and_nothing_that_is_under_way(
    used: Database, tmp_path: Path
) -> None:
    copy = tmp_path / "copy"
    async with used.write() as work:
        await add_message(work, "under way")
        size = await asyncio.to_thread(write_backup, file_of(used), copy, NOW)
    assert await keys_in(copy) == ["first"]
    assert size == os.stat(copy).st_size
    assert os.stat(copy).st_mode & 0o777 == 0o600
    assert sorted(os.listdir(tmp_path)) == [
        *("copy", "pbem.sqlite", "pbem.sqlite-shm", "pbem.sqlite-wal"),
    ]


async def test_a_copy_keeps_nobody_waiting_and_sees_one_moment(
    used: Database, tmp_path: Path
) -> None:
    async def write(number: int) -> None:
        async with used.write() as work:
            await add_message(work, f"{number} a")
            await add_message(work, f"{number} b")

    copies = [tmp_path / f"copy{number}" for number in range(5)]
    await asyncio.gather(
        *(write(number) for number in range(20)),
        *(asyncio.to_thread(write_backup, file_of(used), copy, NOW) for copy in copies),
    )
    for copy in copies:
        assert len(await keys_in(copy)) % 2 == 1, "the first, and pairs"
    assert len(await keys_in(file_of(used))) == 41


async def test_a_copy_knows_when_it_was_made_and_is_as_good_as_the_original(
    used: Database, tmp_path: Path
) -> None:
    copy = tmp_path / "copy"
    write_backup(file_of(used), copy, NOW)
    opened = open_database(f"sqlite+aiosqlite:///{copy}")
    async with opened.write() as work:
        mark = await work.marks.find(BACKED_UP)
        assert mark is not None
        assert mark.at == NOW
        await add_message(work, "second")
    await opened.dispose()
    async with used.read() as work:
        assert await work.marks.find(BACKED_UP) is None


async def test_a_file_that_is_there_stays_as_it_is_unless_it_may_be_overwritten(
    used: Database, tmp_path: Path
) -> None:
    copy = tmp_path / "copy"
    copy.write_text("precious")
    with pytest.raises(StoreConflict, match="already exists"):
        write_backup(file_of(used), copy, NOW)
    assert copy.read_text() == "precious"
    write_backup(file_of(used), copy, NOW + timedelta(days=1), overwrite=True)
    assert await keys_in(copy) == ["first"]


def test_a_folder_that_is_not_there_is_told(tmp_path: Path) -> None:
    (tmp_path / "pbem.sqlite").write_bytes(b"")
    with pytest.raises(StoreUnwritable, match="nowhere"):
        write_backup(tmp_path / "pbem.sqlite", tmp_path / "nowhere" / "copy", NOW)


@pytest.mark.parametrize(
    "content", [b"", b"a letter to my aunt\n" * 500, b"SQLite format 3\0" + bytes(4000)]
)
def test_what_is_no_database_of_ours_is_refused_and_leaves_nothing(
    tmp_path: Path, content: bytes
) -> None:
    wrong = tmp_path / "wrong"
    wrong.write_bytes(content)
    with pytest.raises((BackupUnfit, StoreUnwritable)):
        write_backup(wrong, tmp_path / "copy", NOW)
    assert [file.name for file in tmp_path.iterdir() if file.name.startswith((".", "copy"))] == []


async def test_a_database_with_a_broken_page_is_refused(used: Database, tmp_path: Path) -> None:
    await used.dispose()
    broken = tmp_path / "broken"
    content = bytearray(file_of(used).read_bytes())
    content[4096 * 3 : 4096 * 6] = bytes(range(256)) * 48
    broken.write_bytes(content)
    with pytest.raises(BackupUnfit, match=r"broken|not whole"):
        write_backup(broken, tmp_path / "copy", NOW)


async def test_a_copy_takes_the_place_of_a_database_that_stays_beside_it(
    used: Database, tmp_path: Path
) -> None:
    backup, kept = tmp_path / "backup", tmp_path / "pbem.sqlite.before"
    write_backup(file_of(used), backup, NOW)
    async with used.write() as work:
        await add_message(work, "later")
    await used.dispose()
    with unnamed_copy(backup, file_of(used)) as copy:
        assert put_in_place(copy, file_of(used), kept)
    assert await keys_in(file_of(used)) == ["first"]
    assert await keys_in(kept) == ["first", "later"]
    assert await keys_in(backup) == ["first"]
    assert sorted(os.listdir(tmp_path)) == ["backup", "pbem.sqlite", "pbem.sqlite.before"]


async def test_what_a_killed_service_left_in_its_log_is_kept_with_the_old_database(
    used: Database, tmp_path: Path
) -> None:
    """Its connections are still open, as far as its files tell: what was written last lies in the
    log alone.
    """
    backup, kept = tmp_path / "backup", tmp_path / "pbem.sqlite.before"
    write_backup(file_of(used), backup, NOW)
    async with used.write() as work:
        await add_message(work, "in the log")
    crashed = tmp_path / "crashed.sqlite"
    for ending in ("", "-wal"):
        crashed.with_name(crashed.name + ending).write_bytes(
            file_of(used).with_name(file_of(used).name + ending).read_bytes()
        )
    with unnamed_copy(backup, crashed) as copy:
        put_in_place(copy, crashed, kept)
    assert await keys_in(kept) == ["first", "in the log"]
    assert await keys_in(crashed) == ["first"]


async def test_a_broken_database_is_kept_with_its_log_and_the_copy_takes_its_place(
    used: Database, tmp_path: Path
) -> None:
    backup, kept = tmp_path / "backup", tmp_path / "broken.before"
    write_backup(file_of(used), backup, NOW)
    broken = tmp_path / "broken"
    broken.write_bytes(b"scrambled" * 1000)
    broken.with_name("broken-wal").write_bytes(b"log")
    with unnamed_copy(backup, broken) as copy:
        put_in_place(copy, broken, kept)
    assert await keys_in(broken) == ["first"]
    assert kept.read_bytes().startswith(b"scrambled")
    assert kept.with_name("broken.before-wal").read_bytes() == b"log"
    assert not broken.with_name("broken-wal").exists()


async def test_a_copy_may_come_where_nothing_was(used: Database, tmp_path: Path) -> None:
    fresh = tmp_path / "fresh"
    with unnamed_copy(file_of(used), fresh) as copy:
        assert not put_in_place(copy, fresh, tmp_path / "kept")
    assert await keys_in(fresh) == ["first"]
