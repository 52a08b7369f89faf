"""Words of the game that a message says for nothing are told."""

import pytest

from tests.games.reading.unused import read
from tests.games.realm_master.engine.playing import table

OTHERS = {
    "Ben": {"hero": "dwarf", "hgb": "8/3/0", "at": "ARU"},
    "Cleo": {"hero": "barbarian", "hgb": "9/1/1", "at": "out"},
}


@pytest.mark.parametrize(
    ("text", "unused"),
    [
        ("attack, and snitch on Ben too", ("Ben",)),
        ("2. attack", ("2",)),
        ("1. attack", ()),
        ("attack. Two swords already, yay!", ()),
        ("attack. That was a brutal turn.", ()),
    ],
)
def test_what_came_to_nothing_is_told(text: str, unused: tuple[str, ...]) -> None:
    """F-74: a deed that was not understood, and a number that is no list mark, are quoted."""
    assert read("realm-master", text)[0].unused == unused


def test_what_is_said_beside_the_last_plan_changes_that_line_alone() -> None:
    """F-74: the rest of the last plan stands, too; where there is none, the words are told."""
    said = "repeat last round, attack only with 3 swords though"
    last = {"hero": "elf", "hgb": "7/4/2", "at": "out", "last": ["Reroll: reroll blanks"]}
    _, after = read("realm-master", said, state=table({"Anna": last, **OTHERS}))
    assert after == ["Reroll: reroll blanks", "Attack: yes if sword dice at least 3, no"]
    reading, after = read("realm-master", said)
    assert after == []
    assert [one.code for item in reading.items for one in item.problems] == ["no-last-plan"]
