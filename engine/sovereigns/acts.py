"""What takes effect at once instead of at the close: deeds of rulers, the clock, and what a game
master does (SS-10, SF-2, SF-5).
"""

from collections.abc import Mapping
from typing import Any

import msgspec

from engine.chance import Chance
from engine.ruleset import Actor, Outcome
from engine.sovereigns import events as e
from engine.sovereigns.checking.messages import refusal_of
from engine.sovereigns.deeds import do
from engine.sovereigns.orders import Deed, Object, Offer, Order, Redo
from engine.sovereigns.refusals import Refused
from engine.sovereigns.rulings import master
from engine.sovereigns.seasons.running_phase import advance, objected, redo, roll_back, verdict
from engine.sovereigns.state import DoneAtOnce, State
from engine.sovereigns.table import Table
from engine.usual import MOST_TEXT

GM = 0
"""The game master among the actors of the log."""
MOST_HOURS = 10_000
NUMBERED: Mapping[str, object] = {"numbered": True}
"""Told with an offer whose rulers each have a number of their own for it. Records that are older
than such numbers lack it, and play again as they were played.
"""


def act_of(order: Order) -> Mapping[str, object] | None:
    """The act that an order is, if it takes effect at once."""
    if not isinstance(order, Deed):
        return None
    told = {"act": "order", "order": msgspec.json.decode(msgspec.json.encode(order))}
    return {**told, **NUMBERED} if isinstance(order, Offer) else told


def act_of_hour(state: State, hour: int) -> Mapping[str, object] | None:
    """The act that tells the hour; None while the clock has not moved."""
    is_open = state.stage != "over" or state.undone is not None
    told = min(hour, MOST_HOURS)
    return {"act": "clock", "hour": told} if is_open and told > state.hour else None


def act(state: State, actor: Actor, told: Mapping[str, object], chance: Chance) -> Outcome[State]:
    """Do an act; ValueError if it is unknown or impossible, `Refused` with the problem's code where
    the rules refuse it.

    By a player: what `act_of` gives. By the game master: `{"act": "clock", "hour": 24}` (the open
    phase has been open so long: whatever runs out by then runs out), `verdict` (`objection`,
    `upheld`), `rollback` (`action`), `end` (`winner`, None: a draw of the living), `agree`, `rule`
    with a `text` (which changes nothing), and those of `rulings`. Each of a game master's may have
    a `reason`, which changes nothing either.
    """
    table = Table(state, chance)
    if actor != "gm":
        _do_again(table, actor, told)
        _log(table, actor, told)
        return table.outcome()
    plain = {
        key: value for key, value in told.items() if key != "reason" or not isinstance(value, str)
    }
    if plain.get("act") == "clock":
        _let_run(table, plain)
        return table.outcome()
    if plain.get("act") == "rollback":
        _go_back(table, plain)
        return table.outcome()
    if table.is_over:
        raise Refused("not-now")
    match plain:
        case {"act": "verdict", "objection": int(number), "upheld": bool(upheld), **more} if (
            not more
        ):
            _judge(table, number, upheld=upheld)
        case {"act": "end", "winner": winner, **more} if not more:
            _end(table, [] if winner is None else [winner])
        case {"act": "rule", "text": str(text), **more} if (
            not more and 0 < len(text.strip()) <= MOST_TEXT
        ):
            table.tell(e.Ruled(text.strip()), ["SS-10.8"])
        case {"act": "agree", "winners": list() | tuple() as winners, **more} if not more:
            _end(table, list(winners))
        case _:
            master(table, plain)
            _log(table, GM, plain)
    return table.outcome()


def do_again(table: Table, actor: int, told: Mapping[str, object]) -> None:
    """An act of the log, in another position than it was first done in."""
    if actor == GM:
        master(table, told)
    else:
        _do_again(table, actor, told)


def _do_again(table: Table, player: int, told: Mapping[str, object]) -> None:
    numbered = told.items() >= NUMBERED.items()
    if told.get("act") != "order" or set(told) != {"act", "order", *(NUMBERED if numbered else ())}:
        raise ValueError(f"no such act: {dict(told)!r}")
    try:
        order: Any = msgspec.convert(told["order"], Deed)
    except msgspec.ValidationError as wrong:
        raise ValueError(f"no such act: {dict(told)!r}") from wrong
    refusal = refusal_of(table.state, player, order, (), ())
    if refusal is not None:
        raise Refused(refusal)
    if isinstance(order, Object):
        objected(table, player, order.action, order.why)
    elif isinstance(order, Redo):
        redo(table, order.order, do_again)
    else:
        do(table, player, order, numbered=numbered)


def _log(table: Table, actor: int, told: Mapping[str, object]) -> None:
    """Kept, as plain data, so that it can be done again; objections and redos are not."""
    plain: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(told))
    if actor == GM or plain["order"]["type"] not in ("object", "redo"):
        table.put(log=(*table.state.log, DoneAtOnce(table.state.hour, actor, plain)))


def _let_run(table: Table, told: Mapping[str, object]) -> None:
    match told:
        case {"act": "clock", "hour": int(hour), **more} if (
            not more and table.state.hour <= hour <= MOST_HOURS
        ):
            advance(table, hour, do_again)
        case _:
            raise ValueError(
                f"the clock stands at hour {table.state.hour} and goes on only, by whole hours"
            )


def _go_back(table: Table, told: Mapping[str, object]) -> None:
    """Only of the season closed last, in the phase right after it, even if the game ended by it
    (SS-10.7, SF-13).
    """
    match told:
        case {"act": "rollback", "action": int(action), **more} if not more:
            if table.state.undone is not None or all(
                played.number != action for played in table.state.played
            ):
                raise Refused("no-action")
            roll_back(table, action)
        case _:
            raise ValueError(f"no such act: {dict(told)!r}")


def _judge(table: Table, number: int, *, upheld: bool) -> None:
    objection = next(
        (objection for objection in table.state.objections if objection.number == number), None
    )
    if objection is None or (upheld and table.state.undone is not None):
        raise Refused("no-action")
    verdict(table, objection, upheld=upheld)


def _end(table: Table, winners: list[object]) -> None:
    numbers = tuple(
        winner for winner in winners if isinstance(winner, int) and winner in table.state.living
    )
    if len(numbers) != len(winners) or len(set(numbers)) < len(numbers):
        raise ValueError(f"not all of {winners} rule a living kingdom")
    table.end(numbers, "gm" if numbers else "draw", ["SS-10.8"])
