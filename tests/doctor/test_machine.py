"""The machine and the configuration, looked over with each fault that they can have."""

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from engine.ruleset import Event
from pbem.board.board import Board, Picture, TableFacts
from pbem.board.raster import Rasteriser
from pbem.demo.clock import FastClock
from pbem.doctor import machine, settings
from pbem.doctor.machine import check_boards, check_database, draw_twice
from pbem.doctor.settings import check_settings, check_zones
from pbem.findings import Finding, Grade
from pbem.registry import default_game, load_games
from pbem.store.database import open_database
from pbem.store.migrations import migrate
from pbem.store.repositories.marks import SWEPT
from tests.desk.harness import PIXEL, StillPainter
from tests.doctor.conftest import ORDERS, Configured


async def look(file: Path, clock: FastClock) -> dict[str, Finding]:
    return {
        finding.check: finding
        for finding in await check_database(f"sqlite+aiosqlite:///{file}", clock.now())
    }


async def make(file: Path, *, swept: Any = None) -> None:
    database = open_database(f"sqlite+aiosqlite:///{file}")
    await migrate(database)
    if swept is not None:
        async with database.write() as work:
            await work.marks.put(SWEPT, swept)
    await database.dispose()


async def test_a_database_as_it_should_be(tmp_path: Path, clock: FastClock) -> None:
    await make(tmp_path / "pbem.sqlite", swept=clock.now())
    found = await look(tmp_path / "pbem.sqlite", clock)
    assert {check: finding.grade for check, finding in found.items()} == {
        "database": Grade.OK,
        "database file": Grade.OK,
        "disk": Grade.OK,
    }


async def test_a_database_that_is_not_there_yet_is_no_fault_and_is_not_made(
    tmp_path: Path, clock: FastClock
) -> None:
    found = await look(tmp_path / "data" / "pbem.sqlite", clock)
    assert found["database"].grade is Grade.OK
    assert not (tmp_path / "data").exists()


async def test_a_file_that_is_no_database_is_broken(tmp_path: Path, clock: FastClock) -> None:
    (tmp_path / "pbem.sqlite").write_bytes(b"no database at all " * 400)
    found = await look(tmp_path / "pbem.sqlite", clock)
    assert (found["database"].grade, found["database file"].grade) == (Grade.BROKEN, Grade.BROKEN)
    assert "pbem restore FILE" in found["database"].mend


async def test_a_database_with_a_damaged_page_is_broken(tmp_path: Path, clock: FastClock) -> None:
    file = tmp_path / "pbem.sqlite"
    await make(file)
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        (page,) = connection.execute(
            "SELECT rootpage FROM sqlite_master WHERE name = 'outbox'"
        ).fetchone()
        (size,) = connection.execute("PRAGMA page_size").fetchone()
    with file.open("r+b") as opened:
        opened.seek((page - 1) * size)
        opened.write(b"\xff" * size)
    found = await look(file, clock)
    assert (
        found["database file"].grade,
        "damaged" in found["database file"].words or "checked" in found["database file"].words,
    ) == (Grade.BROKEN, True)


async def test_a_database_that_is_not_in_wal_mode_is_doubtful(
    tmp_path: Path, clock: FastClock
) -> None:
    file = tmp_path / "pbem.sqlite"
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("CREATE TABLE something (id INTEGER)")
    finding = machine._look_into(file)
    assert (finding.grade, "delete mode" in finding.words) == (Grade.WARNING, True)


async def test_marks_of_the_future_tell_that_this_clock_is_behind(
    tmp_path: Path, clock: FastClock
) -> None:
    await make(tmp_path / "pbem.sqlite", swept=clock.now() + timedelta(minutes=10))
    found = await look(tmp_path / "pbem.sqlite", clock)
    assert (found["database"].grade, "clock is behind" in found["database"].words) == (
        Grade.BROKEN,
        True,
    )


async def test_an_older_database_is_doubtful(tmp_path: Path, clock: FastClock) -> None:
    file = tmp_path / "pbem.sqlite"
    await make(file)
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("UPDATE alembic_version SET version_num = '0001'")
    found = await look(file, clock)
    assert (found["database"].grade, "backup" in found["database"].mend) == (Grade.WARNING, True)


async def test_a_board_is_drawn_and_bears_letters() -> None:
    finding = await check_boards()
    assert (finding.grade, "with letters" in finding.words) == (Grade.OK, True)


async def test_a_painter_without_the_libraries_of_the_system_is_told_which_to_install() -> None:
    class Unlinked(Rasteriser):
        async def board(self, *told: Any) -> Picture:
            raise ImportError("libEGL.so.1: cannot open shared object file")

    finding = await check_boards(Unlinked)
    assert finding.grade is Grade.BROKEN
    assert "libEGL.so.1" in finding.words
    assert "libegl1" in finding.mend


async def test_a_board_without_letters_is_found_out() -> None:
    class Blank(StillPainter):
        async def board(
            self, board: Board, view: Any, events: Sequence[Event], land: bytes, facts: TableFacts
        ) -> Picture:
            return Picture(PIXEL, "blank")

    titled, plain = await draw_twice(Blank(), default_game(load_games()), "Realm")
    finding = machine.judge_boards(titled, plain)
    assert (finding.grade, "without letters" in finding.words) == (Grade.BROKEN, True)


def grades(
    configured: Configured, file: Path | None = None, **changes: dict[str, Any]
) -> dict[str, Grade]:
    return {finding.check: finding.grade for finding in check_settings(configured(**changes), file)}


async def test_a_configuration_as_it_should_be(configured: Configured, tmp_path: Path) -> None:
    file = tmp_path / "pbem.toml"
    file.touch(0o600)
    assert set(grades(configured, file).values()) == {Grade.OK}


async def test_a_password_that_everybody_may_read_is_doubtful(
    configured: Configured, tmp_path: Path
) -> None:
    secret = tmp_path / "imap-password"
    secret.write_text("secret")
    secret.chmod(0o644)
    file = tmp_path / "pbem.toml"
    file.touch(0o644)
    found = grades(configured, file, imap={"password": "", "password_file": secret})
    assert (found["imap password"], found["configuration"]) == (Grade.WARNING, Grade.WARNING)
    secret.chmod(0o600)
    assert (
        grades(configured, imap={"password": "", "password_file": secret})["imap password"]
        is Grade.OK
    )


async def test_a_password_file_that_cannot_be_read_is_broken(
    configured: Configured, tmp_path: Path
) -> None:
    found = grades(
        configured,
        imap={"password": "", "password_file": tmp_path / "missing"},
        smtp={"password": ""},
    )
    assert (found["imap password"], found["smtp password"]) == (Grade.BROKEN, Grade.BROKEN)


async def test_a_database_that_everybody_may_read_is_doubtful(
    configured: Configured, tmp_path: Path
) -> None:
    file = tmp_path / "data" / "pbem.sqlite"
    file.parent.mkdir()
    file.touch()
    file.chmod(0o644)
    assert grades(configured)["data directory"] is Grade.WARNING


async def test_the_folder_of_archives_can_be_written_and_read_by_a_web_server(
    configured: Configured, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, name = tmp_path / "site", "archive folder"
    assert name not in grades(configured)
    assert grades(configured, archive={"folder": folder})[name] is Grade.OK
    assert not folder.exists()
    folder.mkdir()
    folder.chmod(0o700)
    assert grades(configured, archive={"folder": folder})[name] is Grade.WARNING
    folder.chmod(0o755)
    assert grades(configured, archive={"folder": folder})[name] is Grade.OK
    (tmp_path / "file").touch()
    assert grades(configured, archive={"folder": tmp_path / "file"})[name] is Grade.BROKEN
    monkeypatch.setattr("pbem.doctor.settings.os.access", lambda *_: False)
    assert grades(configured, archive={"folder": folder})[name] is Grade.BROKEN
    assert grades(configured, archive={"folder": tmp_path / "none"})[name] is Grade.BROKEN


async def test_a_data_directory_that_cannot_be_made_is_broken(
    configured: Configured, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "pbem.doctor.settings.os.access", lambda *_: False
    )  # whoever runs the tests may be allowed everything
    assert grades(configured)["data directory"] is Grade.BROKEN
    (tmp_path / "data").mkdir()
    assert grades(configured)["data directory"] is Grade.BROKEN


@pytest.mark.parametrize(
    ("changes", "check", "grade"),
    [
        ({"gm": {"addresses": ()}}, "game masters", Grade.WARNING),
        ({"gm": {"addresses": (ORDERS,)}}, "game masters", Grade.BROKEN),
        ({"service": {"address": "orders@localhost"}}, "address", Grade.WARNING),
        ({"smtp": {"host": "mail.elsewhere.example"}}, "address", Grade.WARNING),
    ],
)
async def test_what_cannot_be_meant_is_told(
    configured: Configured, changes: dict[str, Any], check: str, grade: Grade
) -> None:
    assert grades(configured, **changes)[check] is grade


async def test_the_time_zones_are_there(
    configured: Configured, clock: FastClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert check_zones(configured(), clock.now()).grade is Grade.OK
    monkeypatch.setattr(settings, "available_timezones", lambda: {"UTC"})
    assert check_zones(configured(), clock.now()).grade is Grade.BROKEN
