"""The nearest legal reading of what was not taken: offered under a number, never taken on its own."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from rapidfuzz import fuzz, process

from pbem.grammar.normalise import fold

NEAR = 62.0
"""How alike (0..100) a suggestion must be at least."""
MOST_SUGGESTIONS = 12

OrderT = TypeVar("OrderT")


@dataclass(frozen=True, slots=True)
class Choice(Generic[OrderT]):
    """A legal order and its canonical text."""

    order: OrderT
    text: str


def nearest(written: str, choices: Sequence[Choice[OrderT]]) -> Choice[OrderT] | None:
    """The choice whose text is most like what was written, if any is near."""
    best = process.extractOne(_bare(written), [_bare(choice.text) for choice in choices], scorer=fuzz.ratio, score_cutoff=NEAR)
    return choices[best[2]] if best is not None else None


def _bare(text: str) -> str:
    return " ".join("".join(character if character.isalnum() else " " for character in fold(text)).split())


def choices_from(orders: Iterable[tuple[OrderT, str]]) -> list[Choice[OrderT]]:
    return [Choice(order, text) for order, text in orders]
