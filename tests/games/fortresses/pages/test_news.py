"""News of Fortresses: what is told, to whom, and in how few words."""

from collections.abc import Sequence
from typing import Any

import pytest
from msgspec.structs import replace

from engine.fortresses import event_kinds as e
from engine.fortresses.event_kinds import AnyFacts
from engine.fortresses.units import NONE
from engine.fortresses.view import TableView, view_of
from engine.ruleset import Event
from pbem.games.fortresses.pages.cast import Cast
from pbem.games.fortresses.pages.letters import PAGES
from pbem.games.fortresses.pages.news import news_of
from pbem.pages import news as w
from pbem.pages.news import MOST_CLAUSE, MOST_HEADLINE, MOST_SENTENCE, News
from tests.games.fortresses.engine.playing import table as position
from tests.games.fortresses.pages.played import begin, play
from tests.pages.english import broken

BROKEN = broken("Legions", "units", "rounds", "Fortresses")
SEATS = {"Anna": ["silver", "gold"], "Ben": ["red", "blue"]}


def view(stage: str = "reinforce", active: str = "red", **changes: Any) -> TableView:
    return view_of(position(stage, active, base="start", seats=SEATS, year=3, **changes), None)


def told(*facts: AnyFacts, you: int | None = None, at: TableView | None = None) -> Sequence[News]:
    return PAGES.news(at or view(), [Event(one, ()) for one in facts], you)


def fight(zone: str, result: str, of: str = "", rounds: int = 1) -> tuple[AnyFacts, ...]:
    fought = (
        e.RoundFought(zone, 1, (6, 2, 8), (3,), "2L 1K", f"{of or 'gold'} 1L"),
        e.RoundLost(zone, 1, (e.Losses(of or "gold", "1L"),)),
        e.RoundLost(zone, 1, (e.Losses("red", "1L"),)),
    )
    end = (e.LandConquered(zone, "red", of),) if result == "conquered" else ()
    return (*(fought if rounds else ()), e.BattleEnded(zone, rounds, result), *end)


ORDERS = e.OrdersGiven("red", "attack", ())


def test_a_land_taken_is_told_with_its_sum() -> None:
    """READING-4."""
    (one,) = told(ORDERS, *fight("Syria", "conquered", "gold"))
    assert (one.weight, one.mark, one.area, one.players) == (w.TAKEN, "taken", "SYR", (2, 1))
    assert one.short == "Red takes Syria"
    assert one.told == (
        "Red (Ben) takes Syria from Gold (Anna) in 1 round: Red loses 1 Legion, Gold 1 Legion."
    )
    assert one.why[0].startswith("Round 1: Red L 6! 2, K 8!: 2 hits.")


def test_each_side_reads_it_as_its_own() -> None:
    (lost,) = told(ORDERS, *fight("Syria", "conquered", "gold"), you=1)
    (won,) = told(ORDERS, *fight("Syria", "conquered", "gold"), you=2)
    assert lost.told.startswith("You lose Syria to Red (Ben) in 1 round")
    assert won.told.startswith("Your Red takes Syria from Gold (Anna)")


def test_a_fortress_outweighs_a_land_and_warns_of_the_end() -> None:
    at = view(owners={"Constantinople": "red"}, units={"Constantinople": "red 1L"})
    found = told(ORDERS, *fight("Constantinople", "conquered", "gold"), at=at)
    taken, threat = sorted(found, key=lambda one: -one.weight)
    assert taken.weight > w.ATTACK == threat.weight
    assert "the Fortress Constantinople" in taken.told
    assert threat.told == "Red and Blue hold 3 of the 4 Fortresses and need one more to win."


def test_all_that_a_kingdom_took_is_one_clause() -> None:
    """READING: equal values once."""
    facts = (
        ORDERS,
        *fight("Syria", "conquered", "gold"),
        *fight("Crete", "conquered", "gold", rounds=0),
        *fight("Cyprus", "conquered", "gold", rounds=0),
    )
    found = told(*facts)
    assert {one.short for one in found} == {"Red takes Syria, Crete and Cyprus"}
    assert [one.told for one in found if one.kind == "walked"] == [
        "Red (Ben) takes Crete and Cyprus from Gold (Anna): nobody was there to fight."
    ]
    headline = PAGES.lead(view(), [Event(one, ()) for one in facts]).headline
    assert headline == "Year 3: Red takes Syria, Crete and Cyprus"


def test_the_weight_of_a_battle_that_failed() -> None:
    (close,) = told(
        ORDERS,
        e.RoundFought("Syria", 1, (1,), (3, 6), "1L", "gold 2L"),
        e.RoundLost("Syria", 1, (e.Losses("gold", "1L"),)),
        e.RoundLost("Syria", 1, (e.Losses("red", "1L"),)),
        e.BattleEnded("Syria", 1, "held"),
    )
    (nobody,) = told(ORDERS, *fight("Syria", "nobody left"))
    (fortress,) = told(ORDERS, *fight("Constantinople", "held"))
    assert close.weight == nobody.weight == w.CLOSE_CALL
    assert fortress.weight == w.LEAD_CHANGED
    assert close.short == "Syria holds against Red"


def test_purchases_are_one_line() -> None:
    (one,) = told(
        e.OrdersGiven("red", "reinforce", ()),
        e.UnitsBought("red", "Andalusia", "3L 1W"),
        e.UnitsBought("red", "Aragon", "1L"),
        e.OrdersGiven("blue", "reinforce", ()),
        e.UnitsBought("blue", "Kiev", "2L"),
    )
    assert (one.weight, one.size) == (w.GROWN, 7)
    assert one.told == (
        "Red (Ben) raises 3 Legions and 1 Warbeast in Andalusia and 1 Legion in Aragon; Blue (Ben) raises 2 Legions in Kiev."
    )


def test_who_sent_nothing_is_told_once() -> None:
    """READING-17: the doer named."""
    (one,) = told(
        e.OrdersGiven("red", "reinforce", ()),
        e.DefaultPurchase("red", "Andalusia", "6L"),
        e.TurnMissed(2, "red"),
    )
    assert one.told == "Red (Ben) chose nothing, so the rules buy 6 Legions in Andalusia."


def test_peace_is_no_news_to_its_maker() -> None:
    assert [one.told for one in told(ORDERS)] == ["Red (Ben) attacks nobody."]
    assert not told(ORDERS, you=2)


def test_a_kingdom_without_lands_and_units_is_out() -> None:
    step = begin()
    last = view_of_nothing(step.view(None), "gold")
    (*_, out) = told(ORDERS, *fight("Syria", "conquered", "gold"), at=last)
    assert (out.weight, out.mark, out.short) == (w.OUT, "out", "Gold is out")


def view_of_nothing(view: TableView, kingdom: str) -> TableView:
    """The view in which a kingdom has nothing left."""
    realms = tuple(
        replace(realm, lands=0, units=NONE) if realm.kingdom == kingdom else realm
        for realm in view.kingdoms
    )
    return replace(view, kingdoms=realms)


def test_the_year_of_a_headline_is_that_of_the_orders() -> None:
    gold = e.OrdersGiven("gold", "reinforce", ())
    facts = (gold, e.UnitsBought("gold", "Syria", "1L"), e.TurnBegan(3, "silver"))
    at = view("attack", "silver")
    assert PAGES.when(at, [Event(one, ()) for one in facts]) == "Year 2"
    assert PAGES.when(view(), [Event(ORDERS, ())]) == "Year 3"


def test_the_story_tells_that_a_kingdom_is_out_where_it_fell() -> None:
    first = begin().view(None)
    told = [
        [
            one.kind
            for one in PAGES.news(
                view, [Event(one, ()) for one in (ORDERS, *fight(zone, "conquered", "gold"))]
            )
        ]
        for view, zone in ((first, "Syria"), (view_of_nothing(first, "gold"), "Crete"))
    ]
    assert "out" not in told[0]
    assert "out" in told[1]


@pytest.mark.parametrize(("players", "seed"), [(2, 1), (3, 2), (4, 3)])
def test_news_of_whole_games_keep_their_measures(players: int, seed: int) -> None:
    long = tuple(f"Maximiliane-Constanze von Hohenlohe {number}" for number in range(players))
    for step in play(players, seed, 80, {"year_limit": 6}):
        at = step.view(None)
        for names in (tuple(player.name for player in at.players), long):
            for you in (None, *(player.number for player in at.players)):
                commanders = tuple(realm.commander for realm in at.kingdoms)
                for one in news_of(at, step.events, Cast(names, you or 0, commanders)):
                    assert 0 < len(one.short) <= MOST_CLAUSE, one
                    assert len(one.told) <= MOST_SENTENCE, one
                    assert one.told[-1] == ".", one
                    assert one.short[-1] not in ".:,", one
                    assert not BROKEN.search(f"{one.told} | {one.short}"), one
                    assert not one.area or any(zone.code == one.area for zone in at.zones)
        lead = PAGES.lead(at, step.events)
        assert len(lead.headline) <= MOST_HEADLINE
        assert 0 < len(lead.sentence) <= MOST_SENTENCE


@pytest.mark.parametrize(("players", "seed"), [(2, 1), (4, 3)])
def test_the_end_says_by_how_much(players: int, seed: int) -> None:
    *_, last = play(players, seed, 400, {"year_limit": 4})
    at = last.view(None)
    lead = PAGES.lead(at, last.events)
    counts = dict(at.fortresses)
    if at.winner == "draw":
        assert "draw" in lead.headline
    elif len(set(counts.values())) == 2:
        assert f"{max(counts.values())} Fortresses to {min(counts.values())}" in lead.headline
    assert all(str(count) in lead.sentence for count in counts.values())
