"""What a language model is told that a player may order hangs on nothing that others keep secret."""

from random import Random

import pytest

from pbem.games.realm_master.reading.forms import space
from pbem.reading.proposed import told_of
from tests.games.realm_master.engine.test_machine import scrambled
from tests.games.realm_master.pages.played import game


@pytest.mark.parametrize(
    ("seed", "players", "mode"), [(1, 4, "standing"), (2, 6, "standing"), (4, 3, "interactive")]
)
def test_what_may_be_ordered_is_told_from_what_its_player_knows(
    seed: int, players: int, mode: str
) -> None:
    rng, told = Random(seed), 0
    for closed in game(seed, players, mode):
        for held in closed.before.players:
            shown = told_of([*space(closed.before, held.number)])
            other = scrambled(closed.before, held.number, rng)
            assert told_of([*space(other, held.number)]) == shown
            told += len(shown)
    assert told
