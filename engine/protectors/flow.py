"""Which stage follows which: the open question of a state, and what closing it leads to (section 2
of the rules).
"""

from collections.abc import Mapping, Sequence

from engine.chance import Chance
from engine.protectors.asked import asked_players
from engine.protectors.checking.legal import somebody_can_say
from engine.protectors.events import OrdersMissed, TurnBegan, WindowOpened
from engine.protectors.numbers import hours_of, is_team_game
from engine.protectors.orders import Bid, Order
from engine.protectors.phases.consolidation import consolidate, produce
from engine.protectors.phases.dragon import close_answers, open_answers
from engine.protectors.phases.ending import close_last_turn
from engine.protectors.phases.execution import execute_orders
from engine.protectors.phases.purchases import close_consolidation
from engine.protectors.phases.ranking import (
    MISSING,
    Bids,
    bid_of,
    close_bidding,
    close_rebid,
    rank_by_bids,
    settle_ties,
    take_bids,
    tell_bids,
)
from engine.protectors.phases.reveal import put_cards_away, reveal_cards
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
        hours=hours_of(state.stage, teams=is_team_game(state)),
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
            _execute(table, given)
        case "bank" if table.attack is None:
            _close_bank(table, given)
        case "dragon" | "bank":
            _close_attack(table, given)
        case "consolidation":
            _end_turn(table, close_consolidation(table, given))
        case _:
            raise ValueError(f"nothing can be closed in the stage {state.stage!r}")
    return _stop(table)


def go_on_without(table: Table) -> Outcome[State]:
    """Play on when a player has left the table outside a close, if nobody is left whose answer is
    waited for.
    """
    if somebody_can_say(table.freeze()):
        return Outcome(table.freeze(), tuple(table.events))
    if table.stage == "orders":
        _execute(table, {})
    elif table.stage == "rebid":
        settle_ties(table, {})
        _reveal(table)
    elif table.stage == "dragon":
        open_answers(table)
    elif table.stage == "bank" and table.attack is None:
        _close_bank(table, {})
    elif table.stage == "bank":
        _close_attack(table, {})
    else:  # the game is over
        return Outcome(table.freeze(), tuple(table.events))
    return _stop(table)


def _close_attack(table: Table, given: Given) -> None:
    attack = table.attack
    close_answers(table, given)
    if table.is_over or table.attack or attack is None:
        return
    if attack.during == "reveal":
        _reveal(table, attack.waiting)
    else:
        produce(table)
        table.stage = "consolidation"


def _end_turn(table: Table, bids: Bids) -> None:
    """After the buying step: the end of the game, the Bank's answer to the bids of the others, or
    the next turn (PR-11.7).
    """
    if table.is_last_turn:
        close_last_turn(table)
    elif table.bankers:
        tell_bids(table, bids, "PR-3.1", "PR-11.7")
        table.bids = {player: spent for player, (spent, _) in bids.items()}
        table.stage = "bank"
    else:
        _begin_turn(table, bids)


def _close_bank(table: Table, given: Given) -> None:
    """The bids of those who waited for the others' (PR-11.7)."""
    for player in table.bankers:
        if bid_of(given.get(player, ())) == MISSING:
            table.tell(OrdersMissed(player, "bank", (Bid(0),)), ["PR-11.7"])
    _begin_turn(table, take_bids(table, given, table.bankers))


def _begin_turn(table: Table, bids: Bids) -> None:
    """The next turn: its ranking and its cards (PR-2.4)."""
    put_cards_away(table)
    table.turn += 1
    table.end_effects()
    table.tell(TurnBegan(table.turn), ["PR-2.1"])
    rank_by_bids(table, bids)
    _reveal(table)


def _reveal(table: Table, waiting: tuple[str, ...] = ()) -> None:
    """The orders window is passed over only where no player has an order to give: no unit, no
    $Realm to send, nobody to snitch on, no card to look at (PR-2.4, PR-6.16, PR-6.17, PR-10.1).
    """
    if not reveal_cards(table, waiting):
        return
    table.stage = "orders"
    if not somebody_can_say(table.freeze()):
        _execute(table, {})


def _execute(table: Table, given: Given) -> None:
    execute_orders(table, given)
    if consolidate(table):
        table.stage = "consolidation"


def _stop(table: Table) -> Outcome[State]:
    """Freeze the table and open the window."""
    state = table.freeze()
    if not table.is_over:
        rules = [
            *window_rules(state),
            *(["PR-2.4"] if state.stage in ("orders", "consolidation") else []),
        ]
        if state.stage == "consolidation":
            rules += ["PR-8.1", *(["PR-3.6"] if table.is_last_turn else [])]
        table.tell(
            WindowOpened(
                state.stage, asked_players(state), hours_of(state.stage, teams=is_team_game(state))
            ),
            rules,
        )
    return Outcome(state, tuple(table.events))


def window_rules(state: State) -> tuple[str, ...]:
    if state.stage == "over":
        return ()
    rules = ("PR-2.2", "PR-2.3") if state.options.early_close else ("PR-2.2",)
    return (*rules, "PR-11.7") if state.stage == "bank" else rules
