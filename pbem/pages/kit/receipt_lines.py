"""The lines of a message as a receipt shows them, sorted into understood, not understood and not
possible: the same for every game.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from engine.ruleset import Problem
from pbem.pages.page import ReceiptFacts, ReceiptItem
from pbem.pages.rendering import Twin


@dataclass(frozen=True, slots=True)
class Reason:
    """One problem in words, with the rules it applies."""

    body: Twin
    rules: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ReceiptLine:
    """One line of the message. `sum` tells what its order comes to, `offer` the number of the
    suggestion that a `yes` takes, `example` is a line to copy, `instead` what either would replace.
    `is_unused`: these are words beside the orders. `dropped` are lines that it took back, `shown`
    its texts with the numbers of what stands.
    """

    number: int
    quote: str
    caret: tuple[int, int] | None
    texts: tuple[str, ...]
    why: tuple[Reason, ...]
    suggestion: str | None
    note: str | None
    sum: Twin | None = None
    offer: int = 0
    instead: tuple[str, ...] = ()
    example: str = ""
    is_unused: bool = False
    dropped: tuple[str, ...] = ()
    shown: tuple[str, ...] = ()

    @property
    def differs(self) -> bool:
        """Whether the player's own words are others than the text they were read as."""
        return _bare(self.quote) != _bare(" ".join(self.texts))


@dataclass(frozen=True, slots=True)
class Gap:
    """Something that orders leave open: what it is called, what comes of it, and a line that closes
    it ("": there is none to copy).
    """

    name: str
    effect: str = ""
    line: str = ""


def _bare(text: str) -> str:
    return "".join(sign for sign in text.casefold() if sign.isalnum())


@dataclass(frozen=True, slots=True)
class Sorted:
    taken: tuple[ReceiptLine, ...]
    unread: tuple[ReceiptLine, ...]
    impossible: tuple[ReceiptLine, ...]


def _once(reasons: Iterable[Reason]) -> tuple[Reason, ...]:
    """What is said twice of a line is said once, with the rules of both."""
    found: dict[str, Reason] = {}
    for one in reasons:
        told = found.get(one.body.text)
        rules = (
            one.rules
            if told is None
            else (*told.rules, *(rule for rule in one.rules if rule not in told.rules))
        )
        found[one.body.text] = Reason(one.body, rules)
    return tuple(found.values())


def sort_lines(
    facts: ReceiptFacts,
    reason: Callable[[Problem], Reason],
    not_read: frozenset[str],
    sum_of: Callable[[ReceiptItem], Twin | None] = lambda item: None,
) -> Sorted:
    """Each line under its heading; one that was taken in part stands under both. `not_read` are the
    codes of what could not be read.
    """
    offers = {text: number for number, text in facts.offered}
    taken: list[ReceiptLine] = []
    unread: list[ReceiptLine] = []
    impossible: list[ReceiptLine] = []

    def line(
        item: ReceiptItem, problems: Sequence[Problem], total: Twin | None, offer: int
    ) -> ReceiptLine:
        told = [one for one in problems if not item.suggestion or one.code != "not-understood"]
        reasons = _once(map(reason, told))
        return ReceiptLine(
            item.number,
            item.quote,
            item.caret,
            item.texts,
            reasons,
            item.suggestion,
            item.note,
            total,
            offer,
            item.instead,
            item.example,
            item.is_unused,
            item.dropped,
            item.texts,
        )

    for item in facts.items:
        if item.texts or (item.dropped and not item.refusals):
            taken.append(
                line(
                    item, [problem for problem in item.problems if problem.warning], sum_of(item), 0
                )
            )
        if item.refusals:
            group = unread if item.refusals[0].code in not_read else impossible
            group.append(line(item, item.refusals, None, offers.get(item.suggestion or "", 0)))
    return Sorted(tuple(taken), tuple(unread), tuple(impossible))
