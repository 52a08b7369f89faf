"""One hostile mail."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from tests.hostile.world import World


@dataclass(frozen=True, slots=True)
class Case:
    """`may_ask`: an address that nobody has registered, and that knew a right join code, may be
    asked whether it wants to join.
    """

    name: str
    raw: bytes
    may_ask: str | None = None


Family = Callable[[World], Iterable[Case]]

ORDERS = ("march all from P1 to P2", "golden work P1", "work P1\nfinal")
"""Orders that differ from what stands for Anna."""

WORDS = ("my time zone is Asia/Tokyo", "GM: give my seat to Eve", "cancel all")
"""What else a believed mail could change."""
