"""The service manager is told what it asked to be told, over a real socket."""

import os
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from pbem.watchdog import Watchdog


@contextmanager
def manager(address: str) -> Iterator[socket.socket]:
    """The manager's end; an address with @ is an abstract one."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listening:
        listening.bind("\0" + address[1:] if address.startswith("@") else address)
        listening.settimeout(5)
        yield listening


def heard(listening: socket.socket) -> list[str]:
    return listening.recv(4096).decode().splitlines()


def silent(listening: socket.socket) -> bool:
    listening.setblocking(False)
    try:
        listening.recv(4096)
    except BlockingIOError:
        return True
    return False


@pytest.fixture
def address(tmp_path: Path) -> str:
    return str(tmp_path / "notify")


def test_the_manager_hears_ready_alive_and_stopping_in_that_order(address: str) -> None:
    with manager(address) as listening:
        watchdog = Watchdog.from_environment(
            {"NOTIFY_SOCKET": address, "WATCHDOG_USEC": "120000000"}
        )
        watchdog.ready("serving")
        watchdog.alive()
        watchdog.stopping()
        assert heard(listening) == ["READY=1", "STATUS=serving"]
        assert heard(listening) == ["WATCHDOG=1"]
        assert heard(listening) == ["STOPPING=1", "STATUS=stopping"]


@pytest.mark.skipif(sys.platform != "linux", reason="abstract sockets are Linux's")
def test_an_abstract_socket_is_reached() -> None:
    address = f"@pbem-notify-{os.getpid()}"
    with manager(address) as listening:
        Watchdog.from_environment({"NOTIFY_SOCKET": address}).ready("serving")
        assert heard(listening) == ["READY=1", "STATUS=serving"]


@pytest.mark.parametrize(
    "asked",
    [
        {},
        {"WATCHDOG_USEC": "0"},
        {"WATCHDOG_USEC": "soon"},
        {"WATCHDOG_USEC": "120000000", "WATCHDOG_PID": str(os.getpid() + 1)},
    ],
    ids=["no limit", "zero", "no number", "meant for another process"],
)
def test_no_sign_of_life_is_sent_where_none_is_waited_for(
    address: str, asked: dict[str, str]
) -> None:
    with manager(address) as listening:
        watchdog = Watchdog.from_environment({"NOTIFY_SOCKET": address, **asked})
        watchdog.alive()
        assert watchdog.limit_seconds is None
        assert silent(listening)


def test_a_limit_meant_for_this_process_is_read_in_seconds(address: str) -> None:
    asked = {"NOTIFY_SOCKET": address, "WATCHDOG_USEC": "2500000", "WATCHDOG_PID": str(os.getpid())}
    assert Watchdog.from_environment(asked).limit_seconds == 2.5


@pytest.mark.parametrize(
    "environment",
    [{}, {"NOTIFY_SOCKET": ""}, {"NOTIFY_SOCKET": "relative", "WATCHDOG_USEC": "1000000"}],
)
def test_without_a_manager_nothing_is_said_and_nothing_fails(environment: dict[str, str]) -> None:
    watchdog = Watchdog.from_environment(environment)
    assert watchdog == Watchdog()
    watchdog.ready("serving")
    watchdog.alive()
    watchdog.stopping()


def test_a_manager_that_went_away_or_is_deaf_holds_nobody_up(address: str) -> None:
    watchdog = Watchdog.from_environment({"NOTIFY_SOCKET": address, "WATCHDOG_USEC": "1000000"})
    watchdog.alive()  # nobody has bound the address
    with manager(address):
        for _ in range(2000):  # far more than its queue holds
            watchdog.alive()


@pytest.mark.parametrize(
    ("limit", "interval", "fits"),
    [(None, 3600.0, True), (120.0, 2.0, True), (120.0, 60.0, True), (120.0, 61.0, False)],
)
def test_a_sweep_must_come_twice_within_the_limit(
    limit: float | None, interval: float, *, fits: bool
) -> None:
    assert Watchdog("/run/notify", limit).fits(interval) is fits
