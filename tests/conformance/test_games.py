"""The games of this house are as the guide asks of other people's."""

import pytest

from pbem.conformance.examination import FAST, check_game
from pbem.findings import Grade
from pbem.registry import load_games


@pytest.mark.long(
    held_by="tests/games/*/engine/test_machine.py (states, orders and secrets),"
    " tests/games/*/pages (letters and news), tests/games/*/board"
)
@pytest.mark.parametrize("game", list(load_games()))
def test_f103_nothing_is_broken_in_a_game_of_the_house(game: str) -> None:
    found = check_game(load_games()[game], FAST)
    assert [one for one in found if one.grade is Grade.BROKEN] == []
