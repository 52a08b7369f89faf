"""Cases of Fortresses by their canonical texts, as their format says; and positions, closes and
acts told shortly, for tests.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec
import yaml

from engine.chance import Chance, ScriptEntry
from engine.fortresses.atlas import zones
from engine.fortresses.checks import Part, check
from engine.fortresses.orders import Order, parse_order
from engine.fortresses.positions.position import parse_position
from engine.fortresses.positions.position_out import format_position
from engine.fortresses.ruleset import FORTRESSES
from engine.fortresses.state import State
from engine.ruleset import Event, Outcome, Seat, Standing

CASES = Path(__file__).parents[1] / "cases"
PLAYER_KEYS = ("player",)
BY_ZONE = ("units", "moved", "owners", "carried")
NOTHING: Mapping[str, object] = {"units": "-", "moved": "-", "carried": 0}
KEYS = frozenset(
    (
        *("id", "title", "rules", "ruleset", "options", "position", "orders", "canonical"),
        *("chance", "expect", "then"),
    )
)


@dataclass(slots=True)
class Reached:
    """What a step has come to, in the words of cases."""

    state: State
    position: Mapping[str, object]
    problems: dict[str, list[str]] = field(default_factory=dict)
    means: dict[str, list[str]] = field(default_factory=dict)
    events: list[dict[str, object]] = field(default_factory=list)
    raw: list[Event] = field(default_factory=list)


def orders_of(texts: Sequence[str]) -> tuple[Order, ...]:
    return tuple(map(parse_order, texts))


def run_step(state: State, texts: Mapping[str, Sequence[str]], chance: Chance) -> Reached:
    """The texts come in, in their order; then the open phase closes as at its deadline (FF-3)."""
    names = {player.name: player.number for player in state.players}
    reached = Reached(state, {})
    given: dict[int, Sequence[Order]] = {}
    for name, lines in texts.items():
        number = names[name]
        heard = list(map(_read, lines))
        read = {i: one for i, one in enumerate(heard) if not isinstance(one, str)}
        lost = {i: one for i, one in enumerate(heard) if isinstance(one, str)}
        unread: set[Part] = {"later" if lines[i].startswith("Then: ") else "now" for i in lost}
        checked = check(state, number, Standing(), tuple(read.values()), unread=unread)
        refused = [(one.order, one.code) for one in checked.problems if not one.warning]
        places = list(read)
        _add(reached.problems, name, [code for order, code in refused if order is None])
        found = {places[order]: code for order, code in refused if order is not None} | lost
        _add(reached.problems, name, [found[i] for i in sorted(found)])
        _add(
            reached.means,
            name,
            [FORTRESSES.format_order(state, order) for order in checked.accepted],
        )
        if lines:
            state = _happen(reached, FORTRESSES.act(state, number, {"act": "heard"}, chance))
        for order in checked.accepted:
            told = FORTRESSES.act_of(order)
            if told is not None:
                state = _happen(reached, FORTRESSES.act(state, number, told, chance))
        if state.winner is None and any(
            FORTRESSES.act_of(order) is None for order in checked.accepted
        ):
            state = _happen(
                reached, FORTRESSES.act(state, number, {"act": "heard", "stands": True}, chance)
            )
        given[number] = checked.standing.orders
        if state.winner is not None:
            break
    for number in FORTRESSES.phase(state).asked:
        if number not in given and state.winner is None:
            name = state.players[number - 1].name
            _add(
                reached.problems,
                name,
                [
                    problem.code
                    for problem in FORTRESSES.check(state, number, Standing(), ()).problems
                ],
            )
    commander = FORTRESSES.phase(state).asked
    after = _happen(reached, FORTRESSES.adjudicate(state, given, chance))
    kept = [event.facts for event in reached.raw if event.kind == "line-refused"]
    for number in commander:
        _add(
            reached.problems,
            state.players[number - 1].name,
            [str(getattr(facts, "code", "")) for facts in kept],
        )
    reached.state, reached.position = after, format_position(after)
    people = {number: name for name, number in names.items()}
    reached.events = [_told(event, people) for event in reached.raw]
    return reached


def _read(text: str) -> Order | str:
    """What a canonical text says; of one that is none the code that a reader would tell."""
    try:
        return parse_order(text)
    except ValueError as wrong:
        return "unknown-zone" if "unknown zone" in str(wrong) else "not-understood"


def _happen(reached: Reached, outcome: Outcome[State]) -> State:
    reached.raw += outcome.events
    return FORTRESSES.decode_state(FORTRESSES.encode_state(outcome.state))


def _add(told: dict[str, list[str]], name: str, more: list[str]) -> None:
    if more:
        told.setdefault(name, []).extend(more)


def _told(event: Event, people: Mapping[int, str]) -> dict[str, object]:
    facts = msgspec.json.decode(msgspec.json.encode(event.facts))
    return {key: people[value] if key in PLAYER_KEYS else value for key, value in facts.items()}


# -------------------------------------------------------------------------------------------- cases
def load(path: Path) -> list[dict[str, Any]]:
    """The cases of a file; those told in words alone are the reader's."""
    return [
        case
        for case in yaml.load_all(path.read_text("utf-8"), yaml.CSafeLoader)
        if case is not None and ("canonical" in case or "orders" not in case)
    ]


def run_case(case: Mapping[str, Any]) -> Iterator[tuple[Mapping[str, Any], Reached]]:
    """Every step with what it expects. ValueError if a die does not fit or is left over, or the
    position cannot be.
    """
    assert set(case) <= KEYS, set(case) - KEYS
    assert case["ruleset"] == FORTRESSES.id
    state = parse_position(case["position"], case.get("options", {}), case["id"])
    seed, place = sha256(case["id"].encode()).digest(), 0
    for step in (case, *case.get("then", ())):
        chance = Chance(seed, place, step.get("chance", ()))
        reached = run_step(state, step.get("canonical", {}), chance)
        if chance.unused:
            raise ValueError(f"dice left over: {chance.unused}")
        state, place = reached.state, chance.place
        yield step.get("expect", {}), reached


def differences(expect: Mapping[str, Any], reached: Reached) -> Iterator[str]:
    """What is otherwise than expected (FF-1)."""
    for key, wanted in expect.items():
        if key in ("problems", "means"):
            found: object = reached.problems if key == "problems" else reached.means
            if found != wanted:
                yield f"{key}: {found} instead of {wanted}"
        elif key == "events":
            yield from _missing(wanted, reached.events)
        elif key in BY_ZONE:
            yield from _by_zone(key, wanted, reached.position)
        elif reached.position.get(key) != wanted:
            yield f"{key}: {reached.position.get(key)} instead of {wanted}"


def _by_zone(key: str, wanted: Mapping[str, object], position: Mapping[str, Any]) -> Iterator[str]:
    told, nothing = position[key], NOTHING.get(key)
    for zone in zones():
        if zone in wanted or "elsewhere" in wanted:
            found, due = told.get(zone, nothing), wanted.get(zone, nothing)
            if found != due:
                yield f"{key} in {zone}: {found} instead of {due}"


def _missing(wanted: Sequence[Any], events: Sequence[Mapping[str, object]]) -> Iterator[str]:
    left = iter(events)
    for item in wanted:
        part = {"kind": item} if isinstance(item, str) else item
        if not any(all(event.get(key) == value for key, value in part.items()) for event in left):
            yield f"no event {part}"


# ------------------------------------------------------------------------------------- told shortly
def table(
    phase: str = "attack",
    active: str = "silver",
    *,
    options: Mapping[str, object] | None = None,
    **told: Any,
) -> State:
    """A position in Year 2, clear but for what is told."""
    return parse_position(
        {"year": 2, "phase": phase, "active": active, **told}, dict(options or {}), "test"
    )


def step(state: State, *texts: str, by: str = "", dice: Sequence[ScriptEntry] = ()) -> Reached:
    """One step in which the commander (or somebody else) says this; all dice must be used."""
    chance = Chance(bytes(32), 0, dice)
    name = by or state.players[FORTRESSES.phase(state).asked[0] - 1].name
    reached = run_step(state, {name: texts} if texts else {}, chance)
    assert chance.unused == ()
    return reached


def codes(state: State, *texts: str, by: str = "") -> list[str]:
    """The problems of these lines."""
    number = (
        next(player.number for player in state.players if player.name == by)
        if by
        else FORTRESSES.phase(state).asked[0]
    )
    return [
        problem.code
        for problem in FORTRESSES.check(state, number, Standing(), orders_of(texts)).problems
    ]


def units_in(state: State, zone: str) -> str:
    told = format_position(state)["units"]
    assert isinstance(told, Mapping)
    return str(told.get(zone, "-"))


def seats(count: int, *factions: str | None) -> list[Seat]:
    chosen = (*factions, None, None, None, None)
    return [
        Seat(n, f"Player {n}", f"colour {n}", faction=chosen[n - 1]) for n in range(1, count + 1)
    ]
