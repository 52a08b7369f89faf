"""A rolled action when its turn comes: which alternative is taken, its roll, its contest, and how
it went (SS-3, SS-9.3).
"""

from typing import Literal

import msgspec

from engine.sovereigns import events as e
from engine.sovereigns.codes import Attribute
from engine.sovereigns.events import Reason, Result
from engine.sovereigns.orders import Action, Condition, Do, Pass
from engine.sovereigns.seasons.effects import Spent, apply
from engine.sovereigns.seasons.rolls import Asked, Rolled, Stock, effects, roll
from engine.sovereigns.state import Dice, Kingdom, Ruling, State
from engine.sovereigns.table import Table

USUAL = 7
MARGIN = 7
"""From here on a success is great and a failure a disaster (SS-3.4)."""
CONTESTED = ("Attack", "Espionage", "Theft", "Spread", "Foment")
RULES = {
    "Research": "SS-6.1",
    "Increase": "SS-6.2",
    "Attack": "SS-6.3",
    "Expedition": "SS-6.8",
    "Espionage": "SS-6.9",
    "Theft": "SS-6.10",
    "Security": "SS-6.11",
    "Found": "SS-6.12",
    "Spread": "SS-6.13",
    "Contact": "SS-6.14",
    "Foment": "SS-6.15",
    "Try": "SS-6.16",
}
"""The rule of each action."""


class Met(msgspec.Struct, frozen=True):
    """What an action rolls against: a number, or the target's points; `attribute` is what both
    roll.
    """

    attribute: Attribute
    contested: bool
    difficulty: int = USUAL


class _Stocks:
    """Earlier dice of the same action, by side and sort (SS-10.6), and what fell now besides those
    that are left.
    """

    def __init__(self, kept: Dice) -> None:
        self.actor = Stock(list(kept.ordinary), list(kept.bonus), list(kept.depletion))
        self.defender = Stock(list(kept.defence), list(kept.defence_bonus))

    def record(self, actor: Rolled | None, defender: Rolled | None) -> Dice:
        a, d = self.actor, self.defender
        return Dice(
            ordinary=(*(actor.ordinary if actor else ()), *a.ordinary),
            bonus=(*(actor.bonus if actor else ()), *a.bonus),
            depletion=(*(actor.depletion if actor else ()), *a.depletion),
            defence=(*(defender.ordinary if defender else ()), *d.ordinary),
            defence_bonus=(*(defender.bonus if defender else ()), *d.bonus),
        )


def resolve(table: Table, n: int, player: int, order: Do | Pass, kept: Dice) -> Dice:
    """Do action number n, or tell why it is void (SS-9.3); the dice recorded for it, those not
    needed this time included.
    """
    stocks = _Stocks(kept)
    reason: Reason = "pass"
    if isinstance(order, Do):
        for i, way in enumerate(order.ways):
            found = void(table, player, order, i)
            if found is None:
                return _perform(
                    table, n, player, way, ruling_for(table.state, player, order), stocks
                )
            reason = found
    table.tell(e.ActionVoid(n, player, reason), ["SS-9.3"])
    return stocks.record(None, None)


def ruling_for(state: State, player: int, order: Do) -> Ruling:
    """What the game master said of exactly this order; an empty ruling if nothing (SS-8.3,
    SS-8.4).
    """
    return next(
        (ruling for ruling in state.rulings if ruling.player == player and ruling.order == order),
        Ruling(player, order),
    )


def holds(state: State, condition: Condition) -> bool:
    """Whether a condition on public facts is true now; a fallen kingdom has 0 of everything
    (SS-9.4).
    """
    kingdom = state.kingdom(condition.kingdom)
    if condition.attribute is None:
        return kingdom.alive == (condition.subject == "lives")
    have = kingdom.total.of(condition.attribute)
    if condition.subject == "more":
        return condition.other is not None and have > state.kingdom(condition.other).total.of(
            condition.attribute
        )
    return have >= condition.number if condition.subject == "least" else have <= condition.number


def spent(kingdom: Kingdom, way: Action, attribute: Attribute) -> tuple[int, int]:
    """Points and depleted points that an action would use now (SS-3.8, SS-3.18)."""
    free = max(0, kingdom.free(attribute))
    points = free if way.points is None else min(way.points, free)
    depleted = min(way.depleted, kingdom.ex.R - kingdom.depleted) if attribute == "R" else 0
    return points, depleted


def void(table: Table, player: int, order: Do, i: int) -> Reason | None:
    """Why this alternative cannot be done now; None if it can (SS-9.3, SS-9.4)."""
    way, kingdom = order.ways[i], table.of(player)
    if not kingdom.alive:
        return "actor-fallen"
    if i == 0 and order.condition is not None and not holds(table.state, order.condition):
        return "condition"
    if way.target is not None and not table.of(way.target).alive:
        return "target-fallen"
    if (way.kind == "Found" and kingdom.faith) or (way.kind == "Spread" and not kingdom.faith):
        return "faith"
    met = met_by(way, ruling_for(table.state, player, order))
    return None if any(spent(kingdom, way, met.attribute)) else "no-points"


def met_by(way: Action, ruling: Ruling) -> Met:
    """What an action is rolled with and against (SS-3.11, SS-8.4)."""
    if way.kind == "Try":
        attribute = ruling.attribute or way.attribute
        if ruling.difficulty is not None:
            return Met(attribute, contested=False, difficulty=ruling.difficulty)
        return Met(attribute, contested=way.target is not None)
    return Met(way.attribute, contested=way.kind in CONTESTED)


def difficulty_of(table: Table, player: int, way: Action, met: Met) -> int:
    """The number to reach where there is no contest (SS-3.3)."""
    if way.kind == "Increase" and way.raises is not None:
        return USUAL + table.of(player).total.of(way.raises)
    return {"Expedition": USUAL + table.state.expeditions, "Contact": 9}.get(
        way.kind, met.difficulty
    )


def _perform(
    table: Table, n: int, player: int, way: Action, ruling: Ruling, stocks: _Stocks
) -> Dice:
    met = met_by(way, ruling)
    attribute = met.attribute
    points, depleted = spent(table.of(player), way, attribute)
    table.expend(player, attribute, points, depleted)
    against = way.target if met.contested else None
    asked = Asked(player, attribute, "action", way.kind, way.target, way.boon, way.works)
    actor = roll(table, asked, points, depleted, f"action {n}: {way.kind}", stocks.actor)
    defender: Rolled | None = None
    if against is not None:
        defending = Asked(against, attribute, "defence", against=player)
        defender = roll(
            table,
            defending,
            max(0, table.of(against).free(attribute)),
            0,
            f"action {n}: defence",
            stocks.defender,
        )
    difficulty = difficulty_of(table, player, way, met) if defender is None else defender.total
    margin = actor.total - difficulty
    result: Result = (
        ("great" if margin >= MARGIN else "success")
        if margin >= 0
        else "disaster"
        if margin <= -MARGIN
        else "failure"
    )
    facts = e.ActionResolved(
        n,
        player,
        way.kind,
        attribute,
        way.target,
        points,
        depleted,
        actor.dice,
        defender.dice if defender else (),
        actor.terms,
        defender.terms if defender else (),
        actor.total,
        difficulty,
        margin,
        result,
        way.words,
        way.raises,
    )
    table.tell(facts, [RULES[way.kind], *_roll_rules(facts)])
    lost = _lose_depleted(table, player, actor)
    apply(table, player, way, ruling, result, Spent(points, depleted - lost))
    return stocks.record(actor, defender)


def _roll_rules(facts: e.ActionResolved) -> list[str]:
    step: Literal["SS-3.2", "SS-3.14"] = (
        "SS-3.14" if facts.target is not None and facts.defence else "SS-3.2"
    )
    rules = ["SS-0.4", "SS-3.1", step]
    if facts.result in ("great", "disaster"):
        rules.append("SS-3.4")
    if facts.defence:
        rules += ["SS-3.11", "SS-3.12", "SS-3.13"]
    return [*rules, "SS-3.16"] if facts.depleted else rules


def worst_die(table: Table, player: int) -> int:
    """The highest number of a depletion die that costs its point (SS-3.17, SS-7.6)."""
    return 2 if "STAT-DEPL" in effects(table, table.of(player)) else 3


def _lose_depleted(table: Table, player: int, rolled: Rolled) -> int:
    """Depleted points whose dice fell low are lost for good (SS-3.17)."""
    worst = worst_die(table, player)
    lost = sum(die <= worst for die in rolled.depletion)
    for _ in range(lost):
        table.drop(player, "R", ["SS-3.17"])
    return lost
