"""What takes effect at once instead of at the close: table commands, and what a game master settles
(FW-9).
"""

from collections.abc import Mapping

from engine.chance import Chance
from engine.fortresses import orders as o
from engine.fortresses.corrections import CORRECTIONS, correct
from engine.fortresses.event_kinds import ProposalLapsed
from engine.fortresses.flow import stop
from engine.fortresses.orders import parse_order
from engine.fortresses.state import State, Winner
from engine.fortresses.table import Table
from engine.fortresses.table_commands import (
    ending_of,
    hear,
    heed,
    judge_command,
    resign,
    run_command,
)
from engine.ruleset import Actor, Lapse, Outcome
from engine.usual import MOST_TEXT, RulingGiven

PROPOSAL_HOURS = 72
"""How long a draw or a concession waits for the others (FW-4.2)."""


def act(state: State, actor: Actor, told: Mapping[str, object], chance: Chance) -> Outcome[State]:
    """Do an act. ValueError if it is unknown or impossible.

    By a player: `{"act": "order", "order": "Draw"}`, a table command in its canonical text;
    `{"act": "heard"}`, a message in which no line stands, or with `"stands": True` one in which
    some do, so that its sender no longer counts as absent (FW-4.12). A command that ends the game
    settles its end, and the open phase closes on it. By the game master: `{"act": "agree",
    "winners": [1]}` (`[]`: a draw), `{"act": "remove", "player": 3}`, `{"act": "lapse", "what":
    "draw"}` (or `concede`): the hours of a proposal are over (FW-9.3, FW-9.5).
    """
    if state.stage == "over":
        raise ValueError("the game is over")
    table = Table(state, chance)
    if actor != "gm":
        _act_of_player(table, actor, told)
        return Outcome(table.freeze(), tuple(table.events))
    if told.get("act") in CORRECTIONS:
        return correct(state, told, chance)
    match {
        key: value for key, value in told.items() if key != "reason" or not isinstance(value, str)
    }:
        case {"act": "agree", "winners": list() | tuple() as winners, **more} if not more:
            table.end(_winner_named(table, winners), "agreement", "FW-9.3", "FW-9.5", "FW-1.2")
            return stop(table)
        case {"act": "remove" | "strike", "player": int(player), **more} if (
            not more and not isinstance(player, bool)
        ):
            return _remove(table, player)
        case {"act": "lapse", "what": "draw" | "concede" as what, **more} if not more:
            _lapse(table, str(what))
            return Outcome(table.freeze(), tuple(table.events))
        case {"act": "rule", "text": str(text), **more} if (
            not more and 0 < len(text.strip()) <= MOST_TEXT
        ):
            table.tell(RulingGiven(text.strip()), "FW-1.8")
            return Outcome(state, tuple(table.events))
    raise ValueError(f"no such act: {dict(told)!r}")


def act_of(order: o.Order) -> Mapping[str, object] | None:
    """The act that an order is, if it takes effect at once."""
    plain = o.plain(order)
    return (
        {"act": "order", "order": o.format_order(plain)}
        if isinstance(plain, o.TableCommand)
        else None
    )


def act_of_message(state: State, player: int, *, stands: bool) -> Mapping[str, object] | None:
    """A message of somebody whose kingdom another commands takes the command back (FW-9.8); one of
    which something stands shows that nobody is absent (FW-4.12).
    """
    own = [realm for realm in state.realms if realm.seat == player]
    if state.stage == "over":
        return None
    if stands:
        return {"act": "heard", "stands": True} if any(realm.missed for realm in own) else None
    return {"act": "heard"} if any(realm.command for realm in own) else None


def lapsing(state: State) -> tuple[Lapse, ...]:
    """Proposals that wait for others (FW-4.2, FW-9.3, FW-9.5)."""
    waiting = (("draw", o.Draw(), state.draw), ("concede", o.Concede(), state.concede))
    return tuple(
        Lapse(
            {"act": "lapse", "what": what},
            {"act": "order", "order": o.format_order(order)},
            PROPOSAL_HOURS,
        )
        for what, order, said in waiting
        if said and state.winner is None
    )


def _act_of_player(table: Table, player: int, told: Mapping[str, object]) -> None:
    if player not in table.humans():
        raise ValueError(f"player {player} has no seat")
    hear(table, player)
    match dict(told):
        case {"act": "heard", **more} if not more:
            return
        case {"act": "heard", "stands": True, **more} if not more:
            heed(table, player)
            return
        case {"act": "order", "order": str(text), **more} if not more:
            order = _command_of(text)
            refused = judge_command(table, player, order)
            if refused is not None:
                raise ValueError(f"{text!r} is refused: {refused.code}")
            heed(table, player)
            run_command(table, player, order)
            return
    raise ValueError(f"no such act: {dict(told)!r}")


def _command_of(text: str) -> o.TableCommand:
    order = parse_order(text)
    if isinstance(order, o.TableCommand):
        return order
    raise ValueError(f"{text!r} does not take effect at once")


def _winner_named(table: Table, winners: list[object] | tuple[object, ...]) -> Winner:
    """The alliance of these players; none of them: a draw."""
    found: set[Winner] = set()
    for player in winners:
        if not isinstance(player, int) or isinstance(player, bool) or player not in table.humans():
            raise ValueError(f"no player {player!r} in the game")
        found.add(table.alliance_of_player(player))
    if len(found) > 1:
        raise ValueError("players of both alliances cannot win")
    return found.pop() if found else "draw"


def _remove(table: Table, player: int) -> Outcome[State]:
    """A player who has given up leaves for good, as one who resigns (FW-9.4)."""
    if player not in table.humans():
        raise ValueError(f"player {player} has no seat")
    ending = ending_of(table, player, o.Resign())
    asked = table.commander(table.active)
    resign(table, player)
    if ending is not None:
        table.end(ending[0], ending[1], ending[2], "FW-1.2")
    if ending is not None or table.commander(table.active) != asked:
        return stop(table)
    return Outcome(table.freeze(), tuple(table.events))


def _lapse(table: Table, what: str) -> None:
    if what == "draw":
        table.draw = ()
    else:
        table.concede = ()
    table.tell(ProposalLapsed(what), "FW-9.3" if what == "draw" else "FW-9.5", "FW-4.2")
