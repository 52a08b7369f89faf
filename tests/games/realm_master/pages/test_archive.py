"""What the archive of a game of Realm-Master shows: lands, heroes and plots, of what everybody may
know alone.
"""

from random import Random
from typing import TypeVar

import pytest

from engine.realm_master import events as e
from engine.realm_master.conditions import land_name
from pbem.games.realm_master.pages.archive import FACES
from pbem.games.realm_master.pages.letters import PAGES
from pbem.pages.archive import Area, Chances, Close, Figures, Holdings, Lines, Plot
from tests.games.realm_master.engine.test_machine import scrambled
from tests.games.realm_master.pages.played import Closed, closes_of, game, public
from tests.games.realm_master.pages.sample import happened, state, view
from tests.moments import whole

Shown = TypeVar("Shown", Chances, Figures, Holdings)
GAMES = [(1, 4, "standing"), (2, 6, "standing"), (4, 3, "interactive")]
every_game = pytest.mark.parametrize(("seed", "players", "mode"), GAMES)


def plots(closes: tuple[Close, ...]) -> tuple[Plot, ...]:
    return tuple(PAGES.plots(closes))


def lines_of(found: tuple[Plot, ...]) -> dict[str, Lines]:
    return {plot.unit: plot for plot in found if isinstance(plot, Lines)}


def only(found: tuple[Plot, ...], kind: type[Shown]) -> Shown:
    (plot,) = (plot for plot in found if isinstance(plot, kind))
    return plot


# ---------------------------------------------------------------------------------- one close
def test_a_land_is_called_as_in_orders_and_says_what_lies_on_it() -> None:
    found = {area.key: area for area in PAGES.areas(view(None, None))}
    assert found["Jerum"] == Area("Jerum", "Jerum", 2, "1 heart, 1 gold and 2 banners, room for 3")
    assert (found["Kurull"].name, found["Kurull"].holder) == ("Forests of Kurull", None)


def test_a_chip_says_what_a_hero_holds_and_who_is_dead() -> None:
    dead = state(
        players={
            "Anna": {"hero": "elf", "hgb": "7/1/1"},
            "Bartek": {"hero": "dwarf", "alive": False, "fell_to": "Anna"},
        }
    )
    anna, bartek = PAGES.chips(view(dead, None))
    assert anna.figures == (("banner", "1"), ("hearts", "7"), ("gold", "1"))
    assert not anna.is_out
    assert (bartek.figures, bartek.is_out) == ((), True)


# -------------------------------------------------------------------------------- a whole game
@every_game
def test_the_lands_of_each_player_are_those_of_the_view(seed: int, players: int, mode: str) -> None:
    closes = closes_of(game(seed, players, mode))
    holdings = only(plots(closes), Holdings)
    assert {key for key, _ in holdings.rows} == {
        land_name(land.key) for land in closes[0].view.lands
    }
    for place, close in enumerate(closes):
        last = max(at for at, of in enumerate(holdings.closes) if of == place)
        for player in close.view.players:
            held = [key for key, cells in holdings.rows if cells[last].holder == player.number]
            assert held == ([] if player.at is None else [land_name(player.at)])


@every_game
def test_each_turn_of_a_hero_has_a_column_that_shows_who_went_in(
    seed: int, players: int, mode: str
) -> None:
    """THIRD A20: also who went in and was driven out within a round."""
    closes = closes_of(game(seed, players, mode))
    holdings = only(plots(closes), Holdings)
    for place, close in enumerate(closes):
        columns = [at for at, of in enumerate(holdings.closes) if of == place]
        turns = [event for event in close.events if isinstance(event.facts, e.TurnBegan)]
        assert len(columns) == max(1, len(turns))
        shown = {(key, cells[at].holder) for key, cells in holdings.rows for at in columns}
        entered = {
            (land_name(event.facts.land), event.facts.player)
            for event in close.events
            if isinstance(event.facts, e.LandEntered)
        }
        assert entered <= shown


@every_game
def test_the_lines_are_what_each_hero_holds(seed: int, players: int, mode: str) -> None:
    closes = closes_of(game(seed, players, mode))
    found = lines_of(plots(closes))
    assert set(found) == {"banners", "hearts", "gold"}
    for unit, lines in found.items():
        assert [series.player for series in lines.series] == list(range(1, players + 1))
        for series in lines.series:
            held = [close.view.player(series.player) for close in closes]
            assert series.values == tuple(
                getattr(one, unit) if one.hero is not None and one.alive else None for one in held
            )


@every_game
def test_dice_are_counted_each_once(seed: int, players: int, mode: str) -> None:
    closes = closes_of(game(seed, players, mode))
    chances = only(plots(closes), Chances)
    rolled = sum(
        len(event.facts.places)
        for close in closes
        for event in close.events
        if isinstance(event.facts, e.DiceRolled)
    )
    fields = sum(
        len(dice)
        for close in closes
        for event in close.events
        if isinstance(event.facts, e.LandsFilled)
        for dice in event.facts.dice
    )
    assert len(chances.faces) == len(FACES) == 6
    assert sum(face.count for face in chances.faces) == rolled + fields
    assert sum(face.expected for face in chances.faces) == pytest.approx(rolled + fields)
    assert all(face.low < face.expected < face.high for face in chances.faces)


@every_game
def test_what_some_took_by_attacks_others_lost(seed: int, players: int, mode: str) -> None:
    figures = only(plots(closes_of(game(seed, players, mode))), Figures)
    sums = {
        name: sum(int(row[place]) for _, row in figures.rows)
        for place, name in enumerate(figures.columns)
    }
    assert sums["Hearts taken"] == sums["Hearts lost to attacks"] > 0
    assert {player for player, _ in figures.rows} == set(range(1, players + 1))
    assert sums["Attacks"] >= sums["Kills"]


def test_what_is_played_again_counts_once() -> None:
    roll = e.DiceRolled(1, 1, "roll", (1, 2, 3, 4, 5), ("s", "s", "s", "s", "s"))
    turn = happened(e.RoundBegan(1, "T01", "Attack +1", final=False), e.TurnBegan(1, 1, None, 0, 0))
    again = happened(e.TakenBack("turn", 1, 5), e.TurnBegan(1, 1, None, 0, 0), roll)
    close = Close(1, 1, "round", view(None, None), (*turn, *happened(roll), *again))
    assert {face.name: face.count for face in only(plots((close,)), Chances).faces}["sword"] == 5


def test_a_game_that_has_not_begun_has_no_plots() -> None:
    assert plots(()) == ()


# --------------------------------------------------------------------------------- nothing secret
@every_game
def test_nothing_of_it_depends_on_what_is_secret(seed: int, players: int, mode: str) -> None:
    played, rng = game(seed, players, mode), Random(seed)
    other = tuple(
        Closed(scrambled(one.before, None, rng), {}, scrambled(one.after, None, rng), one.events)
        for one in played
    )
    assert any(a.after != b.after for a, b in zip(played, other, strict=True))
    assert plots(closes_of(other)) == plots(closes_of(played))
    for a, b in zip(played, other, strict=True):
        shown, hidden = public(a.after), public(b.after)
        assert PAGES.areas(hidden) == PAGES.areas(shown)
        assert PAGES.chips(hidden) == PAGES.chips(shown)
        told = a.told(None)
        assert PAGES.news(hidden, told) == PAGES.news(shown, told)
        assert PAGES.ordered(shown, told) == ()


def test_a_round_that_was_taken_back_is_in_no_plot() -> None:
    """Heroes stand and hold as before it, until it has been played again."""
    found = whole("realm-master", 3, 5, 12, acts=((4, (("act", "undo"), ("round", True))),))
    back = next(
        place
        for place, close in enumerate(found.closes)
        if any(isinstance(event.facts, e.TakenBack) for event in close.events)
    )
    shown = plots(found.closes)
    undone, before = found.closes[back - 1].view, found.closes[back - 2].view
    assert undone != before
    for unit, lines in lines_of(shown).items():
        for series in lines.series:
            assert series.values[back - 1] == getattr(before.player(series.player), unit)
    holdings = only(shown, Holdings)
    (column,) = (at for at, of in enumerate(holdings.closes) if of == back - 1)
    for key, cells in holdings.rows:
        at = [one.number for one in before.players if one.at and land_name(one.at) == key]
        assert [cells[column].holder] == (at or [None])
