"""The time of a demonstration: it stands still until somebody moves it on."""

from datetime import UTC, datetime

START = datetime(2026, 11, 16, 17, 0, tzinfo=UTC)
"""A Monday evening in November, when the first mail goes out."""


class FastClock:
    """An injected clock that goes from instant to instant and never back."""

    def __init__(self, start: datetime = START) -> None:
        self._now = start.astimezone(UTC)

    def now(self) -> datetime:
        return self._now

    def advance_to(self, instant: datetime) -> None:
        """Move on. ValueError if that would be backwards."""
        if instant < self._now:
            raise ValueError(
                f"the clock stands at {self._now:%Y-%m-%d %H:%M:%S} and does not go back to"
                f" {instant:%Y-%m-%d %H:%M:%S}"
            )
        self._now = instant.astimezone(UTC)
