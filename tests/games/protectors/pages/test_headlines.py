"""Headlines of whole games of Protectors."""

from collections.abc import Iterator

from engine.protectors.view_of import view_of
from pbem.games.protectors.pages.letters import PAGES
from tests.games.protectors.pages.played import play
from tests.pages.headlines import Told, check_lengths


def whole_games() -> Iterator[Told]:
    for seed, players in ((1, 7), (2, 4)):
        for game in play(seed, players):
            view = view_of(game.state, None)
            *_, events = game.phases[-1]
            public = tuple(event for event in events if event.is_for(None))
            yield PAGES.lead(view, public), PAGES.news(view, public), view.stage == "over"


def test_no_headline_and_no_sentence_is_too_long() -> None:
    check_lengths(whole_games())
