"""The time as everybody here is given it: an argument, never a global."""

from datetime import datetime
from typing import Protocol


class Clock(Protocol):
    """The only source of the present moment."""

    def now(self) -> datetime:
        """Aware, in UTC."""
        ...
