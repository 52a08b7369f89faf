"""What the units, the image and the compose file run is there, with its options."""

import json
import os
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from tests.deploy.programs import DEPLOY
from tests.test_docs import COMMANDS, is_group, options_of


def run_commands() -> Iterator[tuple[str, tuple[str, ...]]]:
    """Every command line of ours, with the file it stands in."""
    for unit in sorted((DEPLOY / "systemd").glob("*.service")):
        for line in re.findall(
            r"^ExecStart=.*/bin/pbem (.*)$", unit.read_text("utf-8"), re.MULTILINE
        ):
            yield unit.name, tuple(line.split())
    for name, service in yaml.safe_load((DEPLOY / "compose.yaml").read_text("utf-8"))[
        "services"
    ].items():
        if "build" in service:
            yield f"compose.yaml {name}", tuple(service["command"])
            test = service.get("healthcheck", {}).get("test", ())
            if test and test[0] != "CMD-SHELL":
                assert test[:2] == ["CMD", "pbem"]
                yield f"compose.yaml {name} healthcheck", tuple(test[2:])
    (default,) = re.findall(r"^CMD (.*)$", (DEPLOY / "Dockerfile").read_text("utf-8"), re.MULTILINE)
    yield "Dockerfile", tuple(json.loads(default))


def test_every_kind_of_file_runs_something() -> None:
    assert {where.partition(" ")[0] for where, _ in run_commands()} == {
        *("pbem.service", "pbem-worker@.service", "pbem-backup.service", "compose.yaml"),
        "Dockerfile",
    }


@pytest.mark.parametrize(
    ("where", "words"),
    list(run_commands()),
    ids=lambda value: value if isinstance(value, str) else value[0],
)
def test_every_command_that_is_run_exists_with_its_options(
    where: str, words: tuple[str, ...]
) -> None:
    path: tuple[str, ...] = ()
    while words[len(path) : len(path) + 1] and (*path, words[len(path)]) in COMMANDS:
        path = words[: len(path) + 1]
    assert path, f"{where}: there is no `pbem {words[0]}`"
    assert not is_group(COMMANDS[path]), where
    assert {word for word in words[len(path) :] if word.startswith("--")} <= options_of(
        COMMANDS[path]
    ), where


@pytest.mark.skipif(os.geteuid() != 0, reason="otherwise it asks sudo")
@pytest.mark.parametrize("is_shut", [False, True])
def test_the_operators_command_runs_as_the_services_user_with_its_settings(
    tmp_path: Path, is_shut: bool
) -> None:
    """In a folder that this user may not enter it would start no process."""
    (tmp_path / "runuser").write_text(
        '#!/bin/sh\ntest "$4" != test || exit "$SHUT"\npwd\nfor word; do echo "$word"; done\n'
    )
    (tmp_path / "runuser").chmod(0o755)
    environment = {
        "PATH": f"{tmp_path}:{os.environ['PATH']}",
        "PBEM_SERVICE__DATA_DIR": "/srv/drill",
        "SHUT": str(int(is_shut)),
    }
    command = [str(DEPLOY / "systemd" / "pbem.sh"), "game", "status", "two words"]
    said = subprocess.run(
        command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=True
    ).stdout.splitlines()
    assert said == [
        "/" if is_shut else str(tmp_path),
        *("-u", "pbem", "--", "env", "PBEM_CONFIG=/etc/pbem/pbem.toml"),
        *("PBEM_SERVICE__DATA_DIR=/srv/drill", "/opt/pbem/.venv/bin/pbem", "game", "status"),
        "two words",
    ]
