"""The compose file and the image: whole, small in rights, and made of settings and files that
exist.
"""

import json
import re
import shutil
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

from pbem.config import load_config
from pbem.sample import SAMPLE
from tests.deploy.programs import DEPLOY

ROOT = DEPLOY.parent
COMPOSE: dict[str, Any] = yaml.safe_load((DEPLOY / "compose.yaml").read_text("utf-8"))
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
OURS = {name: service for name, service in SERVICES.items() if "build" in service}
IMAGE = (DEPLOY / "Dockerfile").read_text("utf-8")


def test_there_are_two_profiles() -> None:
    profiles = {name: service["profiles"] for name, service in SERVICES.items()}
    assert profiles == {
        "solo": ["small"],
        "serve": ["large"],
        "worker": ["large"],
        "postgres": ["large"],
        "redis": ["large"],
    }


@pytest.mark.parametrize("name", OURS)
def test_our_containers_may_do_little(name: str) -> None:
    service = OURS[name]
    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"]
    assert "no-new-privileges:true" in service["security_opt"]
    assert "ports" not in service


@pytest.mark.parametrize("name", SERVICES)
def test_f47_every_container_is_limited_and_looked_after(name: str) -> None:
    service = SERVICES[name]
    assert re.fullmatch(r"\d+[mg]", service["mem_limit"])
    assert service["pids_limit"] >= 64
    assert service["healthcheck"]["test"]


def test_f47_images_are_named_by_digest_once_they_are_looked_up(tmp_path: Path) -> None:
    docker = tmp_path / "docker"
    digest = "sha256:" + "0" * 64
    docker.write_text(f"#!/bin/sh\necho {digest}\n")
    docker.chmod(0o755)
    done = subprocess.run(
        [DEPLOY / "pin-images.sh"],
        capture_output=True,
        text=True,
        check=True,
        env={"PATH": f"{tmp_path}:/usr/bin:/bin"},
    )
    pinned = dict(line.split("=", 1) for line in done.stdout.splitlines())
    text = (DEPLOY / "compose.yaml").read_text("utf-8")
    named = dict(re.findall(r"\$\{(\w+_IMAGE):-([^}]+)\}", text))
    assert pinned == {key: f"{name}@{digest}" for key, name in named.items()}
    assert len(named) == 3
    assert f"ARG PYTHON_IMAGE={named['PYTHON_IMAGE']}" in IMAGE
    assert re.findall(r"^FROM (\S+)", IMAGE, re.MULTILINE) == ["${PYTHON_IMAGE}"] * 2
    docker.write_text("#!/bin/sh\necho not found\n")
    failed = subprocess.run(
        [DEPLOY / "pin-images.sh"],
        capture_output=True,
        text=True,
        check=False,
        env={"PATH": f"{tmp_path}:/usr/bin:/bin"},
    )
    assert (failed.returncode, failed.stdout) == (1, "")


def test_f47_the_image_holds_what_runs_and_no_python_with_known_holes() -> None:
    assert "requirements-serve.lock" in IMAGE
    assert "requirements.lock" not in IMAGE
    assert "python -m pbem.mail.library" in IMAGE
    assert "HEALTHCHECK" in IMAGE


@pytest.mark.parametrize("name", SERVICES)
def test_whatever_a_container_uses_is_there(name: str) -> None:
    service = SERVICES[name]
    volumes = {volume.partition(":")[0] for volume in service.get("volumes", ())}
    assert volumes <= set(COMPOSE["volumes"])
    assert set(service.get("secrets", ())) <= set(COMPOSE["secrets"])
    assert {config["source"] for config in service.get("configs", ())} <= set(COMPOSE["configs"])
    for other, how in service.get("depends_on", {}).items():
        assert set(service["profiles"]) <= set(SERVICES[other]["profiles"])
        assert how["condition"] == "service_healthy"
        assert "healthcheck" in SERVICES[other]


@pytest.mark.parametrize("name", OURS)
def test_the_environment_holds_settings(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "pbem.toml"
    file.write_text(SAMPLE, "utf-8")
    environment = OURS[name]["environment"] | dict(re.findall(r"(PBEM_SERVICE\w+)=(\S+)", IMAGE))
    for key, value in environment.items():
        monkeypatch.setenv(key, value)
    config = load_config(file)
    assert config.imap.password_file == Path("/run/secrets/imap-password")
    assert config.service.data_dir == Path("/var/lib/pbem")
    assert config.imap.host == "imap.example.org"


def test_passwords_are_read_where_the_secrets_are_mounted() -> None:
    mounted = {f"/run/secrets/{name}" for name in COMPOSE["secrets"]}
    for service in OURS.values():
        files = {value for key, value in service["environment"].items() if key.endswith("_FILE")}
        assert files == {f"/run/secrets/{name}" for name in service["secrets"]} <= mounted


def test_your_own_files_cannot_slip_into_the_repository_or_the_image() -> None:
    files = [entry["file"] for kind in ("configs", "secrets") for entry in COMPOSE[kind].values()]
    files += [file for service in SERVICES.values() for file in service.get("env_file", ())]
    assert len(files) >= 4
    assert all(file.startswith("local/") for file in files)
    assert (DEPLOY / "local" / ".gitignore").read_text("utf-8").split("\n", 1)[1].split() == [
        "*",
        "!.gitignore",
    ]
    ignored = (DEPLOY / "Dockerfile.dockerignore").read_text("utf-8").splitlines()
    assert "*" in ignored
    assert "!deploy" not in ignored


def test_the_image_is_built_of_what_the_repository_has_and_the_ignore_file_lets_through() -> None:
    copied = [
        word
        for line in re.findall(r"^COPY (?!--from)(.+) \S+$", IMAGE, re.MULTILINE)
        for word in line.split()
    ]
    ignored = (DEPLOY / "Dockerfile.dockerignore").read_text("utf-8").splitlines()
    assert all((ROOT / name).exists() for name in copied)
    assert {f"!{name}" for name in copied} <= set(ignored)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    assert set(project["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]) <= set(copied)
    assert {"USER pbem", 'ENTRYPOINT ["pbem"]'} <= set(IMAGE.splitlines())


@pytest.mark.parametrize("profile", ["small", "large"])
def test_docker_compose_takes_it(profile: str, tmp_path: Path) -> None:
    docker = shutil.which("docker")
    if (
        docker is None
        or subprocess.run(
            [docker, "compose", "version"], capture_output=True, check=False
        ).returncode
        != 0
    ):
        pytest.skip("docker compose is not installed")
    shutil.copy(DEPLOY / "compose.yaml", tmp_path)
    (tmp_path / "local").mkdir()
    for name in ("pbem.toml", "imap-password", "smtp-password"):
        (tmp_path / "local" / name).touch()
    (tmp_path / "local" / "postgres.env").write_text("POSTGRES_PASSWORD=secret\n")
    command = [
        docker,
        "compose",
        "-f",
        str(tmp_path / "compose.yaml"),
        "--profile",
        profile,
        "config",
        "--format",
        "json",
    ]
    told = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
    assert set(told["services"]) == {
        name for name, service in SERVICES.items() if profile in service["profiles"]
    }
