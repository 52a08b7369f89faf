"""A table for tests: positions as the case format tells them, orders in canonical words, one window
closed at a time.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from engine.chance import Chance, ScriptEntry
from engine.protectors.orders import Order, parse_order
from engine.protectors.positions.position import parse_position
from engine.protectors.ruleset import PROTECTORS
from engine.protectors.state import State
from engine.ruleset import Event, Facts

SEED = bytes(range(32))
FactsT = TypeVar("FactsT", bound=Facts)


@dataclass(frozen=True)
class Closed:
    """What became of a position when its window was closed."""

    state: State
    events: tuple[Event, ...]

    def told(self, kind: type[FactsT]) -> list[FactsT]:
        return [event.facts for event in self.events if isinstance(event.facts, kind)]

    def one(self, kind: type[FactsT]) -> FactsT:
        (facts,) = self.told(kind)
        return facts

    def rules(self, kind: type[Facts]) -> set[str]:
        """The rule IDs on all events of this kind."""
        return {
            rule for event in self.events if isinstance(event.facts, kind) for rule in event.rules
        }

    @property
    def kinds(self) -> list[str]:
        return [event.kind for event in self.events]

    def land(self, province: int) -> tuple[str | None, int]:
        """Owner's name and units."""
        held = self.state.board[province]
        return None if held.owner is None else self.state.players[held.owner - 1].name, held.units

    @property
    def realm(self) -> dict[str, int]:
        return {player.name: player.realm for player in self.state.players}

    @property
    def vp(self) -> dict[str, int]:
        return {player.name: player.vp for player in self.state.players}

    @property
    def ranking(self) -> list[str]:
        return [self.state.players[number - 1].name for number in self.state.ranking]


def board(text: str) -> dict[str, dict[str, object]]:
    """`1 Ann 3, 2 Ben 0 III, 3 - 0 burnt, 4 Cid 1 work`: province, owner, units, then level, burnt
    or an order in force.
    """
    told: dict[str, dict[str, object]] = {}
    for entry in text.split(","):
        number, owner, units, *marks = entry.split()
        held: dict[str, object] = {"units": int(units)}
        if owner != "-":
            held["owner"] = owner
        for mark in marks:
            if set(mark) == {"I"}:
                held["level"] = len(mark)
            elif mark == "burnt":
                held["burnt"] = True
            else:
                held["order"] = mark.replace("-", " ")
        told["Island" if number == "0" else f"P{number}"] = held
    return told


def position(lands: str, *, options: Mapping[str, object] | None = None, **told: object) -> State:
    """A position of turn 3 in the orders window unless told otherwise; everybody on the board is a
    player with 100 $Realm.

    `purses` and `tokens` set $Realm and VP by name; the highest province named is the last one.
    """
    places = board(lands)
    names = list(dict.fromkeys(str(held["owner"]) for held in places.values() if "owner" in held))
    eliminated = told.get("eliminated", {})
    assert isinstance(eliminated, dict)
    names += [name for name in eliminated if name not in names]
    purses, tokens = told.pop("purses", {}), told.pop("tokens", {})
    assert isinstance(purses, dict)
    assert isinstance(tokens, dict)
    players = {name: {"realm": purses.get(name, 100), "vp": tokens.get(name, 0)} for name in names}
    highest = max(int(key[1:]) for key in places if key != "Island")
    provinces = told.setdefault("provinces", max(highest, len(names), 2))
    if (options or {}).get("version") != "grand":
        told.setdefault("starting_players", provinces)
    ranking = told.setdefault("ranking", [name for name in names if name not in eliminated])
    assert isinstance(ranking, list)
    data = {"turn": 3, "phase": "orders", "players": players, "board": places, **told}
    return parse_position(data, dict(options or {}), "test")


def orders_of(state: State, told: Mapping[str, str]) -> dict[int, tuple[Order, ...]]:
    """Canonical texts by player's name, several divided by semicolons."""
    numbers = {player.name: player.number for player in state.players}
    return {
        numbers[name]: tuple(parse_order(text.strip(), numbers) for text in texts.split(";"))
        for name, texts in told.items()
    }


def close(
    state: State, told: Mapping[str, str] | None = None, chance: Sequence[ScriptEntry] = ()
) -> Closed:
    """Close the window; the old state stays as it was, everything comes back from its bytes, no
    told chance is left over.
    """
    before = PROTECTORS.encode_state(state)
    stream = Chance(SEED, script=chance)
    outcome = PROTECTORS.adjudicate(state, orders_of(state, told or {}), stream)
    assert PROTECTORS.encode_state(state) == before
    assert PROTECTORS.decode_state(PROTECTORS.encode_state(outcome.state)) == outcome.state
    assert (
        tuple(PROTECTORS.decode_event(PROTECTORS.encode_event(event)) for event in outcome.events)
        == outcome.events
    )
    assert stream.unused == ()
    return Closed(outcome.state, outcome.events)
