"""What is still to do in a position that a case tells: from the open phase to the tasks, and who is
asked.
"""

from dataclasses import dataclass
from typing import Literal

from engine.realm_master.state import (
    STEPS,
    Begin,
    Check,
    EndRound,
    Fall,
    Heroes,
    Pay,
    PlaceRevealed,
    Plans,
    Smoke,
    Stage,
    Stand,
    Step,
    StepName,
    Task,
    Turn,
    Yield,
)

STEP_OF: dict[Stage, StepName] = {
    "reroll": "reroll",
    "second": "second",
    "knuckle": "knuckle",
    "faces": "faces",
    "attack": "attack",
    "enter": "room",
    "realm": "room",
    "last": "last",
    "smoke": "room",
    "hit": "room",
    "loot": "room",
    "place": "last",
}
"""The step of the turn that is open, or that comes next."""


@dataclass(frozen=True, slots=True)
class Told:
    """What is due in a position: turns, tribute, ultimatum, blows to answer, loot, a
    revealed card.
    """

    living: tuple[int, ...]
    to_play: tuple[int, ...]
    owing: tuple[int, ...]
    ultimatum: bool
    hit: tuple[tuple[int, int], ...]
    revealed: str | None
    loot: tuple[int, int, Literal["attack", "bolt", "thorns"]] | None
    step: StepName | None
    occupants: tuple[int, ...]
    smokers: tuple[int, ...]

    def asked(self, stage: Stage, turn: Turn | None) -> tuple[int, ...]:
        """Who is asked, unless the position tells it."""
        match stage:
            case "heroes" | "round":
                return self.living
            case "tribute":
                return self.owing[:1]
            case "ultimatum":
                return self.occupants
            case "smoke" if turn is not None:
                return tuple(player for player in self.smokers if player != turn.player)
            case "hit":
                return tuple(player for player, _ in self.hit)
            case "loot" if self.loot is not None:
                return (self.loot[1],)
            case "over":
                return ()
        return () if turn is None else (turn.player,)


def agenda_of(stage: Stage, told: Told) -> tuple[Task, ...]:
    if stage == "over":
        return ()
    if stage == "heroes":
        return (Heroes(),)
    tasks: list[Task] = [Plans()] if stage == "round" else []
    tasks += map(Pay, told.owing)
    tasks += [Yield()] if told.ultimatum else []
    return (*tasks, *_of_turn(stage, told), *map(Begin, told.to_play), EndRound())


def _of_turn(stage: Stage, told: Told) -> tuple[Task, ...]:
    """The rest of a turn that is being played."""
    if stage in ("round", "tribute", "ultimatum"):
        return ()
    step = told.step or STEP_OF[stage]
    first: list[Task] = []
    if told.revealed is not None:
        first.append(PlaceRevealed(told.revealed))
    if told.loot is not None:
        first += [Fall(*told.loot), Check()]
    if stage == "smoke":
        first.append(Smoke())
    if told.hit:
        first.append(Stand(told.hit))
    return (*first, *map(Step, STEPS[STEPS.index(step) :]))
