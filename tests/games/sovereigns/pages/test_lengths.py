"""How much there is to read in a whole game (READING-3, READING-19, READING-26)."""

from collections import defaultdict
from statistics import median

import pytest

from tests.games.sovereigns.pages.scripted import letters_of, play_script
from tests.pages.counting import hold_subject, words_of

BOUNDS = {
    "turn": (180, 300),
    "reminder": (60, 75),
    "receipt": (30, 45),
    "ending": (200, 200),
}
"""The words of a letter, in the middle and at most; the most is in the first season, which
explains.
"""


@pytest.mark.sample(1)
@pytest.mark.parametrize(("players", "seed"), [(5, 1), (3, 2), (4, 3)])
def test_letters_are_short(players: int, seed: int) -> None:
    found: dict[str, list[int]] = defaultdict(list)
    for kind, page in letters_of(play_script(players, seed)):
        found[kind].append(words_of(page))
        if kind == "turn":
            hold_subject(page, "")
    for kind, (middle, most) in BOUNDS.items():
        assert median(found[kind]) <= middle, kind
        assert max(found[kind]) <= most, kind


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
