"""The engine alone: a busy orders phase of seven players of Protectors, and beside it a busy
movement phase of seven powers closed by `diplomacy`, in turn, so that both meet the same weather.

`diplomacy` has a Python of its own, which `make bench` lays into the environment: it was last
released in 2020, and `pytz`, which it brings, would change what Babel does in every test. Where
there is none, that figure is None.
"""

import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median

from engine.chance import Chance
from engine.protectors.positions.position import parse_position
from engine.protectors.ruleset import PROTECTORS
from engine.protectors.wording import parse_order

CALLS = 50
"""How often each is closed in a round."""

BESIDE = Path(sys.prefix, "diplomacy", "bin", "python")
"""The Python that has `diplomacy`."""

UNITS = {"Ann": 3, "Ben": 3, "Cid": 2, "Dot": 3, "Eve": 2, "Fay": 3, "Gus": 2}
ORDERS = {
    "Ann": "Golden March! 2 from P1 to P2; Send 20 to Cid",
    "Ben": "Golden Fortify! P2",
    "Cid": "Golden Support! Ann in P2 from P3",
    "Dot": "Support! Fay in P5 from P4; Send 10 to Fay",
    "Eve": "Work, work! P5",
    "Fay": "March! 2 from P6 to P5",
    "Gus": "Fortify! P7",
}
"""Seven provinces, one each; everybody orders, and two battles come of it. Closing it takes as long
as the busiest tenth of what the demonstration's players come to while there are seven of them.
"""


def measure(rounds: int) -> dict[str, float | None]:
    """`adjudicate_ms`: CPU time of one close, the median over all calls; `adjudicate_vs_diplomacy`:
    how many times as long `Game.process()` takes, the median over the rounds.
    """
    ours, ratios = [], []
    with _diplomacy() as theirs:
        for _ in range(rounds):
            taken = _protectors()
            ours += taken
            ratios += [median(beside) / median(taken) for beside in (theirs(),) if beside]
    return {
        "adjudicate_ms": median(ours),
        "adjudicate_vs_diplomacy": median(ratios) if ratios else None,
    }


def _protectors() -> list[float]:
    """How long each of a round's closes took, in ms of CPU."""
    players = {name: {"realm": 100} for name in UNITS}
    board = {
        f"P{number}": {"owner": name, "units": units, "level": number % 3}
        for number, (name, units) in enumerate(UNITS.items(), start=1)
    }
    told = {"turn": 3, "phase": "orders", "provinces": 7, "starting_players": 7}
    state = parse_position(
        {**told, "ranking": list(UNITS), "players": players, "board": board}, {}, "bench"
    )
    numbers = {player.name: player.number for player in state.players}
    orders = {
        numbers[name]: tuple(parse_order(text, numbers) for text in texts.split("; "))
        for name, texts in ORDERS.items()
    }
    taken = []
    for _ in range(CALLS):
        chance = Chance(bytes(32))
        begun = time.process_time()
        PROTECTORS.adjudicate(state, orders, chance)
        taken.append((time.process_time() - begun) * 1e3)
    return taken


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
