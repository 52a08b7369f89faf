"""The outcome of an orders window as far as one player can know it: from that player's view alone
(PR-1.8, PR-1.9).

The state is first reduced to what the player knows, so that a supposition cannot reveal more than
the view does. Where something hidden would decide, the outcome says so. No die is drawn, no card is
turned, and no answer is asked for.
"""

from collections.abc import Iterator, Mapping, Sequence

from msgspec.structs import replace

from engine.chance import Chance
from engine.protectors import numbers
from engine.protectors.ability_events import AbilityUsed
from engine.protectors.asked import asked_players
from engine.protectors.cards import PIRATES
from engine.protectors.events import OrdersMissed, PlayerEliminated
from engine.protectors.known import known_state
from engine.protectors.orders import Hold, March, Order, ProvinceOrder, Send, Snitch
from engine.protectors.phases.consolidation import consolidate
from engine.protectors.phases.execution import execute_orders
from engine.protectors.state import State
from engine.protectors.table import Table
from engine.protectors.view_of import view_of
from engine.ruleset import Event, NotSupposable, Problem, Supposed

WINDOWS = ("orders",)
"""The phases of which something can be supposed."""

BOTTOMLESS = 1_000_000_000
"""Stands for a purse that nobody can look into, where orders are checked: more than any order can
name.
"""

Given = Mapping[int, Sequence[Order]]


def suppose(state: State, player: int, orders: Given) -> Supposed[State]:
    """What the open window would come to with these orders, up to the next question.

    The player's own missing orders get the default of the rules, everybody else's units hold.
    NotSupposable outside a window of orders, and for a player who is not asked.
    """
    if state.stage not in WINDOWS:
        raise NotSupposable("not-now", phase=state.stage, when=WINDOWS)
    if player not in asked_players(state):
        raise NotSupposable("not-asked")
    known = known_state(view_of(state, player))
    given = {
        number: _given(known, player, number, orders.get(number, ())) for number in known.ranking
    }
    needs = {number: _need(known, number, given) for number in known.ranking if number != player}
    table = Table(_with_purses(known, player, needs), Chance(b""))
    execute_orders(table, given)
    if consolidate(table):
        table.stage = "consolidation"
    events = tuple(
        event for event in table.events if event.is_for(player) and not _is_guessed(event, player)
    )
    seen = replace(view_of(table.freeze(), player), tier=numbers.hoard_tier(known))
    after = known_state(seen)
    return Supposed(
        after,
        events,
        (
            *_about_purses(needs),
            *_about_snitches(known, player, given),
            *_about_events(events, player, after),
        ),
    )


# ------------------------------------------------------------------------------ what a player knows
def checked_as(known: State, player: int, other: int) -> State:
    """The state against which a player's supposed orders of somebody else are checked: what the
    player knows of that other, whose purse is taken to hold whatever the orders need.
    """
    return known if other == player else _with_purses(known, player, {other: BOTTOMLESS})


def _with_purses(state: State, player: int, purses: Mapping[int, int]) -> State:
    """The others' purses hold this, or nothing."""
    return replace(
        state,
        players=tuple(
            seat if seat.number == player else replace(seat, realm=purses.get(seat.number, 0))
            for seat in state.players
        ),
    )


# --------------------------------------------------------------------------------- what is supposed
def _given(known: State, player: int, number: int, told: Sequence[Order]) -> tuple[Order, ...]:
    """The orders of a player that count here: no look at a card. Other players without an order for
    a province hold everywhere.
    """
    given = tuple(order for order in told if isinstance(order, ProvinceOrder | Send | Snitch))
    if number == player or any(isinstance(order, ProvinceOrder) for order in given):
        return given
    return (
        *given,
        *(Hold(i) for i, held in enumerate(known.board) if held.owner == number and held.units),
    )


def _need(known: State, number: int, given: Given) -> int:
    """What a player must hold for these orders, apart from what others send in the same window
    (PR-6.16, PR-6.18).
    """
    sent = sum(order.amount for order in given[number] if isinstance(order, Send))
    marches = [
        order
        for order in given[number]
        if isinstance(order, March) and numbers.pays_ferry(known, order.origin, order.target)
    ]
    received = sum(
        order.amount
        for orders in given.values()
        for order in orders
        if isinstance(order, Send) and order.to == number
    )
    return max(sent, sent + numbers.FERRY_FARE * len(marches) - received)


def _is_guessed(event: Event, player: int) -> bool:
    """That others sent nothing is not known."""
    return isinstance(event.facts, OrdersMissed) and event.facts.player != player


# --------------------------------------------------------------------------------- what it hangs on
def _about_purses(needs: Mapping[int, int]) -> Iterator[Problem]:
    """PR-1.9: whether somebody can pay for what they are supposed to do."""
    for number, amount in needs.items():
        if amount:
            yield _hangs("purse", "PR-1.9", "PR-6.18", player=number, amount=amount)


def _about_snitches(known: State, player: int, given: Given) -> Iterator[Problem]:
    """What the Pirates want depends on everybody's word (PR-10.2)."""
    silent = tuple(
        number
        for number in sorted(given)
        if number != player and not any(isinstance(order, Snitch) for order in given[number])
    )
    if silent and PIRATES in numbers.cards_in_force(known):
        yield _hangs("snitches", "PR-10.2", players=silent)


def _about_events(events: Sequence[Event], player: int, after: State) -> Iterator[Problem]:
    for event in events:
        facts = event.facts
        if isinstance(facts, AbilityUsed) and facts.use == "king" and facts.player != player:
            yield _hangs("king", "PR-11.4", player=facts.player)
        elif isinstance(facts, PlayerEliminated) and facts.player != player:
            yield _hangs("spoils", "PR-8.4", player=facts.player, captors=facts.by)
    if after.attack is not None:
        yield _hangs("dragon", "PR-9.1", dpl=after.attack.dpl)


def _hangs(code: str, *rules: str, **facts: int | tuple[int, ...]) -> Problem:
    return Problem(code=code, rules=rules, facts=facts, warning=True)
