"""What takes effect at once instead of at the close: a game master's strike (PR-1.11), and unseen cards shuffled anew."""

from collections.abc import Mapping

from engine.chance import Chance
from engine.protectors.ending import settle_eliminations
from engine.protectors.events import DeckRenewed, PlayerEliminated
from engine.protectors.flow import go_on_without
from engine.protectors.state import DECKS, DRAGON, State
from engine.protectors.table import Table
from engine.ruleset import Actor, Outcome


def act(state: State, actor: Actor, told: Mapping[str, object], chance: Chance) -> Outcome[State]:
    """Do an act, by the game master alone: `{"act": "strike", "player": 3}` or `{"act": "reshuffle"}`.

    ValueError if it is unknown or impossible.
    """
    if actor != "gm":
        raise ValueError("only the game master acts outside a close")
    if state.stage == "over":
        raise ValueError("the game is over")
    match dict(told):
        case {"act": "strike", "player": player, **more} if not more:
            if not isinstance(player, int) or isinstance(player, bool) or player not in state.ranking:
                raise ValueError(f"no active player {player!r}")
            return _strike(state, player, chance)
        case {"act": "reshuffle", **more} if not more:
            return _reshuffle(state, chance)
    raise ValueError(f"no such act: {dict(told)!r}")


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


def _reshuffle(state: State, chance: Chance) -> Outcome[State]:
    """What nobody has seen of each deck in a new order: one draw a deck that has an order to lose, in the order of PR-4.1.

    Cards in play and discards have been seen and stay where they are. For a table that saw cards which were then rolled back.
    """
    table = Table(state, chance)
    for deck in DECKS:
        pile = table.piles[deck]
        if len(pile.draw) > 1:
            pile.draw = list(chance.shuffle(f"reshuffle: {deck} deck", tuple(pile.draw)))
            table.tell(DeckRenewed(deck, "game-master"), ["PR-4.1"])
    return Outcome(table.freeze(), tuple(table.events))
