"""The course of a phase: who acted in it and how, and where it was rolled back to, as a second copy
of the acts.

So a report can name an act that was taken out, put in or moved. If somebody changes the course
along with the acts, the seals and the replay show it.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from engine.ruleset import Actor
from pbem.record.difference import Difference, shown
from pbem.record.record import Act, Phase, Record
from pbem.record.seals import act_digest

_BACK = "roll back to "


def course_of(
    acts: Sequence[tuple[Actor, Mapping[str, Any]]], to: int | None, *, reshuffle: bool
) -> tuple[str, ...]:
    """`gm set-money`, `2 peek` for each act in its order, and at the end `roll back to 3` or `roll
    back to 3, reshuffled`.
    """
    back = () if to is None else (f"{_BACK}{to}{', reshuffled' if reshuffle else ''}",)
    return (*(f"{actor} {act.get('act', '')}" for actor, act in acts), *back)


def compare_course(record: Record, phase: Phase) -> Iterator[Difference]:
    """Acts that were changed, taken out, put in or moved, and so the roll back: by their digests
    and by the course.
    """
    told = course_of(
        [(act.actor, act.act) for act in phase.acts], phase.to, reshuffle=phase.reshuffle
    )
    stood = [line for line in phase.course if not line.startswith(_BACK)]
    found = _assign(phase, told, stood)
    for index, act in enumerate(phase.acts):
        at = found[index]
        if at is None:
            yield Difference(
                phase.number, "added", _name(record, index, told[index]), shown(act.act)
            )
        elif act.digest != act_digest(phase.number, at, act.actor, act.act):
            yield Difference(
                phase.number, "changed", _name(record, at, told[index]), shown(act.act)
            )
    for at, line in enumerate(stood):
        if at not in found:
            yield Difference(phase.number, "missing", _name(record, at, line))
    order = [at for at in found if at is not None]
    if order != sorted(order):
        yield Difference(
            phase.number, "changed", "the order of the acts", ", ".join(str(at) for at in order)
        )
    yield from _compare_back(phase.number, _back_in(phase.course), _back_in(told))


def _assign(phase: Phase, told: Sequence[str], stood: Sequence[str]) -> list[int | None]:
    """For each act the place it had in the course: by its digest, which holds the place, else the
    first free one of its kind.
    """
    found: list[int | None] = [None] * len(phase.acts)
    free = dict(enumerate(stood))
    for by_digest in (True, False):
        for index, act in enumerate(phase.acts):
            if found[index] is not None:
                continue
            for at in _near(index, free):
                if free[at] == told[index] and (not by_digest or _is_of(act, phase.number, at)):
                    found[index] = at
                    del free[at]
                    break
    return found


def _near(index: int, free: Mapping[int, str]) -> list[int]:
    return sorted(free, key=lambda at: (at != index, at))


def _is_of(act: Act, number: int, at: int) -> bool:
    return act.digest == act_digest(number, at, act.actor, act.act)


def _back_in(course: Sequence[str]) -> str:
    return next((line for line in course if line.startswith(_BACK)), "")


def _compare_back(number: int, stood: str, told: str) -> Iterator[Difference]:
    if told == stood:
        return
    if not told:
        yield Difference(number, "missing", f"the {_in_words(stood)}")
    elif not stood:
        yield Difference(number, "added", f"the {_in_words(told)}")
    else:
        yield Difference(number, "changed", f"the {_in_words(stood)}", _in_words(told))


def _in_words(back: str) -> str:
    return back.replace(_BACK, f"{_BACK}phase ")


def _name(record: Record, index: int, line: str) -> str:
    """`act 0 of the game master (set-money)`."""
    actor, _, kind = line.partition(" ")
    who = record.name_of(int(actor)) if actor.isdecimal() else "the game master"
    return f"act {index} of {who} ({kind})"
