"""The rows of an answer to `why`: sentences, headings, and sums with their numbers in a column of
their own.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from engine.protectors.events import Term
from pbem.games.protectors.pages.cast import Cast
from pbem.pages.rendering import Twin, phrase, twin

WORDS = "protectors/why_words.j2"


@dataclass(frozen=True, slots=True)
class WhyRow:
    """`line` and `head` are sentences; `first` begins a sum, `plus` adds to it (or takes from it),
    `sum` is the total.
    """

    kind: Literal["line", "head", "first", "plus", "sum"]
    body: Twin
    rules: tuple[str, ...] = ()
    label: str = ""
    amount: int = 0


@dataclass(frozen=True, slots=True)
class Matter:
    """Rows under one heading."""

    title: str
    rows: tuple[WhyRow, ...]


def words(macro: str, *args: object) -> Twin:
    """A piece of a row in both forms."""
    return twin(WORDS, macro, *args)


def heading(key: str, place: str = "") -> str:
    return phrase(WORDS, "heading", key, place)


def line(body: Twin, rules: Sequence[str] = (), label: str = "") -> WhyRow:
    return WhyRow("line", body, tuple(dict.fromkeys(rules)), label)


def head(body: Twin, rules: Sequence[str] = ()) -> WhyRow:
    return WhyRow("head", body, tuple(dict.fromkeys(rules)))


def summands(parts: Sequence[tuple[int, Twin, Sequence[str]]]) -> tuple[WhyRow, ...]:
    """Numbers to be added up, the first without a sign."""
    return tuple(
        WhyRow("plus" if i else "first", body, tuple(dict.fromkeys(rules)), amount=amount)
        for i, (amount, body, rules) in enumerate(parts)
    )


def total(amount: int, body: Twin, rules: Sequence[str] = ()) -> WhyRow:
    return WhyRow("sum", body, tuple(dict.fromkeys(rules)), amount=amount)


def rules_of_term(term: Term) -> tuple[str, ...]:
    """The rules behind one summand of a strength."""
    more = [rule for applies, rule in ((term.bonus, "PR-6.12"), (term.rain, "PR-4.10")) if applies]
    return (term.rule, *more)


def terms_of(terms: Sequence[Term], cast: Cast) -> tuple[WhyRow, ...]:
    return summands(
        [(term.amount, words("cause", term, cast), rules_of_term(term)) for term in terms]
    )
