"""`python -m bench [PART]`: what the service costs, each figure next to a peer or a floor measured
in the same run.
"""

import argparse
import asyncio
import inspect
import json
import logging
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

import structlog
from rich.console import Console
from rich.table import Table

from bench.parts import Unmeasured

GAMES = 500


@dataclass(frozen=True, slots=True)
class Part:
    """Where it is measured, and its least figure; `counts_games`: by the number of games."""

    where: str
    keys: tuple[str, ...]
    counts_games: bool = False


PARTS: Mapping[str, Part] = {
    "board": Part("bench.board:measure", ("board_ms", "board_vs_resvg")),
    "close": Part("bench.desk:measure_close", ("close_ms", "close_vs_floor", "close_statements")),
    "message": Part(
        "bench.desk:measure_message", ("message_ms", "message_vs_floor", "message_statements")
    ),
    "loop": Part("bench.desk:measure_loop", ()),
    "adjudicate": Part("bench.adjudication:measure", ("adjudicate_ms", "adjudicate_vs_diplomacy")),
    "many": Part(
        "bench.many:measure",
        ("many_seconds", "many_receipt_p99_ms", "many_mb"),
        counts_games=True,
    ),
    "growth": Part("bench.growth:measure", ("growth_turns", "growth_store"), counts_games=True),
    "delivery": Part("bench.delivery:measure", ("delivery_vs_bare",)),
    "serving": Part(
        "bench.serving:measure",
        ("start_cpu_seconds", "start_vs_floor", "stop_seconds"),
        counts_games=True,
    ),
    "workers": Part("bench.workers:measure", ("workers_2_vs_1",), counts_games=True),
}


def main() -> None:
    """Measure, print, and write down."""
    given = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    given.add_argument("part", nargs="?", choices=PARTS, help="one part; all without it")
    given.add_argument("--rounds", type=int, default=9, help="how often each is measured")
    given.add_argument("--json", type=Path, metavar="FILE", help="write the figures to FILE")
    given.add_argument(
        "--games",
        type=int,
        default=GAMES,
        help="`many`: tables due at once; `growth` has twenty times as many that ended, and"
        f" twice as many that run; `workers` a fifth (default {GAMES})",
    )
    asked = given.parse_args()
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR))
    console, figures = Console(width=110), dict[str, object]()
    for name in (asked.part,) if asked.part else PARTS:
        console.rule(name)
        figures |= _measured(PARTS[name], asked.rounds, asked.games, console)
    table = Table(box=None, pad_edge=False)
    table.add_column("figure")
    table.add_column("", justify="right")
    for key, value in figures.items():
        table.add_row(key, f"{value:.3f}" if isinstance(value, float) else str(value))
    console.print(table)
    if asked.json:
        asked.json.write_text(json.dumps(figures, indent=2) + "\n", "utf-8")


def _measured(part: Part, rounds: int, games: int, console: Console) -> dict[str, object]:
    """The figures of a part; None for those that cannot be had here, and why is printed."""
    module, name = part.where.split(":")
    found: dict[str, object] = dict.fromkeys(part.keys)
    try:
        measure = getattr(import_module(module), name)
        told = measure(rounds, games) if part.counts_games else measure(rounds)
        found |= asyncio.run(told) if inspect.iscoroutine(told) else told
    except Unmeasured as reason:
        console.print(f"not measured: {reason}")
    return found


if __name__ == "__main__":
    main()
