"""The page of a supposition: whose orders were supposed, what would happen, and what the asker
cannot know.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from engine.protectors.events import OrdersMissed
from engine.protectors.orders import Order
from engine.protectors.view import TableView
from engine.ruleset import Event, Problem
from pbem.games.protectors.pages.cast import Cast
from pbem.games.protectors.pages.events import supposed_lines
from pbem.games.protectors.pages.receipt import reason_of
from pbem.pages.kit.receipt_lines import Reason
from pbem.pages.page import ReceiptItem, SuppositionFacts
from pbem.pages.rendering import Twin, has_macro, twin

TEMPLATE = "protectors/supposing.j2"


@dataclass(frozen=True, slots=True)
class SupposedLine:
    """A clause of the question with what there is to say to it."""

    quote: str
    caret: tuple[int, int] | None
    why: tuple[Reason, ...]


def supposition_values(
    view: TableView, after: TableView, cast: Cast, facts: SuppositionFacts
) -> dict[str, object]:
    """The values of this page in addition to every page's. `view` is the table as it lies, `after`
    as it would lie.
    """
    orders = dict(facts.orders)
    others = [number for number in view.ranking if number != cast.you]
    return {
        "facts": facts,
        "supposed": tuple(
            (cast.name(number), texts, number == cast.you) for number, texts in facts.orders
        ),
        "kept": tuple(text for text in orders.get(cast.you, ()) if text in facts.standing),
        "by_rules": (
            cast.orders(_by_rules(facts.events, cast.you)) if cast.you not in orders else None
        ),
        "holding": cast.people(number for number in others if number not in orders),
        "lines": supposed_lines(facts.events, cast),
        "hangs": tuple(Reason(_hang(problem, cast), problem.rules) for problem in facts.hangs),
        "unread": tuple(
            line
            for line in (
                _line(player, item, cast, warnings=False) for player, item in facts.clauses
            )
            if line.why
        ),
        "warned": tuple(
            line
            for line in (_line(player, item, cast, warnings=True) for player, item in facts.clauses)
            if line.why
        ),
        "purse": (
            after.you.realm
            if after.you is not None and facts.after is not None and after.stage == "consolidation"
            else None
        ),
        "before": view.you.realm if view.you is not None else None,
        "example": f"what if {_example(view, cast)}?",
    }


def _example(view: TableView, cast: Cast) -> str:
    """A question of this position: somebody else's march into the reader's land, or anywhere."""
    rivals = [
        p for p in view.provinces if p.owner not in (None, cast.you) and p.units and p.neighbours
    ]
    rivals.sort(
        key=lambda p: not any(view.province(near).owner == cast.you for near in p.neighbours)
    )
    for rival in rivals:
        target = next(
            (near for near in rival.neighbours if view.province(near).owner == cast.you),
            rival.neighbours[0],
        )
        return (
            f"{cast.name(rival.owner or 0)} marches {rival.units} from {cast.place(rival.number)}"
            f" to {cast.place(target)}"
        )
    return "nobody else does anything"


def _by_rules(events: Sequence[Event], player: int) -> tuple[Order, ...]:
    """What the rules order for a player who has sent nothing (PR-6.2)."""
    missed = (event.facts for event in events if isinstance(event.facts, OrdersMissed))
    return next((facts.instead for facts in missed if facts.player == player), ())


def _hang(problem: Problem, cast: Cast) -> Twin:
    return twin(TEMPLATE, f"hangs_{problem.code.replace('-', '_')}", dict(problem.facts), cast)


def _line(player: int | None, item: ReceiptItem, cast: Cast, *, warnings: bool) -> SupposedLine:
    problems: Sequence[Problem] = [
        problem for problem in item.problems if problem.warning == warnings
    ]
    return SupposedLine(
        item.quote, item.caret, tuple(_reason(problem, player, cast) for problem in problems)
    )


def _reason(problem: Problem, player: int | None, cast: Cast) -> Reason:
    """Somebody else's impossible order is not put as if it were the reader's."""
    macro = f"of_other_{problem.code.replace('-', '_')}"
    if player is None or player == cast.you or not has_macro(TEMPLATE, macro):
        return reason_of(problem, cast)
    rules = tuple(rule for rule in problem.rules if rule != "PR-6.19") or problem.rules
    return Reason(twin(TEMPLATE, macro, dict(problem.facts), cast, cast.name(player)), rules)
