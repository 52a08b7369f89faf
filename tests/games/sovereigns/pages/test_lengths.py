"""How much there is to read in a whole game (READING-3, READING-19, READING-26)."""

from collections import defaultdict
from statistics import median

import pytest

from tests.games.sovereigns.pages.scripted import letters_of, play_script, words_of

BOUNDS = {
    "turn": (310, 440),
    "reminder": (62, 85),
    "receipt": (55, 75),
    "ending": (260, 260),
}
"""The words of a letter, in the middle and at most."""
ABOVE = (150, 265)
"""The same of a turn above its fold; the most is in the first season, which explains."""


@pytest.mark.parametrize(("players", "seed"), [(5, 1), (3, 2), (4, 3)])
def test_letters_are_short(players: int, seed: int) -> None:
    """Turns had 432 words in the middle and 648 at most, reminders 166 and 244."""
    found: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for kind, page in letters_of(play_script(players, seed)):
        found[kind].append(words_of(page))
    for kind, (middle, most) in BOUNDS.items():
        words = [every for _, every in found[kind]]
        assert median(words) <= middle, kind
        assert max(words) <= most, kind
    above = [words for words, _ in found["turn"]]
    assert median(above) <= ABOVE[0]
    assert max(above) <= ABOVE[1]


def test_what_everybody_knows_by_then_is_explained_once() -> None:
    """READING-19: legends stand in the first year alone, and so does the link to a chat
    (READING-18).
    """
    for closed in play_script(5, 1):
        view = closed.step.view(None)
        if view.stage == "over":
            return
        number = view.asked[0]
        pages = [page.text for kind, page in letters_of((closed,)) if kind == "turn"]
        told = " ".join(pages[view.asked.index(number)].split())
        assert ("16 or more is Full Support" in told) is (
            view.stage == "year-start" and view.year == 1
        )
        assert ("Buildings and trades come on top" in told) is (
            view.year == 1 and view.season == "Spring" and view.stage == "season"
        )
