"""What a receipt says of each line: sorted into understood, not understood and not possible, with
reasons and sums.
"""

from collections.abc import Sequence

from engine.protectors.abilities import BANK_COST, FAITH_COST, FIRE_COST, GUARD_COST
from engine.protectors.numbers import UNIT_COST, UPGRADE_COST
from engine.protectors.orders import (
    Bid,
    Buy,
    Commit,
    Fire,
    Fortify,
    HireKing,
    March,
    Order,
    Upgrade,
    Use,
    UseBank,
    UseFaith,
    Work,
)
from engine.protectors.view import TableView
from engine.ruleset import Problem
from pbem.games.protectors.pages.cast import Cast
from pbem.games.protectors.pages.defaults import strength_of
from pbem.games.protectors.pages.examples import march_sum
from pbem.games.protectors.pages.facts import fortify_gain, me, own, question_of
from pbem.pages.kit.receipt_lines import Reason, Sorted, sort_lines
from pbem.pages.page import ReceiptFacts, ReceiptItem
from pbem.pages.rendering import Twin, has_macro, twin

PROBLEMS = "protectors/problems.j2"
SUMS = "protectors/sums.j2"
ABILITY_COSTS = ((UseFaith, FAITH_COST), (HireKing, GUARD_COST), (UseBank, BANK_COST))
"""What abilities cost in Consolidation, in $Realm (PR-8.10)."""
NOT_READ = frozenset(
    {
        "not-understood",
        "unknown-player",
        "ambiguous-player",
        "unknown-province",
        "ambiguous-province",
        "no-order",
        "loose-question",
    }
    | {"beside-question", "unused", "asked-first", "partly-read"}
)
"""Codes of what could not be read; all others were read and are not possible."""


def sort_items(view: TableView, cast: Cast, facts: ReceiptFacts) -> Sorted:
    """Each line under its heading; a line that was taken in part appears under both."""
    by_text = {cast.order(order): order for order in facts.standing_orders}

    def sum_of(item: ReceiptItem) -> Twin | None:
        orders = [by_text[text] for text in item.texts if text in by_text]
        return _sum_of(view, cast, orders[0]) if len(orders) == 1 else None

    return sort_lines(facts, lambda problem: reason_of(problem, cast), NOT_READ, sum_of)


def reason_of(problem: Problem, cast: Cast) -> Reason:
    """A problem in words, those of the rule that applies where it has some; a code without any gets
    a plain refusal.
    """
    rules = tuple(rule for rule in problem.rules if rule != "PR-6.19") or problem.rules
    return Reason(twin(PROBLEMS, _macro_of(problem), dict(problem.facts), cast), rules)


def _macro_of(problem: Problem) -> str:
    """`not_now_11_7` before `not_now`, and either as `..._warned` for a warning."""
    name = problem.code.replace("-", "_")
    names = [
        *(f"{name}_{rule.partition('-')[2].replace('.', '_')}" for rule in problem.rules),
        name,
    ]
    if problem.warning:
        names = [*(f"{each}_warned" for each in names), *names]
    return next((each for each in names if has_macro(PROBLEMS, each)), "other")


def _sum_of(view: TableView, cast: Cast, order: Order) -> Twin | None:
    match order:
        case March():
            return twin(SUMS, "march", march_sum(view, order), cast)
        case Fortify(province=p, golden=golden):
            return twin(
                SUMS,
                "fortify",
                cast.place(p),
                view.province(p).units,
                fortify_gain(view, golden=golden),
                cast,
            )
        case Work(province=p, golden=golden):
            return twin(SUMS, "work", cast.place(p), view.province(p).units, golden, cast)
        case Fire(count=n):
            return twin(SUMS, "fire", n, FIRE_COST * n)
        case Commit():
            return twin(SUMS, "commit", me(view).minimum, cast)
    return None


def costs_of(orders: Sequence[Order]) -> tuple[int, int, int, int]:
    """What orders cost: bid, units, levels of abilities, arts."""
    bid = sum(order.amount for order in orders if isinstance(order, Bid))
    units = UNIT_COST * sum(order.units for order in orders if isinstance(order, Buy))
    levels = UPGRADE_COST * sum(isinstance(order, Upgrade) for order in orders)
    arts = sum(cost for order in orders for kind, cost in ABILITY_COSTS if isinstance(order, kind))
    return bid, units, levels, arts


def money_beside(view: TableView, orders: Sequence[Order]) -> int:
    """What these orders leave of the purse, and of what mates are asked for."""
    return (
        own(view).realm
        + sum(order.amount for order in orders if isinstance(order, Use))
        - sum(costs_of(orders))
    )


def standing_sum(view: TableView, cast: Cast, orders: Sequence[Order]) -> Twin | None:
    """What stands in all: money against the purse, or strength against min.US; None where nothing
    adds up.
    """
    purse, question = own(view).realm, question_of(view)
    if question == "dragon":
        sent = any(isinstance(order, Commit | Fire) for order in orders)
        return (
            twin(SUMS, "committed", strength_of(view, orders), me(view).minimum) if sent else None
        )
    if question not in ("bidding", "rebid", "bids", "consolidation"):
        return None
    bid, units, levels, arts = costs_of(orders)
    loans = tuple(
        (cast.name(order.mate), order.amount) for order in orders if isinstance(order, Use)
    )
    return (
        twin(SUMS, "spent", units, levels, arts, bid, purse, loans)
        if bid + units + levels + arts
        else None
    )
