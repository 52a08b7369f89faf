"""`pbem backup`, `pbem restore` and `pbem accept-clock`, as an operator types them."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from pbem.store.lock import lock_directory
from pbem.store.marks import RESTORED, SWEPT
from pbem.store.work import Work
from tests.cli.operator import CONFIG, Operator

POSTGRES = CONFIG + '\n[database]\nurl = "postgresql+asyncpg://pbem@localhost/pbem"\n'


def states(operator: Operator) -> dict[str, int]:
    return dict(operator.ask("SELECT state, count(*) FROM outbox GROUP BY state"))


def test_a_backup_is_written_once_and_restored_with_its_letters_withheld(operator: Operator, tmp_path: Path) -> None:
    operator.seat_three()
    backup = tmp_path / "backup.sqlite"
    said = operator.types("backup", str(backup))
    assert said.status == 0, said.err
    assert "checked" in said.out
    again = operator.types("backup", str(backup))
    assert (again.status, "there already" in again.err) == (5, True)
    assert operator.types("backup", str(backup), "--force").status == 0
    assert operator.types("game", "new", "later").status == 0
    restored = operator.types("restore", str(backup))
    assert restored.status == 0, restored.err
    assert "3 letters it had not sent are withheld" in restored.out
    assert "is kept as" in restored.out
    assert states(operator) == {"withheld": 3}
    assert [row["game"] for row in operator.types("game", "list", "--json").json_lines] == ["heron"]
    assert operator.ask("SELECT name FROM marks WHERE name = ?", RESTORED) == [(RESTORED,)]
    assert operator.ask("SELECT value FROM secrets WHERE name = 'outbox-epoch'") == [("1",)]
    kept = [file for file in operator.database.parent.iterdir() if ".before-restore-" in file.name]
    assert len(kept) == 1


def test_restored_with_send_the_letters_stay_due(operator: Operator, tmp_path: Path) -> None:
    operator.seat_three()
    assert operator.types("backup", str(tmp_path / "backup")).status == 0
    assert operator.types("restore", str(tmp_path / "backup"), "--send").status == 0
    assert states(operator) == {"queued": 3}


def test_nothing_is_restored_while_the_service_runs(operator: Operator, tmp_path: Path) -> None:
    operator.seat_three()
    assert operator.types("backup", str(tmp_path / "backup")).status == 0
    before = operator.database.stat().st_ino
    with lock_directory(operator.database.parent):
        assert operator.types("backup", str(tmp_path / "another")).status == 0
        said = operator.types("restore", str(tmp_path / "backup"))
    assert said.status == 5
    assert "is served by" in said.err
    assert operator.database.stat().st_ino == before


def test_what_is_no_backup_is_refused_and_the_database_stays(operator: Operator, tmp_path: Path) -> None:
    operator.seat_three()
    (tmp_path / "letter").write_text("dear aunt")
    assert operator.types("restore", str(tmp_path / "letter")).status == 1
    assert operator.types("restore", str(tmp_path / "nothing")).status == 3
    assert states(operator) == {"queued": 3}
    assert [file.name for file in operator.database.parent.iterdir() if "part" in file.name or "before" in file.name] == []


def test_without_a_database_there_is_nothing_to_back_up(operator: Operator, tmp_path: Path) -> None:
    said = operator.types("backup", str(tmp_path / "backup"))
    assert (said.status, "no database" in said.err) == (3, True)


@pytest.mark.parametrize("command", ["backup", "restore"])
def test_on_postgresql_its_own_tools_are_named(tmp_path: Path, command: str) -> None:
    said = Operator.at(tmp_path, POSTGRES).types(command, str(tmp_path / "file"))
    assert (said.status, "pg_dump" in said.err) == (4, True)


def test_a_clock_that_was_ahead_is_accepted_once(operator: Operator) -> None:
    operator.seat_three()
    assert "not behind" in operator.types("accept-clock").out

    async def come_from_the_future(work: Work) -> None:
        await work.marks.put(SWEPT, datetime.now(UTC) + timedelta(days=9))

    operator.keep(come_from_the_future)
    assert "as it is" in operator.types("accept-clock").out
    assert operator.ask("SELECT * FROM marks WHERE name = ?", SWEPT) == []
