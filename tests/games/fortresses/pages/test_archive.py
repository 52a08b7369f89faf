"""What the archive shows of Fortresses: sums that come out as the views say, and nothing that is
secret.
"""

from collections import Counter
from functools import lru_cache

import pytest
from msgspec.structs import replace

from engine.fortresses import event_kinds as e
from engine.fortresses import orders as o
from engine.fortresses.units import one, parse_units
from engine.fortresses.view import view_of
from engine.ruleset import Event
from pbem.games.fortresses.pages.battles import tales
from pbem.games.fortresses.pages.letters import PAGES
from pbem.pages.archive import Chances, Close, Figures, Holdings, Lines
from tests.games.fortresses.pages.played import Step, play

GAMES = [(2, 1), (3, 2), (4, 3)]


@lru_cache(maxsize=4)
def steps(players: int, seed: int) -> tuple[Step, ...]:
    return tuple(play(players, seed, 70, {"year_limit": 6}))


def closes(players: int, seed: int) -> list[Close]:
    return [
        Close(number, step.state.year, step.state.stage, step.view(None), step.events)
        for number, step in enumerate(steps(players, seed))
    ]


@pytest.mark.parametrize(("players", "seed"), GAMES)
def test_holdings_come_out_as_the_views_say(players: int, seed: int) -> None:
    told = closes(players, seed)
    holdings, fortresses, lands, income, *_ = PAGES.plots(told)
    assert isinstance(holdings, Holdings)
    assert isinstance(fortresses, Lines)
    assert isinstance(lands, Lines)
    assert isinstance(income, Lines)
    for place, close in enumerate(told):
        held = Counter(cells[place].holder for _, cells in holdings.rows)
        for player in close.view.players:
            own = [realm for realm in close.view.kingdoms if realm.player == player.number]
            assert held[player.number] == sum(realm.lands for realm in own)
            series = lands.series[player.number - 1]
            assert series.player == player.number
            assert series.values[place] in (None, held[player.number])
            gold = income.series[player.number - 1].values[place]
            assert gold in (None, sum(realm.income for realm in own))
        assert sum(line.values[place] or 0 for line in fortresses.series) == sum(
            count for _, count in close.view.fortresses
        )


@pytest.mark.parametrize(("players", "seed"), GAMES)
def test_rows_of_one_final_owner_lie_together(players: int, seed: int) -> None:
    """READING 3: above 20 areas."""
    told = closes(players, seed)
    holdings = PAGES.plots(told)[0]
    assert isinstance(holdings, Holdings)
    last = [cells[-1].states[0] for _, cells in holdings.rows]
    assert len(holdings.rows) == sum(zone.is_land for zone in told[-1].view.zones)
    assert len(dict.fromkeys(last)) == sum(
        before != after for before, after in zip(["", *last], last, strict=False)
    )


def test_areas_are_the_zones_by_their_codes() -> None:
    view = steps(2, 1)[0].view(None)
    areas = {area.key: area for area in PAGES.areas(view)}
    assert len(areas) == len(view.zones)
    assert areas["NOR"].name == "Normandy"
    assert areas["NOR"].words == "Silver, Fortress, Great City Rouen, 3L 1K 1W 1D"
    assert areas["NOR"].holder == view.kingdom("silver").player
    assert areas["BLA"].holder is None
    assert areas["BLA"].words == "Blue 1G"
    assert PAGES.chips(view)[0].figures == (("Fortresses", "2"), ("Lands", "18"), ("income", "24"))
    (chip, *_) = PAGES.chips(steps(4, 1)[0].view(None))
    assert chip.figures[:2] == (("Fortress", "1"), ("Lands", "9"))


@pytest.mark.parametrize(("players", "seed"), GAMES)
def test_what_battles_cost_is_what_was_lost(players: int, seed: int) -> None:
    told = closes(players, seed)
    costs = PAGES.plots(told)[4]
    figures = PAGES.plots(told)[6]
    assert isinstance(costs, Lines)
    assert isinstance(figures, Figures)
    facts = [event.facts for close in told for event in close.events]
    lost = sum(
        parse_units(loss.units).total
        for fact in facts
        if isinstance(fact, e.RoundLost)
        for loss in fact.lost
    )
    drowned = sum(isinstance(fact, e.PassengerDrowned) for fact in facts)
    assert sum(int(row[2]) for _, row in figures.rows) == lost + drowned
    for line in costs.series:
        known = [value for value in line.values if value is not None]
        assert known == sorted(known)
    taken = sum(isinstance(fact, e.LandConquered) for fact in facts)
    both = [row[1].split(" : ") for _, row in figures.rows]
    assert [sum(int(pair[side]) for pair in both) for side in (0, 1)] == [taken, taken]


@pytest.mark.parametrize(("players", "seed"), GAMES)
def test_every_die_is_counted_once(players: int, seed: int) -> None:
    told = closes(players, seed)
    dice, figures = PAGES.plots(told)[5:7]
    assert isinstance(dice, Chances)
    assert isinstance(figures, Figures)
    rolled = sum(
        len(event.facts.attack) + len(event.facts.defence)
        for close in told
        for event in close.events
        if isinstance(event.facts, e.RoundFought)
    )
    assert rolled == sum(int(face.name.split()[-2]) for face in dice.faces)
    hits = sum(face.count for face in dice.faces)
    assert hits == sum(int(row[5].split()[0]) for _, row in figures.rows)
    for face in dice.faces:
        assert 0 <= face.low <= face.expected <= face.high


def test_a_battle_told_in_parts_is_counted_once() -> None:
    told = closes(2, 1)
    figures = PAGES.plots(told)[6]
    assert isinstance(figures, Figures)
    whole = tales(event for close in told for event in close.events)
    fought = [tale for tale in whole if tale.rounds and tale.result]
    assert any(close.view.stage == "battle" for close in told)
    assert [int(row[0].split()[-1]) for _, row in figures.rows] == [len(fought)] * 2


def test_orders_are_those_of_who_commanded() -> None:
    view = steps(4, 3)[0].view(None)
    events = [
        Event(e.OrdersGiven("gold", "attack", ("Attack Hungary with 1L from Bulgaria", "Done")), ())
    ]
    commander = view.kingdom("gold").commander
    assert PAGES.ordered(view, events) == (
        (commander, ("Attack Hungary with 1L from Bulgaria", "Done")),
    )


def test_lines_kept_for_a_phase_that_is_open_are_in_no_archive() -> None:
    """FW-1.8."""
    kept = (o.Then(o.Buy(one("L"), "Normandy")),)
    for step in steps(4, 3)[:20]:
        if step.state.stage != "attack":
            continue
        told = replace(step.state, held=kept)
        for secret, public in ((view_of(told, None), step.view(None)),):
            assert PAGES.areas(secret) == PAGES.areas(public)
            assert PAGES.chips(secret) == PAGES.chips(public)
            close = Close(1, 1, "attack", secret, step.events)
            other = Close(1, 1, "attack", public, step.events)
            assert PAGES.plots([close]) == PAGES.plots([other])
