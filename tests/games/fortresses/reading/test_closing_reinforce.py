"""F-79: what closes Reinforce in a player's own words is no note to the game master."""

import pytest

from tests.games.fortresses.reading.tables import read


@pytest.mark.parametrize(
    "text", ["spend nothing, close it", "I spend nothing. Close the phase.", "buy nothing, done"]
)
def test_f79_spending_nothing_closes_reinforce(text: str) -> None:
    assert read(text, "reinforce") == (["Buy nothing", "Done"], ())


@pytest.mark.parametrize(
    "text", ["spend nothing if Gold waits", "should I spend nothing?", "I do not spend nothing"]
)
def test_f79_what_turns_it_closes_nothing(text: str) -> None:
    assert read(text, "reinforce")[0] == []
