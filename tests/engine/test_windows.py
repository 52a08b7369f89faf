"""Windows of all games by chance: none is skipped in which a player could say something, and none is
open in which nobody can.
"""

from typing import Any

import pytest

from pbem.game import Game
from tests.played import GAMES, house_of
from tests.rings import at_length


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_a_window_is_skipped_only_where_nobody_can_say_anything(game: Game) -> None:
    """F-84: what `legal` has for each player decides, looks at cards and gifts of money among it."""
    house, rules = house_of(game.ruleset.id), game.ruleset
    skipped = 0
    for seed in range(at_length(12, 200)):
        for passed, after in house.windows(seed):
            skipped += len(passed)
            for state in passed:
                assert not said(game, house, state, rules.phase(state).asked)
            asked = rules.phase(after).asked
            assert asked
            assert all(any(True for _ in rules.legal(after, player)) for player in asked)
    assert skipped or not house.SKIPS


def said(game: Game, house: Any, state: Any, players: tuple[int, ...]) -> bool:
    """Whether one of them could say something."""
    return any(
        house.says(state, order)
        for player in players
        for order in game.ruleset.legal(state, player)
    )
