"""Readers of all games end with an answer, however long a message repeats itself."""

import pytest

from tests.played import GAMES, spoken

REPEATED = ("3/3/3 ", "((a) ", "no wait, ", "- ", "1L 1K ", "a\n", "I attack, ", "then if not ")
TIMES = 1200


@pytest.mark.sample(8)
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("piece", REPEATED)
def test_a_message_of_one_piece_over_and_over_is_answered(game: str, piece: str) -> None:
    """F-109: no reader goes deeper with the length of a message."""
    for heard in spoken(game).heard[:1]:
        told = heard.read(piece * TIMES)
        assert told.items or told.note is not None or told.commands or told.answers is not None
