"""A line that is said again changes nothing: it is not refused for what it takes itself, and it
stays where it stands.
"""

from collections.abc import Callable, Sequence
from typing import Any

from msgspec.structs import replace

from engine.ruleset import Checked, Problem, Standing


def restating(
    check: Callable[..., Checked[Any]],
    stored: Callable[[Any, Sequence[Any]], Sequence[Any]] = lambda _, orders: orders,
) -> Callable[..., Checked[Any]]:
    """The engine's judgement on a message, in which what stands already may be said again; `stored`
    are all lines that stand for a player, of whom these were sent in the open phase.
    """

    def judge(
        state: Any, player: int, standing: Standing[Any], orders: Sequence[Any], **more: Any
    ) -> Checked[Any]:
        checked = check(state, player, standing, orders, **more)
        lines = stored(state, standing.orders)
        again = {
            problem.order
            for problem in checked.problems
            if not problem.warning and problem.order is not None and orders[problem.order] in lines
        }
        if again:
            left = [i for i in range(len(orders)) if i not in again]
            beside = check(state, player, standing, [orders[i] for i in left], **more)
            after = stored(state, beside.standing.orders)
            if all(orders[i] in after for i in again):
                problems = tuple(_moved(problem, left) for problem in beside.problems)
                fallen = {one.order for one in problems if not one.warning}
                accepted = tuple(x for i, x in enumerate(orders) if i not in fallen)
                checked = replace(beside, accepted=accepted, problems=problems)
        return _in_place(checked, standing)

    return judge


def _moved(problem: Problem, places: Sequence[int]) -> Problem:
    return problem if problem.order is None else replace(problem, order=places[problem.order])


def _in_place(checked: Checked[Any], before: Standing[Any]) -> Checked[Any]:
    """Where the same lines stand as before, each stands where it stood."""
    now, old = checked.standing.orders, before.orders
    if now == old or len(now) != len(old) or any(order not in old for order in now):
        return checked
    same = all(now.count(order) == old.count(order) for order in now)
    return replace(checked, standing=replace(checked.standing, orders=old)) if same else checked
