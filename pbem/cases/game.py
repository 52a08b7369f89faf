"""What the runner of cases must know of a game."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from engine.positions import Part
from engine.ruleset import Checked, Problem, Ruleset, Standing


class ReadItem(Protocol):
    """A clause of a message."""

    @property
    def problems(self) -> Sequence[Problem]: ...


class Reading(Protocol):
    """What the grammar makes of a message: `checked` is the engine's word on its orders (None: there were none)."""

    @property
    def items(self) -> Sequence[ReadItem]: ...

    @property
    def checked(self) -> Checked[Any] | None: ...


@dataclass(frozen=True, slots=True)
class CaseGame:
    """A game as cases see it. States and orders are its own; the runner never looks inside them.

    `parse_position(position, options, case id)`, `parse_standings(position, state)` and
    `parse_expectation(part, state, further keys)` raise PositionError; `unordered` are keys whose lists have no order.
    """

    ruleset: Ruleset[Any, Any]
    read: Callable[[Any, int, Standing[Any], str], Reading]
    parse_position: Callable[[object, object, str], Any]
    parse_standings: Callable[[object, Any], Mapping[int, Standing[Any]]]
    format_position: Callable[[Any, Mapping[int, Standing[Any]]], dict[str, object]]
    parse_expectation: Callable[[Part, Any, tuple[str, ...]], dict[str, object]]
    names_of: Callable[[Any], Mapping[str, int]]
    unordered: frozenset[str] = frozenset()
