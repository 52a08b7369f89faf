"""What the phase waits for, and what the rules do for a ruler who sends nothing more (section 12 of
the rules).
"""

from engine.chance import Chance
from engine.ruleset import Standing
from engine.sovereigns.checking.actions import refusal_of_action
from engine.sovereigns.checking.messages import is_answered
from engine.sovereigns.orders import Order, Pass, Split, Year
from engine.sovereigns.seasons.year import chosen
from engine.sovereigns.state import State
from engine.sovereigns.table import Table

_ASKED = {"setup": "split", "year-start": "support", "season": "action"}


def defaults(state: State, player: int, standing: Standing[Order]) -> tuple[Order, ...]:
    """The standing orders, with the defaults that would join them if nothing more came."""
    told = standing.orders
    if state.stage == "over" or not state.kingdom(player).alive or is_answered(state, told):
        return told
    if state.stage == "setup":
        return (*told, Split(3, 3, 3))
    if state.stage == "year-start":
        return (*told, Year((chosen(Table(state, Chance(b"")), player, None),)))
    usual = state.kingdom(player).every_season
    return (
        *told,
        usual if usual is not None and refusal_of_action(state, player, usual) is None else Pass(),
    )


def is_ready(state: State, player: int, standing: Standing[Order]) -> bool:
    """Whether nothing more is waited for: an answer, or one that was kept; in a season no open
    trade offer either (SS-12.3).
    """
    if state.objections or state.undone is not None:
        return False
    if state.stage == "season" and any(
        player in (offer.giver, offer.taker) for offer in state.offers
    ):
        return False
    kept = (
        state.stage == "year-start"
        and (state.kingdom(player).year_order or state.kingdom(player).every_year) is not None
    )
    return standing.final or kept or is_answered(state, standing.orders)


def lacking(state: State, player: int, standing: Standing[Order]) -> tuple[str, ...]:
    """What the open phase still waits for from this ruler."""
    if state.undone is not None and state.undone.player == player:
        return ("redo",)
    if (
        state.stage == "over"
        or not state.kingdom(player).alive
        or is_ready(state, player, standing)
    ):
        return ()
    return () if is_answered(state, standing.orders) or standing.final else (_ASKED[state.stage],)
