#!/usr/bin/env python3
"""Draw docs/games/realm-master/board.png, the picture of orders.md: a table of four after some
rounds played from plans.

    .venv/bin/python docs/games/realm-master/board.py [SEED ROUNDS]

The same seed gives the same game. ROUNDS is how many rounds are played before the picture is taken.
"""

import sys
from datetime import UTC, datetime
from pathlib import Path

from engine.chance import Chance
from engine.realm_master.ruleset import REALM_MASTER
from engine.realm_master.state import State
from engine.realm_master.view_of import view_of
from engine.realm_master.wording import parse_order
from engine.ruleset import Event, Seat
from pbem.board.board import TableFacts
from pbem.board.painting import render
from pbem.games.realm_master.board.drawing import draw_svg
from pbem.games.realm_master.board.scene_of import build_scene

SEATS = (("Anna", "red"), ("Bartek", "blue"), ("Chloé", "yellow"), ("Dmytro", "green"))
PLANS = (
    ("Enter: the richest land (always)", "When hit: leave if hearts below 5, stay (always)"),
    (
        "Enter: the richest land if hearts at least 6 (always)",
        "Reveal: up to 1, at most 4 gold (always)",
    ),
    (
        "Reroll: keep swords, keep hearts, reroll the rest (always)",
        "Enter: the cheapest land (always)",
    ),
    (
        "Buy: hope for Iron Shield, hope for War Horn, hope for Stout Heart (always)",
        "In the Realm: leave if hearts below 6, stay (always)",
    ),
)
SEED, ROUNDS = 4, 7


def play(seed: int, rounds: int) -> tuple[State, tuple[Event, ...]]:
    """The table after so many rounds, and the events of the last."""
    chance = Chance(bytes([seed]) * 32)
    outcome = REALM_MASTER.setup(
        {}, [Seat(number, *seat) for number, seat in enumerate(SEATS, 1)], chance
    )
    plans = {number: tuple(map(parse_order, lines)) for number, lines in enumerate(PLANS, 1)}
    for closed in range(rounds + 1):
        outcome = REALM_MASTER.adjudicate(outcome.state, plans if closed else {}, chance)
    return outcome.state, outcome.events


def paint(seed: int, rounds: int) -> bytes:
    """The picture as the round's mail would show it."""
    state, events = play(seed, rounds)
    facts = TableFacts(
        "Heron",
        REALM_MASTER.phase(state).kind,
        datetime(2026, 11, 23, 17, 0, tzinfo=UTC),
        "Europe/Berlin",
    )
    return render(draw_svg(build_scene(view_of(state, None), events, facts)))


if __name__ == "__main__":
    chosen = [int(word) for word in sys.argv[1:3]] or [SEED, ROUNDS]
    Path(__file__).with_name("board-realm-master.png").write_bytes(paint(*chosen))
