"""Codes that opened nothing: after too many tries within an hour we take no code from that sender
until the hour is over.

Only senders who are known to be who they say they are: an address that anybody may have put there
would lock its true owner out. Those are held to the pace at which strangers are read
(`lanes.Budget`), as are all strangers in sum.
"""

from collections import deque
from datetime import datetime, timedelta

from pbem.desk.envelope.message import Message

AN_HOUR = 10
REMEMBERED = 10_000
CODES_A_MESSAGE = 3
"""The most codes of one message that we look at."""


class Guesses:
    """The wrong codes of the last hour. In this process alone."""

    def __init__(self, most: int = AN_HOUR, span: timedelta = timedelta(hours=1)) -> None:
        self._most, self._span = most, span
        self._wrong: deque[tuple[datetime, str]] = deque(maxlen=REMEMBERED)

    def too_many(self, mail: Message, now: datetime) -> bool:
        """Whether no code of this sender is looked at now."""
        while self._wrong and self._wrong[0][0] <= now - self._span:
            self._wrong.popleft()
        sender = _known(mail)
        return (
            sender is not None
            and sum(1 for _, other in self._wrong if other == sender) >= self._most
        )

    def note(self, mail: Message, now: datetime) -> None:
        """A code of this message opened nothing."""
        if (sender := _known(mail)) is not None:
            self._wrong.append((now, sender))


def _known(mail: Message) -> str | None:
    return f"{mail.channel}:{mail.sender}" if mail.trust == "pass" and mail.sender else None
