"""Chances of dice, as exact fractions: what can be said beforehand of a game in which little else
can (RM-0.2, RM-3.5, RM-3.6).
"""

from collections.abc import Collection, Sequence
from fractions import Fraction
from math import comb

from engine.realm_master.conditions import FACES, Face

DICE = 5


def chance_of_face(face: Face, throws: int = 1) -> Fraction:
    """That a die shows this face, or an R that may become it, within this many throws, thrown again
    until it does.
    """
    wanted = 1 if face == "R" else 2
    return 1 - Fraction(len(FACES) - wanted, len(FACES)) ** throws


def odds_of_reaching(
    face: Face,
    number: int,
    *,
    dice: Sequence[Face] = (),
    again: Collection[int] = (),
    throws: int = 1,
) -> Fraction:
    """The chance that at least `number` dice show `face` (R counting as it) once the dice at the
    places `again` (from 1) were thrown again.

    Without `dice` all five have yet to be thrown. Each die has `throws` more throws: 2 for the
    throw and the reroll, 3 with a Second Chance; the player keeps each wanted face. ValueError for
    places outside the dice.
    """
    open_dice = DICE if not dice else len(set(again))
    if dice and not set(again) <= set(range(1, len(dice) + 1)):
        raise ValueError(f"no dice at {sorted(again)}")
    if throws < 0:
        raise ValueError(f"{throws} throws")
    kept = sum(
        shown in (face, "R") for place, shown in enumerate(dice, start=1) if place not in again
    )
    chance = chance_of_face(face, throws)
    return sum(
        (
            comb(open_dice, hits) * chance**hits * (1 - chance) ** (open_dice - hits)
            for hits in range(max(0, number - kept), open_dice + 1)
        ),
        Fraction(0),
    )
