"""What phrases of the game are weighed with."""

import re
from pathlib import Path

from engine.sovereigns.positions.position import parse_position
from engine.sovereigns.positions.position_words import names_of
from engine.sovereigns.state import State
from engine.sovereigns.wording import format_order
from pbem.games.sovereigns.reading.reader import SovereignsReader
from tests.games.reading.scoring import Scale

READER = SovereignsReader(suggests=False)
_QUOTED = re.compile(r'"[^"]*"')


def _bare(state: State, text: str) -> str:
    """A text with kingdoms by their rulers, terms told, and no words of free-form actions."""
    return _QUOTED.sub('""', format_order(state, READER.read_canonical(state, text)))


SCALE = Scale(
    Path(__file__).parent / "phrases",
    parse_position,
    names_of,
    lambda state: [(kingdom.number, kingdom.ruler) for kingdom in state.kingdoms],
    READER.read,
    format_order,
    _bare,
    {"ambiguous": "not-understood"},
)
score = SCALE.score
