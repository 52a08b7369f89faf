"""What a page of a supposition shows of the question, where something can be supposed."""

from collections.abc import Callable
from dataclasses import dataclass

from engine.ruleset import Problem
from pbem.pages.kit.receipt_lines import Reason
from pbem.pages.page import SuppositionFacts


@dataclass(frozen=True, slots=True)
class UnclearLine:
    """A clause that was not understood, with what there is to say to it."""

    quote: str
    caret: tuple[int, int] | None
    why: tuple[Reason, ...]


def question_values(
    facts: SuppositionFacts, reason: Callable[[Problem], Reason]
) -> dict[str, object]:
    """The values of `game/supposed.j2` that follow from the question alone."""
    items = [item for _, item in facts.clauses]
    warnings = (problem for item in items for problem in item.problems if problem.warning)
    return {
        "facts": facts,
        "hangs": tuple(map(reason, facts.hangs)),
        "texts": tuple(text for _, texts in facts.orders for text in texts),
        "warned": tuple(map(reason, warnings)),
        "unclear": tuple(
            UnclearLine(item.quote, item.caret, tuple(map(reason, item.refusals)))
            for item in items
            if item.refusals
        ),
    }
