"""What a language model is told that a ruler may order hangs on nothing that the ruler may not
know.
"""

from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from engine.sovereigns.ruleset import SOVEREIGNS
from pbem.games.sovereigns.reading.offered import space
from pbem.games.sovereigns.reading.position import Position
from pbem.reading.proposed import told_of
from tests.games.sovereigns.engine.test_secrecy import twin, wander
from tests.rings import at_length


@settings(max_examples=at_length(4, 60), deadline=None)
@given(seed=st.integers(0, 2**32), players=st.integers(2, 4))
def test_what_may_be_ordered_is_told_from_what_its_ruler_knows(seed: int, players: int) -> None:
    rng, told = Random(seed), 0
    for state, *_ in wander(seed, players):
        for player in SOVEREIGNS.active(state):
            shown = told_of([*space(Position(state, player))])
            assert told_of([*space(Position(twin(state, player, rng), player))]) == shown
            told += len(shown)
    assert told
