"""The engine alone: busy orders phases of the first game in the list, with as many players as sit
at the table of the bench. In turn with them `diplomacy` closes a busy movement phase of seven
powers, so that both meet the same weather.

`diplomacy` has a Python of its own, which `make bench` lays into the environment: it was last
released in 2020, and `pytz`, which it brings, would change what Babel does in every test. Without
it, that figure is None.
"""

import random
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from operator import attrgetter
from pathlib import Path
from statistics import median
from typing import Any

import msgspec

from bench.table import PERSON, PLAYERS, Plans, start_of_time
from engine.chance import Chance
from engine.ruleset import Seat, Standing
from pbem.demo.stage import play_of
from pbem.game import Game
from pbem.play import ScriptedQuestion, Seen
from pbem.registry import default_game, load_games

CALLS = 50
"""How often each is closed in a round."""

GAMES = 12
BUSIEST = 4
"""Of this many phases in which everybody is asked, one in four is measured: those with the most
events.
"""

BESIDE = Path(sys.prefix, "diplomacy", "bin", "python")
"""The Python that has `diplomacy`."""


class Played(msgspec.Struct, frozen=True):
    """A closed phase: the position, everybody's orders, the place in the stream, and the number of
    events.
    """

    state: Any
    plans: Plans
    seed: bytes
    place: int
    events: int


def measure(rounds: int) -> dict[str, float | None]:
    """`adjudicate_ms`: CPU time of one close, the median over all calls; `adjudicate_vs_diplomacy`:
    how many times as long `Game.process()` takes, the median over the rounds.
    """
    game = default_game(load_games())
    phases = sorted(_phases(game), key=attrgetter("events"), reverse=True)
    busy = phases[: -(-len(phases) // BUSIEST)]
    ours, ratios = [], []
    with _diplomacy() as theirs:
        for _ in range(rounds):
            taken = [_close(game, busy[i % len(busy)]) for i in range(CALLS)]
            ours += taken
            ratios += [median(beside) / median(taken) for beside in (theirs(),) if beside]
    return {
        "adjudicate_ms": median(ours),
        "adjudicate_vs_diplomacy": median(ratios) if ratios else None,
    }


def _close(game: Game, phase: Played) -> float:
    """How long it took, in ms of CPU."""
    chance = Chance(phase.seed, phase.place)
    begun = time.process_time()
    game.ruleset.adjudicate(phase.state, phase.plans, chance)
    return (time.process_time() - begun) * 1e3


def _phases(game: Game) -> Iterator[Played]:
    """What scripted players come to, as long as nobody is out."""
    rules, play = game.ruleset, play_of(game)
    named = zip(PLAYERS[: rules.players[1]], game.colours, strict=False)
    seats = [Seat(number, *who) for number, who in enumerate(named, start=1)]
    for number in range(GAMES):
        rng, seed = random.Random(number), bytes([number]) * 32
        chance = Chance(seed)
        state = rules.setup({}, seats, chance).state
        while len(rules.active(state)) == len(seats) and rules.phase(state).over is None:
            phase, place = rules.phase(state), chance.place
            plans = {asked: _plan(game, state, asked, rng) for asked in phase.asked}
            closed = rules.adjudicate(state, plans, chance)
            if phase.kind in play.main_stages and len(phase.asked) == len(seats):
                yield Played(state, plans, seed, place, len(closed.events))
            state = closed.state


def _plan(game: Game, state: Any, number: int, rng: random.Random) -> tuple[Any, ...]:
    rules, play, now = game.ruleset, play_of(game), start_of_time()
    view: Any = rules.view(state, number)
    names = dict(enumerate(PLAYERS, start=1))
    seen = Seen(number, view, tuple(rules.legal(state, number)), names=names)
    stage = play.stage_of(view)
    wanted = play.plan(
        ScriptedQuestion(PERSON, seen, stage, 1, 1, now, now + timedelta(hours=1)), rng
    )
    return rules.check(state, number, Standing(), wanted).standing.orders


@contextmanager
def _diplomacy() -> Iterator[Callable[[], list[float]]]:
    """The same of a movement phase; nothing where `diplomacy` is not there."""
    if not BESIDE.exists():
        yield list
        return
    command = [BESIDE, Path(__file__).with_name("movement.py")]
    with subprocess.Popen(  # noqa: S603 - our own file
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
    ) as beside:

        def close() -> list[float]:
            print(CALLS, file=beside.stdin, flush=True)
            return [float(ms) for ms in next(iter(beside.stdout or ())).split()]

        yield close
