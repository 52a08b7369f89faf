"""What takes effect at once instead of at the close: a game master's strike and corrections (PR-1.11), a player's peek (PR-6.17)."""

from collections.abc import Mapping

from engine.chance import Chance
from engine.protectors.checking import check
from engine.protectors.corrections import CORRECTIONS, correct
from engine.protectors.ending import settle_eliminations
from engine.protectors.events import PlayerEliminated
from engine.protectors.factions.peeks import PEEKS, peek
from engine.protectors.flow import go_on_without
from engine.protectors.orders import Order, format_order
from engine.protectors.state import DRAGON, State
from engine.protectors.table import Table
from engine.protectors.wording import parse_order
from engine.ruleset import Actor, Outcome, Standing


def act(state: State, actor: Actor, told: Mapping[str, object], chance: Chance) -> Outcome[State]:
    """Do an act; ValueError if it is unknown or impossible.

    `{"act": "strike", "player": 3}`, by the game master alone; `{"act": "peek", "order": "Weather forecast"}` by a player, the
    order in its canonical text (see `act_of`): the answer is an event for the player alone; and the corrections of
    `corrections`, by the game master alone.
    """
    match dict(told):
        case {"act": "strike", "player": player, **rest} if not rest:
            if actor != "gm":
                raise ValueError("only the game master records a strike")
            if state.stage == "over":
                raise ValueError("the game is over")
            if not isinstance(player, int) or isinstance(player, bool) or player not in state.ranking:
                raise ValueError(f"no active player {player!r}")
            return _strike(state, player, chance)
        case {"act": str(kind)} if kind in CORRECTIONS:
            if actor != "gm":
                raise ValueError("only the game master corrects the table")
            return correct(state, told, chance)
        case {"act": "peek", "order": str(text), **rest} if not rest:
            if actor == "gm":
                raise ValueError("only a player looks at cards")
            return _peek(state, actor, text, chance)
    raise ValueError(f"no such act: {dict(told)!r}")


def act_of(order: Order) -> Mapping[str, object] | None:
    """The act that an order is, if it takes effect at once."""
    return {"act": "peek", "order": format_order(order, {})} if isinstance(order, PEEKS) else None


def _peek(state: State, player: int, text: str, chance: Chance) -> Outcome[State]:
    order = next((peeked for peeked in (parse_order(text, {}),) if isinstance(peeked, PEEKS)), None)
    if order is None:
        raise ValueError(f"{text!r} does not take effect at once")
    refused = [problem.code for problem in check(state, player, Standing(), (order,)).problems]
    if refused:
        raise ValueError(f"{text!r} is refused: {', '.join(refused)}")
    table = Table(state, chance)
    peek(table, player, order)
    return Outcome(table.freeze(), tuple(table.events))


def _strike(state: State, player: int, chance: Chance) -> Outcome[State]:
    """Shown evidence of secret orders: the Dragon takes the player at once, and the threshold is not checked."""
    table = Table(state, chance)
    before = list(table.ranking)
    held = table.realm[player]
    table.ties = [left for tie in table.ties if len(left := tuple(p for p in tie if p != player)) > 1]
    ownerless = table.remove(player, (DRAGON,))
    table.tell(PlayerEliminated(player, (DRAGON,), "strike", (), held, ownerless), ["PR-1.11"])
    table.tell_ranking("eliminated", before, "PR-1.11")
    settle_eliminations(table)
    return go_on_without(table)
