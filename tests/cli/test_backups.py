"""`pbem backup`, `pbem restore` and `pbem accept-clock`, as an operator types them."""

import sqlite3
from contextlib import closing, nullcontext
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from pbem.store.lock import lock_database
from pbem.store.repositories.marks import RESTORED, SWEPT
from pbem.store.work import Work
from tests.cli.operator import CONFIG, Operator
from tests.rings import sampled

POSTGRES = CONFIG + '\n[database]\nurl = "postgresql+asyncpg://pbem@localhost/pbem"\n'


def states(operator: Operator) -> dict[str, int]:
    return dict(operator.ask("SELECT state, count(*) FROM outbox GROUP BY state"))


def test_a_backup_is_written_once_and_restored_with_its_letters_withheld(
    operator: Operator, tmp_path: Path
) -> None:
    operator.seat_three()
    backup = tmp_path / "backup.sqlite"
    said = operator.types("backup", str(backup))
    assert said.status == 0, said.err
    assert "checked" in said.out
    again = operator.types("backup", str(backup))
    assert (again.status, "already exists" in again.err) == (5, True)
    assert operator.types("backup", str(backup), "--force").status == 0
    assert operator.types("game", "new", "later").status == 0
    restored = operator.types("restore", str(backup))
    assert restored.status == 0, restored.err
    assert "withheld 3 mails that were waiting in it" in restored.out
    assert "kept the old database as" in restored.out
    assert states(operator) == {"withheld": 3}
    assert [row["game"] for row in operator.types("game", "list", "--json").json_lines] == ["heron"]
    assert operator.ask("SELECT name FROM marks WHERE name = ?", RESTORED) == [(RESTORED,)]
    assert operator.ask("SELECT value FROM secrets WHERE name = 'outbox-epoch'") == [("1",)]
    kept = [file for file in operator.database.parent.iterdir() if ".before-restore-" in file.name]
    assert len(kept) == 1


def test_f70_letters_that_were_not_sent_are_explained_in_the_status(
    operator: Operator, tmp_path: Path
) -> None:
    operator.seat_three()
    assert operator.types("backup", str(tmp_path / "backup")).status == 0
    assert operator.types("restore", str(tmp_path / "backup")).status == 0
    operator.ask("UPDATE outbox SET answer = 'superseded' WHERE id = (SELECT min(id) FROM outbox)")
    said = " ".join(operator.types("game", "status", "heron").out.split())
    assert "our mails 2 not sent (the restored backup had not sent them)" in said
    assert "withheld" not in said
    told = operator.types("game", "status", "heron", "--json").json
    assert (told["letters"]["withheld"], told["withheld"]) == (2, {"restored": 2})


def test_restored_with_send_the_letters_stay_due(operator: Operator, tmp_path: Path) -> None:
    operator.seat_three()
    assert operator.types("backup", str(tmp_path / "backup")).status == 0
    assert operator.types("restore", str(tmp_path / "backup"), "--send").status == 0
    assert states(operator) == {"queued": 3}


def test_nothing_is_restored_while_the_service_runs(operator: Operator, tmp_path: Path) -> None:
    operator.seat_three()
    assert operator.types("backup", str(tmp_path / "backup")).status == 0
    before = operator.database.stat().st_ino
    with lock_database(operator.database):
        assert operator.types("backup", str(tmp_path / "another")).status == 0
        said = operator.types("restore", str(tmp_path / "backup"))
    assert said.status == 5
    assert "is served by" in said.err
    assert operator.database.stat().st_ino == before


NAMES = (
    *("itself", "dots", "symlink", "hard link", "folder", "-wal", "-shm", "-journal", "pbem.lock"),
)


@pytest.mark.parametrize(
    ("name", "served"), sampled([(name, served) for served in (True, False) for name in NAMES], 9)
)
def test_f52_a_backup_never_takes_the_place_of_the_database(
    operator: Operator, tmp_path: Path, name: str, served: bool
) -> None:
    operator.seat_three()
    database = operator.database
    targets = {
        "itself": database,
        "dots": database.parent / ".." / "data" / "pbem.sqlite",
        "symlink": tmp_path / "link",
        "hard link": tmp_path / "hard",
        "folder": tmp_path / "other" / "pbem.sqlite",
        "pbem.lock": database.with_name("pbem.lock"),
    }
    (tmp_path / "link").symlink_to(database)
    (tmp_path / "other").symlink_to(database.parent)
    with lock_database(database) if served else nullcontext():
        if name == "hard link":
            (tmp_path / "hard").hardlink_to(database)
        before = database.stat().st_ino
        target = targets.get(name) or database.with_name(database.name + name)
        for force in ((), ("--force",)):
            said = operator.types("backup", str(target), *force)
            assert (said.status, "name another file" in said.err) == (5, True), said
        assert database.stat().st_ino == before
    assert states(operator) == {"queued": 3}


def test_f52_with_force_a_backup_replaces_an_earlier_one_and_no_other_database(
    operator: Operator, tmp_path: Path
) -> None:
    operator.seat_three()
    (tmp_path / "next").mkdir()
    other = Operator.at(tmp_path / "next")
    other.seat_three("swan")
    with lock_database(other.database):
        assert "in use" in operator.types("backup", str(other.database), "--force").err
    assert "no backup" in operator.types("backup", str(other.database), "--force").err
    assert operator.types("backup", str(other.database) + "-wal", "--force").status == 5
    foreign = tmp_path / "foreign.sqlite"
    with closing(sqlite3.connect(foreign)) as connection, connection:
        connection.execute("CREATE TABLE photos (id)")
    assert "no backup" in operator.types("backup", str(foreign), "--force").err
    assert [row["game"] for row in other.types("game", "list", "--json").json_lines] == ["swan"]
    earlier = tmp_path / "earlier"
    assert operator.types("backup", str(earlier)).status == 0
    assert operator.types("backup", str(earlier), "--force").status == 0


def test_f52_a_database_that_is_lost_under_the_service_is_told(operator: Operator) -> None:
    operator.seat_three()
    with lock_database(operator.database):
        kept = operator.database.rename(operator.database.with_name("moved"))
        gone = operator.types("health", "--json")
        assert (gone.status, gone.json["reasons"]) == (1, ["database-replaced"])
        operator.database.write_bytes(kept.read_bytes())
        assert operator.types("health", "--json").json["reasons"] == ["database-replaced"]
        assert "stop the service" in operator.types("health").out
    kept.unlink()
    assert "database-replaced" not in operator.types("health", "--json").json["reasons"]


def test_a_restore_goes_where_a_link_leads_and_leaves_the_link(
    operator: Operator, tmp_path: Path
) -> None:
    operator.seat_three()
    backup = tmp_path / "backup"
    assert operator.types("backup", str(backup)).status == 0
    real = operator.database.rename(tmp_path / "real.sqlite")
    operator.database.symlink_to(real)
    assert operator.types("restore", str(backup)).status == 0
    assert operator.database.is_symlink()
    assert states(operator) == {"withheld": 3}


def test_what_is_no_backup_is_refused_and_the_database_stays(
    operator: Operator, tmp_path: Path
) -> None:
    operator.seat_three()
    (tmp_path / "letter").write_text("dear aunt")
    assert operator.types("restore", str(tmp_path / "letter")).status == 1
    assert operator.types("restore", str(tmp_path / "nothing")).status == 3
    assert states(operator) == {"queued": 3}
    assert [
        file.name
        for file in operator.database.parent.iterdir()
        if "part" in file.name or "before" in file.name
    ] == []


def test_without_a_database_there_is_nothing_to_back_up(newcomer: Operator, tmp_path: Path) -> None:
    said = newcomer.types("backup", str(tmp_path / "backup"))
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
    assert "accepted" in operator.types("accept-clock").out
    assert operator.ask("SELECT * FROM marks WHERE name = ?", SWEPT) == []
