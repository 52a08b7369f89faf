"""The updates that wait for the bot: numbered, kept for a day, forgotten once confirmed."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

KEPT_FOR = timedelta(hours=24)
FIRST_ID = 700_000_001
_NOT_ASKED_FOR = frozenset({"chat_member", "message_reaction", "message_reaction_count"})


@dataclass(frozen=True, slots=True)
class Waiting:
    update_id: int
    since: datetime
    body: dict[str, Any]

    def as_bytes(self) -> bytes:
        return json.dumps(self.body, ensure_ascii=True).encode()


class UpdateQueue:
    """What the bot has not confirmed yet, the oldest first."""

    def __init__(self) -> None:
        self._waiting: list[Waiting] = []
        self._next_id = FIRST_ID
        self.allowed: frozenset[str] | None = None
        self.expired: list[int] = []
        self.confirmed: list[int] = []

    def __len__(self) -> int:
        return len(self._waiting)

    def allow(self, kinds: Sequence[str]) -> None:
        """Keep only these from now on; none stands for Telegram's default."""
        self.allowed = frozenset(kinds) or None

    def add(self, now: datetime, kind: str, content: dict[str, Any]) -> int | None:
        """The new update's ID, or None if the bot has not asked for such."""
        if kind in _NOT_ASKED_FOR if self.allowed is None else kind not in self.allowed:
            return None
        update_id, self._next_id = self._next_id, self._next_id + 1
        self._waiting.append(Waiting(update_id, now, {"update_id": update_id, kind: content}))
        return update_id

    def count_from(self, update_id: int) -> None:
        """The next update gets this ID, as after a week of silence, when Telegram begins to count
        again, anywhere.
        """
        self._next_id = update_id

    def confirm(self, update_id: int) -> None:
        """Forget one update."""
        self._drop([waiting for waiting in self._waiting if waiting.update_id == update_id])

    def confirm_below(self, offset: int) -> None:
        """Forget all updates below the offset; a negative one keeps this many of the last."""
        below = (
            self._waiting[:offset]
            if offset < 0
            else [waiting for waiting in self._waiting if waiting.update_id < offset]
        )
        self._drop(below)

    def first(self, now: datetime, limit: int) -> list[Waiting]:
        """The oldest that are not too old."""
        old = [waiting for waiting in self._waiting if now - waiting.since > KEPT_FOR]
        self.expired += [waiting.update_id for waiting in old]
        self._waiting = [waiting for waiting in self._waiting if waiting not in old]
        return self._waiting[:limit]

    def _drop(self, gone: Sequence[Waiting]) -> None:
        self.confirmed += [waiting.update_id for waiting in gone]
        self._waiting = [waiting for waiting in self._waiting if waiting not in gone]
