"""`pbem demo`: a whole game between scripted correspondents, over the embedded servers, at the
speed of the machine.
"""

import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console

from pbem.demo.bouncing import Closed
from pbem.demo.cast import seats_by_phone, whole_cast
from pbem.demo.gallery.counts import Counts, read_counts
from pbem.demo.gallery.pages import Bound, write_gallery
from pbem.demo.progress import Progress, Report, print_end, progress_on
from pbem.demo.stage import (
    SERVICE_ADDRESS,
    Moment,
    Playbill,
    Stage,
    open_stage,
    play_of,
    start_table,
)
from pbem.play import Person
from pbem.registry import load_games


@dataclass(frozen=True, slots=True)
class Performance:
    """How a demonstration went, and what was written of it."""

    moment: Moment
    counts: Counts
    seconds: float
    written: Bound

    @property
    def went_well(self) -> bool:
        """Nothing was laid aside as failed, Telegram's limits were kept, and a game that is over
        comes out the same when played again.
        """
        proof = self.written.proof
        is_proven = proof is not None and not proof.differences
        return (
            not self.counts.shunted
            and not self.counts.violations
            and (is_proven or not self.moment.over)
        )


async def perform(
    console: Console,
    *,
    players: int,
    played: Playbill,
    seed: int,
    turns: int | None,
    out: Path,
    telegram: bool = True,
) -> Performance:
    """Play until the game is over, or until `turns` turns are complete; write the archive of the
    game and the gallery; check the game; tell it on the console.
    """
    began = time.monotonic()
    people = whole_cast()[:players]
    by_phone = seats_by_phone(people) if telegram else frozenset()
    game = load_games()[played.ruleset]
    play = play_of(game)
    with tempfile.TemporaryDirectory(prefix="pbem-demo-") as folder:
        async with open_stage(people, played, seed, Path(folder), by_phone=by_phone) as stage:
            await stage.pace.rest()
            await start_table(stage)
            with progress_on(console, play, game.title) as progress:
                moment = await _play(stage, people, progress, turns)
            counts = await read_counts(stage)
            bound = await write_gallery(stage, people, stage.chosen, time.monotonic() - began, out)
    seconds = time.monotonic() - began
    places = (bound.site, bound.index)
    print_end(console, play, moment, counts, seconds, places, bound.proof)
    return Performance(moment, counts, seconds, bound)


async def _play(
    stage: Stage, people: tuple[Person, ...], progress: Progress, turns: int | None
) -> Moment:
    await stage.pace.rest()
    closed = Closed(stage, stage.chosen)
    moment = await stage.moment()
    await _tell(stage, progress, 0, moment)
    while not moment.over and (turns is None or moment.turn <= turns):
        await stage.pace.step()
        if await stage.phase_number() != moment.phase_number:
            before, moment = moment, await stage.moment()
            await _tell(stage, progress, before.phase_number, moment)
            await closed.look(moment)
    return moment


async def _tell(stage: Stage, progress: Progress, from_phase: int, moment: Moment) -> None:
    mails_in = stage.recorder.arrivals[SERVICE_ADDRESS]
    news = await stage.leads(from_phase, moment.phase_number)
    progress.tell(Report(moment, mails_in, len(stage.recorder.mails) - mails_in, news))
