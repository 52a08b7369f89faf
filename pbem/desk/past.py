"""A game's past: what led to a phase. Phases that were rolled back stay in the store and are no part of it."""

from collections.abc import Sequence

import msgspec

from engine.ruleset import Event
from pbem.desk.ports import Game
from pbem.desk.table import decode_events
from pbem.store.phases import PhaseRow
from pbem.store.work import Work

PICTURED_PHASES = 4


class Label(msgspec.Struct, frozen=True, omit_defaults=True):
    """What the store keeps of a phase for showing it. `rolled_back_to`: the phase whose opening state this one began with again."""

    turn: int = 0
    rolled_back_to: int | None = None


def format_label(label: Label) -> str:
    return msgspec.json.encode(label).decode()


def parse_label(phase: PhaseRow) -> Label:
    return msgspec.json.decode(phase.label, type=Label)


def lineage(phases: Sequence[PhaseRow], number: int) -> tuple[int, ...]:
    """The phases whose closes led to phase `number`, the first first; 0 stands for the start. `phases` are all of the game.

    A phase that was opened by a roll back takes the place of the one it went back to: their past is the same.
    """
    origins = {phase.number: parse_label(phase).rolled_back_to for phase in phases}
    path: list[int] = []
    at = number
    while at > 0:
        origin = origins.get(at)
        if origin is not None and 0 < origin < at:
            at = origin
            continue
        at -= 1
        path.append(at)
    return tuple(reversed(path))


async def read_events_before(work: Work, kind: Game, game_id: int, number: int, *, with_acts: bool) -> tuple[Event, ...]:
    """The public events of the last few phases that led to phase `number`, for a picture; `with_acts`: and of its own acts so far."""
    past = lineage(await work.phases.list_of_game(game_id), number)[-PICTURED_PHASES:]
    wanted = {*past, number} if with_acts else set(past)
    rows = await work.events.list_of_game(game_id, min(wanted, default=number))
    return decode_events(kind, [row for row in rows if row.phase_number in wanted], None)
