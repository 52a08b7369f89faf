"""Stop watches, and what many rounds or many months come to. All times are milliseconds."""

import json
import math
import time
import zlib
from array import array
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from statistics import fmean, median

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
        return cls(median(measured), min(measured))


def spread_of(rounds: Sequence[Round], step: str) -> Spread:
    return Spread.of([taken.get(step, 0.0) for taken in rounds])


def total_of(rounds: Sequence[Round]) -> Spread:
    return Spread.of([sum(taken.values()) for taken in rounds])


def at(taken: Sequence[float], share: float) -> float:
    """So large a share took at most so long."""
    return sorted(taken)[min(len(taken) - 1, math.ceil(share * len(taken)) - 1)]


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


# ----------------------------------------------------------------------------------- month by month
FEW = 8
"""Of what happened less often in a month nothing is compared."""
YARDSTICK = [{"number": number, "words": "as long as a line is"} for number in range(60)]
"""Something to do that stays the same, whatever else changes; small, so that the state of this
process's memory is no part of it.
"""


@dataclass(slots=True)
class Kind:
    """One kind of thing that was done in a month: CPU in ms, and statements, each time."""

    cpu: "array[float]" = field(default_factory=lambda: array("d"))
    statements: "array[int]" = field(default_factory=lambda: array("i"))


@dataclass(slots=True)
class Month:
    """What was done, by kind; and what there is at the end: blocks of memory, MB resident, MB of
    the file in use.
    """

    done: dict[tuple[str, str], Kind] = field(default_factory=dict)
    yardstick: "array[float]" = field(default_factory=lambda: array("d"))
    sent: int = 0
    running: int = 0
    idle: int = 0
    ended: int = 0
    blocks: int = 0
    resident_mb: float = 0.0
    file_mb: float = 0.0
    used_mb: float = 0.0

    def of(self, what: str) -> list[Kind]:
        return [kind for (name, _), kind in self.done.items() if name == what]

    @property
    def closes(self) -> int:
        """Those jobs that closed a phase."""
        return sum(
            len(of.cpu) for (what, kind), of in self.done.items() if what == "close" and kind
        )

    @property
    def letter_ms(self) -> float:
        """What it takes to send one."""
        return sum(sum(kind.cpu) for kind in self.of("letter")) / max(1, self.sent)

    def count(self, what: str) -> int:
        return sum(len(kind.cpu) for kind in self.of(what))


def yardstick() -> float:
    """How fast the processor is just now: ms of CPU for the same work."""
    begun = time.process_time()
    for _ in range(40):
        zlib.crc32(json.dumps(YARDSTICK).encode())
    return (time.process_time() - begun) * 1e3


LIMITS: Mapping[str, float] = {
    "CPU a message": 1.2,
    "CPU a close": 1.2,
    "CPU a job of letters": 1.3,
    "CPU a look": 1.5,
    "statements a message": 1.03,
    "statements a close": 1.03,
    "statements a look": 1.03,
    "blocks of memory": 1.05,
    "resident memory": 1.1,
}
"""The last month against the second: the ratio of each, at most. More is growth."""


def growth(early: Month, late: Month, few: int = FEW) -> Mapping[str, float]:
    """How many times as much the late month takes, under the names of `LIMITS`. CPU is set against
    the yardstick; each kind of thing is compared with itself, and what was too seldom with nothing.
    """
    speed = median(late.yardstick) / median(early.yardstick)

    def ratio(what: str, of: Callable[[Kind], float]) -> float:
        times, every = 0.0, 0
        for key, kind in early.done.items():
            then = late.done.get(key)
            count = min(len(kind.cpu), len(then.cpu)) if then is not None else 0
            if key[0] == what and then is not None and count >= few and of(kind):
                times, every = times + count * of(then) / of(kind), every + count
        return times / every if every else math.nan

    found = [
        *(ratio(what, cpu_of) / speed for what in ("message", "close", "letter", "look")),
        *(ratio(what, statements_of) for what in ("message", "close", "look")),
        late.blocks / early.blocks,
        late.resident_mb / early.resident_mb,
    ]
    return dict(zip(LIMITS, found, strict=True))


def cpu_of(kind: Kind) -> float:
    return median(kind.cpu)


def statements_of(kind: Kind) -> float:
    return median(kind.statements)


COLUMNS = (
    *("month", "running", "ended", "closes", "close ms", "statements", "messages", "message ms"),
    *("statements", "p99", "letters", "letter ms", "look ms", "MB used", "MB file", "MB memory"),
    *("blocks", "yardstick"),
)


def cells_of(number: int, month: Month) -> tuple[str, ...]:
    """A month in a line."""

    def cpu(what: str) -> list[float]:
        return [spent for kind in month.of(what) for spent in kind.cpu] or [0.0]

    def statements(what: str) -> str:
        found = [number for kind in month.of(what) for number in kind.statements]
        return f"{fmean(found):.1f}" if found else "-"

    return (
        *(str(number), str(month.running), str(month.ended), str(month.closes)),
        *(f"{median(cpu('close')):.1f}", statements("close")),
        *(str(month.count("message")), f"{median(cpu('message')):.1f}", statements("message")),
        f"{at(cpu('message'), 0.99):.0f}",
        *(str(month.sent), f"{month.letter_ms:.2f}"),
        f"{median(cpu('look')):.2f}",
        *(f"{month.used_mb:.0f}", f"{month.file_mb:.0f}", f"{month.resident_mb:.0f}"),
        *(f"{month.blocks / 1e3:.0f}k", f"{median(month.yardstick):.2f}"),
    )
