"""How many answers somebody gets: limits of each kind for an hour and for a day, because a machine
may be answering ours.

Nothing that is written is refused or lost by it: only its answer is withheld. The last answer
before that says so.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta

from pbem.desk.envelope.answers import OWN_ORDERS, RECEIPT
from pbem.desk.envelope.message import MAIL
from pbem.store.work import Work

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
