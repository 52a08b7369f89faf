"""Headlines and sentences of news over whole games of every kind, to the end: a phone shows no more
of a subject (READING section 4).
"""

from collections.abc import Callable, Iterator, Sequence

import pytest

from engine.protectors.view_of import view_of
from engine.realm_master.conditions import land_name
from pbem.games.fortresses.pages.letters import PAGES as FORTRESSES
from pbem.games.protectors.pages.letters import PAGES as PROTECTORS
from pbem.games.realm_master.pages.letters import PAGES as REALM_MASTER
from pbem.games.sovereigns.pages.letters import PAGES as SOVEREIGNS
from pbem.pages.news import MOST_HEADLINE, MOST_SENTENCE, Lead, News
from tests.games.fortresses.pages import played as fortresses
from tests.games.protectors.pages import played as protectors
from tests.games.realm_master.pages import played as realm_master
from tests.games.sovereigns.pages import scripted as sovereigns

Told = tuple[Lead, Sequence[News], bool]
"""Of a close its lead and its news, and whether the game is over with it."""


def of_fortresses() -> Iterator[Told]:
    for players, seed in ((2, 1), (4, 3)):
        for step in fortresses.play(players, seed, 80, {"year_limit": 4}):
            view = step.view(None)
            lead, news = FORTRESSES.lead(view, step.events), FORTRESSES.news(view, step.events)
            yield lead, news, view.stage == "over"


def of_protectors() -> Iterator[Told]:
    for seed, players in ((1, 7), (2, 4)):
        for game in protectors.play(seed, players):
            view = view_of(game.state, None)
            *_, events = game.phases[-1]
            public = tuple(event for event in events if event.is_for(None))
            yield PROTECTORS.lead(view, public), (), view.stage == "over"


def of_realm_master() -> Iterator[Told]:
    for seed, players, mode in ((1, 4, "standing"), (2, 6, "standing"), (5, 3, "interactive")):
        for closed in realm_master.game(seed, players, mode):
            view, events = realm_master.public(closed.after), closed.told(None)
            lead, news = REALM_MASTER.lead(view, events), REALM_MASTER.news(view, events)
            yield lead, news, view.stage == "over"


def of_sovereigns() -> Iterator[Told]:
    for players, seed in ((5, 1), (3, 2)):
        for closed in sovereigns.play_script(players, seed):
            view, events = closed.step.view(None), closed.step.told(None)
            lead, news = SOVEREIGNS.lead(view, events), SOVEREIGNS.news(view, events)
            yield lead, news, view.stage == "over"


@pytest.mark.parametrize("games", [of_fortresses, of_protectors, of_realm_master, of_sovereigns])
def test_no_headline_and_no_sentence_is_too_long(games: Callable[[], Iterator[Told]]) -> None:
    ends = 0
    for lead, news, is_over in games():
        assert 0 < len(lead.headline) <= MOST_HEADLINE, lead
        assert 0 < len(lead.sentence) <= MOST_SENTENCE, lead
        for one in news:
            assert len(one.told) <= MOST_SENTENCE, one
        ends += is_over
    assert ends >= 2


def test_a_headline_of_realm_master_tells_of_no_hero_where_another_stands() -> None:
    """Who entered a land and was driven out of it before the close is not told to be there."""
    told = 0
    for seed, players in ((1, 4), (2, 6), (9, 6), (11, 6), (12, 4)):
        for closed in realm_master.game(seed, players):
            view = realm_master.public(closed.after)
            lead = REALM_MASTER.lead(view, closed.told(None))
            for land in view.lands:
                for hero in view.players:
                    clauses = (
                        f"{hero.name} {what} {land_name(land.key)}"
                        for what in ("enters", "moves to", "takes")
                    )
                    if any(clause in lead.headline for clause in clauses):
                        told += 1
                        assert hero.at == land.key, (lead, hero.at)
    assert told
