"""The picture to share and the film: what is on them can be read, and how many bytes they are."""

import io
import re
import xml.etree.ElementTree as ET
from dataclasses import replace
from functools import cache

import pytest
from PIL import Image

from pbem.archive.film import FRAME_MS, LAST_MS, MOST_BYTES, film
from pbem.archive.model import Archive
from pbem.archive.share import HEIGHT, LEAST_TEXT, MOST_CHIPS, WIDTH, share_svg
from pbem.board.faces import Face, ink_box
from pbem.board.painting import image_of, render
from pbem.pages.news import Lead
from tests.archive.played import played

_SVG = "{http://www.w3.org/2000/svg}"


def words_beside(svg: str) -> list[ET.Element]:
    """The texts to the right of the board."""
    root = ET.fromstring(svg)  # noqa: S314 - our own template wrote it
    return root.findall(f"{_SVG}text")


def long(archive: Archive) -> Archive:
    name = "Bartholomäus von und zu Hohenlohe-Waldenburg"
    people = tuple(replace(person, name=name) for person in archive.people)
    headline = "Bartholomäus von und zu Hohenlohe wins with 128 points, far ahead"
    return replace(archive, people=people, lead=Lead(headline, ""), title="A table " * 6)


@pytest.mark.parametrize("game", [(1,), (3,), (1, 5, 7), None])
def test_texts_beside_the_board_are_large_and_stay_in_the_picture(
    game: tuple[int, ...] | None,
) -> None:
    archive = long(played(1)) if game is None else played(*game)
    svg = share_svg(archive)
    texts = words_beside(svg)
    assert texts
    for one in texts:
        size, said = float(one.attrib["font-size"]), one.text or ""
        assert size >= LEAST_TEXT, said
        face: Face = "serif" if "Gentium" in one.attrib["font-family"] else "sans"
        left, _, right, bottom = ink_box(said, face, size)
        shift = right if one.get("text-anchor") == "end" else 0
        assert float(one.attrib["x"]) + right - shift <= WIDTH, said
        assert float(one.attrib["x"]) + left - shift >= HEIGHT, said
        assert float(one.attrib["y"]) + bottom <= HEIGHT, said


def test_the_picture_has_the_headline_and_at_most_five_players_and_is_painted_by_our_painter() -> (
    None
):
    archive = played(1, 7)
    svg = share_svg(archive)
    said = " ".join(one.text or "" for one in words_beside(svg))
    assert archive.lead.headline in said
    assert len(re.findall(r'<rect [^>]*rx="6" fill', svg.split("</g>\n<rect")[-1])) <= MOST_CHIPS
    with Image.open(io.BytesIO(image_of(svg))) as picture:
        assert picture.size == (WIDTH, HEIGHT)


def test_the_ribbon_on_it_is_as_wide_for_each_row() -> None:
    archive = played(1)
    root = ET.fromstring(share_svg(archive))  # noqa: S314 - our own template wrote it
    cells = [one.attrib for one in root.findall(f"{_SVG}rect") if one.get("stroke-width") == "1.5"]
    rows: dict[str, float] = {}
    for cell in cells:
        rows[cell["y"]] = rows.get(cell["y"], 0) + float(cell["width"])
    assert len(rows) == len(archive.steps[0].areas)
    assert max(rows.values()) - min(rows.values()) < 0.2


@cache
def boards() -> tuple[bytes, ...]:
    return tuple(render(step.drawing.svg) for step in played(3).steps)


def test_a_film_begins_with_the_end_runs_through_all_and_rests_on_the_last() -> None:
    made = film(boards())
    assert len(made) <= MOST_BYTES
    with Image.open(io.BytesIO(made)) as opened:
        assert opened.width == 480
        assert opened.n_frames == len(boards()) + 1  # type: ignore[attr-defined]
        lengths, frames = [], []
        for number in range(len(boards()) + 1):
            opened.seek(number)
            frames.append(opened.convert("RGB").tobytes())
            lengths.append(opened.info["duration"])
    assert lengths == [FRAME_MS] * len(boards()) + [LAST_MS]
    near = sum(abs(a - b) for a, b in zip(frames[0][::97], frames[-1][::97], strict=True))
    far = sum(abs(a - b) for a, b in zip(frames[0][::97], frames[1][::97], strict=True))
    assert near * 5 < far


def test_boards_of_different_heights_make_one_film() -> None:
    """Boards of some games grow with the table."""
    boards = []
    for high in (20, 30):
        out = io.BytesIO()
        Image.new("RGB", (60, high), "#ffffff").save(out, "PNG")
        boards.append(out.getvalue())
    with Image.open(io.BytesIO(film(boards))) as made:
        assert (made.size, getattr(made, "n_frames", 1)) == ((480, 240), 3)


def test_a_film_of_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="no pictures"):
        film([])
