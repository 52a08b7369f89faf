"""The units are what systemd takes for good ones, are shut off from the machine, and do what they
say.
"""

import os
import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

from pbem.config import ServiceSection, load_config
from pbem.sample import SAMPLE
from pbem.watchdog import Watchdog
from pbem.worker import BEAT_SECONDS
from tests.deploy.programs import DEPLOY, complaints, find_program

UNITS = DEPLOY / "systemd"
SERVICES = sorted(UNITS.glob("*.service"))
INSTALLED = "/opt/pbem/.venv/bin/pbem"
MOST_EXPOSED = 20
"""Tenths, of 100: systemd calls up to 2.0 ok."""


def settings_of(unit: Path) -> list[tuple[str, str]]:
    return re.findall(r"^(\w+)=(.*)$", unit.read_text("utf-8"), re.MULTILINE)


def value_of(unit: Path, name: str) -> str:
    (value,) = [value for key, value in settings_of(unit) if key == name]
    return value


@pytest.fixture
def installed(tmp_path: Path) -> Path:
    """The units as they would lie on a machine where the program is installed."""
    program = tmp_path / "pbem"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    folder = tmp_path / "units"
    folder.mkdir()
    for unit in (*SERVICES, *UNITS.glob("*.timer")):
        (folder / unit.name).write_text(
            unit.read_text("utf-8").replace(INSTALLED, str(program)), "utf-8"
        )
    return folder


@pytest.fixture
def with_postgres(installed: Path) -> Path:
    """The same where the backup is PostgreSQL's."""
    dropped = installed / "pbem-backup.service.d"
    dropped.mkdir()
    shutil.copy(UNITS / "pbem-backup-postgres.conf", dropped / "postgres.conf")
    return installed


def test_systemd_has_nothing_to_complain_about(installed: Path) -> None:
    units = sorted(installed.iterdir())
    assert len(units) == 4
    assert complaints(find_program("systemd-analyze"), "verify", *units) == ""


def test_nor_about_the_backup_of_a_postgres(with_postgres: Path) -> None:
    assert (
        complaints(find_program("systemd-analyze"), "verify", with_postgres / "pbem-backup.service")
        == ""
    )


def test_nor_about_a_service_that_publishes_archives(installed: Path) -> None:
    dropped = installed / "pbem.service.d"
    dropped.mkdir()
    shutil.copy(UNITS / "pbem-archive.conf", dropped / "archive.conf")
    assert complaints(find_program("systemd-analyze"), "verify", installed / "pbem.service") == ""


@pytest.mark.parametrize("name", [unit.name for unit in SERVICES])
def test_a_service_is_hardly_exposed(installed: Path, name: str) -> None:
    analyze = find_program("systemd-analyze")
    if (
        "--offline"
        not in subprocess.run(
            [analyze, "--help"], capture_output=True, text=True, check=True
        ).stdout
    ):
        pytest.skip("this systemd looks at running units only")
    found = complaints(
        analyze,
        "security",
        "--offline=yes",
        f"--threshold={MOST_EXPOSED}",
        "--no-pager",
        installed / name,
    )
    assert not found.startswith("status"), found


def test_all_services_are_shut_off_alike() -> None:
    walls = [
        unit.read_text("utf-8")
        .partition("# Nothing of the machine")[2]
        .partition("\n\n")[0]
        .strip()
        for unit in SERVICES
    ]
    assert len(walls) == 3
    assert "SystemCallFilter=@system-service" in walls[0]
    assert len(set(walls)) == 1


@pytest.mark.parametrize("unit", SERVICES, ids=lambda unit: unit.name)
def test_f47_every_unit_is_limited(unit: Path) -> None:
    assert re.fullmatch(r"\d+[MG]", value_of(unit, "MemoryMax"))
    assert re.fullmatch(r"\d+[MG]", value_of(unit, "MemoryHigh"))
    assert int(value_of(unit, "TasksMax")) >= 64


@pytest.mark.parametrize("name", ["pbem.service", "pbem-worker@.service"])
def test_the_watchdog_waits_long_enough_for_sweeps(name: str) -> None:
    unit = UNITS / name
    assert value_of(unit, "Type") == "notify"
    minutes = re.fullmatch(r"(\d+)min", value_of(unit, "WatchdogSec"))
    assert minutes is not None
    assert Watchdog("/run/systemd/notify", int(minutes[1]) * 60).fits(
        max(ServiceSection().sweep_seconds, BEAT_SECONDS)
    )


def test_what_the_units_set_in_the_environment_are_settings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "pbem.toml"
    file.write_text(SAMPLE, "utf-8")
    for unit in SERVICES:
        name, _, value = value_of(unit, "Environment").partition("=")
        monkeypatch.setenv(name, value)
    assert load_config(file).service.data_dir == Path("/var/lib/pbem")


@pytest.mark.parametrize(
    ("unit", "words"),
    [
        ("pbem-backup.service", "backup --config /etc/pbem/pbem.toml BACKUP"),
        ("pbem-backup-postgres.conf", "--format=custom --file=BACKUP pbem"),
    ],
)
def test_the_nightly_backup_makes_a_dated_file_and_only_then_drops_old_ones(
    tmp_path: Path, unit: str, words: str
) -> None:
    program, backups = tmp_path / "pbem", tmp_path / "backups"
    program.write_text(
        '#!/bin/sh\nfor word; do case "$word" in *.backup) echo "$*" > "${word#--file=}";; esac; done\n'
    )
    program.chmod(0o755)
    (tmp_path / "pg_dump").symlink_to(program)
    backups.mkdir()
    old, foreign = backups / "pbem-2020-01-01-0340.backup", backups / "notes.txt"
    for file in (old, foreign):
        file.touch()
        os.utime(file, (0, 0))

    def run(line: str) -> None:
        plain = line.replace("$$", "$").replace("%%", "%")  # systemd's own quoting
        words = shlex.split(
            plain.replace(INSTALLED, str(program)).replace("/var/backups/pbem", str(backups))
        )
        subprocess.run(words, check=True, env={"PATH": f"{tmp_path}:{os.environ['PATH']}"})

    run([value for key, value in settings_of(UNITS / unit) if key == "ExecStart"][-1])
    assert old.exists()
    run(value_of(UNITS / "pbem-backup.service", "ExecStartPost"))
    (made,) = set(backups.iterdir()) - {foreign}
    assert re.fullmatch(r"pbem-\d{4}-\d\d-\d\d-\d{4}\.backup", made.name)
    assert made.read_text().strip() == words.replace("BACKUP", str(made))


def test_the_timer_has_a_time_that_systemd_understands() -> None:
    when = value_of(UNITS / "pbem-backup.timer", "OnCalendar")
    assert complaints(find_program("systemd-analyze"), "calendar", when) == ""


@pytest.mark.skipif(os.geteuid() != 0, reason="only the superuser makes users")
def test_the_user_and_the_folders_are_made(tmp_path: Path) -> None:
    (tmp_path / "etc").mkdir()
    users, folders = find_program("systemd-sysusers"), find_program("systemd-tmpfiles")
    subprocess.run(
        [users, f"--root={tmp_path}", UNITS / "pbem.sysusers.conf"], check=True, capture_output=True
    )
    subprocess.run(
        [folders, "--create", f"--root={tmp_path}", UNITS / "pbem.tmpfiles.conf"],
        check=True,
        capture_output=True,
    )
    (line,) = [
        line
        for line in (tmp_path / "etc" / "passwd").read_text().splitlines()
        if line.startswith("pbem:")
    ]
    user, settings = line.split(":"), tmp_path / "etc" / "pbem"
    assert user[5:] == ["/var/lib/pbem", "/usr/sbin/nologin"]
    for own in (tmp_path / "var" / "lib" / "pbem", tmp_path / "var" / "backups" / "pbem"):
        assert (own.stat().st_uid, own.stat().st_gid, own.stat().st_mode & 0o777) == (
            int(user[2]),
            int(user[3]),
            0o700,
        )
    assert (settings.stat().st_uid, settings.stat().st_gid, settings.stat().st_mode & 0o777) == (
        0,
        int(user[3]),
        0o750,
    )
