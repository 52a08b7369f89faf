"""What somebody with a phone means to do, each at its moment."""

from collections.abc import Awaitable, Callable
from datetime import datetime

Act = Callable[[datetime], Awaitable[None]]
"""Something that is done, told the moment."""


class Agenda:
    """Acts in the order of their moments, and of being thought of."""

    def __init__(self) -> None:
        self._acts: list[tuple[datetime, int, Act]] = []
        self._serial = 0

    def add(self, at: datetime, act: Act) -> None:
        self._serial += 1
        self._acts.append((at.replace(microsecond=0), self._serial, act))

    def next_at(self) -> datetime | None:
        return min((at for at, _, _ in self._acts), default=None)

    def take_due(self, now: datetime) -> list[Act]:
        """Take what is due by now off the list."""
        due = sorted(
            (entry for entry in self._acts if entry[0] <= now), key=lambda entry: entry[:2]
        )
        self._acts = [entry for entry in self._acts if entry[0] > now]
        return [act for _, _, act in due]
