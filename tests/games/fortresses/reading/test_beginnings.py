"""Zones by the beginnings of their names (FW-11.2): each one of 4 letters or more that fits one
zone is that zone, and one that fits several is asked about.
"""

import pytest

from engine.fortresses.atlas import zones
from engine.fortresses.state import State
from engine.ruleset import Standing
from pbem.cases.runner import problem_codes
from pbem.games.fortresses.reading.reader import read_case
from pbem.games.fortresses.reading.words import PREFIX, begun_by, codes, zones_by_name
from pbem.grammar.house.parsing import hear
from tests.games.fortresses.engine.playing import table

NAMES = [name for name in zones_by_name() if name not in codes()]
BEGINNINGS = sorted(
    {
        name[:end]
        for name in NAMES
        for end in range(PREFIX, len(name) + 1)
        if len(name[:end].replace(" ", "")) >= PREFIX and not name[:end].endswith(" ")
    }
)
ATTACK = table("attack", base="start")
REINFORCE = table("reinforce", base="start")
WHERE = (
    (REINFORCE, "Buy {unit} in {zone}"),
    (REINFORCE, "Move 1K from {zone} to France"),
    (REINFORCE, "move a knight from France to {zone}"),
    (REINFORCE, "fly the dragon home to {zone}, please"),
    (ATTACK, "Attack {zone} with 1L from France"),
    (ATTACK, "attack {zone} with everything from Flanders"),
    (ATTACK, "lose knights first in {zone}"),
    (ATTACK, "Galleon in North Sea carries 1L from Norway to {zone}"),
    (ATTACK, "2L from France to {zone}"),
)
"""Every place in a line where a zone stands, and must."""


def told(state: State, text: str) -> tuple[list[str], tuple[str, ...]]:
    reading = read_case(state, 1, Standing(), hear(text))
    return [text for item in reading.items for text in item.texts], problem_codes(reading)[0]


@pytest.mark.sample(40)
@pytest.mark.parametrize("beginning", BEGINNINGS)
def test_a_beginning_of_a_name_is_the_zone_or_is_asked_about(beginning: str) -> None:
    """F-92: also where it is a word of its own, as `Norm`, `Cast`, `Black` are."""
    named = zones_by_name().get(beginning)
    fits = {named} if named is not None else begun_by(beginning)
    zone = min(fits)
    unit = "1L" if zones()[zone].is_land else "1G"
    for state, line in WHERE:
        for written in (beginning, beginning.title()):
            found = told(state, line.format(zone=written, unit=unit))
            if len(fits) > 1:
                assert "ambiguous" in found[1], line
            else:
                assert found == told(state, line.format(zone=zone, unit=unit)), line


def test_most_beginnings_fit_one_zone() -> None:
    """The list above is no short one."""
    alone = [one for one in BEGINNINGS if one in zones_by_name() or len(begun_by(one)) == 1]
    assert len(BEGINNINGS) > len(alone) > 266


@pytest.mark.parametrize(
    "text",
    [
        "We live in constant fear.",
        "I want to prove that I am no coward.",
        "What a trip to the north it was!",
        "You cast a spell on me.",
        "Thanks to Irish beer all is well in English taverns.",
    ],
)
def test_a_word_of_its_own_names_no_zone_in_talk(text: str) -> None:
    """F-92: such words are zones only where a zone must stand."""
    found = told(ATTACK, text)
    assert found == told(ATTACK, "Good luck to all of you.")
    assert told(ATTACK, f"{text}\nAttack Saxony with 1L from France") == (
        ["Attack Saxony with 1L from France"],
        (),
    )
