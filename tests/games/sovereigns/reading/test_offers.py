"""Offers that once named another kingdom or did the opposite (F-72), and a line to copy that costs a
point for good (F-73).
"""

from pathlib import Path

from tests.games.reading.phrases import read_at, shown_of
from tests.rows import each_row

HERE = Path(__file__).parent


@each_row(
    ("place", "text"),
    [
        ("offers", "Accept Velmora's offer. Hmm no, decline it"),
        ("summer", "research with 2 and attack Velmora with 2"),
        ("summer", "increase resources with 2"),
        ("summer", "abdicate? never!"),
        ("summer", "surprise me"),
        ("year", "put my people at ease"),
        ("year", "rule by feer? not me"),
    ],
)
def test_f72_f73_nothing_is_offered_or_shown(place: str, text: str) -> None:
    """F-72, F-73: no other kingdom, neither of two that exclude each other, and no `Rule by fear`."""
    assert shown_of(read_at(HERE, place, "Ida", text)) == ([], [])


def test_f72_an_action_that_says_all_is_offered() -> None:
    """F-72: what the mechanism can show to be right is offered on."""
    offered, _ = shown_of(read_at(HERE, "summer", "Ida", "attakc Velmora with 3 pleese"))
    assert offered in ([], ["Attack Marek: 3M"])
