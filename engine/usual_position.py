"""Positions of cases for a game whose state is simple: the fields of the state, with the
players by their names.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Generic

import msgspec

from engine.positions import PositionError, PositionPart
from engine.ruleset import OrderT, Ruleset, Standing, StateT


@dataclass(frozen=True)
class UsualPositions(Generic[StateT, OrderT]):
    """`players` is a field of the state, a tuple of structs with a `number` and a `name`; what a
    position leaves out is as the struct has it.
    """

    rules: Ruleset[StateT, OrderT]
    state: type[StateT]

    def parse_position(self, position: object, options: object, case: str) -> StateT:
        told = dict(PositionPart(position, ("position",)).pairs())
        players = [
            {"number": number, "name": name} | {key: part.value for key, part in player.pairs()}
            for number, (name, player) in enumerate(told["players"].pairs(), start=1)
        ]
        fields = {key: part.value for key, part in told.items()} | {"players": players}
        try:
            self.rules.check_options(
                {key: part.value for key, part in PositionPart(options).pairs()}
            )
            state = msgspec.convert(fields, self.state)
            return self.rules.decode_state(self.rules.encode_state(state))
        except ValueError as wrong:
            raise PositionError(("position",), str(wrong)) from wrong

    def parse_standings(self, position: object, state: StateT) -> Mapping[int, Standing[OrderT]]:
        """Nothing stands at the beginning of a case."""
        return {}

    def format_position(
        self, state: StateT, standings: Mapping[int, Standing[OrderT]]
    ) -> dict[str, object]:
        told: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(state))
        told["players"] = {
            player["name"]: {
                key: value for key, value in player.items() if key not in ("number", "name")
            }
            for player in told["players"]
        }
        return told

    def parse_expectation(
        self, part: PositionPart, state: StateT, more: tuple[str, ...]
    ) -> dict[str, object]:
        known = (*self.format_position(state, {}), *more)
        return {key: told.value for key, told in part.fields(known).items() if key not in more}

    def names_of(self, state: StateT) -> Mapping[str, int]:
        players: Any = getattr(state, "players", ())
        return {player.name: player.number for player in players}
