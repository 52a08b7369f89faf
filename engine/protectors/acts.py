"""What takes effect at once instead of at the close: a player's peek (PR-6.17), a game master's
strike (PR-1.11) and corrections.
"""

from collections.abc import Mapping
from typing import Literal

from msgspec.structs import replace

from engine.chance import Chance
from engine.protectors.checking.messages import check
from engine.protectors.corrections import CORRECTIONS, correct
from engine.protectors.events import DeckRenewed, PlayerEliminated
from engine.protectors.factions.peeks import PEEKS, peek
from engine.protectors.flow import go_on_without
from engine.protectors.orders import Order, format_order, parse_order
from engine.protectors.phases.ending import end_by_agreement, settle_eliminations
from engine.protectors.state import DECKS, DRAGON, State
from engine.protectors.table import Table
from engine.ruleset import Actor, Outcome, Standing


def act(state: State, actor: Actor, told: Mapping[str, object], chance: Chance) -> Outcome[State]:
    """Do an act; ValueError if it is unknown or impossible.

    By a player: `{"act": "peek", "order": "Weather forecast"}`, the order in its canonical text
    (see `act_of`); the answer is an event for the player alone. By the game master: `{"act":
    "strike", "player": 3}`, `{"act": "remove", "player": 3}` (who has given up), `{"act":
    "reshuffle"}` and the corrections of `corrections`. By the agreement of those who are still in
    the game, in the game master's place: `{"act": "agree", "winners": []}`, a draw, or `{"act":
    "agree", "winners": [2]}`.
    """
    match dict(told):
        case {"act": "peek", "order": str(text), **more} if not more and actor != "gm":
            return _peek(state, actor, text, chance)
    if actor != "gm":
        raise ValueError(
            "only the game master acts outside a close, but for what a player looks at"
        )
    if state.stage == "over":
        raise ValueError("the game is over")
    match dict(told):
        case {"act": str(kind)} if kind in CORRECTIONS:
            return correct(state, told, chance)
        case {"act": "strike" | "remove" as kind, "player": player, **more} if not more:
            if (
                not isinstance(player, int)
                or isinstance(player, bool)
                or player not in state.ranking
            ):
                raise ValueError(f"no active player {player!r}")
            return (
                _strike(state, player, chance)
                if kind == "strike"
                else _remove(state, player, chance)
            )
        case {"act": "agree", "winners": [*winners], **more} if not more:
            return _agree(state, winners, chance)
        case {"act": "reshuffle", **more} if not more:
            return _reshuffle(state, chance)
    raise ValueError(f"no such act: {dict(told)!r}")


def act_of(order: Order) -> Mapping[str, object] | None:
    """The act that an order is, if it takes effect at once."""
    return {"act": "peek", "order": format_order(order, {})} if isinstance(order, PEEKS) else None


def _peek(state: State, player: int, text: str, chance: Chance) -> Outcome[State]:
    order = next((peeked for peeked in (parse_order(text, {}),) if isinstance(peeked, PEEKS)), None)
    if order is None:
        raise ValueError(f"{text!r} does not take effect at once")
    problems = check(state, player, Standing(), (order,)).problems
    refused = [
        problem.code for problem in problems if problem.code != "forbidden-this-turn"
    ]  # the card seen just now: told as an event
    if refused:
        raise ValueError(f"{text!r} is refused: {', '.join(refused)}")
    table = Table(state, chance)
    peek(table, player, order)
    return Outcome(table.freeze(), tuple(table.events))


def _strike(state: State, player: int, chance: Chance) -> Outcome[State]:
    """Shown evidence of secret orders: the Dragon takes the player at once, and the threshold is
    not checked.
    """
    return _take_out(state, player, chance, DRAGON, "strike", ["PR-1.11"])


def _remove(state: State, player: int, chance: Chance) -> Outcome[State]:
    """A player has given up, and the table wants the seat out of the game. Nobody took it, so it
    counts for no victory of the Dragon.

    The rules know no such end; it counts as a fall by the player's own hand.
    """
    return _take_out(state, player, chance, player, "resigned", [])


def _take_out(
    state: State,
    player: int,
    chance: Chance,
    by: int,
    cause: Literal["strike", "resigned"],
    rules: list[str],
) -> Outcome[State]:
    table = Table(state, chance)
    before = list(table.ranking)
    held = table.realm[player]
    table.ties = [
        left for tie in table.ties if len(left := tuple(p for p in tie if p != player)) > 1
    ]
    ownerless = table.remove(player, (by,))
    table.tell(
        PlayerEliminated(player, (DRAGON,) if by == DRAGON else (), cause, (), held, ownerless),
        rules,
    )
    table.tell_ranking("eliminated", before, *rules)
    settle_eliminations(table)
    return go_on_without(table)


def _agree(state: State, winners: list[object], chance: Chance) -> Outcome[State]:
    won = tuple(
        player
        for player in winners
        if isinstance(player, int) and not isinstance(player, bool) and player in state.ranking
    )
    if len(won) != len(winners) or len(won) > 1:
        raise ValueError(f"{winners!r} is neither nobody nor one active player")
    table = Table(state, chance)
    end_by_agreement(table, won)
    return Outcome(table.freeze(), tuple(table.events))


def _reshuffle(state: State, chance: Chance) -> Outcome[State]:
    """What nobody has seen of each deck in a new order: one draw a deck that has an order to lose,
    in the order of PR-4.1.

    Cards in play and discards have been seen and stay where they are. For a table that saw cards
    which were then rolled back. What somebody looked at this turn may lie anywhere then.
    """
    table = Table(state, chance)
    for deck in DECKS:
        pile = table.pile(deck)
        if len(pile.draw) > 1:
            pile.draw = list(chance.shuffle(f"reshuffle: {deck} deck", tuple(pile.draw)))
            table.peeks = [
                replace(seen, lies_there=False) if seen.deck == deck else seen
                for seen in table.peeks
            ]
            table.tell(DeckRenewed(deck, "game-master"), ["PR-4.1"])
    return Outcome(table.freeze(), tuple(table.events))
