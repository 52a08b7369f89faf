"""Which season a phase of the past was, by its place in its year."""

from collections.abc import Mapping, Sequence

from engine.sovereigns.state import SEASONS
from pbem.pages.page import PhaseEvents

START = "start"


def seasons_of(past: Sequence[PhaseEvents]) -> Mapping[int, str]:
    """The season of each phase by the phase's number: the seasons come in turn after the start of
    their year (`start`); set-up is none. `past` begins with the first phase of the game; a phase
    that was rolled back is told again.
    """
    found: dict[int, str] = {}
    coming: list[str] = []
    for phase in past:
        if phase.kind == "year-start":
            coming = list(SEASONS)
            found[phase.number] = START
        elif phase.kind == "season" and coming:
            found[phase.number] = coming[0] if phase.is_undone else coming.pop(0)
        else:
            found[phase.number] = ""
    return found
