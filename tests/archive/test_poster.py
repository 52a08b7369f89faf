"""The poster of a game that is over: what is on it, and that it stays on the paper."""

import io
import re
import xml.etree.ElementTree as ET
from dataclasses import replace

import pytest
from PIL import Image

from pbem.archive.poster import PAPERS, WIDTH, Paper, poster_svg
from pbem.board.easel import Sheet
from pbem.board.faces import Face, ink_box
from pbem.board.painting import sheet_of
from tests.archive.played import played
from tests.archive.test_share import long
from tests.board.parts import SVG
from tests.played import GAMES


def texts_of(svg: str) -> list[ET.Element]:
    """All but those of the board, of which a part may be hidden."""
    root = ET.fromstring(svg)  # noqa: S314 - our own template wrote it
    places = root.findall(f"{SVG}g")[1]
    return [*root.findall(f"{SVG}text"), *places.iter(f"{SVG}text")]


@pytest.mark.parametrize("paper", PAPERS, ids=[paper.name for paper in PAPERS])
def test_it_says_who_won_who_played_when_and_the_beginning_of_the_seed(paper: Paper) -> None:
    archive = played(1)
    said = [one.text or "" for one in texts_of(poster_svg(archive, paper))]
    assert archive.lead.headline in said
    assert archive.proof.seed[:8] in said[-1] or any(archive.proof.seed[:8] in one for one in said)
    assert not any(archive.proof.seed[:9] in one for one in said)
    for person in archive.people:
        assert any(person.name in one for one in said)


@pytest.mark.parametrize("paper", PAPERS, ids=[paper.name for paper in PAPERS])
def test_long_names_stay_on_the_paper(paper: Paper) -> None:
    for one in ET.fromstring(poster_svg(long(played(1)), paper)).findall(f"{SVG}text"):  # noqa: S314
        size = float(one.attrib["font-size"])
        face: Face = "serif" if "Gentium" in one.attrib["font-family"] else "sans"
        left, _, right, bottom = ink_box(one.text or "", face, size)
        shift = {"middle": right / 2, "end": right}.get(one.get("text-anchor", ""), 0)
        assert float(one.attrib["x"]) + left - shift >= 40
        assert float(one.attrib["x"]) + right - shift <= WIDTH - 40
        assert float(one.attrib["y"]) + bottom <= paper.height - 40


def test_the_pdf_is_one_page_of_the_paper_and_the_picture_has_its_shape() -> None:
    paper = PAPERS[0]
    svg = poster_svg(played(1), paper)
    pdf, png = sheet_of(svg, paper.wide)
    assert pdf.startswith(b"%PDF")
    assert pdf.count(b"/Type /Page\n") + pdf.count(b"/Type /Page ") == 1
    assert sheet_of(svg, paper.wide)[0] == pdf
    with Image.open(io.BytesIO(png)) as picture:
        assert picture.size == (WIDTH, paper.height)


@pytest.mark.parametrize("game", GAMES)
def test_a_pdf_has_lines_and_letters_and_nothing_as_pixels_of_the_page(game: str) -> None:
    """THIRD-9: patterns were images as large as the page, and letters outlines: 1.4 MB."""
    paper = PAPERS[0]
    pdf = Sheet.of(poster_svg(played(1, 4, 12, game), paper)).printed(paper.wide)
    assert len(pdf) < 400_000
    assert pdf.count(b"/FontFile2") >= 2
    assert max(map(int, re.findall(rb"/Width (\d+)", pdf)), default=0) < paper.wide / 4


@pytest.mark.parametrize("game", GAMES)
def test_names_of_four_players_have_the_room_for_their_scores_beside_them(game: str) -> None:
    begun = played(1, 4, 12, game)
    placed = (replace(one, place=one.number) for one in begun.people)
    archive = replace(begun, people=tuple(placed))
    said = [one.text or "" for one in texts_of(poster_svg(archive, PAPERS[0]))]
    for person in archive.people:
        assert any(one.endswith(person.name) for one in said), person.name


def test_who_fell_is_told_with_the_turn() -> None:
    archive = played(1)
    out = {chip.player for chip in archive.steps[-1].chips if chip.is_out}
    assert out
    said = [one.text or "" for one in texts_of(poster_svg(archive, PAPERS[0]))]
    for number in out:
        turn = min(
            step.turn
            for step in archive.steps
            if number in {chip.player for chip in step.chips if chip.is_out}
        )
        assert f"out in turn {turn}" in said


@pytest.mark.parametrize("paper", PAPERS, ids=[paper.name for paper in PAPERS])
@pytest.mark.parametrize("game", GAMES)
def test_every_row_of_who_held_what_has_its_name(game: str, paper: Paper) -> None:
    archive = played(1, 4, 12, game)
    texts = texts_of(poster_svg(archive, paper))
    sizes = {one.text: float(one.attrib["font-size"]) for one in texts}
    for area in archive.steps[-1].areas:
        if area.holder is not None:
            assert sizes[area.name] >= 16
