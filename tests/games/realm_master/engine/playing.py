"""Positions, closes and acts of Realm-Master told shortly, for tests; and the cases run by
canonical texts alone.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from engine.chance import Chance, ScriptEntry
from engine.realm_master.orders import Order
from engine.realm_master.positions.expectation import UNORDERED, parse_expectation
from engine.realm_master.positions.position import parse_position, parse_standings
from engine.realm_master.positions.position_out import format_position
from engine.realm_master.positions.position_words import names_of
from engine.realm_master.ruleset import REALM_MASTER
from engine.realm_master.state import State
from engine.realm_master.wording import parse_order
from engine.ruleset import Actor, Checked, Event, Outcome, Seat, Standing
from pbem.game import Cases, ReadClause
from pbem.games.realm_master.game import GAME
from pbem.grammar.house.statements import Said

CASES = Path(__file__).parents[1] / "cases"
SEED = bytes(32)
COLOURS = ("red", "blue", "yellow", "green", "black", "sky")


@dataclass(frozen=True, slots=True)
class Read:
    """What canonical texts divided by semicolons come to."""

    checked: Checked[Order]
    items: tuple[ReadClause, ...] = ()


def orders_of(text: str) -> tuple[Order, ...]:
    return tuple(parse_order(part.strip()) for part in text.split(";") if part.strip())


def read(state: State, player: int, standing: Standing[Order], said: Said) -> Read:
    return Read(REALM_MASTER.check(state, player, standing, orders_of(said.text)))


CASES_BY_TEXT = Cases(
    lambda *told: read(*told),
    parse_position,
    parse_standings,
    format_position,
    parse_expectation,
    names_of,
    UNORDERED,
)
GAME_BY_TEXT = replace(GAME, cases=CASES_BY_TEXT)


def seats(count: int) -> list[Seat]:
    return [Seat(number, f"Player {number}", COLOURS[number - 1]) for number in range(1, count + 1)]


def new_game(count: int = 3, seed: bytes = SEED, **options: object) -> State:
    return REALM_MASTER.setup(options, seats(count), Chance(seed)).state


def table(
    players: Mapping[str, Any], *, options: Mapping[str, object] | None = None, **told: Any
) -> State:
    """A position; in the window of a round played from plans, with Saltmere and Arub empty, unless
    told otherwise.
    """
    data: dict[str, object] = {
        "phase": "round",
        "lands": {"SAL": "0/0/0", "ARU": "0/0/0"},
        "turn_deck": ["T01", "T02"],
        "players": players,
    }
    return parse_position({**data, **told}, dict(options or {}), "test")


def close(
    state: State, told: Mapping[str, str] | None = None, chance: Sequence[ScriptEntry] = ()
) -> Outcome[State]:
    """Close the open question; the state comes back from its bytes, its orders from theirs, and no
    told chance is left over.
    """
    before = REALM_MASTER.encode_state(state)
    names = names_of(state)
    given = {
        names[name]: REALM_MASTER.decode_orders(REALM_MASTER.encode_orders(orders_of(text)))
        for name, text in (told or {}).items()
    }
    stream = Chance(SEED, script=chance)
    outcome = REALM_MASTER.adjudicate(state, given, stream)
    assert REALM_MASTER.encode_state(state) == before
    assert stream.unused == ()
    return checked(outcome)


def act(
    state: State, actor: Actor, told: Mapping[str, object], chance: Sequence[ScriptEntry] = ()
) -> Outcome[State]:
    stream = Chance(SEED, script=chance)
    outcome = REALM_MASTER.act(state, actor, told, stream)
    assert stream.unused == ()
    return checked(outcome)


def deed(
    state: State, player: int, text: str, chance: Sequence[ScriptEntry] = ()
) -> Outcome[State]:
    """A player's order that does not wait for the others: an act, or what closes the question of
    one's own turn.
    """
    order = parse_order(text)
    told = REALM_MASTER.act_of(order)
    if told is not None:
        return act(state, player, told, chance)
    judged = REALM_MASTER.check(state, player, Standing(), (order,))
    if not judged.complete or not judged.accepted:
        raise ValueError(
            ", ".join(problem.code for problem in judged.problems) or "the question stays open"
        )
    stream = Chance(SEED, script=chance)
    outcome = REALM_MASTER.adjudicate(state, {player: (order,)}, stream)
    assert stream.unused == ()
    return checked(outcome)


def checked(outcome: Outcome[State]) -> Outcome[State]:
    assert REALM_MASTER.decode_state(REALM_MASTER.encode_state(outcome.state)) == outcome.state
    assert (
        tuple(
            REALM_MASTER.decode_event(REALM_MASTER.encode_event(event)) for event in outcome.events
        )
        == outcome.events
    )
    assert all(event.rules for event in outcome.events)
    return outcome


def told(state: State, name: str) -> dict[str, object]:
    """A player as a case would write him."""
    players = format_position(state, {})["players"]
    assert isinstance(players, dict)
    found: dict[str, object] = players[name]
    return found


def kinds(events: Sequence[Event]) -> list[str]:
    return [event.kind for event in events]


def problems(state: State, player: int, text: str) -> list[str]:
    return [
        problem.code
        for problem in REALM_MASTER.check(state, player, Standing(), orders_of(text)).problems
    ]
