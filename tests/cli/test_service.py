"""`pbem init`, `serve`, `--version`, and how the configuration and the database can fail a
command.
"""

import os
import re
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest
from typer.testing import CliRunner

from pbem.cli.app import app
from pbem.pages.kit.rules import sections
from pbem.registry import load_games
from pbem.sample import SAMPLE
from pbem.store.lock import lock_database
from tests.cli.operator import CONFIG, Operator, logs_as_they_were


def run(*words: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """The command as a shell starts it, so that its own exit statuses are seen."""
    environment = {key: value for key, value in os.environ.items() if not key.startswith("PBEM_")}
    return subprocess.run(
        [sys.executable, "-c", "from pbem.cli import main; main()", *words],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def test_the_version_is_the_packages(operator: Operator) -> None:
    said = operator.types("--version")
    assert (said.status, said.out) == (0, f"pbem {version('pbem')}\n")


def test_without_a_command_the_help_is_shown(operator: Operator) -> None:
    said = operator.types()
    assert "game" in said.out + said.err
    assert operator.types("--help").status == 0


def test_an_unknown_command_is_a_usage_error(operator: Operator) -> None:
    assert operator.types("fly").status == 2
    assert operator.types("game", "list", "--colour").status == 2


def test_init_writes_a_configuration_that_only_its_owner_reads(operator: Operator) -> None:
    target = operator.folder / "new.toml"
    said = operator.types("init", str(target))
    assert said.status == 0
    assert said.out.startswith(f"Wrote {target}.")
    assert target.read_text(encoding="utf-8") == SAMPLE
    assert target.stat().st_mode & 0o777 == 0o600


def test_init_does_not_overwrite_unless_forced(operator: Operator) -> None:
    said = operator.types("init", str(operator.config))
    assert (said.status, said.err) == (
        4,
        f"pbem: {operator.config} already exists; --force overwrites it\n",
    )
    assert operator.config.read_text(encoding="utf-8") == CONFIG
    assert operator.types("init", str(operator.config), "--force").status == 0
    assert operator.config.read_text(encoding="utf-8") == SAMPLE


@pytest.mark.parametrize(
    "words",
    [
        ("game", "list"),
        ("mail", "shunted"),
        ("mail", "inspect", "x.eml"),
        ("verify", "heron"),
        ("serve",),
    ],
)
def test_unknown_keys_in_the_configuration_are_told_before_anything_is_done(
    tmp_path: Path, words: tuple[str, ...]
) -> None:
    operator = Operator.at(tmp_path, CONFIG + "\n[servise]\nx = 1\n")
    said = operator.types(*words)
    assert (said.status, said.err) == (
        2,
        "pbem: cannot use the configuration:\nservise: there is no such section; did you mean service?\n",
    )
    assert not operator.database.exists()


def test_a_configuration_that_is_not_there_is_a_usage_error(operator: Operator) -> None:
    said = operator.types("game", "list", "--config", str(operator.folder / "none.toml"))
    assert said.status == 2
    assert "none.toml: No such file or directory" in said.err


def test_a_database_that_cannot_be_written_is_worth_another_try(tmp_path: Path) -> None:
    operator = Operator.at(
        tmp_path,
        CONFIG + f'\n[database]\nurl = "sqlite+aiosqlite:///{tmp_path}/nowhere/x.sqlite"\n',
    )
    said = operator.types("game", "list")
    assert said.status == 75
    assert said.err.startswith("pbem: cannot write the database now: ")


def test_a_data_directory_that_cannot_be_made_is_worth_another_try(tmp_path: Path) -> None:
    Operator.at(tmp_path)
    (tmp_path / "data").write_text("a file where the folder should be", encoding="utf-8")
    done = run("game", "list", folder=tmp_path)
    assert done.returncode == 75
    assert done.stderr.startswith("pbem: ")
    assert done.stderr.count("\n") == 1


def test_f11_a_second_service_with_a_folder_of_its_own_and_the_same_database_is_a_conflict(
    newcomer: Operator, tmp_path: Path
) -> None:
    newcomer.database.parent.mkdir()
    (tmp_path / "second").mkdir()
    (tmp_path / "link").symlink_to(newcomer.database.parent)
    for spelled in (newcomer.database, tmp_path / "link" / "pbem.sqlite"):
        second = Operator.at(
            tmp_path / "second", CONFIG + f'\n[database]\nurl = "sqlite+aiosqlite:///{spelled}"\n'
        )
        with lock_database(newcomer.database):
            said = second.types("serve")
        assert (said.status, f"process {os.getpid()} on " in said.err) == (5, True)


def test_the_command_works_from_a_shell_and_reads_the_configuration_lying_there(
    operator: Operator,
) -> None:
    done = run("game", "new", "heron", folder=operator.folder)
    assert (
        done.returncode,
        done.stdout.partition(" is open. Players join by writing `join heron-")[0],
    ) == (0, "Heron")
    assert operator.database.exists()


@pytest.mark.parametrize(
    "words",
    [
        ("game", "list"),
        ("game", "new", "heron"),
        ("serve",),
        ("doctor", "--no-mail"),
        ("verify", "heron"),
    ],
)
def test_in_a_folder_without_a_configuration_nothing_is_done_and_nothing_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]
) -> None:
    monkeypatch.chdir(tmp_path)
    with logs_as_they_were():
        done = CliRunner().invoke(app, list(words), env={"PBEM_CONFIG": ""})
    assert done.exit_code == 2
    assert (
        f"there is no pbem.toml in {tmp_path}. Name a file with --config or PBEM_CONFIG"
        in done.stderr
    )
    assert list(tmp_path.iterdir()) == []


def test_a_service_without_an_address_of_its_own_does_not_start(tmp_path: Path) -> None:
    operator = Operator.at(tmp_path, "[imap]\nhost = 'imap.house.example'\n")
    said = operator.types("serve")
    assert (said.status, "service.address: it is not set" in said.err) == (2, True)
    assert (
        "BROKEN   address: service.address is not set" in operator.types("doctor", "--no-mail").out
    )


def test_the_rules_of_all_games_are_written_as_one_page(operator: Operator) -> None:
    page = operator.folder / "rules.html"
    assert operator.types("rules", str(page)).status == 0
    text = page.read_text("utf-8")
    for book in (game.book for game in load_games().values()):
        for section in sections(book):
            assert all(f'id="{rule.id}"' in text for rule in section.rules)
    anchors = re.findall(r' id="([^"]+)"', text)
    assert len(anchors) == len(set(anchors))
    assert set(re.findall(r'href="#([^"]+)"', text)) <= set(anchors)
    assert not re.search(r'(?:href|src)="(?!#)', text)
    assert operator.types("rules", str(page)).status == 4
    assert operator.types("rules", str(page), "--force").status == 0
    assert operator.types("rules", str(operator.folder)).status == 2
    assert operator.types("rules", "-").out == text


def test_the_environment_alone_will_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PBEM_SERVICE__DATA_DIR", str(tmp_path / "elsewhere"))
    operator = Operator.at(tmp_path, "")
    assert operator.types("game", "new", "heron").status == 0
    assert (tmp_path / "elsewhere" / "pbem.sqlite").exists()


@pytest.mark.parametrize(
    "words",
    [
        ("demo", "--players", "1"),
        ("demo", "--version", "huge"),
        ("demo", "--turns", "0"),
        ("try", "--seed", "-1"),
    ],
)
def test_a_demonstration_that_cannot_be_is_a_usage_error(
    operator: Operator, words: tuple[str, ...]
) -> None:
    assert operator.types(*words).status == 2


def test_f105_init_says_where_it_cannot_write(operator: Operator) -> None:
    target = operator.folder / "nowhere" / "pbem.toml"
    said = operator.types("init", str(target))
    assert (said.status, said.err) == (
        1,
        f"pbem: cannot write {target} (No such file or directory)\n",
    )
