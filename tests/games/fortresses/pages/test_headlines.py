"""Headlines of whole games of Fortresses."""

from collections.abc import Iterator

from pbem.games.fortresses.pages.letters import PAGES
from tests.games.fortresses.pages.played import play
from tests.pages.headlines import Told, check_lengths


def whole_games() -> Iterator[Told]:
    for players, seed in ((2, 1), (4, 3)):
        for step in play(players, seed, 80, {"year_limit": 4}):
            view = step.view(None)
            lead, news = PAGES.lead(view, step.events), PAGES.news(view, step.events)
            yield lead, news, view.stage == "over"


def test_no_headline_and_no_sentence_is_too_long() -> None:
    check_lengths(whole_games())
