"""How often somebody may try a code, and how many answers they get: a machine may be trying, or
answering ours.

Of codes we count only those of senders who are known to be who they say they are: an address that
anybody may have put there would lock its true owner out. Those are held to the pace at which
strangers are read (`Budget`), as are all strangers in sum.

Nothing that is written is refused or lost by it: only its answer is withheld. The last answer
before that says so.
"""

from collections import deque
from dataclasses import dataclass
from datetime import datetime, timedelta

from pbem.desk.envelope.answers import OWN_ORDERS, RECEIPT
from pbem.desk.envelope.message import MAIL, Message
from pbem.store.work import Work

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


ANSWER_KINDS = (
    RECEIPT,
    "answer",
    OWN_ORDERS,
    "notice",
    "resend",
    "which-game",
    "what-if",
    "press-sent",
)
NOTICE_KINDS = ("notice", "which-game")
"""Answers to messages without orders: more of them a day than a person would want are a machine
answering ours.
"""

HOUR, DAY = timedelta(hours=1), timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Limit:
    """The most answers of these kinds together within that time, by mail and in a chat."""

    kinds: tuple[str, ...]
    within: timedelta
    mail: int
    chat: int


ANSWERS_A_DAY = 100
NOTICES_A_DAY = 20
LIMITS = (
    Limit((RECEIPT,), HOUR, 60, 600),
    Limit(("answer", OWN_ORDERS, "what-if"), HOUR, 30, 300),
    Limit(NOTICE_KINDS, HOUR, NOTICES_A_DAY, 120),
    Limit(NOTICE_KINDS, DAY, NOTICES_A_DAY, 400),
    Limit(ANSWER_KINDS, DAY, ANSWERS_A_DAY, 3000),
    Limit(("gm-answer",), HOUR, 60, 600),
    Limit(("gm-answer",), DAY, 100, 3000),
    Limit(("door-answer",), DAY, 20, 100),
    Limit(("question-over",), DAY, 10, 40),
    Limit(("question-unclear",), DAY, 3, 40),
)
"""A game that is played live in a chat has some hundred answers an hour; nobody writes as many
mails.
"""
OTHERS = Limit((), HOUR, 20, 120)
"""Of every other kind of answer, each by itself."""


@dataclass(frozen=True, slots=True)
class Left:
    """How many more answers there may be, and for how long there are none after the last."""

    count: int
    within: timedelta


async def answers_left(work: Work, channel: str, address: str, kind: str, now: datetime) -> Left:
    """How many more answers of that kind an address gets; of several limits the nearest counts."""
    about = [limit for limit in LIMITS if kind in limit.kinds] or [
        Limit((kind,), OTHERS.within, OTHERS.mail, OTHERS.chat)
    ]
    had = await work.outbox.count_each_to_address(
        channel, address, [(limit.kinds, now - limit.within) for limit in about]
    )
    left = [
        Left(max(0, (limit.mail if channel == MAIL else limit.chat) - count), limit.within)
        for limit, count in zip(about, had, strict=True)
    ]
    return min(left, key=lambda one: (one.count, -one.within))
