"""A few turns of four kingdoms, in which news is held and a receipt waits for a close, played in a
process that may kill itself: `python -m tests.games.fortresses.desk.doomed FOLDER STEP UNTIL`. At
that step (from 1; 0: never) it ends without a word. The next process goes on where it ended. `UNTIL`
is the phase after which the play stops.
"""

import asyncio
import json
import os
import signal
import sys
from pathlib import Path

import structlog

from pbem.desk import gm
from pbem.mail.tokens import Purpose, format_reply_address, make_token
from pbem.store.database import open_database
from tests.desk.dates import NOON
from tests.desk.harness import ADDRESS, KEY, SEED, Desk, address_of, changed, open_desk
from tests.desk.killing import SteppedDatabase, Steps
from tests.desk.scenario import WireFile, bring, compose, read_record

NAMES = ("Anna", "Bartek", "Chloé", "Dmytro")
ATTACK = "Attack Syria with 2L 1K from Egypt. Done"
ATTACKS_IN = 2
"""The first phase in which somebody can attack."""
BY = gm.By("test")


class FatalSteps(Steps):
    """Writes down the steps reached; at the n-th the process is killed."""

    def reached(self, step: str) -> None:
        self.labels.append(step)
        if len(self.labels) == self._fatal:
            os.kill(os.getpid(), signal.SIGKILL)


async def start(desk: Desk) -> None:
    """The game begins, whatever of that was done before."""
    desk.clock.instant = NOON
    async with desk.services.database.read() as work:
        game = await work.games.find_by_slug("heron")
        seats = await work.seats.list_of_game(game.id) if game is not None else []
    if game is None:
        new = gm.NewTable("heron", "Heron", "fortresses", {}, "Europe/Berlin", "Greta", seed=SEED)
        await gm.open_table(desk.services, new, BY)
    for name in NAMES[len(seats) :]:
        await gm.invite(desk.services, "heron", name, address_of(name), BY)
    if game is None or game.status == "open":
        await gm.start(desk.services, "heron", BY)


async def end_phase(desk: Desk, number: int) -> None:
    """In one phase the player attacks and is done; the others run out."""
    async with desk.services.database.read() as work:
        phase = await work.phases.find(1, number)
        seats = await work.seats.list_of_game(1)
    assert phase is not None
    if number != ATTACKS_IN:
        desk.clock.instant = phase.deadline.replace(second=2)
        return
    desk.clock.instant = phase.opened_at
    seat = next(seat for seat in seats if seat.number == phase.asked[0])
    token = make_token(KEY, Purpose.ORDERS, seat.id, seat.tenure, number)
    to = format_reply_address(ADDRESS, token)
    raw = compose(number, seat.name, to, ATTACK, f"{seat.name} <{address_of(seat.name)}>")
    await bring(desk, number, raw, desk.clock.now())


async def play(folder: Path, fatal: int, until: int) -> None:
    steps, progress = FatalSteps(fatal), folder / "progress"
    engines = open_database(f"sqlite+aiosqlite:///{folder / 'pbem.sqlite'}")
    database = SteppedDatabase(engines, steps)
    async with open_desk(folder, steps=steps, database=database) as desk:
        desk.services = changed(desk.services, outbound=WireFile(folder / "wire"))
        for number in range(int(progress.read_text()) if progress.exists() else 0, until + 1):
            await (end_phase(desk, number) if number else start(desk))
            await desk.work()
            progress.write_text(str(number + 1))
        record = await read_record(desk)
    told = {"record": record, "steps": steps.labels}
    (folder / "told").write_text(json.dumps(told, default=repr))


if __name__ == "__main__":
    structlog.configure(logger_factory=structlog.ReturnLoggerFactory())
    asyncio.run(play(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])))
