"""Telling the service manager how we are: the datagrams of sd_notify(3) over `NOTIFY_SOCKET`,
without which nothing is sent.

The published packages for this are either bound to a C library or no longer kept, and the protocol
is one `sendto`.
"""

import os
import socket
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Self

import structlog

_log = structlog.get_logger("watchdog")


@dataclass(frozen=True, slots=True)
class Watchdog:
    """What the manager asked for. `address` is its socket (None: nobody listens, and every call
    does nothing).

    `limit_seconds` is how long it waits for a sign of life before it restarts us; None: it waits
    for no sign. Give the sign after work that succeeded (here: a sweep), so that the manager
    notices a process that runs but does nothing.
    """

    address: str | None = None
    limit_seconds: float | None = None

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] = os.environ) -> Self:
        """Read `NOTIFY_SOCKET`, `WATCHDOG_USEC` and `WATCHDOG_PID`, as sd_notify(3) and
        sd_watchdog_enabled(3) have them.
        """
        address = environment.get("NOTIFY_SOCKET", "")
        if not address.startswith(("/", "@")):
            return cls()
        microseconds = environment.get("WATCHDOG_USEC", "")
        ours = environment.get("WATCHDOG_PID", str(os.getpid())) == str(os.getpid())
        watched = ours and microseconds.isdecimal() and int(microseconds) > 0
        return cls(address, int(microseconds) / 1_000_000 if watched else None)

    def fits(self, interval_seconds: float) -> bool:
        """Whether a sign of life at this interval comes twice within the limit, as the manual
        advises.
        """
        return self.limit_seconds is None or interval_seconds * 2 <= self.limit_seconds

    def ready(self, status: str) -> None:
        """Start-up is over; what waits for us may start. `status` is shown by `systemctl status`:
        no address, no token.
        """
        self._notify(f"READY=1\nSTATUS={status}")

    def alive(self) -> None:
        """What we are here for has just succeeded once more."""
        if self.limit_seconds is not None:
            self._notify("WATCHDOG=1")

    def stopping(self) -> None:
        """We have begun to end."""
        self._notify("STOPPING=1\nSTATUS=stopping")

    def _notify(self, state: str) -> None:
        """Never waits and never raises: a manager that is away is no reason to stop the game."""
        if self.address is None:
            return
        name = (
            "\0" + self.address[1:] if self.address.startswith("@") else self.address
        )  # an abstract socket begins with NUL
        try:
            with socket.socket(
                socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC | socket.SOCK_NONBLOCK
            ) as notifying:
                notifying.sendto(state.encode(), name)
        except OSError as error:
            _log.warning("not-notified", reason=str(error))
