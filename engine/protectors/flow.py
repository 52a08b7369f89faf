"""Which stage follows which: the open question of a state, and what closing it leads to (section 2 of the rules)."""

from collections.abc import Mapping, Sequence

from engine.chance import Chance
from engine.protectors.asking import asked_players
from engine.protectors.consolidation import close_consolidation, consolidate, produce
from engine.protectors.dragon import fight_dragon
from engine.protectors.ending import close_last_turn
from engine.protectors.events import TurnBegan, WindowOpened
from engine.protectors.execution import execute_orders
from engine.protectors.numbers import hours_of
from engine.protectors.orders import Order
from engine.protectors.ranking import close_bidding, close_rebid, rank_by_bids, settle_ties
from engine.protectors.reveal import put_cards_away, reveal_cards
from engine.protectors.state import State
from engine.protectors.table import Table
from engine.ruleset import Outcome, Over, Phase

Given = Mapping[int, Sequence[Order]]


def phase(state: State) -> Phase:
    """The open question of a state (PR-2.1 to PR-2.3)."""
    return Phase(
        kind=state.stage,
        turn=state.turn,
        asked=asked_players(state),
        hours=hours_of(state.stage),
        rules=window_rules(state),
        early=state.options.early_close,
        over=Over(state.winners, state.ended_by) if state.stage == "over" else None,
    )


def adjudicate(state: State, orders: Given, chance: Chance) -> Outcome[State]:
    """Close the open window and play on to the next one, or to the end of the game.

    ValueError if nothing is open. Orders of players who are not asked are left out.
    """
    wanted = asked_players(state)
    given = {player: tuple(theirs) for player, theirs in orders.items() if player in wanted}
    table = Table(state, chance)
    match state.stage:
        case "bidding":
            close_bidding(table, given)
            if table.ties:
                table.stage = "rebid"
            else:
                _reveal(table)
        case "rebid":
            close_rebid(table, given)
            _reveal(table)
        case "orders":
            execute_orders(table, given)
            if consolidate(table):
                table.stage = "consolidation"
        case "dragon":
            _close_attack(table, given)
        case "consolidation":
            bids = close_consolidation(table, given)
            if table.is_last_turn:
                close_last_turn(table)
            else:
                _begin_turn(table, bids)
        case _:
            raise ValueError(f"nothing can be closed in the stage {state.stage!r}")
    return _stop(table)


def go_on_without(table: Table) -> Outcome[State]:
    """Play on when a player has left the table outside a close: a rebid in which no tie is left needs no answer."""
    if table.stage == "rebid" and not table.ties:
        settle_ties(table, {})
        _reveal(table)
        return _stop(table)
    return Outcome(table.freeze(), tuple(table.events))


def _close_attack(table: Table, given: Given) -> None:
    attack = table.attack
    fight_dragon(table, given)
    if table.is_over or table.attack or attack is None:
        return
    if attack.during == "reveal":
        _reveal(table, attack.waiting)
    else:
        produce(table)
        table.stage = "consolidation"


def _begin_turn(table: Table, bids: Mapping[int, tuple[int, int]]) -> None:
    """The next turn: its ranking and its cards (PR-2.4)."""
    put_cards_away(table)
    table.turn += 1
    table.tell(TurnBegan(table.turn), ["PR-2.1"])
    rank_by_bids(table, bids)
    _reveal(table)


def _reveal(table: Table, waiting: tuple[str, ...] = ()) -> None:
    if reveal_cards(table, waiting):
        table.stage = "orders"


def _stop(table: Table) -> Outcome[State]:
    """Freeze the table and open the window."""
    state = table.freeze()
    if not table.is_over:
        rules = [*window_rules(state), *(["PR-2.4"] if state.stage in ("orders", "consolidation") else [])]
        if state.stage == "consolidation":
            rules += ["PR-8.1", *(["PR-3.6"] if table.is_last_turn else [])]
        table.tell(WindowOpened(state.stage, asked_players(state), hours_of(state.stage)), rules)
    return Outcome(state, tuple(table.events))


def window_rules(state: State) -> tuple[str, ...]:
    if state.stage == "over":
        return ()
    return ("PR-2.2", "PR-2.3") if state.options.early_close else ("PR-2.2",)
