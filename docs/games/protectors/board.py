#!/usr/bin/env python3
"""Draw docs/games/protectors/board.png, the picture of the README: one turn of a game of seven,
played by the demonstration's players.

    .venv/bin/python docs/games/protectors/board.py [SEED PHASES]

The same seed gives the same game. PHASES is how many phases are closed before the picture is taken.
"""

import random
import sys
from datetime import UTC, datetime
from pathlib import Path

from engine.chance import Chance
from engine.protectors.colours import COLOURS
from engine.protectors.ruleset import PROTECTORS
from engine.protectors.state import State
from engine.protectors.view import TableView
from engine.ruleset import Event, Seat, Standing
from pbem.board.board import TableFacts
from pbem.board.painting import render
from pbem.games.protectors.board.drawing import draw as draw_scene
from pbem.games.protectors.board.scene_of import build_scene
from pbem.games.protectors.board.shores import make_land
from pbem.games.protectors.play.sight import Sight
from pbem.games.protectors.play.strategy import plan
from pbem.play import Temper

NAMES = ("Anna", "Bartek", "Chloé", "Dmytro", "Emil", "Fenna", "Mei")
SEED, PHASES = 55, 6


def play(seed: int, phases: int) -> tuple[State, list[Event]]:
    """The position after so many closed phases, and every event on the way to it."""
    chance, rng = Chance(bytes([seed]) * 32), random.Random(seed)
    seats = [
        Seat(number, name, colour)
        for number, (name, colour) in enumerate(zip(NAMES, COLOURS, strict=False), 1)
    ]
    outcome = PROTECTORS.setup({}, seats, chance)
    events = list(outcome.events)
    for _ in range(phases):
        state, orders = outcome.state, {}
        for number in PROTECTORS.phase(state).asked:
            sight = Sight(view_of(state, number), tuple(PROTECTORS.legal(state, number)))
            wanted = plan(sight, Temper(0.7, 0.6, 0.5), rng)
            orders[number] = PROTECTORS.check(state, number, Standing(), wanted).standing.orders
        outcome = PROTECTORS.adjudicate(state, orders, chance)
        events += outcome.events
    return outcome.state, events


def view_of(state: State, player: int | None) -> TableView:
    """What this player (None: the public) sees."""
    view = PROTECTORS.view(state, player)
    # the contract leaves the type of views to the game
    assert isinstance(view, TableView)  # noqa: S101
    return view


def draw(seed: int, phases: int) -> bytes:
    """The picture as the turn mail would show it."""
    state, events = play(seed, phases)
    view = view_of(state, None)
    facts = TableFacts(
        "Heron",
        PROTECTORS.phase(state).kind,
        datetime(2026, 11, 23, 17, 0, tzinfo=UTC),
        "Europe/Berlin",
    )
    return render(draw_scene(build_scene(view, events, facts), make_land(view.land, seed)))


if __name__ == "__main__":
    chosen = [int(word) for word in sys.argv[1:3]] or [SEED, PHASES]
    Path(__file__).with_name("board.png").write_bytes(draw(*chosen))
