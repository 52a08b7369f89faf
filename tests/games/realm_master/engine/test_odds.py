"""Odds of dice, against counting every way they can fall."""

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.realm_master.conditions import FACES, Face
from engine.realm_master.odds import chance_of_face, odds_of_reaching

ROLLS = st.lists(st.sampled_from(FACES), min_size=5, max_size=5).map(tuple)


def counted(face: Face, number: int, dice: tuple[Face, ...], again: tuple[int, ...]) -> Fraction:
    good = 0
    for fallen in product(FACES, repeat=len(again)):
        shown = list(dice)
        for place, new in zip(again, fallen, strict=True):
            shown[place - 1] = new
        good += sum(one in (face, "R") for one in shown) >= number
    return Fraction(good, 6 ** len(again))


@given(
    ROLLS,
    st.sampled_from(FACES),
    st.integers(0, 6),
    st.sets(st.integers(1, 5), max_size=3).map(lambda places: tuple(sorted(places))),
)
def test_the_odds_are_those_of_counting(
    dice: tuple[Face, ...], face: Face, number: int, again: tuple[int, ...]
) -> None:
    assert odds_of_reaching(face, number, dice=dice, again=again) == counted(
        face, number, dice, again
    )


def test_the_example_of_the_rulebook() -> None:
    """Two swords and an R kept, two dice thrown again: both must be a sword or an R."""
    assert odds_of_reaching("s", 5, dice=("s", "s", "R", "-", "b"), again=(4, 5)) == Fraction(1, 9)


def test_before_the_throw_each_throw_more_helps() -> None:
    assert chance_of_face("s") == Fraction(1, 3)
    assert chance_of_face("R", 2) == Fraction(11, 36)
    assert odds_of_reaching("s", 1, throws=2) == 1 - Fraction(4, 9) ** 5
    assert odds_of_reaching("s", 5, throws=3) == Fraction(19, 27) ** 5
    assert odds_of_reaching("s", 0, throws=0) == 1
    assert odds_of_reaching("s", 1, throws=0) == 0


def test_dice_that_are_not_there_have_no_odds() -> None:
    with pytest.raises(ValueError, match="no dice"):
        odds_of_reaching("s", 1, dice=("s", "s", "s", "s", "s"), again=(6,))
    with pytest.raises(ValueError, match="throws"):
        odds_of_reaching("s", 1, throws=-1)
