"""Which season a phase of the past was, by its place in its year."""

from collections.abc import Iterable

from engine.sovereigns.state import SEASONS

START = "start"


def seasons_of(phases: Iterable[tuple[str, bool]]) -> list[str]:
    """The season of each phase, from its kind and whether it was rolled back: the seasons come in
    turn after the start of their year (`start`), and one that was rolled back comes again. Set-up,
    and seasons before the first start here, have none.
    """
    found: list[str] = []
    coming: list[str] = []
    for kind, is_undone in phases:
        name = ""
        if kind == "year-start":
            name = START
            coming = coming if is_undone else list(SEASONS)
        elif kind == "season" and coming:
            name = coming[0] if is_undone else coming.pop(0)
        found.append(name)
    return found
