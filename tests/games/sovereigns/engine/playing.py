"""Positions, steps and acts of States & Sovereigns told shortly, for tests; and cases run as `SF`
says, by canonical texts.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec

from engine.chance import Chance, ScriptEntry
from engine.ruleset import Actor, Event, Outcome, Seat, Standing
from engine.sovereigns.gm_wording import parse_command
from engine.sovereigns.orders import Order
from engine.sovereigns.positions.position import parse_position
from engine.sovereigns.positions.position_out import format_position
from engine.sovereigns.positions.position_words import names_of
from engine.sovereigns.refusals import Refused
from engine.sovereigns.ruleset import SOVEREIGNS
from engine.sovereigns.seasons.running_phase import deadline
from engine.sovereigns.state import State
from engine.sovereigns.wording import parse_order

CASES = Path(__file__).parents[1] / "cases"
SEED = bytes(32)
PEOPLE = ("kingdom", "target", "by", "from", "to", "lender", "borrower", "claimant", "winner")
"""Facts of events that are players' numbers."""


def seats(count: int) -> list[Seat]:
    return [Seat(number, f"Player {number}", f"colour {number}") for number in range(1, count + 1)]


def new_game(count: int = 3, seed: bytes = SEED, **options: object) -> State:
    return SOVEREIGNS.setup(options, seats(count), Chance(seed)).state


def table(
    kingdoms: Mapping[str, Any], *, options: Mapping[str, object] | None = None, **told: Any
) -> State:
    return parse_position({"kingdoms": kingdoms, **told}, dict(options or {}), "test")


def as_stream(entries: Sequence[Any]) -> list[ScriptEntry]:
    return [tuple(entry) if isinstance(entry, list) else entry for entry in entries]


def sound(outcome: Outcome[State]) -> Outcome[State]:
    """State and events come back from their bytes; every event names its rules."""
    assert SOVEREIGNS.decode_state(SOVEREIGNS.encode_state(outcome.state)) == outcome.state
    assert (
        tuple(SOVEREIGNS.decode_event(SOVEREIGNS.encode_event(event)) for event in outcome.events)
        == outcome.events
    )
    assert all(event.rules for event in outcome.events)
    return outcome


@dataclass
class Play:
    """A game being played by canonical texts on the clock of a case: what stands, what was refused,
    what happened.
    """

    state: State
    chance: Chance = field(default_factory=lambda: Chance(SEED))
    standing: dict[int, Standing[Order]] = field(default_factory=dict)
    problems: dict[str, list[str]] = field(default_factory=dict)
    events: list[Event] = field(default_factory=list)

    def take(self, outcome: Outcome[State]) -> None:
        sound(outcome)
        if outcome.state.question != self.state.question:
            self.standing = {}
        self.state = outcome.state
        self.events += outcome.events

    def act(self, actor: Actor, told: Mapping[str, object]) -> None:
        self.take(SOVEREIGNS.act(self.state, actor, told, self.chance))

    def clock(self, hour: int) -> None:
        if hour > self.state.hour:
            self.act("gm", {"act": "clock", "hour": hour})

    def refuse(self, who: str, code: str) -> None:
        self.problems.setdefault(who, []).append(code)

    def say(self, who: str, *texts: str) -> None:
        """One message of one or more lines."""
        if who == "GM":
            for text in texts:
                try:
                    self.act(
                        "gm",
                        parse_command(
                            self.state, text, {n: s.orders for n, s in self.standing.items()}
                        ),
                    )
                except Refused as wrong:
                    self.refuse(who, wrong.code)
            return
        player = names_of(self.state)[who]
        orders: list[Order] = []
        for text in texts:
            try:
                orders.append(parse_order(self.state, text))
            except ValueError:
                self.refuse(who, "not-understood")
        standing = self.standing.get(player, Standing())
        checked = SOVEREIGNS.check(self.state, player, standing, orders)
        for problem in checked.problems:
            self.refuse(who, problem.code)
        self.standing[player] = checked.standing
        for order in checked.accepted:
            told = SOVEREIGNS.act_of(order)
            if told is not None:
                self.act(player, told)

    def close(self) -> None:
        """Close the open phase at its deadline."""
        while self.state.stage != "over" and self.state.hour < deadline(self.state):
            self.clock(self.state.hour + 1)
        if self.state.stage != "over":
            given = {
                n: SOVEREIGNS.decode_orders(SOVEREIGNS.encode_orders(s.orders))
                for n, s in self.standing.items()
            }
            self.take(SOVEREIGNS.adjudicate(self.state, given, self.chance))

    def told(self) -> dict[str, Any]:
        return {"winner": None, **format_position(self.state, self.standing)}

    def facts(self) -> list[dict[str, Any]]:
        """The events as cases tell them, kingdoms by name."""
        names = {number: name for name, number in names_of(self.state).items()}
        told: list[dict[str, Any]] = []
        for event in self.events:
            facts = {
                key: value
                for key, value in msgspec.json.decode(msgspec.json.encode(event.facts)).items()
                if key != "kind"
            }
            for key in PEOPLE:
                if isinstance(facts.get(key), int):
                    facts[key] = names[facts[key]]
                elif isinstance(facts.get(key), list):
                    winners = [names[number] for number in facts[key]]
                    facts[key] = winners[0] if len(winners) == 1 else winners
            if event.kind == "loan-returned":
                facts["points"] = f"{facts['points']}{facts['attribute']}"
            told.append({"kind": event.kind, **facts})
        return told


def play(kingdoms: Mapping[str, Any], chance: Sequence[Any] = (), **told: Any) -> Play:
    return Play(table(kingdoms, **told), Chance(SEED, script=as_stream(chance)))


def run_step(game: Play, step: Mapping[str, Any]) -> list[str]:
    """One step of a case (SF-2); what differs from what it expects."""
    game.problems, game.events = {}, []
    game.chance = Chance(SEED, game.chance.place, as_stream(step.get("chance", ())))
    canonical = step.get("canonical", {})
    for who, text in step.get("orders", {}).items():
        game.say(who, *_lines(canonical.get(who, text)))
    for told in step.get("acts", ()):
        game.clock(told.get("at", game.state.hour))
        game.say(told["from"], *_lines(told.get("canonical", told["text"])))
    if "until" in step:
        game.clock(step["until"])
    else:
        game.close()
    left = [f"chance left over: {game.chance.unused}"] if game.chance.unused else []
    return [*left, *_differing(game, step.get("expect", {}))]


def _lines(told: str | list[str]) -> list[str]:
    return re.split(r"; |\n", told) if isinstance(told, str) else told


def _differing(game: Play, expected: Mapping[str, Any]) -> list[str]:
    found: list[str] = []
    for key, wanted in expected.items():
        if key == "problems":
            got = {who: set(codes) for who, codes in game.problems.items()}
            if got != {who: set(codes) for who, codes in wanted.items()}:
                found.append(f"problems: expected {wanted}, got {got}")
        elif key == "events":
            rest = iter(game.facts())
            for one in wanted:
                facts = {"kind": one} if isinstance(one, str) else one
                if not any(
                    all(event.get(name) == value for name, value in facts.items()) for event in rest
                ):
                    found.append(f"events: no {facts} in its place among {game.facts()}")
                    break
        else:
            found += _compare(key, wanted, game.told().get(key))
    return found


WHOLE = ("next", "standing", "technologies")
UNORDERED = ("used", "converted_by", "ayes", "winner")


def _compare(path: str, wanted: Any, got: Any) -> list[str]:
    key = path.rsplit(".", 1)[-1]
    if isinstance(wanted, Mapping) and isinstance(got, Mapping):
        more = [
            f"{path}.{name}: unexpected {value}"
            for name, value in got.items()
            if key in ("next", "standing") and name not in wanted
        ]
        return more + [
            line
            for name, value in wanted.items()
            for line in _compare(f"{path}.{name}", value, got.get(name))
        ]
    if isinstance(wanted, list) and isinstance(got, list):
        if key in UNORDERED and sorted(wanted) == sorted(got):
            return []
        return (
            []
            if list(map(_plain, wanted)) == list(map(_plain, got))
            else [f"{path}: expected {wanted}, got {got}"]
        )
    return [] if _plain(wanted) == _plain(got) else [f"{path}: expected {wanted}, got {got}"]


def _plain(value: Any) -> Any:
    """0, false and empty count as left out."""
    if isinstance(value, Mapping):
        return {
            name: _plain(one)
            for name, one in value.items()
            if one not in (0, False, None, "", [], {})
        }
    return value or None
