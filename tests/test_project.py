"""The project as a whole: what is tracked, what is locked, and that the wheel works where the
repository is not.
"""

import os
import re
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Iterator
from configparser import ConfigParser
from pathlib import Path

import pytest

from pbem.mail.library import FIXED_IN
from tests.played import PLAYED, folder_of

ROOT = Path(__file__).parents[1]
PACKAGES = ("engine", "pbem", "workers", "templates")
# Put together here, so that this file does not hold what it looks for.
REGISTRIES = tuple(
    "".join(parts)
    for parts in (
        ("py", "pi.org"),
        ("python", "hosted"),
        ("npm", "js.org"),
        ("crates", ".io"),
        ("art", "ifactory"),
    )
)
MACHINE_PATHS = tuple(
    "".join(parts)
    for parts in (
        ("/wo", "rk/"),
        ("/ro", "ot/"),
        ("/ho", "me/"),
        ("/Us", "ers/"),
        ("/priv", "ate/"),
    )
)
LICENCES = ("LICENSE", "pbem/board/fonts/", "tests/browser/data/")
KNOWN_HOSTS = re.compile(
    r"(www\.w3\.org|www\.gnu\.org|(?:[\w-]+\.)*example(?:\.(?:org|com|net))?)(?::\d+)?|127\.0\.0\.1(?::\d*)?|api\.telegram\.org|t\.me"
    # who lets us in, and to what
    r"|login\.microsoftonline\.com|outlook\.office\.com|(?:accounts|mail)\.google\.com|oauth2\.googleapis\.com"
)
QUOTED_CLIENTS = ("tests/mail/", "tests/pages/", "tests/desk/", "tests/grammar/", "tests/games/")
"""Tests that hold mails and pages as other programs write them, addresses of others included."""


def tracked() -> list[Path]:
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    if listed.returncode != 0:
        pytest.skip("not a git checkout")
    return [ROOT / name for name in listed.stdout.split("\0") if name and (ROOT / name).is_file()]


def texts() -> Iterator[tuple[str, str]]:
    for file in tracked():
        raw = file.read_bytes()
        if b"\0" not in raw:
            yield str(file.relative_to(ROOT)), raw.decode("utf-8", "replace")


def test_no_tracked_file_names_a_registry_or_a_place_on_somebodys_machine() -> None:
    found = [
        f"{name}: {word}"
        for name, text in texts()
        if not name.startswith(LICENCES)
        for word in (*REGISTRIES, *MACHINE_PATHS)
        if word in text.lower() or word in text
    ]
    assert found == []


def test_urls_lead_to_licences_and_examples_only() -> None:
    found = [
        f"{name}: {host}"
        for name, text in texts()
        if not name.startswith((*LICENCES, *QUOTED_CLIENTS))
        for host in re.findall(r"https?://([\w.:-]+)", text)
        if not KNOWN_HOSTS.fullmatch(host)
    ]
    assert found == []


LOCKS = (
    *("requirements.lock", "requirements-serve.lock"),
    *("requirements-scale.lock", "requirements-build.lock"),
)


def test_an_environment_that_was_half_made_is_made_again_f_101(tmp_path: Path) -> None:
    """F-101: where `python3-venv` is missing, a folder without pip is left behind."""
    (tmp_path / "deploy").mkdir()
    for name in ("Makefile", "pyproject.toml", "deploy/before.py", *LOCKS):
        (tmp_path / name).write_bytes((ROOT / name).read_bytes())
    half = tmp_path / ".venv/bin/python"
    half.parent.mkdir(parents=True)
    half.write_text("#!/bin/sh\nexit 1\n", encoding="utf-8")
    half.chmod(0o755)
    python = tmp_path / "python"
    python.write_text(
        '#!/bin/sh\necho "$@" >> made\ntest "$1" = -m || exit 0\n'
        "printf '#!/bin/sh\\nexit 0\\n' > .venv/bin/python\n",
        encoding="utf-8",
    )
    python.chmod(0o755)
    for _ in range(2):
        subprocess.run(
            ["make", "venv", f"PYTHON={python}"], cwd=tmp_path, check=True, capture_output=True
        )
        (tmp_path / ".venv/.stamp").unlink()
    made = (tmp_path / "made").read_text("utf-8").splitlines()
    assert [line for line in made if "venv" in line] == ["-m venv --clear .venv"]


def pins(lock: str) -> dict[str, str]:
    """The pins of a lock, each with its marker and its hashes."""
    return dict(
        re.findall(
            r"^([a-z0-9._-]+)((?:\[[a-z0-9,-]+\])?==.+(?:\n    --hash.+)+)",
            (ROOT / lock).read_text("utf-8"),
            re.MULTILINE,
        )
    )


def test_f47_what_runs_is_locked_without_what_tests_and_demonstrations_need() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]

    def names(wanted: list[str]) -> set[str]:
        return {re.split(r"[\[<>=!~; ]", one)[0].lower().replace("_", "-") for one in wanted} - {
            "pbem"
        }

    extras = project["optional-dependencies"]
    runs = pins("requirements-serve.lock")
    assert names(project["dependencies"]) <= runs.keys()
    assert names(extras["scale"]) <= pins("requirements-scale.lock").keys()
    others = names([*extras["demo"], *extras["scale"], *extras["test"]])
    assert (others - names(project["dependencies"])) & runs.keys() == set()
    assert {
        *("pytest", "mypy", "ruff", "hypothesis", "aiosmtpd", "pymap", "hatchling", "coverage"),
    } & runs.keys() == set()


def test_every_package_of_a_service_has_its_reason() -> None:
    page = (ROOT / "CONTRIBUTING.md").read_text("utf-8").partition('<a id="packages"></a>')[2]
    named = [
        name
        for row in re.findall(r"^\| (`[^|]+) \| \S[^|]+ \|$", page, re.MULTILINE)
        for name in re.findall(r"`([^`]+)`", row)
    ]
    served = pins("requirements-serve.lock").keys() | pins("requirements-scale.lock").keys()
    assert sorted(named) == sorted(served)


@pytest.mark.parametrize("lock", LOCKS[1:])
def test_f47_every_lock_is_a_part_of_the_whole(lock: str) -> None:
    whole, part = pins(LOCKS[0]), pins(lock)
    assert part
    assert {name: pin for name, pin in part.items() if whole.get(name) != pin} == {}


def test_no_expression_repeats_a_group_possessively() -> None:
    """Before Python 3.11.5 (so on Debian 12, with 3.11.2) `(?:ab)*+` keeps half of a round that
    failed: orders were not read. `(?>(?:ab)*)` says the same and is right everywhere.
    """
    folders = ("engine", "pbem", "workers")
    files = [file for folder in folders for file in (ROOT / folder).rglob("*.py")]
    wrong = [file for file in files if re.search(r"\)[*+?]\+(?!=)", file.read_text("utf-8"))]
    assert wrong == []
    assert len(files) > 500


@pytest.mark.parametrize("name", ["Makefile", "deploy/Dockerfile"])
def test_f105_wheels_alone_are_installed_but_for_one_package_that_is_named(name: str) -> None:
    text = (ROOT / name).read_text("utf-8")
    assert "--only-binary=:all:" in text
    assert set(re.findall(r"--no-binary=(\S+)", text)) == {"authres"}


def test_f47_the_patch_level_stands_beside_the_python_that_is_required() -> None:
    text = (ROOT / "pyproject.toml").read_text("utf-8")
    assert FIXED_IN in text.partition("requires-python")[0].rpartition("readme")[2]


@pytest.mark.parametrize("lock", LOCKS)
def test_the_lock_holds_names_versions_and_hashes_and_nothing_else(lock: str) -> None:
    lines = (ROOT / lock).read_text("utf-8").splitlines()
    pin = re.compile(r"[a-z0-9][a-z0-9._-]*(?:\[[a-z0-9,-]+\])?==[\w.+!-]+(?: ; [^:/]+)? \\")
    digest = re.compile(r"    --hash=sha256:[0-9a-f]{64}(?: \\)?")
    assert [line for line in lines if not pin.fullmatch(line) and not digest.fullmatch(line)] == []


def test_every_dependency_is_locked_and_the_build_backend_too() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    locked = pins("requirements.lock").keys()
    wanted = [*project["build-system"]["requires"], *project["project"]["dependencies"]]
    wanted += [
        one for extra in project["project"]["optional-dependencies"].values() for one in extra
    ]
    names = {re.split(r"[\[<>=!~; ]", one)[0].lower().replace("_", "-") for one in wanted} - {
        "pbem"
    }
    assert names - locked == set()


def test_the_licence_is_the_gpl_in_version_3() -> None:
    text = (ROOT / "LICENSE").read_text("utf-8")
    assert text.split()[:6] == ["GNU", "GENERAL", "PUBLIC", "LICENSE", "Version", "3,"]
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert project["license"] == "GPL-3.0-or-later"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built as it is released: by the locked backend, with nothing fetched."""
    folder = tmp_path_factory.mktemp("wheel")
    command = [
        sys.executable,
        *("-m", "pip", "wheel", "--no-build-isolation", "--no-deps", "--no-index", "--quiet"),
        "--disable-pip-version-check",
    ]
    subprocess.run([*command, "--wheel-dir", str(folder), str(ROOT)], check=True, timeout=120)
    (built,) = folder.glob("pbem-*.whl")
    return built


def test_every_package_is_in_the_wheel_and_typed(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    assert {f"{package}/py.typed" for package in PACKAGES} <= names
    assert {name.split("/")[0] for name in names if ".dist-info" not in name} == set(PACKAGES)


def test_everything_the_packages_need_is_in_the_wheel(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    needed = {
        str(file.relative_to(ROOT))
        for file in tracked()
        if file.relative_to(ROOT).parts[0] in PACKAGES
    }
    assert needed - names == set()
    kinds = {Path(name).suffix for name in needed}
    assert {".lark", ".words", ".ttf", ".json", ".yaml", ".j2", ".html", ".txt", ".mako"} <= kinds


def test_the_wheel_names_its_command_and_its_licence(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        (info,) = {name.split("/")[0] for name in archive.namelist() if ".dist-info/" in name}
        scripts = ConfigParser()
        scripts.read_string(archive.read(f"{info}/entry_points.txt").decode())
        metadata = archive.read(f"{info}/METADATA").decode()
        assert f"{info}/licenses/LICENSE" in archive.namelist()
    assert scripts["console_scripts"]["pbem"] == "pbem.cli:main"
    assert "\nLicense-Expression: GPL-3.0-or-later\n" in metadata


def test_the_wheel_adjudicates_a_case_where_the_repository_is_not(
    wheel: Path, tmp_path: Path
) -> None:
    installed, elsewhere = tmp_path / "installed", tmp_path / "elsewhere"
    elsewhere.mkdir()
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(installed)
    case = elsewhere / "cases.yaml"
    case.write_bytes(
        (ROOT / "tests" / "games" / folder_of(PLAYED) / "cases" / "battles.yaml").read_bytes()
    )
    # -S keeps the checkout's own .pth file out; the dependencies are told by their folder alone.
    packages = [path for path in sys.path if path.endswith("site-packages")]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(installed), *packages])}
    look = "import engine, pbem, sys, templates, workers; print(*(m.__file__ for m in (engine, pbem, templates, workers)), sep='\\n')"
    where = run(look, folder=elsewhere, environment=environment)
    assert [Path(line).is_relative_to(installed) for line in where.stdout.splitlines()] == [
        True
    ] * 4
    done = run(
        "from pbem.cli import main; main()",
        "adjudicate",
        str(case),
        folder=elsewhere,
        environment=environment,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert re.search(r"^[1-9]\d* passed, 0 failed$", done.stdout, re.MULTILINE)


def run(
    program: str, *words: str, folder: Path, environment: dict[str, str]
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-S", "-c", program, *words],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
