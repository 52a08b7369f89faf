"""What the open question still waits for from a player, in the words of orders."""

from engine.realm_master.checking.messages import is_complete
from engine.realm_master.orders import KEY_WORDS, Order
from engine.realm_master.plans import KEY_OF
from engine.realm_master.state import State
from engine.ruleset import Standing


def lacking(state: State, player: int, standing: Standing[Order]) -> tuple[str, ...]:
    """`Plan` of a round, `Go on` at the end of a turn, else the key of the question; empty:
    nothing.
    """
    if is_complete(state, player, standing.orders):
        return ()
    if state.stage == "round":
        return ("Plan",)
    key = KEY_OF.get(state.stage)
    return ("Go on",) if key is None else (KEY_WORDS[key],)
