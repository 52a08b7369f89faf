"""What running a case gives."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pbem.cases.compare import Difference
from pbem.cases.document import Case


@dataclass(frozen=True, slots=True)
class Reached:
    """Where one close led: the position written out, problem codes by player (refused, warned), the
    canonical texts of what stood of their words, and the events as cases tell them.
    """

    position: Mapping[str, object]
    refused: Mapping[str, tuple[str, ...]]
    warned: Mapping[str, tuple[str, ...]]
    means: Mapping[str, tuple[str, ...]]
    events: tuple[Mapping[str, Any], ...]
    quotes: tuple[tuple[str, tuple[str, ...], tuple[str, ...]], ...] = ()
    """Of each message with canonical texts: where it is, those texts, and what stood of it."""


@dataclass(frozen=True, slots=True)
class Read:
    """What a text was read as; `offer` is what stands of it after one plain yes."""

    means: tuple[str, ...]
    problems: tuple[str, ...]
    offer: tuple[str, ...] = ()
    unused: tuple[str, ...] = ()
    """Words of the game without effect."""


@dataclass(frozen=True, slots=True)
class Ran:
    """A case that was run: what came out, and where it differs from what was expected (`broken` if
    it could not continue).
    """

    case: Case
    reached: tuple[Reached, ...] = ()
    read: tuple[Read, ...] = ()
    differences: tuple[Difference, ...] = ()
    broken: str | None = None

    @property
    def is_passed(self) -> bool:
        return not self.differences and self.broken is None
