#!/usr/bin/env python3
"""Draw docs/games/GAME/board.png, the picture of the README: a game after some phases, played by
the demonstration's players.

    .venv/bin/python docs/games/board.py GAME [PLAYERS SEED PHASES]

The same seed gives the same game. PHASES is how many phases are closed before the picture is taken.
The pictures are those of `protectors 7 55 6`, `realm-master 4 11 7`, `fortresses 4 2 10` and
`sovereigns 5 3 14`.
"""

import random
import sys
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from engine.chance import Chance
from engine.ruleset import Actor, Event, Seat, Standing
from pbem.board.board import TableFacts
from pbem.board.painting import picture_of
from pbem.game import Game
from pbem.play import Person, Play, ScriptedQuestion, Seen
from pbem.registry import load_games

NAMES = ("Anna", "Bartek", "Chloé", "Dmytro", "Emil", "Fenna", "Mei")
NOW = datetime(2026, 11, 20, 17, 0, tzinfo=UTC)
DEADLINE = NOW + timedelta(days=3)


def person(name: str) -> Person:
    return Person(name, f"{name}@example.org", "Europe/Berlin", (), "lines", 0, 0.7, 0.6, 0.5)


def play(
    game: Game, play: Play, names: Sequence[str], seed: int, phases: int
) -> tuple[Any, Sequence[Event]]:
    """The position after so many closed phases, and the events that its picture tells of."""
    rules, rng, chance = game.ruleset, random.Random(seed), Chance(bytes([seed]) * 32)
    seats = [
        Seat(number, name, colour)
        for number, (name, colour) in enumerate(zip(names, game.colours, strict=False), 1)
    ]
    outcome = rules.setup({}, seats, chance)
    told = [outcome.events]
    for ordinal in range(1, phases + 1):
        state = outcome.state
        if rules.phase(state).over:
            break
        orders: dict[int, Sequence[Any]] = {}
        for seat in seats:
            if seat.number not in rules.phase(state).asked:
                continue
            seen = Seen(
                seat.number,
                rules.view(state, seat.number),
                tuple(rules.legal(state, seat.number)),
                tuple(event for event in outcome.events if event.audience is None),
                {other.number: other.name for other in seats},
            )
            stage = play.stage_of(seen.view)
            question = ScriptedQuestion(
                person(seat.name), seen, stage, ordinal, ordinal, NOW, DEADLINE
            )
            wanted = (*play.plan_looks(question, rng), *play.plan(question, rng))
            checked = rules.check(state, seat.number, Standing(), wanted)
            orders[seat.number] = checked.standing.orders
            acts = [(seat.number, rules.act_of(order)) for order in checked.accepted]
            state = _at_once(game, state, acts, chance)
        while hour := rules.act_of_hour(state, rules.phase(state).hours):
            state = _at_once(game, state, [("gm", hour)], chance)
        outcome = rules.adjudicate(state, orders, chance)
        told.append(outcome.events)
    return outcome.state, [event for events in told[-game.pictured :] for event in events]


def _at_once(
    game: Game,
    state: Any,
    acts: Sequence[tuple[Actor, Mapping[str, object] | None]],
    chance: Chance,
) -> Any:
    """What takes effect at once, as when the message comes in."""
    for actor, act in acts:
        if act is not None:
            state = game.ruleset.act(state, actor, act, chance).state
    return state


def paint(name: str, numbers: Sequence[int]) -> bytes:
    """The picture as the turn mail would show it."""
    game = load_games()[name]
    if game.play is None:
        raise ValueError(f"nobody demonstrates {name}")
    players, seed, phases = numbers or (game.play.usual_players, 1, 8)
    state, events = play(game, game.play, NAMES[:players], seed, phases)
    view = game.ruleset.view(state, None)
    facts = TableFacts("Heron", game.ruleset.phase(state).kind, DEADLINE, "Europe/Berlin")
    land = game.board.land(view, seed, "") if game.board.land else b""
    return picture_of(game.board.draw, game.board.stage(view, events, facts), land).png


if __name__ == "__main__":
    wanted, *numbers = sys.argv[1:]
    file = Path(__file__).parent / wanted / "board.png"
    file.write_bytes(paint(wanted, [int(number) for number in numbers]))
