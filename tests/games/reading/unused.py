"""A table of each game, and what words come to there beside orders that stand."""

from collections.abc import Sequence
from typing import Any

from engine.ruleset import Standing
from pbem.cases.document import Document, parse_case
from pbem.cases.runner import prepare
from pbem.grammar.house.reading import read_alone
from pbem.grammar.kit.reading import Reading
from tests.games.fortresses.reading import tables as fortresses
from tests.games.fortresses.reading.scoring import SCALE
from tests.games.realm_master.reading.test_doc import table_of
from tests.games.sovereigns.reading import tables as sovereigns
from tests.played import GAMES

PROTECTORS: dict[str, Any] = {
    "options": {"version": "grand", "factions": "none", "island": False},
    "position": {
        "turn": 4,
        "phase": "orders",
        "provinces": 4,
        "ranking": ["Freya", "Otto"],
        "players": {"Freya": {"colour": "blue"}, "Otto": {"colour": "red"}},
        "board": {
            "P1": {"owner": "Freya", "units": 2},
            "P2": {"owner": "Freya", "units": 1},
            "P3": {"owner": "Otto", "units": 2},
            "P4": {"owner": "Freya", "units": 1},
        },
    },
}


def state_of(game: str) -> tuple[Any, int]:
    """A position of a game, and who writes there."""
    if game == "sovereigns":
        return sovereigns.table("season"), 1
    if game == "realm-master":
        return table_of("round"), 1
    if game == "fortresses":
        state = fortresses.table("attack")
        return state, SCALE.names(state)[state.active]
    told = {
        "id": "x",
        "ruleset": "protectors",
        **PROTECTORS,
        "read": [{"as": "Freya", "text": "x"}],
    }
    return prepare(parse_case(Document("x", 1, told, {})), GAMES).state, 1


def read(
    game: str, text: str, stands: Sequence[str] = (), *, state: Any = None
) -> tuple[Reading, list[str]]:
    """What words come to beside orders that stand, and what stands then, in the game's position or
    in another `state` of the same writer.
    """
    usual, who = state_of(game)
    state = usual if state is None else state
    known = GAMES[game]
    orders = tuple(known.read_canonical(state, line) for line in stands)
    reading = read_alone(known.read, state, who, Standing(orders), text)
    after = reading.checked.standing.orders if reading.checked is not None else orders
    return reading, [known.ruleset.format_order(state, order) for order in after]
