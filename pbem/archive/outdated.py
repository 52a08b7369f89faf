"""How the tables stand, as far as their archives depend on it: what is out of date is found by
comparing this with what was written.
"""

from dataclasses import dataclass
from datetime import datetime

import msgspec

from pbem.desk.ports import Desk
from pbem.desk.table import decode_settings
from pbem.desk.upkeep.health import program_version
from pbem.store.repositories.games import GameRow
from pbem.store.repositories.phases import PhaseRow


class Stamp(msgspec.Struct, frozen=True):
    """How a table stood when its archive was written: any difference means that it is out of date.
    `game` is its id, `due` the open deadline, `sequence` how often that has moved, `program` our
    version.
    """

    game: int
    phase: int
    status: str
    due: datetime | None
    sequence: int
    program: str


@dataclass(frozen=True, slots=True)
class Standing:
    """The public tables that have begun, by their short names, and those that nobody may watch."""

    public: dict[str, Stamp]
    hidden: frozenset[str]


async def read_standing(desk: Desk) -> Standing:
    """All tables of games that are installed. A table that is given up before it begins has nothing
    to show.
    """
    async with desk.database.read() as work:
        games = await work.games.list_by_status("running", "paused", "over", "ended")
        phases = {phase.game_id: phase for phase in await work.phases.list_running()}
    begun = [game for game in games if game.phase_number and game.ruleset in desk.games]
    hidden = frozenset(game.slug for game in begun if not decode_settings(game).is_public)
    public = {
        game.slug: stamp_of(game, phases.get(game.id)) for game in begun if game.slug not in hidden
    }
    return Standing(public, hidden)


def stamp_of(game: GameRow, phase: PhaseRow | None) -> Stamp:
    """`phase` is the open one, if the game runs."""
    return Stamp(
        game=game.id,
        phase=game.phase_number,
        status=game.status,
        due=phase.deadline if phase is not None else None,
        sequence=phase.ics_sequence if phase is not None else 0,
        program=program_version(),
    )
