"""Stop watches, and what many rounds come to. All times are milliseconds."""

import statistics
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from rich.console import Console
from rich.table import Table

Round = Mapping[str, float]
"""What each step of one round took."""


@dataclass(slots=True)
class Watch:
    """Adds up how long each step took; a step may be entered several times."""

    steps: dict[str, float] = field(default_factory=dict)

    @contextmanager
    def step(self, name: str) -> Iterator[None]:
        begun = time.perf_counter()
        try:
            yield
        finally:
            self.add(name, (time.perf_counter() - begun) * 1e3)

    def add(self, name: str, spent: float) -> None:
        self.steps[name] = self.steps.get(name, 0.0) + spent


@dataclass(frozen=True, slots=True)
class Spread:
    """Several measurements of one thing."""

    median: float
    least: float

    @classmethod
    def of(cls, measured: Sequence[float]) -> "Spread":
        return cls(statistics.median(measured), min(measured))


def spread_of(rounds: Sequence[Round], step: str) -> Spread:
    return Spread.of([taken.get(step, 0.0) for taken in rounds])


def total_of(rounds: Sequence[Round]) -> Spread:
    return Spread.of([sum(taken.values()) for taken in rounds])


def print_comparison(
    console: Console,
    title: str,
    steps: Sequence[str],
    ours: Sequence[Round],
    stack: Sequence[Round],
    plain: Sequence[Round],
) -> None:
    """A row a step: ours, and the same work by bare libraries twice, each with how many times as
    long ours takes (of medians).

    `stack` is written on the libraries the service uses (SQLAlchemy over aiosqlite), `plain` on
    sqlite3 alone, holding the event loop.
    """
    console.print(
        f"{title}, median and least of {len(ours)} rounds; floor: bare libraries, on SQLAlchemy +"
        " aiosqlite | on sqlite3 alone"
    )
    table = Table(box=None, pad_edge=False)
    table.add_column("step")
    for heading in (
        "ours ms",
        "least",
        "floor ms",
        "least",
        "ratio",
        "sqlite3 ms",
        "least",
        "ratio",
    ):
        table.add_column(heading, justify="right")
    for step in steps:
        table.add_row(step, *_cells(*(spread_of(rounds, step) for rounds in (ours, stack, plain))))
    table.add_row("[b]total[/b]", *_cells(*(total_of(rounds) for rounds in (ours, stack, plain))))
    console.print(table)
    console.print()


def _cells(ours: Spread, *floors: Spread) -> tuple[str, ...]:
    cells = [f"{ours.median:.2f}", f"{ours.least:.2f}"]
    for floor in floors:
        cells += [
            f"{floor.median:.2f}",
            f"{floor.least:.2f}",
            f"{ours.median / max(floor.median, 1e-6):.2f}",
        ]
    return tuple(cells)
