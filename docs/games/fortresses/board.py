#!/usr/bin/env python3
"""Draw docs/games/fortresses/board.png, the picture of the README: a game of four after some Years,
played by the demonstration's players.

    .venv/bin/python docs/games/fortresses/board.py [SEED PHASES]

The same seed gives the same game. PHASES is how many phases are closed before the picture is taken.
"""

import random
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from engine.chance import Chance
from engine.fortresses.ruleset import FORTRESSES
from engine.fortresses.state import State
from engine.fortresses.view import view_of
from engine.ruleset import Event, Seat, Standing
from pbem.board.board import TableFacts
from pbem.board.painting import render
from pbem.games.fortresses.board.drawing import draw_svg
from pbem.games.fortresses.board.scene_of import build_scene
from pbem.games.fortresses.play.strategy import plan
from pbem.play import Seen, Temper

SEATS = (("Anna", "green"), ("Bartek", "orange"), ("Chloé", "purple"), ("Dmytro", "teal"))
SEED, PHASES = 2, 10


def play(seed: int, phases: int) -> tuple[State, Sequence[Event]]:
    """The position after so many closed phases, and the events of the last."""
    chance, rng = Chance(bytes([seed]) * 32), random.Random(seed)
    outcome = FORTRESSES.setup(
        {}, [Seat(number, *seat) for number, seat in enumerate(SEATS, 1)], chance
    )
    for _ in range(phases):
        state, orders = outcome.state, {}
        for number in FORTRESSES.phase(state).asked:
            legal = tuple(FORTRESSES.legal(state, number))
            seen = Seen(number, view_of(state, number), legal)
            wanted = plan(seen, Temper(0.7, 0.6, 0.5), rng)
            orders[number] = FORTRESSES.check(state, number, Standing(), wanted).standing.orders
        outcome = FORTRESSES.adjudicate(state, orders, chance)
    return outcome.state, outcome.events


def paint(seed: int, phases: int) -> bytes:
    """The picture as the turn mail would show it."""
    state, events = play(seed, phases)
    facts = TableFacts(
        "Heron",
        FORTRESSES.phase(state).kind,
        datetime(2026, 11, 23, 17, 0, tzinfo=UTC),
        "Europe/Berlin",
    )
    return render(draw_svg(build_scene(view_of(state, None), events, facts)))


if __name__ == "__main__":
    chosen = [int(word) for word in sys.argv[1:3]] or [SEED, PHASES]
    Path(__file__).with_name("board.png").write_bytes(paint(*chosen))
