"""Headlines of whole games of States & Sovereigns."""

from collections.abc import Iterator

from pbem.games.sovereigns.pages.letters import PAGES
from tests.games.sovereigns.pages.scripted import play_script
from tests.pages.headlines import Told, check_lengths


def whole_games() -> Iterator[Told]:
    for players, seed in ((5, 1), (3, 2)):
        for closed in play_script(players, seed):
            view, events = closed.step.view(None), closed.step.told(None)
            lead, news = PAGES.lead(view, events), PAGES.news(view, events)
            yield lead, news, view.stage == "over"


def test_no_headline_and_no_sentence_is_too_long() -> None:
    check_lengths(whole_games())
