"""What the rules do for a player who sends nothing more, and what the open phase still waits for
(FW-4.2, FW-4.9, FW-8.15).
"""

from collections.abc import Sequence

from engine.fortresses import orders as o
from engine.fortresses.flow import asked_of
from engine.fortresses.judgement import judge_reinforce
from engine.fortresses.phases.battles import (
    BattleAnswer,
    advice_of,
    chooses_losses,
    chooses_retreat,
)
from engine.fortresses.state import State
from engine.fortresses.stored_lines import merge
from engine.fortresses.table import Table
from engine.fortresses.units import Units
from engine.ruleset import Standing


def is_ready(state: State, player: int, standing: Standing[o.Order]) -> bool:
    """Whether the open phase waits for nothing more from this player; an end that is settled waits
    for nobody.
    """
    return (
        state.winner is not None
        or standing.final
        or player not in asked_of(state)
        or state.stage == "over"
    )


def lacking(state: State, player: int, standing: Standing[o.Order]) -> tuple[str, ...]:
    """The words of what is still waited for: `Done`, or the answers in a battle; empty: nothing."""
    if is_ready(state, player, standing):
        return ()
    if state.stage != "battle":
        return ("Done",)
    table, said = Table(state), BattleAnswer(standing.orders)
    battle = table.battles[0]
    wants = (
        ("Lose", chooses_losses(battle) and said.losses is None),
        ("Stay", chooses_retreat(table, battle) and said.retreats is None),
    )
    return tuple(word for word, is_wanted in wants if is_wanted)


def defaults(state: State, player: int, standing: Standing[o.Order]) -> tuple[o.Order, ...]:
    """The lines that stand, and what the rules would add to them."""
    lines = tuple(merge(state.held, standing.orders)[0])
    if state.stage == "over" or player not in asked_of(state):
        return standing.orders
    match state.stage:
        case "attack":
            return lines or (o.NoAttacks(),)
        case "battle":
            return (*lines, *_answer(Table(state), standing.orders))
    table = Table(state)
    work = judge_reinforce(table, lines)[1]
    return lines if work.has_chosen else (*lines, *_purchase(state, lines))


def _answer(table: Table, said: Sequence[o.Order]) -> tuple[o.Order, ...]:
    """What the standing instructions come to."""
    battle, answer = table.battles[0], BattleAnswer(said)
    advice = advice_of(table, battle.zone)
    dead = advice.losses(battle.attackers, battle.hits) if answer.losses is None else answer.losses
    found: list[o.Order] = (
        [o.LoseNow(dead)] if answer.losses is None and chooses_losses(battle) else []
    )
    if answer.retreats is None and chooses_retreat(table, battle):
        against = battle.points + sum(units.total for units in table.enemies(battle.zone).values())
        leaves = advice.retreats(
            battle.attackers - dead, battle.started or battle.attackers, against, battle.round
        )
        found.append(o.RetreatNow() if leaves else o.Stay())
    return tuple(found)


def _purchase(state: State, lines: Sequence[o.Order]) -> tuple[o.Order, ...]:
    """The default purchase as orders (FW-8.15)."""
    table = Table(state)
    work = judge_reinforce(table, lines)[1]
    before = {zone: table.own(zone).L for zone in table.units}
    work.buy_by_default()
    bought = {zone: table.own(zone).L - count for zone, count in before.items()}
    return tuple(o.Buy(Units(L=count), zone) for zone, count in bought.items() if count)
