"""What the clauses of a message come to, one by one, before the position is asked."""

from collections.abc import Sequence
from dataclasses import dataclass

from pbem.games.protectors.reading.drafts import Draft
from pbem.grammar.kit.lexemes import Lexeme


@dataclass(slots=True)
class Entry:
    """What one clause (or a few that belong together) came to: a draft, or why it is none.

    `lost` are the provinces that a clause which is none speaks of: `everywhere else` is not there.
    """

    start: int
    end: int
    line: int
    draft: Draft | None = None
    trouble: str = ""
    at: Lexeme | None = None
    suggests: bool = True
    glued: bool = False
    from_question: bool = False
    lost: tuple[int, ...] = ()


def provinces_lost(lexemes: Sequence[Lexeme]) -> tuple[int, ...]:
    """The provinces that something was to be done in or from, as far as words that were not read
    tell.
    """
    places = [
        (before.kind if before is not None else "", place)
        for before, place in zip([None, *lexemes], lexemes, strict=False)
    ]
    found = [
        (kind, place.value)
        for kind, place in places
        if place.kind == "PLACE" and place.value is not None
    ]
    starts = [value for kind, value in found if kind == "FROM"]
    return tuple(starts or [value for kind, value in found if kind not in {"TO", "ARROW", "DASH"}])


def list_before(entries: Sequence[Entry], line: int) -> Entry | None:
    """`Buy 2 in P6. 1 in P5.`: a purchase or a commitment goes on over the end of a sentence."""
    last = entries[-1] if entries else None
    if (
        last is not None
        and last.draft is not None
        and last.draft.kind in {"BUY", "COMMIT"}
        and last.line == line - 1
    ):
        return last
    return None
