"""The lines of a message on its way: which stand, and which are asked about because another word
turns them.
"""

from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import Generic, Protocol, TypeVar


class Askable(Protocol):
    """A line of a message, or the result of one."""

    @property
    def stands(self) -> bool:
        """Whether it is an order still."""

    def ask(self) -> None:
        """Not to be taken, because another word turns it."""


EntryT = TypeVar("EntryT", bound=Askable)
About = frozenset[Hashable]
"""What an order is about: another one about the same can only stand in its place."""


@dataclass(slots=True)
class Ledger(Generic[EntryT]):
    """All entries of a message so far; `corrected`: something was said again."""

    entries: list[EntryT] = field(default_factory=list)
    corrected: bool = False

    @property
    def standing(self) -> list[EntryT]:
        return [entry for entry in self.entries if entry.stands]

    @property
    def latest(self) -> EntryT | None:
        """The last one that stands."""
        for entry in reversed(self.entries):
            if entry.stands:
                return entry
        return None

    def ask_all(self) -> None:
        for entry in self.entries:
            if entry.stands:
                entry.ask()

    def ask_latest(self) -> None:
        if self.latest is not None:
            self.latest.ask()
