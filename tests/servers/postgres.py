"""A private PostgreSQL on a free loopback port, in a temporary folder, with a database for whoever
asks.
"""

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path

import pytest

from tests.servers.dovecot import free_ports

_USERS = ("postgres", "nobody")
_START_SECONDS = 30.0
_ATTEMPTS = 3
_NAMES = count(1)


def find_postgres() -> Path:
    """The folder of its programs; skips the test where there are none, and fails it instead under
    REQUIRE_SERVERS=1.
    """
    folders = sorted(
        Path("/usr/lib/postgresql").glob("*/bin"),
        key=lambda folder: int(folder.parent.name),
        reverse=True,
    )
    on_path = shutil.which("initdb")
    for folder in (*folders, *([Path(on_path).parent] if on_path else [])):
        if (folder / "initdb").exists() and (folder / "postgres").exists():
            return folder
    reason = "PostgreSQL is not installed (Debian: postgresql)"
    if os.environ.get("REQUIRE_SERVERS") == "1":
        pytest.fail(reason)
    pytest.skip(reason)


def unprivileged() -> str | None:
    """Whom to run it as: it refuses to be run by root."""
    if os.geteuid() != 0:
        return None
    known = {entry.pw_name for entry in pwd.getpwall()}
    return next(name for name in _USERS if name in known)


class Postgres:
    """The running server. Nothing in it outlives it, so it does not wait for any disk."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.port = 0
        self._programs = find_postgres()
        self._user = unprivileged()
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it on a port that is free now; somebody may take it in between, so this is tried
        more than once.
        """
        if self._user is not None:
            shutil.chown(self.folder, self._user)
        data = self.folder / "data"
        made = self._run(
            "initdb",
            "-D",
            str(data),
            "-U",
            "pbem",
            "-A",
            "trust",
            "-E",
            "UTF8",
            "--locale=C",
            "--no-sync",
        )
        assert made.returncode == 0, made.stdout.decode()
        for _ in range(_ATTEMPTS):
            (self.port,) = free_ports(1)
            if self._start(data):
                return
        pytest.fail("PostgreSQL did not start:\n" + self.log())

    def stop(self) -> None:
        """At once: nobody needs what is in it."""
        if self._process is not None:
            self._process.send_signal(signal.SIGQUIT)
            self._process.wait(_START_SECONDS)
            self._process = None

    def restart(self) -> None:
        """As after a crash: every session ends, and it comes back on the same port with what was
        committed.
        """
        self.stop()
        assert self._start(self.folder / "data"), self.log()

    def log(self) -> str:
        return (self.folder / "log").read_text("utf-8", "replace")

    def url(self, database: str) -> str:
        return f"postgresql+asyncpg://pbem@127.0.0.1:{self.port}/{database}"

    def create(self, template: str = "template0") -> str:
        """A new database, a copy of `template`; its name."""
        name = f"pbem_{next(_NAMES)}"
        self.sql(f'CREATE DATABASE "{name}" TEMPLATE "{template}"')
        return name

    def drop(self, name: str) -> None:
        self.sql(f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)')

    def sql(self, statement: str, database: str = "postgres") -> str:
        """Run one statement by psql; what it says."""
        words = [
            "-h",
            "127.0.0.1",
            "-p",
            str(self.port),
            "-U",
            "pbem",
            "-d",
            database,
            "-X",
            "-At",
            "-c",
            statement,
        ]
        done = subprocess.run(
            [str(self._programs / "psql"), *words], check=False, capture_output=True
        )
        assert done.returncode == 0, done.stderr.decode()
        return done.stdout.decode().strip()

    def _start(self, data: Path) -> bool:
        settings = {
            "port": self.port,
            "listen_addresses": "127.0.0.1",
            "unix_socket_directories": self.folder,
            "fsync": "off",
            "full_page_writes": "off",
            "synchronous_commit": "off",
            "shared_buffers": "32MB",
            "max_connections": 100,
            "autovacuum": "off",
            "jit": "off",
        }
        words = [word for name, value in settings.items() for word in ("-c", f"{name}={value}")]
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                [str(self._programs / "postgres"), "-D", str(data), *words],
                user=self._user,
                group=self._group,
                extra_groups=self._groups,
                cwd=self.folder,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        until = time.monotonic() + _START_SECONDS
        while time.monotonic() < until and self._process.poll() is None:
            ready = self._run(
                "pg_isready",
                "-q",
                "-h",
                "127.0.0.1",
                "-p",
                str(self.port),
                "-U",
                "pbem",
                "-d",
                "postgres",
            )
            if ready.returncode == 0:
                return True
        self.stop()
        return False

    def _run(self, program: str, *words: str) -> "subprocess.CompletedProcess[bytes]":
        return subprocess.run(
            [str(self._programs / program), *words],
            check=False,
            user=self._user,
            group=self._group,
            extra_groups=self._groups,
            cwd=self.folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )

    @property
    def _group(self) -> int | None:
        return pwd.getpwnam(self._user).pw_gid if self._user is not None else None

    @property
    def _groups(self) -> list[int] | None:
        return [] if self._user is not None else None


@contextmanager
def running_postgres() -> Iterator[Postgres]:
    """A PostgreSQL in a folder of its own."""
    find_postgres()
    folder = Path(tempfile.mkdtemp(prefix="pbem-"))
    server = Postgres(folder)
    try:
        server.start()
        yield server
    finally:
        server.stop()
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """One server for all tests of a worker process; each takes a database of its own."""
    with running_postgres() as server:
        yield server


__all__ = ["Postgres", "find_postgres", "postgres", "running_postgres"]
