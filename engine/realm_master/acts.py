"""What takes effect at once instead of at the close: conceding, objections, and what a game master
does (RM-11.9, RM-11.10).
"""

from collections.abc import Mapping

from engine.chance import Chance
from engine.realm_master import orders as o
from engine.realm_master.checking.messages import check
from engine.realm_master.corrections import CORRECTIONS, correct
from engine.realm_master.events import DeckRebuilt, HeroConceded, ObjectionMade, RulingGiven
from engine.realm_master.flow import run, stop
from engine.realm_master.heroes import take_heroes
from engine.realm_master.plans import is_act
from engine.realm_master.state import Check, Fall, State
from engine.realm_master.table import Table
from engine.realm_master.turns.deaths import end_game
from engine.realm_master.undo import take_back
from engine.realm_master.wording import format_order, parse_order
from engine.ruleset import Actor, Outcome, Standing

MOST_TEXT = 2000


def act(state: State, actor: Actor, told: Mapping[str, object], chance: Chance) -> Outcome[State]:
    """Do an act; ValueError if it is unknown or impossible.

    By a player: `{"act": "order", "order": "Concede"}`, an order of those that leave the question
    open, in its canonical text (see `act_of`). By the game master: `{"act": "kill", "player": 3}`
    (`strike` and `remove` are the same), `{"act": "end", "winner": 2}` (None: shared by the
    living), `{"act": "undo", "turn": 7}` or `{"act": "undo", "round": true}`, `{"act": "rule",
    "text": "..."}`, `{"act": "reshuffle"}`, and the corrections of `corrections`. Each may have a
    `reason`, which changes nothing.
    """
    match dict(told):
        case {"act": "order", "order": str(text), **more} if not more and actor != "gm":
            return _act_of_player(state, actor, text, chance)
    if actor != "gm":
        raise ValueError(
            "only the game master acts outside a close, but for what a hero does in his own turn"
        )
    if state.stage == "over":
        raise ValueError("the game is over")
    if told.get("act") in CORRECTIONS:
        return correct(state, told, chance)
    match {
        key: value for key, value in told.items() if key != "reason" or not isinstance(value, str)
    }:
        case {"act": "kill" | "strike" | "remove", "player": player, **more} if not more:
            return _kill(state, player, chance)
        case {"act": "end", "winner": winner, **more} if not more:
            return _end(state, winner, chance)
        case {"act": "agree", "winners": [], **more} if not more:
            return _end(state, None, chance)
        case {"act": "agree", "winners": [int(winner)], **more} if not more:
            return _end(state, winner, chance)
        case {"act": "undo", **what} if len(what) == 1:
            return take_back(state, what, chance)
        case {"act": "rule", "text": str(text), **more} if (
            not more and text.strip() and len(text) <= MOST_TEXT
        ):
            table = Table(state, chance)
            table.tell(RulingGiven(text.strip()), ["RM-11.10"])
            return Outcome(table.freeze(), tuple(table.events))
        case {"act": "reshuffle", **more} if not more:
            return _reshuffle(state, chance)
    raise ValueError(f"no such act: {dict(told)!r}")


def act_of(order: o.Order) -> Mapping[str, object] | None:
    """The act that an order is, if it takes effect at once."""
    return {"act": "order", "order": format_order(order)} if is_act(order) else None


def _act_of_player(state: State, player: int, text: str, chance: Chance) -> Outcome[State]:
    order = parse_order(text)
    if not is_act(order):
        raise ValueError(f"{text!r} does not take effect at once")
    refused = [
        problem.code
        for problem in check(state, player, Standing(), (order,)).problems
        if not problem.warning
    ]
    if refused:
        raise ValueError(f"{text!r} is refused: {', '.join(refused)}")
    table = Table(state, chance)
    match order:
        case o.Concede():
            table.change(player, conceding=True)
            table.tell(HeroConceded(player), ["RM-7.9"])
        case o.Objection(turn=turn, reason=reason):
            table.tell(ObjectionMade(player, turn, reason), ["RM-11.9"])
    return Outcome(table.freeze(), tuple(table.events))


def _kill(state: State, player: object, chance: Chance) -> Outcome[State]:
    """A death without a killer. The open phase no longer waits for the dead player (RM-7.5,
    RM-11.10). Before the heroes are chosen the player's hero is drawn first (RM-1.6).
    """
    table = Table(state, chance)
    if not isinstance(player, int) or isinstance(player, bool) or player not in table.living:
        raise ValueError(f"no living hero of player {player!r}")
    if state.stage == "heroes":
        take_heroes(table, (player,), {})
    table.push(Fall(player, None, "game-master"), Check())
    run(table)
    return stop(table, (state.stage, state.asked))


def _end(state: State, winner: object, chance: Chance) -> Outcome[State]:
    table = Table(state, chance)
    if winner is not None and (
        not isinstance(winner, int) or isinstance(winner, bool) or winner not in table.living
    ):
        raise ValueError(f"no living hero of player {winner!r}")
    winners = tuple(sorted(table.living)) if not isinstance(winner, int) else (winner,)
    end_game(table, winners, "gm", "RM-11.10")
    return Outcome(table.freeze(), tuple(table.events))


def _reshuffle(state: State, chance: Chance) -> Outcome[State]:
    """What nobody has seen of each deck in a new order, for a table that saw cards which were then
    rolled back.
    """
    table = Table(state, chance)
    if len(table.buy_deck) > 1:
        table.buy_deck = list(chance.shuffle("reshuffle: buy deck", tuple(table.buy_deck)))
        table.tell(DeckRebuilt("buy", "game-master", len(table.buy_deck)), ["RM-11.10"])
    if len(table.turn_deck) > 1:
        table.turn_deck = list(chance.shuffle("reshuffle: turn deck", tuple(table.turn_deck)))
        table.tell(DeckRebuilt("turn", "game-master", len(table.turn_deck)), ["RM-11.10"])
    return Outcome(table.freeze(), tuple(table.events))
