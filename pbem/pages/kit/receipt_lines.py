"""The lines of a message as a receipt shows them, sorted into understood, waiting for a yes, not
understood and not possible: the same for every game.
"""

import dataclasses
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from msgspec.structs import replace

from engine.ruleset import Problem
from pbem.pages.page import ReceiptFacts, ReceiptItem
from pbem.pages.rendering import Twin

_WORD = re.compile(r"[^\W\d_]{3,}")


@dataclass(frozen=True, slots=True)
class Reason:
    """One problem in words, with the rules it applies."""

    body: Twin
    rules: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ReceiptLine:
    """One line of the message. `sum` tells what its order comes to, `offer` the number of the
    suggestion that a `yes` takes, `example` is a line to copy, `instead` what either would replace.
    `dropped` are lines that it took back, `shown`
    its texts with the numbers of what stands. `also` are other words that the same is said of.
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
    dropped: tuple[str, ...] = ()
    shown: tuple[str, ...] = ()
    also: tuple[str, ...] = ()

    @property
    def is_quoted(self) -> bool:
        """Whether a line that was taken shows the player's own words: they share none with the text
        that they were read as (`stay out`, `Enter: nothing`).
        """
        read = " ".join(self.texts).casefold()
        return bool(read) and {*_WORD.findall(read)}.isdisjoint(
            _WORD.findall(self.quote.casefold())
        )


@dataclass(frozen=True, slots=True)
class Gap:
    """Something that orders leave open: what it is called, what its effect is, and a line that
    closes it ("": there is none to copy).
    """

    name: str
    effect: str = ""
    line: str = ""


@dataclass(frozen=True, slots=True)
class Sorted:
    """What is `pending` was understood and waits for a yes; words that are `unused` come last."""

    taken: tuple[ReceiptLine, ...]
    pending: tuple[ReceiptLine, ...]
    unread: tuple[ReceiptLine, ...]
    impossible: tuple[ReceiptLine, ...]
    unused: tuple[ReceiptLine, ...] = ()

    def spoken(self, say: Callable[[str], str]) -> "Sorted":
        """The same with its orders in other words."""

        def told(lines: tuple[ReceiptLine, ...]) -> tuple[ReceiptLine, ...]:
            return tuple(
                dataclasses.replace(
                    one,
                    suggestion=one.suggestion and say(one.suggestion),
                    example=say(one.example),
                    texts=tuple(map(say, one.texts)),
                    shown=tuple(map(say, one.shown)),
                    dropped=tuple(map(say, one.dropped)),
                    instead=tuple(map(say, one.instead)),
                )
                for one in lines
            )

        groups = (self.taken, self.pending, self.unread, self.impossible, self.unused)
        return Sorted(*map(told, groups))

    @property
    def refused(self) -> tuple[ReceiptLine, ...]:
        return self.pending + self.unread + self.impossible + self.unused

    @property
    def waiting(self) -> tuple[ReceiptLine, ...]:
        """What needs its writer; words besides the orders need nobody."""
        return self.pending + self.unread + self.impossible

    @property
    def shown(self) -> tuple[tuple[str, tuple[ReceiptLine, ...]], ...]:
        """What was not taken, by kind: what a yes takes comes first."""
        groups = (
            ("pending", self.pending),
            ("unread", self.unread),
            ("impossible", self.impossible),
            ("unused", self.unused),
        )
        return tuple(one for one in groups if one[1])


def _waits(item: ReceiptItem) -> bool:
    """Whether we understood it, and the writer must confirm it."""
    codes = [problem.code for problem in item.refusals]
    return any(code == "asked-first" or code.startswith("confirm") for code in codes)


def _is_beside(item: ReceiptItem) -> bool:
    """Whether these are words besides the orders, as far as anyone can tell."""
    return not item.suggestion and all(
        problem.code in {"unused", "loose-question"} or problem.facts.get("why") == "no-verb"
        for problem in item.refusals
    )


_GUESSED = frozenset({"not-understood", "partly-read", "ambiguous", "ambiguous-zone"})
"""Problems that a suggestion answers."""
LONGEST_WORD = 30
"""Words marked as the trouble are named in a sentence if they are no longer."""


def _named(problem: Problem, item: ReceiptItem) -> Problem:
    """A problem of words that were not understood, with the word that is marked in them if its
    reader told of none.
    """
    known = {"word", "why", "missing", "units"} & problem.facts.keys()
    if problem.code != "not-understood" or known or item.caret is None:
        return problem
    word = item.quote[slice(*item.caret)].strip()
    if not word or len(word) > LONGEST_WORD or word == item.quote.strip():
        return problem
    return replace(problem, facts={**problem.facts, "word": word})


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
    pending: list[ReceiptLine] = []
    unread: list[ReceiptLine] = []
    impossible: list[ReceiptLine] = []
    unused: list[ReceiptLine] = []
    also = tuple(item.quote for item in facts.items if item.is_offered)

    def line(
        item: ReceiptItem, problems: Sequence[Problem], total: Twin | None, offer: int
    ) -> ReceiptLine:
        told = [one for one in problems if not item.suggestion or one.code not in _GUESSED]
        reasons = _once(reason(_named(one, item)) for one in told)
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
            item.dropped,
            item.texts,
            tuple(one for one in also if one != item.quote) if item.suggestion else (),
        )

    for item in facts.items:
        if item.texts or (item.dropped and not item.refusals):
            taken.append(
                line(
                    item, [problem for problem in item.problems if problem.warning], sum_of(item), 0
                )
            )
        if item.refusals and not item.is_offered:
            if _waits(item):
                group = pending
            elif _is_beside(item):
                group = unused
            else:
                code = item.refusals[0].code
                is_read = code not in (not_read | _GUESSED if item.suggestion else not_read)
                group = impossible if is_read else unread
            group.append(line(item, item.refusals, None, offers.get(item.suggestion or "", 0)))
    unread.sort(key=lambda one: not one.suggestion)
    return Sorted(
        tuple(taken), tuple(pending), _together(unread), tuple(impossible), _together(unused)
    )


def _together(lines: Iterable[ReceiptLine]) -> tuple[ReceiptLine, ...]:
    """Lines that only the same can be said of are one line with all their words."""
    found: dict[object, ReceiptLine] = {}
    for one in lines:
        told = tuple(reason.body.text for reason in one.why)
        key: object = one.number if one.suggestion or one.example else told
        first = found.get(key)
        if first is not None:
            one = dataclasses.replace(first, also=(*first.also, one.quote))
        found[key] = one
    return tuple(found.values())
