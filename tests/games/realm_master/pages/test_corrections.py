"""What a game master sets right at a table of Realm-Master is told in a sentence, with what comes
of it (RM-11.10).
"""

import pytest

from engine.realm_master.view_of import view_of
from pbem.games.realm_master.pages.letters import PAGES
from pbem.games.realm_master.reading.corrections import read_correction
from tests.games.realm_master.engine.playing import act, close, new_game, table
from tests.rows import each_row

PLAYERS = {
    "Anna": {"hero": "elf", "hgb": "7/2/1", "at": "JER", "cards": ["B01"]},
    "Ben": {"hero": "barbarian", "hgb": "8/0/0"},
    "Cy": {"hero": "dwarf", "hgb": "9/3/0"},
}
STATE = table(PLAYERS, lands={"JER": "1/1/2", "ARU": "0/3/1"})


@each_row(
    ("written", "told"),
    [
        ("Elf hearts 5", ["Anna has 5 hearts (before: 7)."]),
        (
            "Elf hearts 0",
            [
                "Anna has 0 hearts (before: 7).",
                "Anna, the Elf is dead, by a word of the game master.",
            ],
        ),
        ("kill the elf", ["Anna, the Elf is dead, by a word of the game master."]),
        (
            "Elf banners 10",
            ["Anna has 10 banners (before: 1).", "Anna wins: 10 banners."],
        ),
        ("winner dwarf", ["Cy wins: the game master said so"]),
        ("rule: a shield counts once", ['The game master rules: "a shield counts once"']),
        ("mode interactive", ["From the next round on we ask for every decision as it comes."]),
    ],
)
def test_each_correction_is_told_with_what_comes_of_it(written: str, told: list[str]) -> None:
    outcome = act(STATE, "gm", dict(read_correction(STATE, written).act) | {"reason": "a slip"})
    said = PAGES.corrections(view_of(outcome.state, None), outcome.events)
    assert len(said) == len(told)
    for sentence, begun in zip(said, told, strict=True):
        assert sentence.replace("’", "'").startswith(begun)


@pytest.mark.parametrize("mode", ["standing", "interactive"])
def test_what_is_played_again_is_not_told_before(mode: str) -> None:
    state = new_game(3, mode=mode)
    while state.turns < 3 and state.stage != "over":
        state = close(state).state
    for written, number in (("undo the last turn", state.turns), ("undo the round", 1)):
        outcome = act(state, "gm", dict(read_correction(state, written).act) | {"reason": "a slip"})
        (said,) = PAGES.corrections(view_of(outcome.state, None), outcome.events)
        assert said.startswith(
            f"{'Turn' if 'turn' in written else 'Round'} {number} is played again from its beginning"
        )
