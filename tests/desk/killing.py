"""A service that is really killed: the scenario in a process of its own, which ends without a word at labelled steps."""

import asyncio
import os
from collections import Counter
from collections.abc import Collection
from dataclasses import replace
from multiprocessing import get_context
from pathlib import Path

import structlog

from tests.desk.harness import Desk, open_desk
from tests.desk.scenario import SCRIPT, WireFile, play

KILLED = 77
LAST_FATAL_STEP = len(SCRIPT) - 3
MOST_LIVES = 60
KILLS_A_STEP = 14
"""Of each labelled step so many are fatal in one run, spread over the script: a letter is sent much too often for more."""

_PROCESSES = get_context("forkserver")
_PROCESSES.set_forkserver_preload(["tests.desk.killing", "tests.desk.forked"])


class FatalSteps:
    """Ends the process at some of the labelled steps, each place of the script once; remembers in a file where it did."""

    def __init__(self, folder: Path, fatal: Collection[str]) -> None:
        self._file = folder / "killed"
        self._progress = folder / "progress"
        self._fatal = fatal
        self._passed: Counter[str] = Counter()

    def reached(self, step: str) -> None:
        at = int(self._progress.read_text()) if self._progress.exists() else 0
        place = f"{at} {step}"
        if step not in self._fatal or at > LAST_FATAL_STEP:
            return
        killed = Counter(killings(self._file.parent))
        self._passed[place] += 1
        of_step = sum(count for known, count in killed.items() if known.endswith(f" {step}"))
        if self._passed[place] == 1 and not killed[place] and of_step < KILLS_A_STEP:
            with self._file.open("a") as file:
                file.write(f"{place}\n")
            os._exit(KILLED)


class CountedSteps:
    """Writes down which steps were reached at all."""

    def __init__(self) -> None:
        self.reached_steps: Counter[str] = Counter()

    def reached(self, step: str) -> None:
        self.reached_steps[step] += 1


def killings(folder: Path) -> list[str]:
    """Where the process was killed so far: the number of the script's line, and the step."""
    file = folder / "killed"
    return file.read_text().splitlines() if file.exists() else []


def on_the_wire(desk: Desk, folder: Path) -> Desk:
    """The same desk, sending to a server that outlives it."""
    return replace(desk, parts=replace(desk.parts, outbound=WireFile(folder / "wire")))


async def _life(folder: Path, fatal: Collection[str]) -> None:
    async with open_desk(folder, steps=FatalSteps(folder, fatal)) as desk:
        await play(on_the_wire(desk, folder), folder / "progress")


def _live(folder: Path, fatal: Collection[str]) -> None:
    structlog.configure(logger_factory=structlog.ReturnLoggerFactory())
    asyncio.run(_life(folder, fatal))


def live_to_the_end(folder: Path, fatal: Collection[str]) -> int:
    """Start the service again and again until the scenario is over; how many lives that took."""
    for lives in range(1, MOST_LIVES + 1):
        process = _PROCESSES.Process(target=_live, args=(folder, fatal))
        process.start()
        process.join()
        if process.exitcode == 0:
            return lives
        assert process.exitcode == KILLED, f"ended with {process.exitcode}"
    raise AssertionError(f"not over after {MOST_LIVES} lives")
