"""What goes wrong: refusals as the Bot API words them, and trouble on the way that a test asks
for.
"""

from dataclasses import dataclass, field
from typing import Any, Literal


class ApiError(Exception):
    """An answer with `ok: false`."""

    def __init__(self, code: int, description: str, **parameters: object) -> None:
        super().__init__(description)
        self.code = code
        self.description = description
        self.parameters = parameters

    def body(self) -> dict[str, Any]:
        """As JSON has it."""
        body: dict[str, Any] = {
            "ok": False,
            "error_code": self.code,
            "description": self.description,
        }
        return {**body, "parameters": self.parameters} if self.parameters else body


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that goes wrong with one call.

    `answer`: refused with `error`, nothing done. `drop`: the connection breaks before anything is
    done; `lose`: after it is done, before the answer. `silence`: nothing is done and no answer
    comes. `garble`: it is done, and what is answered is `text`.
    """

    how: Literal["answer", "drop", "lose", "silence", "garble"]
    error: ApiError = field(default_factory=lambda: ApiError(500, "Internal Server Error"))
    text: str | bytes = "<html>Bad gateway"

    @classmethod
    def too_many(cls, seconds: int) -> "Fault":
        """429: come again after this many seconds."""
        return cls(
            "answer",
            ApiError(429, f"Too Many Requests: retry after {seconds}", retry_after=seconds),
        )

    @classmethod
    def refused(cls, code: int, description: str) -> "Fault":
        """Any error of Telegram's."""
        return cls("answer", ApiError(code, description))


DROP = Fault("drop")
LOSE = Fault("lose")
SILENCE = Fault("silence")
GARBLE = Fault("garble")
