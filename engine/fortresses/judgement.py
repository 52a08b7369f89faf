"""Lines judged one by one, each on its own, in the order written (FW-4.7); purchases before moves
(FW-8.1).
"""

from collections.abc import Callable, Sequence
from typing import TypeVar

import msgspec

from engine.fortresses import orders as o
from engine.fortresses.phases.attack_plan import AttackPlan
from engine.fortresses.phases.battles import chooses_retreat
from engine.fortresses.phases.reinforcement import Reinforcement
from engine.fortresses.refusals import refuse
from engine.fortresses.sense import misread
from engine.fortresses.table import Table
from engine.ruleset import Problem

Plain = TypeVar("Plain", bound=o.Order)


class Verdict(msgspec.Struct, frozen=True):
    """What became of a line: the order as it stands (with what was left open filled in), or the
    reason against it.
    """

    order: o.Order
    problem: Problem | None = None


def judge(table: Table, lines: Sequence[o.Order]) -> list[Verdict]:
    """What becomes of these lines in the open phase. In Reinforce those that stand are done on this
    very table.
    """
    match table.stage:
        case "attack":
            return judge_attack(table, lines)[0]
        case "battle":
            return [
                _verdict(table, order, lambda line: _judge_answer(table, line)) for order in lines
            ]
        case "reinforce":
            return judge_reinforce(table, lines)[0]
    return [Verdict(order, refuse("not-now", phase=table.stage)) for order in lines]


def judge_attack(table: Table, lines: Sequence[o.Order]) -> tuple[list[Verdict], AttackPlan]:
    """Attack lines are judged on the position at the start of the phase (FW-5.12)."""
    plan = AttackPlan(table)
    return [
        _verdict(table, order, lambda line: _judge_in_attack(plan, line)) for order in lines
    ], plan


def judge_reinforce(table: Table, lines: Sequence[o.Order]) -> tuple[list[Verdict], Reinforcement]:
    """Purchases first, then moves, `Done` last; the verdicts in the order of the lines."""
    work = Reinforcement(table)
    found = {
        i: _verdict(table, lines[i], lambda line: _judge_in_reinforce(work, line))
        for i in sorted(range(len(lines)), key=lambda i: _turn_of(lines[i]))
    }
    return [found[i] for i in range(len(lines))], work


def _turn_of(order: o.Order) -> int:
    plain = order.order if isinstance(order, o.Named) else order
    if isinstance(plain, o.Move | o.Carry):
        return 1
    return 2 if isinstance(plain, o.Done) else 0


def _verdict(
    table: Table, order: o.Order, judge_line: Callable[[o.Line | o.Then], o.Line | o.Then | Problem]
) -> Verdict:
    plain = order.order if isinstance(order, o.Named) else order
    misreading = misread(plain)
    if misreading is not None:
        return Verdict(order, misreading)
    if isinstance(order, o.Named) and order.kingdom != table.active:
        return Verdict(order, refuse("not-your-turn", kingdom=order.kingdom, active=table.active))
    found = judge_line(plain)
    return Verdict(order, found) if isinstance(found, Problem) else Verdict(found)


def _judge_in_attack(plan: AttackPlan, order: o.Line | o.Then) -> o.Line | o.Then | Problem:
    if isinstance(order, o.Instruction):
        return order
    match order:
        case o.Attack():
            return plan.judge_attack(order) or order
        case o.Carry():
            return plan.judge_carriage(order)
        case o.BattleOrder() | o.Always() | o.NoAttacks() | o.Done() | o.Then():
            return order
    return refuse("not-now", phase="attack")


def _judge_in_reinforce(work: Reinforcement, order: o.Line | o.Then) -> o.Line | o.Then | Problem:
    match order:
        case o.Attack() if work.table.has_truce:
            return refuse("truce", zone=order.target)
        case o.Buy():
            return work.judge_buy(order)
        case o.BuyNothing():
            work.buy_nothing()
            return order
        case o.Move():
            return work.judge_move(order)
        case o.Carry():
            return work.judge_carriage(order)
        case o.Always():
            return order
        case o.Done():
            return work.judge_done() or order
    return refuse("not-now", phase="reinforce")


def _judge_answer(table: Table, order: o.Line | o.Then) -> o.Line | o.Then | Problem:
    """An answer to the question of an interactive battle (FW-10.7)."""
    battle = table.battles[0]
    match order:
        case o.LoseNow(units):
            fits = (
                units.is_whole
                and units.total == battle.hits
                and battle.hits > 0
                and battle.attackers.holds(units)
            )
            return (
                order
                if fits
                else refuse("out-of-range", hits=battle.hits, attackers=battle.attackers.text)
            )
        case o.RetreatNow() | o.Stay() if chooses_retreat(table, battle):
            return order
    return refuse("not-now", phase="battle")
