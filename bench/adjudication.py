"""The engines alone: of every game, closes of a busy phase, and all closes of a whole turn (of a
year, where the game has years), with as many players as sit at the table of the bench. In turn with
each stands its floor: the position and the orders read, and the new position and its events
written, as plain data and by msgspec, which no close can do without.

In turn with the first game in the list `diplomacy` closes a busy movement phase of seven powers, so
that both meet the same weather. It has a Python of its own, which `make bench` lays into the
environment: it was last released in 2020, and `pytz`, which it brings, would change what Babel does
in every test. Without it, that figure is None.
"""

import random
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import timedelta
from functools import partial
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from statistics import median
from typing import Any

import msgspec
from rich.console import Console
from rich.table import Table

from bench.table import PERSON, PLAYERS, Plans, start_of_time
from engine.chance import Chance
from engine.ruleset import Seat, Standing
from pbem.demo.stage import play_of
from pbem.game import Game
from pbem.house import settle_memory
from pbem.play import ScriptedQuestion, Seen
from pbem.registry import default_game, load_games

CALLS = 50
"""How often each is closed in a round."""

GAMES, CLOSES = 12, 40
"""How many games are played, and the most closes of one."""
BUSIEST = 4
"""Of this many phases, or turns, one is measured: those with the most events."""

BESIDE = Path(sys.prefix, "diplomacy", "bin", "python")
"""The Python that has `diplomacy`."""


class Played(msgspec.Struct, frozen=True):
    """A closed phase: of which game and turn and of what kind it is, how many were asked, the
    position, everybody's orders, the place in the stream, the number of events, and what its floor
    reads and writes.
    """

    game: int
    turn: int
    kind: str
    asked: int
    state: Any
    plans: Plans
    seed: bytes
    place: int
    events: int
    read: tuple[bytes, ...]
    written: tuple[Any, ...]


class Taken(msgspec.Struct):
    """What each close took, and its floor, in ms of CPU; how many times as long theirs took."""

    ours: list[float] = []
    floor: list[float] = []
    ratios: list[float] = []


def measure(rounds: int) -> dict[str, float | None]:
    """`adjudicate_ms`: CPU time of one close of the first game, the median over all calls;
    `adjudicate_vs_diplomacy`: how many times as long `Game.process()` takes, the median over the
    rounds. The table has all games.
    """
    games = load_games()
    first = default_game(games)
    figures: dict[str, float | None] = {}
    table = Table("game", "what is closed", box=None, pad_edge=False)
    for heading in ("closes", "events", "ms", "least", "floor ms", "ratio"):
        table.add_column(heading, justify="right")
    with _diplomacy() as theirs:
        for game in games.values():
            phases = [*_phases(game)]
            busy = _busiest(_of_main_stage(game, phases))
            turns = _busiest([[*x] for _, x in groupby(phases, attrgetter("game", "turn"))])
            taken = _measured(game, busy, rounds, theirs if game is first else list)
            table.add_row(game.title, busy[0][0].kind, *_cells(busy, taken))
            if game is first:
                figures["adjudicate_ms"] = median(taken.ours)
                figures["adjudicate_vs_diplomacy"] = median(taken.ratios) if taken.ratios else None
            table.add_row("", "a turn", *_cells(turns, _measured(game, turns, rounds, list)))
    Console(width=110).print(table)
    return figures


def _measured(
    game: Game, closed: list[list[Played]], rounds: int, theirs: Callable[[], list[float]]
) -> Taken:
    """In turn with its floor, and each round of it with theirs, if there are any."""
    taken = Taken()
    settle_memory()
    for _ in range(rounds):
        for i in range(CALLS):
            one = closed[i % len(closed)]
            taken.ours.append(_spent(partial(_close, game, one)))
            taken.floor.append(_spent(partial(_bare, one)))
        ours = median(taken.ours[-CALLS:])
        taken.ratios += [median(beside) / ours for beside in (theirs(),) if beside]
    return taken


def _cells(closed: list[list[Played]], taken: Taken) -> tuple[str, ...]:
    ours, floor = median(taken.ours), median(taken.floor)
    return (
        f"{sum(map(len, closed)) / len(closed):.1f}",
        f"{sum(x.events for one in closed for x in one) / len(closed):.0f}",
        f"{ours:.3f}",
        f"{min(taken.ours):.3f}",
        f"{floor:.3f}",
        f"{ours / floor:.1f}",
    )


def _of_main_stage(game: Game, phases: list[Played]) -> list[list[Played]]:
    """Closes of the phases that matter in which as many are asked as ever."""
    main = [one for one in phases if one.kind in play_of(game).main_stages]
    most = max(one.asked for one in main)
    return [[one] for one in main if one.asked == most]


def _busiest(closes: list[list[Played]]) -> list[list[Played]]:
    """Those with the most events."""
    closes.sort(key=lambda one: sum(x.events for x in one), reverse=True)
    return closes[: -(-len(closes) // BUSIEST)]


def _spent(work: Callable[[], None]) -> float:
    begun = time.process_time()
    work()
    return (time.process_time() - begun) * 1e3


def _close(game: Game, closes: Sequence[Played]) -> None:
    for one in closes:
        game.ruleset.adjudicate(one.state, one.plans, Chance(one.seed, one.place))


def _bare(closes: Sequence[Played]) -> None:
    """What no close can do without."""
    for one in closes:
        for raw in one.read:
            msgspec.json.decode(raw)
        for plain in one.written:
            msgspec.json.encode(plain)


def _phases(game: Game) -> Iterator[Played]:
    """What scripted players come to, as long as nobody is out."""
    rules = game.ruleset
    named = zip(PLAYERS[: rules.players[1]], game.colours, strict=False)
    seats = [Seat(number, *who) for number, who in enumerate(named, start=1)]
    for number in range(GAMES):
        rng, seed = random.Random(number), bytes([number]) * 32
        chance = Chance(seed)
        state = rules.setup({}, seats, chance).state
        for _ in range(CLOSES):
            phase, place = rules.phase(state), chance.place
            if len(rules.active(state)) < len(seats) or phase.over is not None:
                break
            plans = {asked: _plan(game, state, asked, rng) for asked in phase.asked}
            closed = rules.adjudicate(state, plans, chance)
            read = (rules.encode_state(state), *map(rules.encode_orders, plans.values()))
            written = (rules.encode_state(closed.state), *map(rules.encode_event, closed.events))
            yield Played(
                number,
                phase.turn,
                phase.kind,
                len(phase.asked),
                state,
                plans,
                seed,
                place,
                len(closed.events),
                read,
                tuple(map(msgspec.json.decode, written)),
            )
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
