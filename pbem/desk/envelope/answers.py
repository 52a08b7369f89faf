"""The answers to a message: gathered while it is handled, joined at its end; how many somebody
gets, and how often they may try a code: a machine may be trying, or answering ours.

One message gets one answer. Of the answers these stay apart: a second picture or file, since a
letter has one of each; what takes the place of an older message in a chat, since we may
change that place again; and what goes to another address, or is set in no frame of ours.

A question of ours that waits for a yes is a letter of its own, since its reply means that yes. It
is asked alone where we have nothing else to say; else the one answer tells how to get it.

No answers in this sense, and queued by themselves, are a letter sent once more, which answers its
own phase; one to somebody who has no seat any more; menus, which change as they are tapped; and
whatever goes to others.

Of codes we count only those of senders who are known to be who they say they are: an address that
anybody may have put there would lock its true owner out. Those are held to the pace at which
strangers are read (`Budget`), as are all strangers in sum.

Nothing that is written is refused or lost by a limit: only its answer is withheld. The last answer
before that says so.
"""

from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

import msgspec

from pbem.desk.envelope.letter import NewLetter
from pbem.desk.envelope.message import MAIL, Message
from pbem.pages.joining import join_pages, text_main
from pbem.pages.page import Page
from pbem.store.repositories.post.outbox import OutboxRow
from pbem.store.work import Work

RECEIPT = "receipt"
OWN_ORDERS = "own-orders"
"""Answers that show their reader's own orders: they are evidence, as receipts are (PR-1.11)."""
EVIDENCE = (RECEIPT, OWN_ORDERS)
PRESS_SENT = "press-sent"
"""What tells a writer what became of their press: words that answer it have no reader yet."""
MAY_WAIT = (RECEIPT, PRESS_SENT)
"""Answers by mail that may wait, in a game in turns, for a letter that they can stand in."""


@dataclass(frozen=True, slots=True)
class Answer:
    """A page as a letter. In a chat the receipt `before` it points below to it, once it is
    queued.
    """

    page: Page
    letter: NewLetter
    title: str = ""
    """Of the table that it is about."""
    before: OutboxRow | None = None


@dataclass(frozen=True, slots=True)
class Question:
    """A question that waits for a yes: `ask` queues its letter; `beside` other answers it is told
    how to be asked.
    """

    ask: Callable[[], Awaitable[object]]
    beside: Answer


@dataclass(slots=True)
class Answers:
    """The answers to the message in hand. `are_known`: it was handled before, and answered then."""

    said: list[Answer] = field(default_factory=list)
    questions: list[Question] = field(default_factory=list)
    are_known: bool = False

    @property
    def have_picture(self) -> bool:
        """Whether one of them has a picture: a letter has one."""
        return any(one.letter.picture_id is not None for one in self.said)

    def ask(self, question: Question) -> None:
        """Ask it too; what is asked in the same words, once."""
        if not any(_are_same(one.beside, question.beside) for one in self.questions):
            self.questions.append(question)

    def add(self, answer: Answer) -> None:
        """Say it too; the same letter, or the same words, once."""
        if not any(_are_same(one, answer) for one in self.said):
            self.said.append(answer)


def _are_same(one: Answer, other: Answer) -> bool:
    its, others = one.letter, other.letter
    return its.dedupe_key == others.dedupe_key or (
        one.page == other.page
        and (its.address, its.picture_id) == (others.address, others.picture_id)
    )


def join_answers(said: Sequence[Answer]) -> list[Answer]:
    """As few letters as can be: what matters most first, and the others below it."""
    left = sorted(said, key=_rank)
    joined: list[Answer] = []
    while left:
        together = [left[0]]
        for other in left[1:]:
            if all(_go_together(one, other) for one in together):
                together.append(other)
        left = [one for one in left if one not in together]
        joined.append(_join(together))
    return joined


def _rank(answer: Answer) -> int:
    """Its place among the others: a receipt, then orders that are shown, then what else is said to
    a player, whose letter a reply proves, and last what the house says to anybody.
    """
    letter = answer.letter
    if letter.kind in EVIDENCE:
        return EVIDENCE.index(letter.kind)
    return len(EVIDENCE) + (letter.seat_id is None)


def _go_together(one: Answer, other: Answer) -> bool:
    its, others = one.letter, other.letter
    return (
        one.page.html_main is not None
        and other.page.html_main is not None
        and its.chat_edits is None
        and others.chat_edits is None
        and (its.address, its.only) == (others.address, others.only)
        and (
            its.seat_id == others.seat_id
            or (None in (its.seat_id, others.seat_id) and its.person_id == others.person_id)
        )
        and (its.picture_id is None or others.picture_id is None)
        and (its.draft.attachment is None or others.draft.attachment is None)
    )


def _join(together: Sequence[Answer]) -> Answer:
    first, *others = together
    if not others:
        return first
    letters = [one.letter for one in together]
    page = join_pages([one.page for one in together], first.title)
    draft = msgspec.structs.replace(
        first.letter.draft,
        text=page.text,
        html=page.html,
        main=page.html_main,
        attachment=next((one.draft.attachment for one in letters if one.draft.attachment), None),
        secret="\n\n".join(text_main(one.page) for one in together if one.letter.kind in EVIDENCE),
    )
    waits = [one.due_at for one in letters if one.due_at is not None]
    letter = msgspec.structs.replace(
        first.letter,
        draft=draft,
        due_at=min(waits) if len(waits) == len(letters) else None,
        chat=page.chat,
        picture_id=next((one.picture_id for one in letters if one.picture_id is not None), None),
        buttons=tuple(dict.fromkeys(line for one in letters for line in one.buttons)),
        taps=tuple(tap for one in letters for tap in one.taps),
    )
    return replace(first, page=page, letter=letter)


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
    PRESS_SENT,
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
