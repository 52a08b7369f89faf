"""What a battle would come to by and large: expected hits round by round, cheap enough to be asked
a hundred times a plan.
"""

from engine.fortresses.atlas import facts_of
from engine.fortresses.phases.battles import DEFENDERS_FALL, LEAST_HIT
from engine.fortresses.units import CODES, UnitCode, Units

ROUNDS = 12
CHANCE = {code: (facts_of(code).die - LEAST_HIT + 1) / facts_of(code).die for code in CODES}


def worth(units: Units) -> int:
    """In gold."""
    return sum(facts_of(code).cost * count for code, count in units.pairs())


def expected(attackers: Units, defenders: Units, points: int) -> float:
    """What share of the attackers is left when no defender is; below 0 if the defenders win: minus
    the share of them that is left.
    """
    ours = {code: float(attackers.of(code)) for code in CODES}
    theirs = {code: float(defenders.of(code)) for code in CODES}
    walls = float(points)
    for _ in range(ROUNDS):
        ours_left, theirs_left = sum(ours.values()), sum(theirs.values())
        if theirs_left < _NOBODY or ours_left < _NOBODY:
            break
        strikes = sum(CHANCE[code] * count for code, count in ours.items())
        answers = sum(CHANCE[code] * count for code, count in theirs.items())
        broken = min(walls, strikes)
        walls -= broken
        _fall(theirs, strikes - broken, DEFENDERS_FALL)
        _fall(ours, answers, CODES)
    ours_left, theirs_left = sum(ours.values()), sum(theirs.values())
    if theirs_left >= _NOBODY:
        return -theirs_left / max(1, defenders.total)
    return ours_left / max(1, attackers.total)


_NOBODY = 0.3
"""So little of a unit counts as none."""


def _fall(side: dict[UnitCode, float], hits: float, order: tuple[UnitCode, ...]) -> None:
    for code in order:
        dead = min(side[code], hits)
        side[code] -= dead
        hits -= dead
