"""Headlines of whole games of Realm-Master."""

from collections.abc import Iterator

from engine.realm_master.conditions import land_name
from pbem.games.realm_master.pages.letters import PAGES
from tests.games.realm_master.pages import played
from tests.pages.headlines import Told, check_lengths


def whole_games() -> Iterator[Told]:
    for seed, players, mode in ((1, 4, "standing"), (2, 6, "standing"), (5, 3, "interactive")):
        for closed in played.game(seed, players, mode):
            view, events = played.public(closed.after), closed.told(None)
            lead, news = PAGES.lead(view, events), PAGES.news(view, events)
            yield lead, news, view.stage == "over"


def test_no_headline_and_no_sentence_is_too_long() -> None:
    check_lengths(whole_games())


def test_a_headline_tells_of_no_hero_where_another_stands() -> None:
    """Who entered a land and was driven out of it before the close is not told to be there."""
    told = 0
    for seed, players in ((1, 4), (2, 6), (9, 6), (11, 6), (12, 4)):
        for closed in played.game(seed, players):
            view = played.public(closed.after)
            lead = PAGES.lead(view, closed.told(None))
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
