"""What phrases of the game are weighed with."""

from pathlib import Path

from engine.fortresses.orders import format_order
from engine.fortresses.positions.position import parse_position
from engine.fortresses.positions.position_words import names_of
from pbem.games.fortresses.reading.reader import FortressesReader
from tests.games.reading.scoring import Scale

SCALE = Scale(
    Path(__file__).parent / "phrases",
    parse_position,
    names_of,
    lambda state: [(seat.number, seat.name) for seat in state.players],
    FortressesReader(suggests=False).read,
    lambda _, order: format_order(order),
)
score = SCALE.score
