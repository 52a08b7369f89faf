"""What Protectors shows of itself in an archive: holdings, points, the Dragon, bids and numbers agree
with what happened.
"""

import re

import pytest

from engine.protectors.events import (
    BattleFought,
    BidsRevealed,
    CardRevealed,
    DragonAttacked,
    GameWon,
    OrdersRevealed,
    PlayerEliminated,
    ProvinceTaken,
    RankingSet,
)
from engine.protectors.ruleset import PROTECTORS
from engine.ruleset import Event
from pbem.archive.pages import turn_pages
from pbem.games.protectors.pages.letters import PAGES
from pbem.pages.archive import Close, Dots, Figures, Holdings, Lines, Threat
from tests.archive.played import played
from tests.games.protectors.pages.played import Played, play

SEEDS = (1, 2, 5, 7)


def closes_of(games: list[Played]) -> list[Close]:
    return [
        Close(
            game.phases[-1][0],
            game.phases[-1][1],
            game.phases[-1][2],
            PROTECTORS.view(game.state, None),
            tuple(event for event in game.phases[-1][3] if event.is_for(None)),
        )
        for game in games
    ]


def course(seed: int) -> list[Close]:
    return closes_of(list(play(seed, 4)))


@pytest.mark.parametrize("seed", SEEDS)
def test_areas_are_all_provinces_in_ring_order_with_their_owners(seed: int) -> None:
    for close in course(seed):
        areas = PAGES.areas(close.view)
        assert [area.key for area in areas] == [f"P{n}" for n in range(1, len(areas) + 1)]
        assert [area.holder for area in areas] == [one.owner for one in close.view.provinces]
        assert [bool(area.states) for area in areas] == [one.burnt for one in close.view.provinces]
        for area, province in zip(areas, close.view.provinces, strict=True):
            assert (str(province.units) if province.units else "no units") in area.words


@pytest.mark.parametrize("seed", SEEDS)
def test_chips_count_lands_and_points_and_strike_out_who_is_out(seed: int) -> None:
    """THIRD A2: tokens while it runs, and at the end the points that the result tells."""
    close = course(seed)[-1]
    for chip, player in zip(PAGES.chips(close.view), close.view.players, strict=True):
        points = next(
            (score[4] for score in close.view.scores if score[0] == chip.player), player.vp
        )
        assert [int(value) for _, value in chip.figures] == [len(player.provinces), points]
        assert chip.is_out == (player.rank is None)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_plots_are_holdings_points_dragon_bids_and_numbers(seed: int) -> None:
    closes = course(seed)
    holdings, points, dragon, bids, numbers = PAGES.plots(closes)
    assert isinstance(holdings, Holdings)
    assert isinstance(points, Lines)
    assert isinstance(dragon, Threat)
    assert isinstance(bids, Dots)
    assert isinstance(numbers, Figures)
    facts = [event.facts for close in closes for event in close.events]
    assert len(dragon.levels) == len(dragon.thresholds) == len(closes)
    attacks = [one for one in facts if isinstance(one, DragonAttacked)]
    assert [(bar.sent, bar.needed, bar.is_lost) for bar in dragon.bars] == [
        (one.total, one.dpl + 1, not one.won) for one in attacks
    ]
    assert all(bar.is_lost == (bar.sent < bar.needed) for bar in dragon.bars)
    leaders = {
        (close.view.turn, event.facts.ranking[0])
        for close in closes
        for event in close.events
        if isinstance(event.facts, RankingSet)
    }
    best = {(dot.turn, dot.player) for dot in bids.dots if dot.is_best}
    assert best == leaders & {(dot.turn, dot.player) for dot in bids.dots}
    assert any(isinstance(one, BidsRevealed) for one in facts)
    for won in (one for one in facts if isinstance(one, GameWon)):
        totals = {player: total for player, _, _, _, total, *_ in won.scores}
        for series in points.series:
            if series.player in totals:
                assert (series.values[-1] or 0) + (series.last or 0) == totals[series.player]
            else:
                assert series.values[-1] is None


@pytest.mark.parametrize("seed", SEEDS)
def test_the_six_numbers_of_all_players_add_up(seed: int) -> None:
    closes = course(seed)
    numbers = PAGES.plots(closes)[-1]
    assert isinstance(numbers, Figures)
    assert len(numbers.columns) == 6
    facts = [event.facts for close in closes for event in close.events]
    fights = sum(isinstance(one, BattleFought) for one in facts)
    taken = [one for one in facts if isinstance(one, ProvinceTaken)]
    golden = sum(
        getattr(order, "golden", False)
        for one in facts
        if isinstance(one, OrdersRevealed)
        for _, orders in one.orders
        for order in orders
    )
    won, lost = zip(*(map(int, cells[0].split(" : ")) for _, cells in numbers.rows), strict=True)
    assert sum(won) == sum(lost) == fights
    took, robbed = zip(*(map(int, cells[1].split(" : ")) for _, cells in numbers.rows), strict=True)
    assert sum(took) == len(taken)
    assert sum(robbed) == sum(one.before is not None for one in taken)
    assert sum(int(cells[4]) for _, cells in numbers.rows) == golden


def test_above_twenty_provinces_the_rows_stand_by_their_final_owners() -> None:
    closes = closes_of(list(play(3, 6, version="grand", provinces=24)))
    holdings = PAGES.plots(closes)[0]
    assert isinstance(holdings, Holdings)
    owners = [cells[-1].holder for _, cells in holdings.rows]
    assert len(owners) > 20
    assert owners == sorted(owners, key=lambda owner: (owner is None, owner or 0))


def test_revealed_orders_are_told_as_their_canonical_texts() -> None:
    close = next(
        close
        for close in course(1)
        if any(isinstance(event.facts, OrdersRevealed) for event in close.events)
    )
    told = dict(PAGES.ordered(close.view, close.events))
    assert sorted(told) == [player.number for player in close.view.players]
    assert any("P" in text for texts in told.values() for text in texts)


def test_who_is_beaten_by_the_dragon_is_not_told_to_be_beaten_by_the_reader() -> None:
    """The Dragon has number 0, as has a reader who is nobody in particular."""
    found = 0
    for seed in range(1, 12):
        for close in closes_of(list(play(seed, 4))):
            out = [
                event.facts
                for event in close.events
                if isinstance(event.facts, PlayerEliminated) and event.facts.by == (0,)
            ]
            told = [one.told for one in PAGES.news(close.view, close.events) if one.kind == "out"]
            assert not [one for one in told if "you" in one.split()]
            found += len(out)
            assert sum("beaten by the Dragon" in one for one in told) >= len(out)
    assert found


@pytest.mark.parametrize("seed", [1, 2, 6])
def test_the_page_of_a_turn_tells_purchases_and_marches_once(seed: int) -> None:
    """THIRD A21: what stands under "Orders" is not told again below them."""
    for page in turn_pages(played(seed)).values():
        for scene in page.split('<section class="scene"')[1:]:
            below = scene.partition("<h3>All else</h3>")[2]
            assert not re.search(r"buys [\dP ,in]+\.<|marches with|takes P\d", below), below


def test_a_hoard_is_told_with_the_first_card_that_it_makes_dearer() -> None:
    """THIRD A21."""
    cards = [
        Event(CardRevealed("event", name, 350, 3, 0, 3 * place, 12), ())
        for place, name in enumerate(("Ferry!", "Bloodlust!", "Winter Storms"), start=1)
    ]
    view = course(1)[-1].view
    lines = PAGES.describe_events(cards, view)
    assert ["someone hoards" in line for line in lines] == [True, False, False]
    assert len(lines) == 3
