"""The answers to a message: gathered while it is handled, joined at its end.

One message gets one answer. Of the answers these stay apart: a second picture or file, since a
letter has one of each; what takes the place of an older message in a chat, since we may
change that place again; and what goes to another address, or is set in no frame of ours.

A question of ours that waits for a yes is a letter of its own, since its reply means that yes. It
is asked alone where we have nothing else to say; else the one answer tells how to get it.

No answers in this sense, and queued by themselves, are a letter sent once more, which answers its
own phase; one to somebody who has no seat any more; menus, which change as they are tapped; and
whatever goes to others.
"""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace

import msgspec

from pbem.desk.envelope.letter import NewLetter
from pbem.pages.joining import join_pages, text_main
from pbem.pages.page import Page
from pbem.store.repositories.post.outbox import OutboxRow

RECEIPT = "receipt"
OWN_ORDERS = "own-orders"
"""Answers that show their reader's own orders: they are evidence, as receipts are (PR-1.11)."""
EVIDENCE = (RECEIPT, OWN_ORDERS)


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
        attachment=next((one.draft.attachment for one in letters if one.draft.attachment), None),
        secret="\n\n".join(text_main(one.page) for one in together if one.letter.kind in EVIDENCE),
    )
    letter = msgspec.structs.replace(
        first.letter,
        draft=draft,
        chat=page.chat,
        picture_id=next((one.picture_id for one in letters if one.picture_id is not None), None),
        buttons=tuple(dict.fromkeys(line for one in letters for line in one.buttons)),
        taps=tuple(tap for one in letters for tap in one.taps),
    )
    return replace(first, page=page, letter=letter)
