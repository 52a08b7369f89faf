"""What a receipt of Realm-Master says of each line: problems in words, with the rule that
applies.
"""

from engine.realm_master.view import TableView
from engine.ruleset import Problem
from pbem.games.realm_master.pages.cast import Cast
from pbem.pages.kit.receipt_lines import Reason, Sorted, sort_lines
from pbem.pages.page import ReceiptFacts
from pbem.pages.rendering import has_macro, twin

PROBLEMS = "realm_master/problems.j2"
NOT_READ = frozenset(
    {
        "not-understood",
        "unknown-land",
        "unknown-player",
        "ambiguous-player",
        "condition-unknown",
        "no-order",
        "no-last-plan",
    }
    | {"target-wanted", "loose-question", "beside-question", "unused", "asked-first", "partly-read"}
)
"""Codes of what could not be read; all others were read and are not possible."""


def sort_items(view: TableView, cast: Cast, facts: ReceiptFacts) -> Sorted:
    lands = tuple(land.key for land in view.lands)
    return sort_lines(facts, lambda problem: reason_of(problem, cast, lands), NOT_READ)


def reason_of(problem: Problem, cast: Cast, lands: tuple[str, ...] = ()) -> Reason:
    """A problem in words, those of a warning where it has some; a code without any gets a plain
    refusal.

    `lands` are those in play, listed for a reader who named an unknown one.
    """
    name = problem.code.replace("-", "_")
    names = [f"{name}_warned", name] if problem.warning else [name]
    macro = next((each for each in names if has_macro(PROBLEMS, each)), "other")
    known = {"lands": lands} if problem.code == "unknown-land" else {}
    return Reason(twin(PROBLEMS, macro, known | dict(problem.facts), cast), problem.rules)
