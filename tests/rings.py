"""Two rings of tests: `make test` runs the first, in minutes, with everything in it that a change
can break; `make test RING=all` both, with the long campaigns at their full length.

A test marked `long` is of the second ring alone, and says what holds its point in the first. A
campaign asks `at_length` how many kills, mails or moves it shall be, and a table with many rows of
one kind is `sampled`.
"""

import os
from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")

RING = os.environ.get("RING", "one")
IS_ALL = RING == "all"


ALL_PHRASES = os.environ.get("PBEM_PHRASES") == "all"
"""Whether every kept phrase is looked at in all ways (`make phrases`)."""


def some_of(rows: Sequence[T], least: int) -> list[T]:
    """At least so many rows, spread over all, the first included; or all, with `ALL_PHRASES`."""
    return list(rows if ALL_PHRASES else rows[:: max(1, len(rows) // least)])


def sampled(rows: Sequence[T], least: int) -> list[T]:
    """All rows; in the first ring at least so many of them, spread over all, the first included."""
    return list(rows if IS_ALL else rows[:: max(1, len(rows) // least)])


def at_length(short: T, full: T) -> T:
    """How much of a campaign this run shall see."""
    return full if IS_ALL else short
