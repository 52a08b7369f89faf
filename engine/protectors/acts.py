"""What takes effect at once instead of at the close: a game master's strike (PR-1.11)."""

from collections.abc import Mapping

from engine.chance import Chance
from engine.protectors.ending import settle_eliminations
from engine.protectors.events import PlayerEliminated
from engine.protectors.flow import go_on_without
from engine.protectors.state import DRAGON, State
from engine.protectors.table import Table
from engine.ruleset import Actor, Outcome


def act(state: State, actor: Actor, told: Mapping[str, object], chance: Chance) -> Outcome[State]:
    """Do an act: `{"act": "strike", "player": 3}`, by the game master alone. ValueError if it is unknown or impossible."""
    if told.get("act") != "strike" or set(told) != {"act", "player"}:
        raise ValueError(f"no such act: {dict(told)!r}")
    if actor != "gm":
        raise ValueError("only the game master records a strike")
    player = told["player"]
    if state.stage == "over":
        raise ValueError("the game is over")
    if not isinstance(player, int) or isinstance(player, bool) or player not in state.ranking:
        raise ValueError(f"no active player {player!r}")
    return _strike(state, player, chance)


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
