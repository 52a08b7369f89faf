"""A private Redis on a free loopback port, with its append-only file in a temporary folder."""

import os
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.servers.dovecot import free_ports

_START_SECONDS = 20.0
_ATTEMPTS = 3


def find_redis() -> str:
    """Its program; skips the test where there is none, and fails it instead under
    REQUIRE_SERVERS=1.
    """
    program = shutil.which("redis-server") or shutil.which("valkey-server")
    if program is not None:
        return program
    reason = "redis is not installed (Debian: redis-server)"
    if os.environ.get("REQUIRE_SERVERS") == "1":
        pytest.fail(reason)
    pytest.skip(reason)


class Redis:
    """The running server."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.port = 0
        self._program = find_redis()
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}/0"

    def start(self) -> None:
        """Start it on a port that is free now, or on the one it had."""
        for _ in range(_ATTEMPTS):
            if not self.port:
                (self.port,) = free_ports(1)
            if self._start():
                return
            self.port = 0
        pytest.fail("redis did not start:\n" + (self.folder / "log").read_text("utf-8", "replace"))

    def stop(self) -> None:
        """Kill it; what it wrote to its file is there when it starts again."""
        if self._process is not None:
            self._process.kill()
            self._process.wait(_START_SECONDS)
            self._process = None

    def say(self, *words: str) -> bytes:
        """One command, and the beginning of the answer as it comes over the wire."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=5) as connection:
            connection.sendall(
                b"*%d\r\n" % len(words)
                + b"".join(b"$%d\r\n%s\r\n" % (len(word.encode()), word.encode()) for word in words)
            )
            return connection.recv(65536)

    def _start(self) -> bool:
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                [
                    self._program,
                    "--port",
                    str(self.port),
                    "--bind",
                    "127.0.0.1",
                    "--dir",
                    str(self.folder),
                    *("--save", "", "--appendonly", "yes", "--appendfsync", "no"),
                ],
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        until = time.monotonic() + _START_SECONDS
        while time.monotonic() < until and self._process.poll() is None:
            try:
                if self.say("PING").startswith(b"+PONG"):
                    return True
            except OSError:
                continue
        self.stop()
        return False


@contextmanager
def running_redis() -> Iterator[Redis]:
    """A Redis in a folder of its own."""
    find_redis()
    folder = Path(tempfile.mkdtemp(prefix="pbem-"))
    server = Redis(folder)
    try:
        server.start()
        yield server
    finally:
        server.stop()
        shutil.rmtree(folder, ignore_errors=True)


__all__ = ["Redis", "find_redis", "running_redis"]
