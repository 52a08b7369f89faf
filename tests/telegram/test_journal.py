"""What came from Telegram, written down a second time (F-55)."""

import os
import stat
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from pbem.telegram.journal import ChatJournal
from pbem.telegram.ports import StoredUpdate

NOON = datetime(2026, 11, 22, 12, tzinfo=UTC)
LONG_AGO = NOON - timedelta(days=1000)


def update(
    number: int, at: datetime = NOON, raw: bytes = b'{"update_id": 1}\n\xff'
) -> StoredUpdate:
    return StoredUpdate(number, raw, at)


def test_f55_what_was_written_is_read_again_byte_for_byte_and_in_its_order(tmp_path: Path) -> None:
    journal = ChatJournal(tmp_path / "journal", b"key")
    assert journal.newest() is None
    written = [update(number, NOON + timedelta(hours=7 * number)) for number in range(6)]
    for one in written:
        journal.append(one)
    assert list(journal.since(LONG_AGO)) == written
    assert list(journal.since(written[2].received_at)) == written[2:]
    assert journal.newest() == written[-1]
    files = sorted((tmp_path / "journal").iterdir())
    assert [file.name for file in files] == ["chat-2026-11-22.jsonl", "chat-2026-11-23.jsonl"]
    assert {stat.S_IMODE(file.stat().st_mode) for file in files} == {0o600}


def test_f55_half_a_line_costs_that_line_alone(tmp_path: Path) -> None:
    journal = ChatJournal(tmp_path, b"key")
    journal.append(update(1))
    (file,) = tmp_path.iterdir()
    whole = file.read_bytes()
    for cut in range(1, len(whole)):
        file.write_bytes(whole + whole[:cut])
        journal.append(update(2))
        assert [one.update_id for one in journal.since(LONG_AGO)][-1] == 2
        assert {one.update_id for one in journal.since(LONG_AGO)} == {1, 2}


def test_f55_old_files_go_and_others_of_the_folder_stay(tmp_path: Path) -> None:
    journal = ChatJournal(tmp_path, b"key", kept=timedelta(days=31))
    (tmp_path / "notes").touch()
    for days in range(40):
        journal.append(update(days, NOON + timedelta(days=days)))
    assert [one.update_id for one in journal.since(LONG_AGO)] == list(range(8, 40))
    assert (tmp_path / "notes").exists()


def test_f55_another_database_in_the_folder_is_told_nothing(tmp_path: Path) -> None:
    ChatJournal(tmp_path, b"key").append(update(1))
    other = ChatJournal(tmp_path, b"another")
    assert (other.newest(), list(other.since(LONG_AGO))) == (None, [])


def test_f14_many_updates_are_written_at_once_and_forced_to_the_disk_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    journal, forced = ChatJournal(tmp_path, b"key"), list[int]()
    journal.append(update(0))
    monkeypatch.setattr(os, "fsync", forced.append)
    many = [update(number) for number in range(1, 101)]
    journal.append(*many)
    assert len(forced) == 1
    assert list(journal.since(LONG_AGO)) == [update(0), *many]
    journal.append(update(101), update(102, NOON + timedelta(days=1)))
    assert [one.update_id for one in journal.since(NOON)] == list(range(103))
    assert len(list(tmp_path.iterdir())) == 2
