"""A service that is really killed: at every step a crash could come after, in a process of its own
that ends without a word.

The script is played once undisturbed, and what it leaves after each line is kept. Then, for each
step reached in it (counted, so that the n-th is the same in every run), a process begins with that
line, ends itself at the step, and another one begins on what is left and goes on: to the end of the
line, where everything must be as in the undisturbed run, and for some to the end of the script.

All are forked from a process that has everything loaded and no thread; the one that goes on to the
end, and need not die, is that process itself, with everything opened anew.
"""

import asyncio
import gc
import os
import pickle
import re
import shutil
import sqlite3
import sys
import tempfile
import traceback
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, closing, contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import structlog

from pbem.desk.letters.deliver import free_leases
from pbem.store.database import Database, open_database
from pbem.store.turns import Turns
from pbem.store.work import Work
from tests.desk.harness import changed, open_desk
from tests.desk.scenario import SCRIPT, WireFile, play, read_record

KILLED = 77
FAILED = 78

Record = dict[str, list[Any]]


class Steps:
    """Writes down the steps reached; at the n-th the process ends, or (`gently`) what it does is
    broken off, as by a stop.
    """

    def __init__(self, fatal: int = 0, *, gently: bool = False) -> None:
        self.labels: list[str] = []
        self._fatal, self._gently = fatal, gently

    def reached(self, step: str) -> None:
        self.labels.append(step)
        if len(self.labels) != self._fatal:
            return
        task = asyncio.current_task() if self._gently else None
        if task is None:
            os._exit(KILLED)
        task.cancel()


class SteppedDatabase(Database):
    """Makes two steps of every transaction that is kept, whoever wrote it: just before and just
    after.
    """

    def __init__(self, database: Database, steps: Steps) -> None:
        vars(self).update(vars(database))
        self._turns = Turns()
        self._same._opened = (
            None  # each life may find another file of the same name, as it was laid there
        )
        self._steps = steps

    @asynccontextmanager
    async def write(self, *, gives_way: bool = False, durable: bool = True) -> AsyncIterator[Work]:
        """As the original; the steps bear the name of the function that wrote."""
        writer = _name_of_writer()
        async with super().write(gives_way=gives_way, durable=durable) as work:
            yield work
            kept = not work.connection.closed
            if kept:
                self._steps.reached(f"{writer} unkept")
        if kept:
            self._steps.reached(f"{writer} kept")


def _name_of_writer() -> str:
    frame = sys._getframe(2)  # beyond the generator: contextlib's own, and whoever entered it
    while frame.f_back is not None and frame.f_code.co_filename.endswith(
        ("contextlib.py", "killing.py")
    ):
        frame = frame.f_back
    return f"{Path(frame.f_code.co_filename).stem}.{frame.f_code.co_name}"


class Stage:
    """Where the script is played: one folder, whose database was opened once, so that every fork
    finds its statements compiled.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._engines = open_database(f"sqlite+aiosqlite:///{folder / 'pbem.sqlite'}")

    def lay(self, scene: Path) -> None:
        """Make the folder as another one is."""
        shutil.rmtree(self.folder, ignore_errors=True)
        shutil.copytree(scene, self.folder)

    def live(self, until: int, fatal: int = 0, *, gently: bool = False) -> tuple[Record, list[str]]:
        """One life of the service, from where the last one ended, up to a line of the script; what
        is on record then, and the steps.
        """
        structlog.configure(logger_factory=structlog.ReturnLoggerFactory())
        steps = Steps(fatal, gently=gently)
        try:
            return asyncio.run(self._life(steps, until)), steps.labels
        except asyncio.CancelledError:
            os._exit(KILLED)

    async def _life(self, steps: Steps, until: int) -> Record:
        database = SteppedDatabase(self._engines, steps)
        async with open_desk(self.folder, steps=steps, database=database) as opened:
            desk = replace(
                opened, services=changed(opened.services, outbound=WireFile(self.folder / "wire"))
            )
            await free_leases(desk.services)
            await play(desk, self.folder / "progress", until=until)
            return await read_record(desk)

    def wire(self) -> Counter[tuple[str, bytes]]:
        """What the next server has taken."""
        return Counter(
            (recipient, _without_counts(raw))
            for recipient, raw in WireFile(self.folder / "wire").taken()
        )

    def taken_but_not_on_record(self, before: int) -> int:
        """The letters in the only window in which one may go out twice: of those taken after so
        many, the ones not known to be.
        """
        taken = b"".join(raw for _, raw in WireFile(self.folder / "wire").taken()[before:])
        with closing(sqlite3.connect(self.folder / "pbem.sqlite")) as connection:
            rows = connection.execute(
                "SELECT message_id FROM outbox WHERE state = 'sending'"
            ).fetchall()
        return sum(message_id.encode() in taken for (message_id,) in rows)


@dataclass(frozen=True, slots=True)
class Line:
    """What one line of the script comes to when nobody disturbs it: the steps reached, and
    everything after it.
    """

    folder: Path
    steps: tuple[str, ...]
    record: Record
    wire: Counter[tuple[str, bytes]]


@dataclass(frozen=True, slots=True)
class Kill:
    """Where the process is to be killed: at the `step`-th step (from 1) that is reached from the
    beginning of a line on; and perhaps the next process, at its `again`-th. What follows goes
    `to_the_end` of the script, or of the line. `gently`: it is not killed, and what it does is
    broken off; where that is done in a task of its own, the rest continues.
    """

    line: int
    step: int
    again: int = 0
    to_the_end: bool = False
    gently: bool = False


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of it. `repeated` counts the letters that reached the server twice, `in_window`
    those that it had taken when the process died before that was on record. `differences` are
    words, of which there should be none.
    """

    label: str
    lives: int
    repeated: int
    in_window: int
    differences: tuple[str, ...]


def play_undisturbed(stage: Stage, folder: Path) -> list[Line]:
    """Play the script line by line; the folder of a `Line` holds what was there before it."""
    stage.folder.mkdir()
    lines = []
    for number in range(len(SCRIPT)):
        before = folder / f"line{number}"
        shutil.copytree(stage.folder, before)
        record, labels = stage.live(number + 1)
        lines.append(Line(before, tuple(labels), _steady(record), stage.wire()))
    return lines


def kill(stage: Stage, lines: list[Line], plan: Kill) -> Outcome:
    """Kill a process as planned, begin again, and compare."""
    line = lines[plan.line]
    stage.lay(line.folder)
    until = len(SCRIPT) if plan.to_the_end else plan.line + 1
    end = lines[until - 1]
    differences: list[str] = []
    lives, in_window = 1, 0
    for fatal in (plan.step, plan.again):
        if fatal:
            before = stage.wire().total()
            ended, told = _in_another_process(partial(stage.live, until, fatal, gently=plan.gently))
            in_window += ended == KILLED and stage.taken_but_not_on_record(before)
            may_end = plan.gently or fatal != plan.step
            if ended != KILLED and not (ended == 0 and may_end):
                differences.append(f"ended with {ended} instead of being killed: {told}")
            lives += ended == KILLED
    record = _steady(stage.live(until)[0])
    differences += [
        f"{part}: {_first_difference(record[part], rows)}"
        for part, rows in end.record.items()
        if record[part] != rows
    ]
    wire = stage.wire()
    if set(wire) != set(end.wire):
        differences.append(
            f"letters: {len(set(end.wire) - set(wire))} missing, {len(set(wire) - set(end.wire))} others"
        )
    repeated = sum(wire.values()) - sum(end.wire.values())
    if repeated != in_window:
        differences.append(f"{repeated} letters repeated, {in_window} in the window")
    return Outcome(line.steps[plan.step - 1], lives, repeated, in_window, tuple(differences))


def _without_counts(raw: bytes) -> bytes:
    """A letter, but for the line that tells a game master how many letters are unsent at this
    moment: that is as it is.
    """
    return (
        raw
        if not _COUNTS.search(raw)
        else _COUNTS.sub(b"", raw).partition(b"Content-Type: text/html")[0]
    )


_COUNTS = re.compile(rb"\n  letters  [^\n]*")


def _steady(record: Record) -> Record:
    """The same of the letters on record."""
    letters = []
    for kind, address, message_id, key, state, letter in record["outbox"]:
        told = letter
        if kind == "gm-answer":
            told = letter | {
                "html": None,
                "text": re.sub(r"\n  letters  [^\n]*", "", letter["text"]),
            }
        letters.append((kind, address, message_id, key, state, told))
    return record | {"outbox": letters}


def _first_difference(mine: list[Any], expected: list[Any]) -> str:
    for one, other in zip(mine, expected, strict=False):
        if one != other:
            return f"{one!r:.1200} instead of {other!r:.1200}"
    return f"{len(mine)} rows instead of {len(expected)}"


def _in_another_process(work: Callable[[], Any]) -> tuple[int, Any]:
    """Run something in a fork of this process; its exit status, and what it returned, or its
    traceback.
    """
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        _run_and_exit(work, writing)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        told = pipe.read()
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    return status, pickle.loads(told) if told else None  # noqa: S301 - written by our own fork


def _run_and_exit(work: Callable[[], Any], writing: int) -> None:
    status, result = 0, None
    try:
        result = work()
    # a fork must not return into the code of its parent, whatever happens
    except BaseException:  # noqa: BLE001
        status, result = FAILED, traceback.format_exc()
    with os.fdopen(writing, "wb") as pipe:
        pickle.dump(result, pipe)
    os._exit(status)


@contextmanager
def quick_folder() -> Iterator[Path]:
    """A folder in memory where the system has one: what is tried here is processes that die, not
    machines.
    """
    memory = Path("/dev/shm")  # noqa: S108 - no file in it is known by name beforehand
    with tempfile.TemporaryDirectory(dir=memory if os.access(memory, os.W_OK) else None) as folder:
        yield Path(folder)


def run_campaign(plans: Callable[[list[Line]], list[Kill]], answer: Path) -> None:
    """Play undisturbed, then kill as planned; leaves the lines' steps, the plans and the outcomes,
    pickled.

    To be run in a process without threads.
    """
    with quick_folder() as folder:
        stage = Stage(folder / "now")
        lines = play_undisturbed(stage, folder)
        planned = plans(lines)
        gc.collect()
        gc.freeze()  # or each fork would copy all that its collector looks at
        outcomes = [kill(stage, lines, plan) for plan in planned]
    answer.write_bytes(pickle.dumps(([line.steps for line in lines], planned, outcomes)))
