"""What an archive shows of States & Sovereigns: sums that agree with the views, what counts once,
and nothing that is secret.
"""

import pytest

from engine.ruleset import Event
from engine.sovereigns import events as e
from engine.sovereigns.codes import ATTRIBUTES
from engine.sovereigns.view import TableView, view_of
from engine.sovereigns.wording import parse_order
from pbem.games.sovereigns.pages.letters import PAGES
from pbem.pages.archive import Chances, Close, Figures, Holdings, Lines, Plot
from tests.games.sovereigns.engine import playing
from tests.games.sovereigns.pages.scripted import Closed, closes_of, play_script
from tests.games.sovereigns.pages.test_secrets import KINGDOMS, with_secrets
from tests.moments import whole

GAMES = [(5, 1), (3, 2), (4, 3)]


@pytest.fixture(params=GAMES, ids=str)
def game(request: pytest.FixtureRequest) -> tuple[Closed, ...]:
    return play_script(*request.param)


def plots_of(closes: tuple[Close, ...]) -> dict[str, Plot]:
    return {plot.title: plot for plot in PAGES.plots(closes)}


def points(view: TableView, number: int) -> int:
    return sum(view.kingdom(number).total.of(attribute) for attribute in ATTRIBUTES)


def test_who_stands_is_what_the_views_say(game: tuple[Closed, ...]) -> None:
    closes = closes_of(game)
    plot = plots_of(closes)["Which kingdoms stand"]
    assert isinstance(plot, Holdings)
    assert [key for key, _ in plot.rows] == [str(n + 1) for n in range(len(plot.rows))]
    for place, close in enumerate(closes):
        held = [cells[place].holder for _, cells in plot.rows]
        assert tuple(held) == tuple(
            number if close.view.kingdom(number).alive else None for number in close.view.seating
        )


def test_the_lines_are_the_points_of_the_views(game: tuple[Closed, ...]) -> None:
    closes = closes_of(game)
    found = plots_of(closes)
    lines = [found[title] for title in ("All points", "Resources", "Military", "Harmony")]
    assert isinstance(lines[0], Lines)
    for series in lines[0].series:
        for place, value in enumerate(series.values):
            view = closes[place].view
            alive = view.kingdom(series.player).alive and view.stage != "setup"
            assert value == (points(view, series.player) if alive else None)
            parts = [
                part.series[series.player - 1].values[place]
                for part in lines[1:]
                if isinstance(part, Lines)
            ]
            assert sum(part or 0 for part in parts) == (value or 0)


def dice_of(event: Event) -> tuple[int, ...]:
    match event.facts:
        case e.ActionResolved(dice=dice, defence=defence):
            return (*dice, *defence)
        case e.SupportRolled(dice=dice) | e.RebellionRolled(dice=dice) | e.CoupRolled(dice=dice):
            return dice
    return ()


def test_the_dice_are_all_that_fell(game: tuple[Closed, ...]) -> None:
    plot = plots_of(closes_of(game))["The dice"]
    assert isinstance(plot, Chances)
    thrown = [
        number for closed in game for event in closed.step.told(None) for number in dice_of(event)
    ]
    assert [face.count for face in plot.faces] == [thrown.count(n) for n in range(1, 7)]
    for face in plot.faces:
        assert face.expected == pytest.approx(len(thrown) / 6)
        assert face.low <= face.expected <= face.high
    assert sum(face.low <= face.count <= face.high for face in plot.faces) >= 4


def test_the_numbers_of_a_player_add_up(game: tuple[Closed, ...]) -> None:
    closes = closes_of(game)
    plot = plots_of(closes)["The game in numbers"]
    assert isinstance(plot, Figures)
    actions = [
        event.facts
        for close in closes
        for event in close.events
        if isinstance(event.facts, e.ActionResolved)
    ]
    view = closes[-1].view
    for number, cells in plot.rows:
        assert len(cells) == len(plot.columns)
        won, failed = (int(cell) for cell in cells[0].split(" : "))
        assert won + failed == sum(action.kingdom == number for action in actions)
        assert cells[3:5] == (
            str(len(view.kingdom(number).tech)),
            str(len(view.kingdom(number).buildings)),
        )
    contests = [tuple(map(int, cells[1].split(" : "))) for _, cells in plot.rows]
    assert sum(won for won, _ in contests) == sum(lost for _, lost in contests)


def test_what_is_done_again_counts_once() -> None:
    """SS-10.5."""
    game = playing.Play(playing.table({"A": {"M": 9}, "B": {"M": 1}, "C": {"M": 3}}))
    game.say("A", "Attack B: 9M")
    game.say("C", "Expedition: 3M")
    game.close()
    closes = [_close(1, game)]
    action = next(
        event.facts.n
        for event in closes[0].events
        if isinstance(event.facts, e.ActionResolved) and event.facts.action == "Attack"
    )
    game.say("C", f"Object to action {action}: no")
    game.act("gm", {"act": "verdict", "objection": 1, "upheld": True})
    game.say("A", "Redo: Security: 2M")
    game.close()
    closes.append(_close(2, game))
    plot = plots_of(tuple(closes))["The game in numbers"]
    assert isinstance(plot, Figures)
    by_number = dict(plot.rows)
    assert by_number[1][1] == by_number[2][1] == "0 : 0", "nobody was attacked"
    assert sum(map(int, by_number[1][0].split(" : "))) == 1


def _close(number: int, game: playing.Play) -> Close:
    events = tuple(event for event in game.events if event.is_for(None))
    game.events.clear()
    return Close(number, 1, "season", view_of(game.state, None), events)


# ------------------------------------------------------------------------------------- the orders
def test_orders_are_told_as_far_as_rolls_show_them(game: tuple[Closed, ...]) -> None:
    for closed in game:
        view = closed.step.view(None)
        for number, texts in PAGES.ordered(view, closed.step.told(None)):
            assert 1 <= number <= len(view.kingdoms)
            for text in texts:
                assert PAGES.format_order(view, parse_order(closed.step.state, text)) == text


def test_an_attack_is_told_as_its_order() -> None:
    view = view_of(playing.table(KINGDOMS), None)
    roll = e.ActionResolved(1, 1, "Attack", "M", 2, 3, 0, (5, 4, 3), (), (), (), 12, 0, 12, "great")
    void = Event(e.ActionVoid(2, 2, "pass"), ())
    assert PAGES.ordered(view, (Event(roll, ()), void)) == ((1, ("Attack Ben: 3M",)),)


# ------------------------------------------------------------------------------------ the secrets
@pytest.mark.parametrize("phase", ["year-start", "season"])
def test_an_archive_hangs_on_no_secret(phase: str) -> None:
    """SS-1.9: two tables that differ in private parts alone."""
    state = playing.table(KINGDOMS, phase=phase, season="Winter")
    shown = [
        (PAGES.areas(view), PAGES.chips(view), PAGES.plots([Close(1, 2, phase, view, ())]))
        for view in (view_of(one, None) for one in (state, with_secrets(state)))
    ]
    assert shown[0] == shown[1]


def test_events_of_a_few_are_left_out_even_if_they_are_handed_over(
    game: tuple[Closed, ...],
) -> None:
    public = closes_of(game)
    whole = closes_of(game, [closed.step.events for closed in game])
    assert PAGES.plots(public) == PAGES.plots(whole)
    for closed in game:
        view = closed.step.view(None)
        told = PAGES.ordered(view, closed.step.told(None))
        assert told == PAGES.ordered(view, closed.step.events)


def test_a_board_names_kingdoms_by_their_seats(game: tuple[Closed, ...]) -> None:
    view = game[-1].step.view(None)
    for area in PAGES.areas(view):
        (kingdom,) = [one for one in view.kingdoms if str(one.seat) == area.key]
        assert area.name == kingdom.name
        assert (area.holder is None) is (not kingdom.alive)
        assert ("fallen" in area.words) is (not kingdom.alive)
    for chip, kingdom in zip(PAGES.chips(view), view.kingdoms, strict=True):
        assert chip.is_out is not kingdom.alive
        shown = [int(value) for _, value in chip.figures]
        assert sum(shown) == (points(view, kingdom.number) if kingdom.alive else 0)


def test_before_the_splits_nobody_knows_a_kingdom() -> None:
    start = closes_of(play_script(3, 2))[0]
    assert all(chip.figures == () for chip in PAGES.chips(start.view))
    assert all(area.words == "not revealed yet" for area in PAGES.areas(start.view))
    assert "The dice" not in plots_of((start,))


def test_a_fall_that_was_taken_back_is_in_no_plot() -> None:
    """SS-10.5: the kingdom stands until the action has been done again."""
    rollback: tuple[tuple[str, object], ...] = (("act", "rollback"), ("action", 26))
    closes = whole("sovereigns", 1, 5, 150, acts=((9, rollback),)).closes
    fallen = next(
        (place, event.facts.kingdom)
        for place, close in enumerate(closes)
        for event in close.events
        if isinstance(event.facts, e.Fallen)
    )
    place, number = fallen
    assert not closes[place].view.kingdom(number).alive
    found = plots_of(closes)
    holdings, lines = found["Which kingdoms stand"], found["All points"]
    assert isinstance(holdings, Holdings)
    assert isinstance(lines, Lines)
    assert number in [cells[place].holder for _, cells in holdings.rows]
    assert lines.series[number - 1].values[place] == points(closes[place - 1].view, number)
