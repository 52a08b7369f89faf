"""`python -m bench.reading`: what the reading of a message costs, in every game: six clauses, 200
lines, 20,000 characters of one sign.

All in CPU time of this process, the least of many tries, divided by a loop of plain Python that was
measured between them: a busy machine slows both. 1.0 is that loop, about 1 ms of an idle core.
"""

import argparse
import gc
import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from rich.console import Console
from rich.table import Table

from bench.table import PLAYERS, SEED
from engine.chance import Chance
from engine.ruleset import Seat, Standing, known_state
from pbem.demo.stage import play_of
from pbem.game import Game
from pbem.grammar.house.reading import read_alone
from pbem.house import settle_memory
from pbem.registry import load_games

LINES, LONG, SHORT = 200, 20_000, 5_000
ORDERS = 6
SIGNS = ("a", "1", " ", "\n", ",", "-", ".", "(", '"', "a ", "1 ", "no, ", "if ")
TALK = "hello there, how are you all?"
PLAYER = 1


def main() -> None:
    """Measure and print."""
    arguments = argparse.ArgumentParser(prog="python -m bench.reading", description=__doc__)
    arguments.add_argument("--rounds", type=int, default=25, help="tries of each (default 25)")
    rounds: int = arguments.parse_args().rounds
    console = Console(width=110)
    for game in load_games().values():
        measure(game, rounds, console)


def measure(game: Game, rounds: int, console: Console) -> None:
    """The table of one game."""
    state = state_of(game)
    console.print(f"{game.title}: least of {rounds} tries, with the words of the house")
    table = Table(box=None, pad_edge=False)
    for heading in ("message", "ms", "of the loop", "characters"):
        table.add_column(heading, justify="left" if heading == "message" else "right")
    for name, text in messages_of(game, state):
        _read(game, state, text)
        settle_memory()
        spent, times = least(partial(_read, game, state, text), rounds)
        table.add_row(name, f"{spent:.2f}", f"{times:.2f}", str(len(text)))
    console.print(table)
    growth = {sign: _growth(game, state, sign) for sign in SIGNS}
    worst = max(growth, key=lambda sign: growth[sign])
    console.print(
        f"{LONG:,} characters of one sign take at most {growth[worst]:.1f} times as long as"
        f" {SHORT:,} ({worst!r}); 4 is in proportion\n"
    )


def state_of(game: Game) -> Any:
    """The first phase that matters of a new game; nobody orders before it."""
    rules, play, chance = game.ruleset, play_of(game), Chance(SEED)
    seats = [
        Seat(number, name, colour)
        for number, (name, colour) in enumerate(zip(PLAYERS, game.colours, strict=False), 1)
    ][: rules.players[1]]
    state = rules.setup({}, seats, chance).state
    while rules.phase(state).kind not in play.main_stages:
        state = rules.adjudicate(state, {}, chance).state
    return state


def messages_of(game: Game, state: Any) -> Iterator[tuple[str, str]]:
    """Kinds of messages, and one of each."""
    kinds: dict[type, str] = {}
    for order in game.ruleset.legal(state, PLAYER):
        kinds.setdefault(type(order), game.ruleset.format_order(state, order).lower())
    orders = list(kinds.values())[:ORDERS]
    yield "six orders in a line", "; ".join(orders)
    yield (
        "six orders, a greeting and a name",
        "\n".join(("hi all,", "", *orders, "", "cheers, mia")),
    )
    odd = [order.replace(" ", " blorv ", 1) for order in orders[:2]]
    yield "six clauses, two not read", "; ".join((*orders[2:], *odd))
    lines = [*orders, TALK]
    yield "200 lines", "\n".join(lines[i % len(lines)] for i in range(LINES))


def least(work: Callable[[], object], rounds: int) -> tuple[float, float]:
    """The least ms that it takes, and how many times as long as the loop that is."""
    gc.collect()
    spent, loop = [], []
    for _ in range(rounds):
        loop.append(_spent(_loop))
        spent.append(_spent(work))
    return min(spent), min(spent) / min(loop)


def _loop() -> int:
    found = 0
    for i in range(20_000):
        found += i * i % 7
    return found


def _spent(work: Callable[[], object]) -> float:
    begun = time.process_time()
    work()
    return (time.process_time() - begun) * 1e3


def _growth(game: Game, state: Any, sign: str) -> float:
    texts = ((sign * length)[:length] for length in (SHORT, LONG))
    before, after = (
        min(_spent(partial(_read, game, state, text)) for _ in range(3)) for text in texts
    )
    return after / before


def _read(game: Game, state: Any, text: str) -> object:
    known = known_state(game.ruleset, state, PLAYER)
    return read_alone(game.read, known, PLAYER, Standing(), text)


if __name__ == "__main__":
    main()
