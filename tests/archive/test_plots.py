"""Plots as pictures in a page: what they show is what the game came to, and they say it in words."""

from collections import Counter
from dataclasses import replace
from itertools import pairwise

import pytest

from pbem.archive.curves import draw_lines
from pbem.archive.model import Archive
from pbem.archive.plots import KINDS, render_plot, render_plots
from pbem.archive.scales import Scale, scale_of, spread
from pbem.pages.archive import (
    Area,
    Bar,
    Cell,
    Chances,
    Dot,
    Dots,
    Face,
    Figures,
    Holdings,
    Lines,
    Plot,
    Series,
    Threat,
    held,
)
from tests.archive.markup import read_markup
from tests.archive.played import played
from tests.rows import each_row

SEEDS = (1, 3)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_ribbon_has_a_cell_an_area_and_close_and_they_add_up_to_the_lands(seed: int) -> None:
    """READING, tests 10: the cells of a player at a close are as many as the lands they held."""
    archive = played(seed)
    runs = [given for _, given in read_markup(render_plots(archive)).tags if "data-many" in given]
    cells = [
        {"at": int(run["data-first"]) + more, **run}
        for run in runs
        for more in range(int(run["data-many"]))
    ]
    counted = Counter((one["at"], one["data-holder"]) for one in cells)
    for at, step in enumerate(archive.steps):
        held_by = Counter(str(area.holder or "") for area in step.areas)
        assert {holder: counted[at, holder] for holder in held_by} == dict(held_by)
    assert len(cells) == len(archive.steps) * len(archive.steps[0].areas)
    assert {one["data-area"] for one in cells} == {area.key for area in archive.steps[0].areas}


@pytest.mark.parametrize("seed", SEEDS)
def test_every_plot_is_a_figure_of_whole_markup_and_says_what_it_shows(seed: int) -> None:
    archive = played(seed)
    found = read_markup(render_plots(archive))
    assert found.faults == []
    figures = [given["data-plot"] for given in found.all("figure")]
    assert figures == [KINDS[type(plot)] for plot in archive.plots]
    told = [given for given in found.all("svg") if given.get("role") == "img"]
    assert len(told) == len(found.all("desc")) == len(figures) - figures.count("figures")
    for text in str(render_plots(archive)).split("<desc>")[1:]:
        assert len(text.partition("</desc>")[0]) > 10


def test_what_a_plot_uses_is_defined_in_the_page() -> None:
    found = read_markup(render_plots(played(3)))
    used = {given["href"][1:] for given in found.all("use")}
    used |= {
        given["fill"][5:-1] for _, given in found.tags if given.get("fill", "").startswith("url(")
    }
    assert used
    assert used <= found.ids


def test_nothing_is_told_by_colour_alone_each_holder_has_a_sign_where_a_run_begins() -> None:
    archive = played(1)
    (plot,) = [plot for plot in archive.plots if isinstance(plot, Holdings)]
    changes = sum(
        after.holder is not None and (before is None or before.holder != after.holder)
        for _, cells in plot.rows
        for before, after in pairwise((None, *cells))
        if after is not None
    )
    signs = read_markup(render_plot(archive, plot)).all("use")
    assert len(signs) == changes


def test_burnt_land_is_ash_and_a_mark_below_tells_of_fights_attacks_and_who_is_out() -> None:
    archive = played(3)
    (plot,) = [plot for plot in archive.plots if isinstance(plot, Holdings)]
    found = read_markup(render_plot(archive, plot))
    assert any("burnt" in cell.states for _, cells in plot.rows for cell in cells)
    assert any(given.get("class") == "ash" for given in found.all("rect"))
    marked = {(one["data-step"], one["data-mark"]) for one in found.all("g") if "data-mark" in one}
    kinds = {"battle": "fight", "taken": "fight", "attack": "attack", "out": "out"}
    assert marked == {
        (step.key, kinds[one.mark])
        for step in archive.steps
        for one in step.news
        if one.mark in kinds
    }


def test_a_player_can_be_set_off_and_the_table_then_has_their_row_alone() -> None:
    archive = played(1)
    found = read_markup(render_plots(archive, focus=2))
    assert {given["data-focus"] for given in found.all("figure")} == {"2"}
    assert [given["data-player"] for given in found.all("tr") if "data-player" in given] == ["2"]


def some_plots(archive: Archive) -> tuple[Plot, ...]:
    count = len(archive.steps)
    return (
        Holdings("Who held what", (("A <b>", tuple(Cell(None) for _ in range(count))),)),
        Holdings("Nothing", ()),
        Lines("Hearts", "hearts", (Series(1, (None,) * count), Series(2, (3.0,) * count, 2.0))),
        Threat("Level", (0.0,) * count, (5.0,) * count, ()),
        Threat("Level", (2.0,) * count, (5.0,) * count, (Bar(1, 3.0, 4.0, True),)),
        Dots("Bids", "gold", ()),
        Dots("Bids", "gold", (Dot(1, 1, 0.0), Dot(1, 2, 500.0, True), Dot(1, 3, 0.0))),
        Chances("Dice", (Face("6", 4, 5.5, 2.0, 9.0), Face("7", 0, 1.0, 0.0, 3.0))),
        Figures("Numbers", ("Won & lost",), ((1, ("3 : 4",)),)),
    )


@each_row("place", range(9))
def test_every_kind_of_plot_is_drawn_also_where_there_is_next_to_nothing(place: int) -> None:
    archive = played(1)
    plot = some_plots(archive)[place]
    found = read_markup(render_plots(replace(archive, plots=(plot,))))
    assert found.faults == []
    assert "<b>" not in str(render_plot(archive, plot)).split("</figcaption>")[1]


def test_a_long_game_on_many_provinces_is_scrolled_and_a_short_one_fits_a_phone() -> None:
    """READING, tests 2: no page is wider than its window; only what is in `.scroll` may be."""
    archive = played(1)
    many = tuple((f"P{n}", tuple(Cell(n % 5 + 1) for _ in range(100))) for n in range(1, 41))
    steps = tuple(archive.steps[i % len(archive.steps)] for i in range(100))
    wide = render_plot(replace(archive, steps=steps), Holdings("Who held what", many))
    assert read_markup(wide).all("div")[0]["tabindex"] == "0"
    assert float(read_markup(wide).all("svg")[0]["width"]) > 400
    for plot in archive.plots:
        for given in read_markup(render_plot(archive, plot)).all("svg"):
            assert float(given["width"]) <= 328


def test_scales_keep_small_values_apart_and_labels_do_not_touch() -> None:
    bent = scale_of([1, 5, 20, 484], 200, 0, may_bend=True)
    assert bent.is_bent
    assert bent.at(0) == 200
    assert bent.at(484) == 0
    assert bent.at(1) - bent.at(5) > 20
    ticks = Scale(23, 200, 0).ticks(28)
    assert ticks[0] == 0
    assert all(later > earlier for earlier, later in pairwise(ticks))
    places = sorted(spread([5, 5, 6, 190], 16, 4, 200))
    assert all(later - earlier >= 16 for earlier, later in pairwise(places))
    assert places[0] >= 4
    assert places[-1] <= 200


def test_a_row_stands_for_an_area_also_where_it_was_not_there_from_the_beginning() -> None:
    first, island = Area("P1", "P1", 1, ""), Area("I", "Island", 2, "")
    assert held("x", [[first], [first, island]]).rows == (
        ("P1", (Cell(1), Cell(1))),
        ("I", (Cell(None), Cell(2))),
    )


def test_labels_of_lines_stand_in_the_order_of_their_values() -> None:
    """THIRD 18: also where many lines end close together."""
    archive = played(1, 7)
    values = (13.0, 14.0, 15.0, 16.0, 0.0, 14.0, 28.0)
    series = tuple(Series(number, (0.0, value)) for number, value in enumerate(values, start=1))
    drawn = draw_lines(archive, Lines("Points", "points", series))
    lines = sorted(drawn["lines"], key=lambda line: line.label_y)  # type: ignore[call-overload]
    assert [float(line.value) for line in lines] == sorted(values, reverse=True)
