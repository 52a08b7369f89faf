"""Whether the bot keeps Telegram's limits, by the injected clock."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

Limit = Literal["30/s", "1/s a chat", "20/min a group"]
_SECOND, _MINUTE = timedelta(seconds=1), timedelta(minutes=1)


@dataclass(frozen=True, slots=True)
class Violation:
    """One message too many."""

    limit: Limit
    chat_id: int
    at: datetime
    wait: timedelta
    """So much later it would have been in order."""


class Meter:
    """Counts messages and edits as they are taken."""

    def __init__(self) -> None:
        self._sends: list[tuple[datetime, int]] = []
        self.violations: list[Violation] = []

    def look(self, now: datetime, chat_id: int, *, is_group: bool) -> Violation | None:
        """What one more message would violate now."""
        self._sends = [send for send in self._sends if now - send[0] < _MINUTE]
        everywhere = [at for at, _ in self._sends]
        here = [at for at, chat in self._sends if chat == chat_id]
        rules: list[tuple[Limit, list[datetime], int, timedelta]] = [
            ("30/s", everywhere, 30, _SECOND),
            ("1/s a chat", here, 1, _SECOND),
        ]
        if is_group:
            rules.append(("20/min a group", here, 20, _MINUTE))
        for limit, sends, most, window in rules:
            if len(sends) >= most and now - sends[-most] < window:
                return Violation(limit, chat_id, now, sends[-most] + window - now)
        return None

    def count(self, now: datetime, chat_id: int) -> None:
        self._sends.append((now, chat_id))
