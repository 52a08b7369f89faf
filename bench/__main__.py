"""`python -m bench`: a close and a message beside the bare libraries, the event loop while they
run, adjudication alone.
"""

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
from bench.floor import Opener, open_plain, open_stack
from bench.ours import CLOSE_STEPS, RECEIVE_STEPS, close_once, receive_once
from bench.table import Prepared, StandingClock, fresh_copy, open_services, prepare, read_table
from bench.ticker import Held, ticking
from bench.timing import Round, Spread, print_comparison
from engine.chance import Chance
from pbem.game import Games
from pbem.house import settle_memory
from pbem.mail.inbound.reading import prepare_reading
from pbem.registry import load_games

ADJUDICATIONS = 300


def main() -> None:
    """Measure and print."""
    arguments = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    arguments.add_argument(
        "--rounds", type=int, default=9, help="how often each is measured (default 9)"
    )
    rounds: int = arguments.parse_args().rounds
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR))
    asyncio.run(measure(rounds, Console(width=110)))


async def measure(rounds: int, console: Console) -> None:
    """All measurements on one prepared table."""
    load, cores = os.getloadavg()[0], os.cpu_count()
    console.print(
        f"Medians and least of {rounds} rounds, in ms. {cores} cores, load {load:.1f} before the"
        " start.\n"
    )
    await asyncio.to_thread(prepare_reading)
    with tempfile.TemporaryDirectory() as folder:
        games = load_games()
        prepared = await prepare(Path(folder), games)
        settle_memory()
        await measure_close(rounds, console, prepared, games)
        await measure_receive(rounds, console, prepared, games)
        await measure_loop(rounds, console, prepared, games)
        await measure_adjudication(console, prepared, games)


async def measure_close(rounds: int, console: Console, prepared: Prepared, games: Games) -> None:
    """A close, ours and the floors' in turn, so that all meet the same weather."""
    given = floor_close.give(await capture_close(prepared, games))

    async def floor(opener: Opener) -> Round:
        return await floor_close.close_floor(prepared, fresh_copy(prepared.file), given, opener)

    compared = await _compare(rounds, lambda: close_once(prepared, games), floor)
    print_comparison(console, "A close of a 7-player game", CLOSE_STEPS, *compared)


async def measure_receive(rounds: int, console: Console, prepared: Prepared, games: Games) -> None:
    """One message, ours and the floors' in turn."""
    given = floor_receive.give(await capture_receive(prepared, games))

    async def floor(opener: Opener) -> Round:
        return await floor_receive.receive_floor(prepared, fresh_copy(prepared.file), given, opener)

    compared = await _compare(rounds, lambda: receive_once(prepared, games), floor)
    print_comparison(console, "The reading of one message", RECEIVE_STEPS, *compared)


async def _compare(
    rounds: int, ours: Callable[[], Awaitable[Round]], floor: Callable[[Opener], Awaitable[Round]]
) -> tuple[list[Round], list[Round], list[Round]]:
    """Ours, the floor on the service's own libraries, the floor on sqlite3; the first round of each
    is for warming up.
    """
    taken = [
        (await ours(), await floor(open_stack), await floor(open_plain)) for _ in range(rounds + 1)
    ][1:]
    return (
        [mine for mine, _, _ in taken],
        [stack for _, stack, _ in taken],
        [plain for _, _, plain in taken],
    )


async def measure_loop(rounds: int, console: Console, prepared: Prepared, games: Games) -> None:
    """The longest time the event loop was held, beside what this machine does to an idle one."""

    async def idle(held: Held) -> None:
        async with ticking(held):
            await asyncio.sleep(0.5)

    async def close(held: Held) -> None:
        await close_once(prepared, games, held)

    async def read(held: Held) -> None:
        await receive_once(prepared, games, held)

    console.print(
        f"The longest time the event loop was held, median, least and most of {rounds} rounds"
    )
    table = Table(box=None, pad_edge=False)
    for heading in ("while", "by the clock", "least", "most", "by our own code", "least", "most"):
        table.add_column(heading, justify="left" if heading == "while" else "right")
    works: tuple[tuple[str, Callable[[Held], Awaitable[None]]], ...] = (
        ("idle, half a second", idle),
        ("a close", close),
        ("a message", read),
    )
    for name, work in works:
        rounds_held = [await _held_while(work) for _ in range(rounds)]
        measured = ([held.by_clock for held in rounds_held], [held.by_us for held in rounds_held])
        table.add_row(
            name,
            *(f"{ms:.2f}" for of in measured for ms in (Spread.of(of).median, min(of), max(of))),
        )
    console.print(table)
    console.print()


async def _held_while(work: Callable[[Held], Awaitable[None]]) -> Held:
    held = Held()
    await work(held)
    return held


async def measure_adjudication(console: Console, prepared: Prepared, games: Games) -> None:
    """The engine alone: seven players' orders phase."""
    async with open_services(
        fresh_copy(prepared.file), games, StandingClock(prepared.opened_at)
    ) as services:
        table = await read_table(services)
    taken = []
    for _ in range(ADJUDICATIONS):
        chance = Chance(bytes(32), table.game.chance_place)
        begun = time.perf_counter()
        table.kind.ruleset.adjudicate(table.state, prepared.plans, chance)
        taken.append((time.perf_counter() - begun) * 1e3)
    spread = Spread.of(taken)
    console.print(
        f"Adjudication of an orders phase of 7 players alone: median {spread.median:.3f} ms, least"
        f" {spread.least:.3f} ms"
    )


if __name__ == "__main__":
    main()
