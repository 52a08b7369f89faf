"""A close and a message, step by step, against the same work by bare libraries; and how long the
event loop is held while they run.
"""

import asyncio
import os
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

from rich.console import Console
from rich.table import Table

from bench import floor_close, floor_receive
from bench.capture import capture_close, capture_receive
from bench.floor import Opener, open_plain, open_stack
from bench.ours import CLOSE_STEPS, COMMIT, READ, RECEIVE_STEPS, close_once, receive_once
from bench.parts import Figures
from bench.statements import counted
from bench.table import Prepared, fresh_copy, prepare
from bench.ticker import Held, ticking
from bench.timing import Round, Spread, print_comparison, spread_of, total_of
from pbem.game import Games
from pbem.house import settle_memory
from pbem.mail.inbound.reader import prepare_reading
from pbem.registry import load_games

Compared = tuple[list[Round], list[Round], list[Round]]
"""Rounds of ours, of the floor on the service's own libraries, of the floor on sqlite3."""


async def measure_close(rounds: int) -> Figures:
    """A close, ours and the floors' in turn, so that all meet the same weather."""
    async with _prepared() as (prepared, games, console):
        given = floor_close.give(await capture_close(prepared, games))
        statements: list[int] = []

        async def ours() -> Round:
            with counted() as count:
                taken = await close_once(prepared, games, begins=count.begin)
            statements.append(count.statements)
            return taken

        async def floor(opener: Opener) -> Round:
            return await floor_close.close_floor(prepared, fresh_copy(prepared.file), given, opener)

        compared = await _compare(rounds, ours, floor)
        print_comparison(console, "A close of a 7-player game", CLOSE_STEPS, *compared)
    over = sum(
        spread_of(compared[0], step).median - spread_of(compared[1], step).median
        for step in (READ, COMMIT)
    )
    return {**_told("close", compared, statements), "close_store_over_floor_ms": over}


async def measure_message(rounds: int) -> Figures:
    """One message, ours and the floors' in turn."""
    async with _prepared() as (prepared, games, console):
        given = floor_receive.give(await capture_receive(prepared, games))
        statements: list[int] = []

        async def ours() -> Round:
            with counted() as count:
                taken = await receive_once(prepared, games, begins=count.begin)
            statements.append(count.statements)
            return taken

        async def floor(opener: Opener) -> Round:
            return await floor_receive.receive_floor(
                prepared, fresh_copy(prepared.file), given, opener
            )

        compared = await _compare(rounds, ours, floor)
        print_comparison(console, "The reading of one message", RECEIVE_STEPS, *compared)
    return _told("message", compared, statements)


async def measure_loop(rounds: int) -> Figures:
    """The longest time the event loop was held, and what this machine does to an idle one."""
    async with _prepared() as (prepared, games, console):

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
        for heading in (
            "while",
            "by the clock",
            "least",
            "most",
            "by our own code",
            "least",
            "most",
        ):
            table.add_column(heading, justify="left" if heading == "while" else "right")
        works: tuple[tuple[str, Callable[[Held], Awaitable[None]]], ...] = (
            ("idle, half a second", idle),
            ("a close", close),
            ("a message", read),
        )
        told: dict[str, object] = {}
        for name, work in works:
            rounds_held = [await _held_while(work) for _ in range(rounds)]
            by_us = [held.by_us for held in rounds_held]
            measured = ([held.by_clock for held in rounds_held], by_us)
            table.add_row(
                name,
                *(
                    f"{ms:.2f}"
                    for of in measured
                    for ms in (Spread.of(of).median, min(of), max(of))
                ),
            )
            told[f"held_{work.__name__}_ms"] = Spread.of(by_us).median
        console.print(table)
        console.print()
    return told


@asynccontextmanager
async def _prepared() -> AsyncIterator[tuple[Prepared, Games, Console]]:
    await asyncio.to_thread(prepare_reading)
    console = Console(width=110)
    console.print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f} before the start.")
    with tempfile.TemporaryDirectory() as folder:
        games = load_games()
        prepared = await prepare(Path(folder), games)
        settle_memory()
        yield prepared, games, console


async def _compare(
    rounds: int, ours: Callable[[], Awaitable[Round]], floor: Callable[[Opener], Awaitable[Round]]
) -> Compared:
    """The first round of each is for warming up."""
    taken = [
        (await ours(), await floor(open_stack), await floor(open_plain)) for _ in range(rounds + 1)
    ][1:]
    return (
        [mine for mine, _, _ in taken],
        [stack for _, stack, _ in taken],
        [plain for _, _, plain in taken],
    )


def _told(what: str, compared: Compared, statements: Sequence[int]) -> Figures:
    """Against the floor on the libraries that the service uses."""
    ours, floor, _ = (total_of(rounds).median for rounds in compared)
    return {
        f"{what}_ms": ours,
        f"{what}_vs_floor": ours / floor,
        f"{what}_statements": float(statements[-1]),
    }


async def _held_while(work: Callable[[Held], Awaitable[None]]) -> Held:
    held = Held()
    await work(held)
    return held
