"""What `make venv` says before it downloads, and what it leaves of an environment for a server."""

import os
import runpy
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from pbem.board.raster import LINKED
from pbem.grammar.kit.common import OTHERS
from tests.deploy.programs import DEPLOY

ROOT = DEPLOY.parent
SLIM = runpy.run_path(str(DEPLOY / "slim.py"), run_name="slim")


def said_before(tmp_path: Path, **lacking: str) -> tuple[int, list[str]]:
    """The status and the lines of the check where these modules are as given, on a Debian."""
    for module, text in lacking.items():
        (tmp_path / f"{module}.py").write_text(text, "utf-8")
    apt = tmp_path / "apt-get"
    apt.write_text("#!/bin/sh\n")
    apt.chmod(0o755)
    done = subprocess.run(
        [sys.executable, DEPLOY / "before.py"],
        env={"PATH": str(tmp_path), "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stderr.splitlines()


MISSING = "raise ImportError(__name__)\n"
UNLINKED = "def CDLL(name):\n    raise OSError(name)\n"


def test_a_machine_without_venv_is_told_so_in_one_line_f_101(tmp_path: Path) -> None:
    status, (line,) = said_before(tmp_path, ensurepip=MISSING)
    assert status == 1
    assert line.startswith("needed: the module ensurepip of Python")
    assert "apt install" in line
    assert "python3-venv" in line


def test_a_machine_without_the_painters_libraries_goes_on_f_101(tmp_path: Path) -> None:
    status, (line,) = said_before(tmp_path, ctypes=UNLINKED)
    assert status == 0
    assert line == (
        "no boards are painted without libEGL.so.1 and libGL.so.1;"
        " install with: apt install libegl1 libgl1"
    )


def test_all_that_is_missing_is_one_command(tmp_path: Path) -> None:
    status, (line,) = said_before(tmp_path, ctypes=UNLINKED, venv=MISSING)
    assert status == 1
    assert line.endswith("apt install libegl1 libgl1 python3-venv")


def test_a_machine_that_has_all_hears_nothing(tmp_path: Path) -> None:
    assert said_before(tmp_path, ctypes="def CDLL(name):\n    return name\n") == (0, [])


def test_the_check_knows_the_libraries_that_the_service_asks_for() -> None:
    assert runpy.run_path(str(DEPLOY / "before.py"), run_name="before")["PAINTERS"] == LINKED


def test_the_lists_of_words_that_are_read_stay() -> None:
    assert SLIM["READ_IN_LISTS"] == {"en", *OTHERS}


TELL_ALL = """
import hashlib
from datetime import UTC, datetime, timedelta
from babel.localedata import locale_identifiers
from pbem.grammar import languages, zones
from pbem.pages.dates import day, moment, weekday

now = datetime(2026, 3, 1, 22, 30, tzinfo=UTC)
told = [languages._english_names(), languages._own_names(), zones._countries()]
for code in locale_identifiers():
    told.append((code, languages.language_name(code)))
    for month in range(12):
        when = now + timedelta(days=31 * month)
        told += [moment(when, now, "Asia/Tokyo", code), day(when, "UTC", code), weekday(when, code)]
print(hashlib.sha256(repr(told).encode()).hexdigest())
"""


@pytest.mark.long(held_by="tests/pages")
def test_no_date_language_or_country_is_lost_with_what_is_dropped(tmp_path: Path) -> None:
    spec = find_spec("babel")
    assert spec is not None
    assert spec.origin is not None
    shutil.copytree(Path(spec.origin).parent, tmp_path / "babel")
    SLIM["drop_unopened"](tmp_path)

    def told(*folders: Path) -> str:
        environment = os.environ | {"PYTHONPATH": os.pathsep.join(map(str, folders))}
        done = subprocess.run(
            [sys.executable, "-c", TELL_ALL],
            env=environment,
            capture_output=True,
            text=True,
            check=True,
        )
        return done.stdout

    def size(folder: Path) -> int:
        return sum(file.stat().st_size for file in folder.rglob("*.dat"))

    assert told(tmp_path, ROOT) == told(ROOT)
    assert size(tmp_path / "babel") * 2 < size(Path(spec.origin).parent)
