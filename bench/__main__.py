"""`python -m bench`: a close and a message beside the bare libraries, the event loop while they run, adjudication alone."""

import argparse
import asyncio
import logging
import os
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import structlog
from rich.console import Console
from rich.table import Table

from bench import floor_close, floor_receive
from bench.capture import capture_close, capture_receive
from bench.ours import CLOSE_STEPS, RECEIVE_STEPS, close_once, receive_once
from bench.table import Prepared, StandingClock, fresh_copy, open_parts, prepare, read_table
from bench.ticker import ticking
from bench.timing import Round, Spread, print_comparison
from engine.chance import Chance
from pbem.desk.ports import Games
from pbem.games import open_games
from pbem.mail.reading import prepare_reading

ADJUDICATIONS = 300


def main() -> None:
    """Measure and print."""
    arguments = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    arguments.add_argument("--rounds", type=int, default=9, help="how often each is measured (default 9)")
    rounds: int = arguments.parse_args().rounds
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR))
    asyncio.run(measure(rounds, Console(width=110)))


async def measure(rounds: int, console: Console) -> None:
    """All measurements on one prepared table."""
    load, cores = os.getloadavg()[0], os.cpu_count()
    console.print(f"Medians and least of {rounds} rounds, in ms. {cores} cores, load {load:.1f} before the start.\n")
    await asyncio.to_thread(prepare_reading)
    with tempfile.TemporaryDirectory() as folder:
        async with open_games() as games:
            prepared = await prepare(Path(folder), games)
            await measure_close(rounds, console, prepared, games)
            await measure_receive(rounds, console, prepared, games)
            await measure_loop(rounds, console, prepared, games)
            await measure_adjudication(console, prepared, games)


async def measure_close(rounds: int, console: Console, prepared: Prepared, games: Games) -> None:
    """A close, ours and the floor's in turn, so that both meet the same weather."""
    given = floor_close.give(await capture_close(prepared, games))
    await close_once(prepared, games)
    floor_close.close_floor(prepared, fresh_copy(prepared.file), given)
    ours: list[Round] = []
    floor: list[Round] = []
    for _ in range(rounds):
        ours.append(await close_once(prepared, games))
        floor.append(await asyncio.to_thread(floor_close.close_floor, prepared, fresh_copy(prepared.file), given))
    print_comparison(console, "A close of a 7-player game", CLOSE_STEPS, ours, floor)


async def measure_receive(rounds: int, console: Console, prepared: Prepared, games: Games) -> None:
    """One message, ours and the floor's in turn."""
    given = floor_receive.give(await capture_receive(prepared, games))
    await receive_once(prepared, games)
    floor_receive.receive_floor(prepared, fresh_copy(prepared.file), given)
    ours: list[Round] = []
    floor: list[Round] = []
    for _ in range(rounds):
        ours.append(await receive_once(prepared, games))
        floor.append(await asyncio.to_thread(floor_receive.receive_floor, prepared, fresh_copy(prepared.file), given))
    print_comparison(console, "The reading of one message", RECEIVE_STEPS, ours, floor)


async def measure_loop(rounds: int, console: Console, prepared: Prepared, games: Games) -> None:
    """The longest time the event loop was held, beside what this machine does to an idle one."""

    async def idle() -> None:
        await asyncio.sleep(0.5)

    async def close() -> None:
        await close_once(prepared, games)

    async def read() -> None:
        await receive_once(prepared, games)

    table = Table(title=f"The longest time the event loop was held ({rounds} rounds)", title_justify="left", box=None, pad_edge=False)
    table.add_column("while")
    for heading in ("median ms", "least", "most"):
        table.add_column(heading, justify="right")
    works: tuple[tuple[str, Callable[[], Awaitable[None]]], ...] = (
        ("idle, half a second", idle),
        ("two closes", close),
        ("two messages", read),
    )
    for name, work in works:
        held = [await _held_while(work) for _ in range(rounds)]
        spread = Spread.of(held)
        table.add_row(name, f"{spread.median:.2f}", f"{spread.least:.2f}", f"{max(held):.2f}")
    console.print(table)
    console.print()


async def _held_while(work: Callable[[], Awaitable[None]]) -> float:
    async with ticking() as held:
        await work()
    return held.longest


async def measure_adjudication(console: Console, prepared: Prepared, games: Games) -> None:
    """The engine alone: seven players' orders phase."""
    async with open_parts(fresh_copy(prepared.file), games, StandingClock(prepared.opened_at)) as parts:
        table = await read_table(parts)
    taken = []
    for _ in range(ADJUDICATIONS):
        chance = Chance(bytes(32), table.game.chance_place)
        begun = time.perf_counter()
        table.kind.ruleset.adjudicate(table.state, prepared.plans, chance)
        taken.append((time.perf_counter() - begun) * 1e3)
    spread = Spread.of(taken)
    console.print(f"Adjudication of an orders phase of 7 players alone: median {spread.median:.3f} ms, least {spread.least:.3f} ms")


if __name__ == "__main__":
    main()
