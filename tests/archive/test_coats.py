"""One coat and one colour a person, in every game: on the board, on the chips, in the plots, in the
picture to share, in chats and in mails.
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from engine.ruleset import Standing
from pbem.archive.data import game_script
from pbem.archive.layers import layers_of
from pbem.archive.model import Archive, Person
from pbem.archive.packing import unpack
from pbem.archive.pages import pages_of
from pbem.archive.plots import render_plots
from pbem.archive.share import share_svg
from pbem.archive.site import files_of
from pbem.board.palette import ARMS as DEALT
from pbem.game import Game
from pbem.pages.archive import Holdings
from pbem.pages.kit.arms import ARMS, Arms
from pbem.pages.page import Page
from tests.archive.markup import read_markup
from tests.archive.played import played
from tests.board.parts import SVG, parts_of
from tests.moments import whole
from tests.pages.sample import reader, table
from tests.played import GAMES
from tests.rings import sampled

CLOSES = 6
TABLES = sampled(
    [
        pytest.param((name, players), id=f"{name}-{players}")
        for name, game in GAMES.items()
        for players in (min(5, game.ruleset.players[1]), max(2, game.ruleset.players[0]))
    ],
    len(GAMES),
)
PATHS = {arms.colour: arms.path for arms in DEALT}


def archive_of(at: tuple[str, int]) -> tuple[Game, Archive]:
    name, players = at
    return GAMES[name], played(1, players, CLOSES, name)


def views_of(at: tuple[str, int], number: int | None) -> tuple[Any, Any]:
    """What somebody sees at the start and after the last close."""
    name, players = at
    table = whole(name, 1, players, CLOSES)
    first, last = table.moments[0], table.moments[-1]
    view = table.game.ruleset.view
    return view(first.state, number), view(last.state, number)


def path_of(arms: Arms) -> str:
    return arms.path or PATHS[arms.colour]


def everybody(archive: Archive) -> dict[str, Arms]:
    """All arms at the table by what the board calls them."""
    return {arms.colour: arms for person in archive.people for arms in person.coats}


@pytest.mark.parametrize("at", TABLES)
def test_nobody_shares_a_coat_or_a_colour(at: tuple[str, int]) -> None:
    _, archive = archive_of(at)
    coats = [arms for person in archive.people for arms in person.coats]
    for what in ("full", "symbol", "emoji", "badge", "colour"):
        assert len({getattr(arms, what) for arms in coats}) == len(coats), what


@pytest.mark.parametrize("at", TABLES)
def test_the_board_shows_what_somebody_holds_in_their_arms(at: tuple[str, int]) -> None:
    """THIRD A1: the colour of an area on the board is that of its holder everywhere else."""
    _, archive = archive_of(at)
    for step in archive.steps:
        drawn = {area.key: area for area in step.areas}
        lands = [part for part in parts_of(step.drawing.svg, "lands") if "data-area" in part.attrib]
        for part in lands:
            area = drawn[part.attrib["data-area"]]
            if area.holder is not None and "data-colour" in part.attrib:
                person = archive.person(area.holder)
                assert part.attrib["data-colour"] == person.coats[area.coat].colour, step.key
        worn = {
            part.attrib["data-colour"]
            for kind in ("lands", "pieces", "orders", "battles", "margins")
            for part in parts_of(step.drawing.svg, kind)
            if "data-colour" in part.attrib
        }
        assert worn <= set(everybody(archive)), step.key
        for colour in worn:
            arms = everybody(archive)[colour]
            assert arms.full in step.drawing.svg, (step.key, colour)
            assert path_of(arms) in step.drawing.svg, (step.key, colour)


@pytest.mark.parametrize("at", TABLES)
def test_plots_and_chips_show_the_arms_of_the_board(at: tuple[str, int]) -> None:
    """THIRD A1: cells of "Who held what" have the colours that the board had at that close."""
    _, archive = archive_of(at)
    shown = str(render_plots(archive))
    fills = {
        (int(number), int(place or 0)): full
        for number, place, full in re.findall(
            r'\.plot \[data-holder="(\d+)"\](?:\[data-coat="(\d+)"\])? \{ fill: (#\w+); \}', shown
        )
    }
    for person in archive.people:
        for place, arms in enumerate(person.coats):
            assert fills[person.number, place] == arms.full
            assert symbol_of(shown, person.keys[place]) == (arms.full, path_of(arms))
    areas = [{area.key: area for area in step.areas} for step in archive.steps]
    runs = [given for _, given in read_markup(shown).tags if "data-many" in given]
    held = next((plot for plot in archive.plots if isinstance(plot, Holdings)), None)
    assert bool(runs) == (held is not None)
    closes = (held and held.closes) or tuple(range(len(areas)))
    for run in runs:
        there = (int(run["data-holder"] or 0), int(run.get("data-coat", 0)))
        first, many = int(run["data-first"]), int(run["data-many"])
        for column in range(first, first + many):
            if closes[column] in closes[column + 1 :]:
                continue  # what a close ended with is in the last of its columns
            area = areas[closes[column]][run["data-area"]]
            assert there == (area.holder or 0, area.coat)


def symbol_of(page: str, key: str) -> tuple[str, str]:
    """The ground and the symbol of these arms, as a page defines them."""
    found = re.search(rf'<symbol id="arms-{key}".*?</symbol>', page, re.DOTALL)
    assert found, key
    full = re.search(r'fill="(#\w+)"', found[0])
    path = re.search(r'<path d="([^"]+)"', found[0])
    assert full
    assert path
    return full[1], path[1]


@pytest.mark.parametrize("at", TABLES)
def test_every_page_of_an_archive_shows_all_arms_of_a_person(at: tuple[str, int]) -> None:
    _, archive = archive_of(at)
    files = {**pages_of(archive), **files_of(replace(archive, status="running"), {})}
    pages = {path: raw.decode() for path, raw in files.items() if path.endswith(".html")}
    for path, page in pages.items():
        found = read_markup(page)
        used = {one["href"] for one in found.all("use") if one["href"].startswith("#arms-")}
        assert {one.removeprefix("#") for one in used} <= found.ids, path
    for person in archive.people:
        page = pages[f"players/{person.slug}.html"].split("<h1>")[1].split("</h1>")[0]
        assert re.findall(r'href="#arms-([\d-]+)"', page) == list(person.keys)
    script = unpack(
        game_script(archive, layers_of([step.drawing for step in archive.steps]))
    ).decode()
    for person in archive.people:
        colours = ",".join(f'"{arms.colour}"' for arms in person.coats)
        assert f'"colours":[{colours}],"slug":"{person.slug}"' in script


@pytest.mark.parametrize("at", TABLES)
def test_the_picture_to_share_shows_the_arms_of_the_board(at: tuple[str, int]) -> None:
    _, archive = archive_of(at)
    root = ET.fromstring(share_svg(archive))  # noqa: S314 - our own template wrote it
    beside = [one.attrib for one in root.iter() if one.tag in (f"{SVG}rect", f"{SVG}path")]
    fills = [(one.get("fill"), one.get("d")) for one in beside]
    for arms in (arms for person in archive.people[:5] for arms in person.coats):
        assert (arms.full, None) in fills
        assert (arms.on, path_of(arms)) in fills


def pages_for(at: tuple[str, int]) -> Iterator[Page]:
    """Letters that tell how the table stands, to the public and to somebody."""
    game, archive = archive_of(at)
    for number in (None, 1):
        start, view = views_of(at, number)
        you = reader(number, "Heron" if number is None else archive.person(number).name)
        yield game.pages.status(table(), you, view, Standing())
        yield game.pages.map_page(table(), you, view)
        if number is None:
            yield game.pages.bulletin(table(), view, archive.steps[-1].close.events)
        else:
            yield game.pages.welcome(table(), you, start, "0" * 64)


@pytest.mark.parametrize("at", TABLES)
def test_mails_and_chats_show_the_arms_of_the_board(at: tuple[str, int]) -> None:
    """THIRD A1: whose name stands beside arms wears them on the board."""
    _, archive = archive_of(at)
    badges = {arms.badge for arms in everybody(archive).values()}
    all_emoji = {arms.emoji for arms in ARMS.values()} | {
        arms.emoji for arms in everybody(archive).values()
    }
    seen: set[str] = set()
    for page in pages_for(at):
        assert set(re.findall(r'"cid:arms-([^"]+)"', page.html)) <= badges, page.subject
        for row in re.findall(r"<tr>.*?</tr>", page.html, re.DOTALL):
            shown = set(re.findall(r'"cid:arms-([^"]+)"', row))
            named = named_in(archive, re.sub("<[^>]+>", " ", row))
            if shown and len(named) == 1:
                assert shown <= {arms.badge for arms in named[0].coats}, (page.subject, row)
        for line in page.chat.splitlines():
            signs = {one for one in all_emoji if one in line}
            named = named_in(archive, line)
            seen |= signs
            if signs and len(named) == 1:
                assert signs <= {arms.emoji for arms in named[0].coats}, (page.subject, line)
    assert {arms.emoji for arms in everybody(archive).values()} & seen


def named_in(archive: Archive, line: str) -> list[Person]:
    return [one for one in archive.people if re.search(rf"\b{one.name}\b", line)]


@pytest.mark.parametrize("at", TABLES)
def test_a_letter_of_welcome_says_which_arms_are_whose(at: tuple[str, int]) -> None:
    game, archive = archive_of(at)
    for person in archive.people:
        start, _ = views_of(at, person.number)
        you = reader(person.number, person.name)
        page = game.pages.welcome(table(), you, start, "0" * 64)
        said = " ".join(page.text.split())
        for arms in person.coats:
            assert arms.said in said, person.name
            assert f"cid:arms-{arms.badge}" in page.html
        foreign = {arms.said for arms in ARMS.values()} - {
            arms.said for arms in everybody(archive).values()
        }
        assert not [one for one in foreign if one in said]
