"""News of States & Sovereigns: what weighs how much, whose it is, and which season it is about
(READING-4).
"""

import re

import pytest
from msgspec.structs import replace

from engine.ruleset import Event
from engine.sovereigns import events as e
from engine.sovereigns.events import AnyFacts
from pbem.games.sovereigns.pages.cast import Cast
from pbem.games.sovereigns.pages.letters import PAGES
from pbem.games.sovereigns.pages.news import news_of
from pbem.pages import news as w
from pbem.pages.news import MOST_CLAUSE, MOST_HEADLINE, MOST_SENTENCE, News
from tests.games.sovereigns.pages.played import play
from tests.games.sovereigns.pages.scripted import closes_of, play_script
from tests.games.sovereigns.pages.test_letters import ATTACK, CAST, EVERY_KIND, MORE, told
from tests.moments import whole

PUBLIC = Cast(CAST.names, 0, CAST.kingdoms, (1, 2, 3), seats=(2, 1, 3))
FAILED = replace(ATTACK, kingdom=2, target=1, result="failure", total=3, difficulty=6, margin=-3)


def one(*facts: AnyFacts, cast: Cast = PUBLIC) -> News:
    (found,) = news_of(told(*facts), cast)
    return found


def test_an_attack_is_told_with_its_sum_and_all_that_was_won() -> None:
    news = one(ATTACK, e.PointLost(2, "M"), e.Captured(2, 1, True), e.Destroyed(2, "BLD-WALL"))
    assert news.short == "Aldermark crushes Borland"
    assert news.told == (
        "Aldermark crushes Borland, 13 to 5: Borland loses 1 Military, Aldermark takes 1 Resource"
        " for good and Borland loses its wall."
    )
    assert (news.weight, news.mark, news.players, news.area) == (w.TAKEN, "taken", (1, 2), "1")
    assert "13" in news.why[0]


@pytest.mark.parametrize(
    ("you", "words"),
    [
        (1, "You crush Borland, 13 to 5: Borland loses 1 Military and you take 1 Resource."),
        (2, "Aldermark crushes you, 13 to 5: you lose 1 Military and Aldermark takes 1 Resource."),
        (3, "Aldermark crushes Borland, 13 to 5: Borland loses 1 Military and Aldermark takes 1"),
    ],
)
def test_whom_it_concerns_is_told_it_as_theirs(you: int, words: str) -> None:
    cast = Cast(CAST.names, you, CAST.kingdoms, (1, 2, 3))
    news = one(ATTACK, e.PointLost(2, "M"), e.Captured(2, 1, True), cast=cast)
    assert news.told.startswith(words.rstrip("."))


def test_what_was_lost_weighs_more_than_what_was_tried() -> None:
    weights = [
        one(e.Fallen(2, "below-zero")).weight,
        one(e.BallotOpened(2)).weight,
        one(ATTACK).weight,
        one(replace(ATTACK, result="success", margin=4)).weight,
        one(FAILED).weight,
        one(e.TechnologyGot(1, "steel", "STAT-ROLL M")).weight,
        one(replace(ATTACK, action="Security", target=None, result="success")).weight,
    ]
    assert weights == sorted(weights, reverse=True)
    assert len(set(weights)) == len(weights)
    assert one(replace(FAILED, margin=-1)).weight == w.CLOSE_CALL


def test_who_falls_falls_to_who_struck_last() -> None:
    events = told(ATTACK, replace(ATTACK, n=13, kingdom=3), e.Fallen(2, "below-zero"))
    (news,) = [news for news in news_of(events, PUBLIC) if news.kind == "fallen"]
    assert (news.short, news.told) == (
        "Borland falls to Cyrene",
        "Borland falls, beaten by Cyrene.",
    )
    assert (news.mark, news.players, news.area) == ("out", (3, 2), "1")
    (alone,) = news_of(told(e.Fallen(2, "coup")), PUBLIC)
    assert alone.told == "Borland falls: the coup succeeded."


def test_what_is_alike_is_said_once() -> None:
    """READING-4: one line for all that is built, one for all who are supported."""
    built = one(e.Built(1, "BLD-WALL"), e.Built(2, "BLD-VAULT"))
    assert built.told == "Built: Aldermark a wall, Borland a vault."
    supports = told(
        *(e.SupportRolled(n, 3, (6, 6, 5), (), 17, "full-support") for n in (1, 2)),
        e.SupportRolled(3, 2, (2, 1), (), 3, "strike"),
    )
    strike, rest = news_of(supports, PUBLIC)
    assert strike.told == "Cyrene rolls 3: Strike, one die less on every roll this year."
    assert rest.told == "The people support Aldermark and Borland."


def test_what_nobody_cares_about_is_no_news() -> None:
    missed = replace(ATTACK, action="Research", target=None, result="failure", margin=-2)
    assert news_of(told(missed, e.ActionVoid(3, 2, "pass"), e.YearBegan(2)), PUBLIC) == ()
    assert one(missed, cast=CAST).told == "You discover nothing, 13 to 5."


def test_news_of_a_trade_are_of_its_parties_alone() -> None:
    """SS-5.4."""
    assert news_of(told(e.OfferMade(3, 2, 3), e.Traded(3, 2, 3)), PUBLIC) == ()
    assert news_of(told(e.OfferMade(3, 2, 3)), CAST) == ()
    assert one(e.OfferMade(3, 2, 1), cast=CAST).short == "Borland offers you a trade"


@pytest.mark.parametrize("cast", [CAST, PUBLIC], ids=["reader", "public"])
def test_every_news_keeps_its_lengths(cast: Cast) -> None:
    for facts in (*EVERY_KIND, *MORE):
        for news in news_of(told(facts), cast):
            assert 0 < len(news.short) <= MOST_CLAUSE, facts
            assert 0 < len(news.told) <= MOST_SENTENCE, facts
            assert re.search(r"[.!…]$", news.told), news.told
            assert news.told[0].isupper(), news.told


# ------------------------------------------------------------------------------------ the headlines
SEASON = re.compile(r"(Before Year 1|Start of Year \d|Year \d, (Spring|Summer|Autumn|Winter)): .")


@pytest.mark.parametrize("seed", [1, 2])
def test_a_headline_is_about_the_season_that_closed(seed: int) -> None:
    titles = []
    for closed in play_script(4, seed):
        view = closed.step.view(None)
        lead = PAGES.lead(view, closed.step.told(None))
        assert len(lead.headline) <= MOST_HEADLINE
        assert len(lead.sentence) <= MOST_SENTENCE
        if closed.before is not None and view.stage != "over":
            assert SEASON.match(lead.headline), lead.headline
            titles.append(lead.headline.partition(":")[0])
    first = ["Before Year 1", "Start of Year 1", "Year 1, Spring", "Year 1, Summer"]
    assert titles[:4] == first
    assert titles[5:7] == ["Year 1, Winter", "Start of Year 2"]


def test_between_two_closes_it_is_about_the_open_season() -> None:
    step = next(step for step in play(3, 4) if not step.closed and step.view(None).season)
    event = Event(e.BallotOpened(1), ())
    told_now = PAGES.lead(step.view(None), (event,)).headline
    assert told_now.startswith(PAGES._where(step.view(None)))


def test_a_quiet_season_says_so() -> None:
    view = play_script(3, 2)[3].step.view(None)
    quiet = (Event(e.WindowOpened("season", 72), ()),)
    assert PAGES.lead(view, quiet).headline == "Year 1, Spring: a quiet season"


@pytest.mark.parametrize(("players", "seed"), [(5, 1), (3, 2), (4, 3)])
def test_the_end_says_by_how_much(players: int, seed: int) -> None:
    last = play_script(players, seed)[-1].step
    view = last.view(None)
    headline = PAGES.lead(view, last.told(None)).headline
    points = {
        number: sum(view.kingdom(number).total.of(a) for a in ("R", "M", "H"))
        for number in view.living
    }
    if view.ended_by == "years" and len(view.winners) == 1:
        best, second = sorted(points.values(), reverse=True)[:2]
        assert f"wins with {best} points, {best - second} ahead of" in headline
    else:
        assert view.kingdom(view.winners[0]).ruler in headline


def test_the_story_of_the_end_says_what_led_to_it() -> None:
    closes = play_script(5, 1)
    points = PAGES.turning_points(closes_of(closes), "seed")
    assert 3 <= len(points) <= 5
    assert any(one.news.kind == "fallen" for one in points)
    assert not any(" wins" in one.told for one in points)


def test_no_news_of_others_says_you() -> None:
    for closed in play_script(5, 1):
        events = closed.step.told(None)
        for news in PAGES.news(closed.step.view(None), events):
            assert not re.search(r"\b[Yy]ou(r)?\b", news.told + news.short)


def test_a_fall_that_was_taken_back_is_no_part_of_the_story() -> None:
    """SS-10.5: Eskerland had crushed Borland; its action is done again, and later Borland falls to
    another.
    """
    rollback: tuple[tuple[str, object], ...] = (("act", "rollback"), ("action", 26))
    found = whole("sovereigns", 1, 5, 150, acts=((9, rollback),))
    assert any(event.kind == "fallen" for event in found.moments[9].events)
    points = [point.told for point in PAGES.turning_points(found.closes, "seed")]
    told = " ".join([*points, *PAGES.recounted(found.closes, "seed").values()])
    assert "beaten by Dunmore" in told
    assert "beaten by Eskerland" not in told
    assert "ction 26 of Eskerland" in told
