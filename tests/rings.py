"""Two rings of tests: `make test` runs the first, in minutes, with everything in it that a change
can break; `make test RING=all` runs both. `make test RING=full` runs the campaigns at full length.

A test marked `long` is in the second ring alone, and names what holds its point in the first. A
campaign asks `at_length` how many kills, mails or moves it makes. Of a test marked `sample`, and of
rows that are `sampled`, the first ring runs some.
"""

import os
from collections.abc import Sequence
from math import isqrt
from typing import TypeVar

T = TypeVar("T")

RING = os.environ.get("RING", "one")
IS_ALL = RING in ("all", "full")

ALL_PHRASES = os.environ.get("PBEM_PHRASES") == "all"
"""Whether every kept phrase is looked at in all ways (`make phrases`)."""


def some_of(rows: Sequence[T], least: int) -> list[T]:
    """At least so many rows, spread over all, the first included; or all, with `ALL_PHRASES`."""
    return list(rows if ALL_PHRASES else rows[:: max(1, len(rows) // least)])


def sampled(rows: Sequence[T], least: int) -> list[T]:
    """All rows; in the first ring at least so many of them, spread over all, the first included."""
    return list(rows if IS_ALL else rows[:: max(1, len(rows) // least)])


def at_length(short: T, full: T) -> T:
    """How much of a campaign this run sees. With RING=all a number is the geometric mean of both."""
    if RING == "all" and isinstance(short, int) and isinstance(full, int):
        return isqrt(short * full)  # type: ignore[return-value]
    return full if IS_ALL else short
