"""A plan as it stands, line by line: what was sent, what stays from earlier, and what the rules do
where it says nothing (RM-10.1).
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from engine.realm_master import orders as o
from engine.realm_master.cards import SMOKE_POT, all_turn_cards
from engine.realm_master.plans import KEY_OF, enters_plan, line_of, merge
from engine.realm_master.state import Plan, Stage
from engine.realm_master.view import TableView
from engine.realm_master.wording import format_order
from engine.ruleset import Standing
from pbem.games.realm_master.pages.cast import in_words
from pbem.games.realm_master.pages.facts import me, own
from pbem.pages.kit.receipt_lines import Gap
from pbem.pages.rendering import Twin, phrase, twin

WORDS = "realm_master/plan.j2"


@dataclass(frozen=True, slots=True)
class PlanRow:
    """A line in words. `kept`: from an earlier message; `stays`: it holds until it is
    changed.
    """

    text: str
    kept: bool
    stays: bool


@dataclass(frozen=True, slots=True)
class PlanFacts:
    """`said` are words about the plan (auto, wait), `silent` what the rules do where no line
    speaks: (key in words, what).
    """

    rows: tuple[PlanRow, ...]
    said: tuple[str, ...]
    auto: bool
    silent: tuple[tuple[str, Twin], ...]
    waits: bool


def merged(view: TableView, orders: Sequence[o.Order]) -> Plan:
    """The plan that stands from earlier messages, with what these orders change in it."""
    seat = own(view)
    kept = Plan(_lines(seat.plan), seat.auto, _lines(seat.last))
    return merge(kept, (order for order in orders if enters_plan(_stage(view), order)))


def answers_among(view: TableView, orders: Sequence[o.Order]) -> tuple[o.Order, ...]:
    """What of these orders answers the open question, or is done in it, and is no part of the
    plan.
    """
    return tuple(
        order
        for order in orders
        if not isinstance(order, o.Wait) and not enters_plan(_stage(view), order)
    )


def _stage(view: TableView) -> Stage:
    return view.stage if own(view).number in view.asked else "over"


def _lines(orders: Sequence[o.Order]) -> tuple[o.Line, ...]:
    return tuple(order for order in orders if isinstance(order, o.Line))


def plan_facts(view: TableView, standing: Standing[o.Order]) -> PlanFacts:
    plan = merged(view, standing.orders)
    told = set(map(format_order, standing.orders))
    rows = []
    for line in plan.lines:
        text, stays = (
            format_order(line),
            plan.auto or o.is_always(line) or o.key_of(line) in o.PERSISTENT,
        )
        rows.append(PlanRow(in_words(text), text not in told, stays))
    said = tuple(
        format_order(order)
        for order in standing.orders
        if isinstance(order, o.Auto | o.Drop | o.Wait)
    )
    waits = any(isinstance(order, o.Wait) for order in standing.orders)
    return PlanFacts(tuple(rows), said, plan.auto, _silent(view, plan), waits)


def _silent(view: TableView, plan: Plan) -> tuple[tuple[str, Twin], ...]:
    """Only what can come up in this round: no tribute without its card, no entry for a player who
    is inside.
    """
    effect = "" if view.card is None else all_turn_cards()[view.card].effect
    held = me(view)
    has_turn = view.stage != "round" or held.number in view.to_come
    keys: list[o.Key] = ["reroll", "faces", "attack", "hit"] if has_turn else ["hit"]
    keys += ["tribute"] if held.number in view.to_pay else []
    keys += ["ultimatum"] if view.to_yield and held.at is not None else []
    keys += ["smoke"] if SMOKE_POT in held.cards else []
    keys += [] if not has_turn else ["enter"] if held.at is None else ["realm"]
    keys += ["life"] if effect == "exchange" and has_turn else []
    keys += ["buy"] if has_turn else []
    return tuple(
        (o.KEY_WORDS[key], twin(WORDS, "silent", key)) for key in keys if line_of(plan, key) is None
    )


def gaps_of(view: TableView, orders: Sequence[o.Order]) -> tuple[Gap, ...]:
    """What a plan leaves open that no hero wants by default: to stay outside, and to buy nothing
    while there is something to be had.
    """
    if view.you is None or view.stage != "round" or view.you.number not in view.to_come:
        return ()
    plan, held, prices = merged(view, orders), me(view), dict(view.you.prices)
    can_buy = any(prices.get(pile.card, pile.cost) <= held.gold for pile in view.row)
    asked: tuple[tuple[o.Key, bool, o.Order], ...] = (
        ("enter", held.at is None, o.Enter((o.Choice(o.NOWHERE),))),
        ("buy", can_buy, o.Buy(())),
    )
    return tuple(
        Gap(phrase(WORDS, f"gap_{key}"), phrase(WORDS, f"gap_{key}_effect"), format_order(line))
        for key, is_open, line in asked
        if is_open and line_of(plan, key) is None
    )


def earlier_words(plan: PlanFacts, told: Collection[str], *, is_new: bool) -> Twin | None:
    """Which lines stand besides those just `told`, and at a new table how long a plan holds; None
    where there is nothing to say.
    """
    just = set(map(in_words, told))
    earlier = tuple(row.text for row in plan.rows if row.text not in just)
    found = twin(WORDS, "earlier", earlier, plan, is_new)
    return found if found.text.strip() else None


def line_for(view: TableView, standing: Standing[o.Order]) -> str:
    """The line of the plan that would answer the open question if nothing else did; ""
    without one.
    """
    key = KEY_OF.get(view.stage)
    line = None if key is None or view.you is None else line_of(merged(view, standing.orders), key)
    return "" if line is None else format_order(line)
