"""Pictures as they are sent: small, the same every time, with ink for every font, drawn in a
process of their own.
"""

import asyncio
import io
import os
import signal

import msgspec
import pytest
from PIL import Image

from pbem.board.board import Board, TableFacts
from pbem.board.faces import FAMILIES, Face
from pbem.board.painting import MOST_BYTES, WIDTHS, image_of, picture_of, render
from pbem.board.paths import SIDE
from pbem.board.raster import Rasteriser
from pbem.games.protectors.board.alt import describe
from pbem.games.protectors.board.drawing import draw, draw_on
from pbem.games.protectors.board.land import decode_land, encode_land
from pbem.games.protectors.board.mapfile import parse_map
from pbem.games.protectors.board.margins import STRIP
from pbem.games.protectors.board.scene import Province
from pbem.games.protectors.board.stored_land import make_stored_land
from tests.board.likeness import LIKE_ENOUGH, likeness
from tests.board.parts import is_whole
from tests.games.protectors.board.positions import busy_scene, land_of
from tests.games.protectors.pages.sample import view as heron_view
from tests.rings import sampled

SIZES = [*((n, n) for n in range(2, 17)), (9, 18), (8, 40), (13, 52)]
LIKENESS_SIZES = ((7, 7), (16, 16), (8, 40), (2, 2), (9, 18), (13, 52), (5, 5), (12, 12), (3, 3))

BOARD = Board(lambda view, events, facts: view, draw_on, make_stored_land)
"""Its scenes are given as they are."""
FACTS = TableFacts("Heron", "orders")


@pytest.mark.parametrize(("players", "provinces"), sampled(SIZES, 3))
def test_a_picture_is_small_and_of_the_right_size(players: int, provinces: int) -> None:
    picture = picture_of(
        draw_on, busy_scene(players, provinces, 2), encode_land(land_of(players, provinces))
    )
    assert len(picture.png) < MOST_BYTES
    assert is_whole(picture.png, SIDE, SIDE + STRIP)
    assert Image.open(io.BytesIO(picture.png)).mode == "P"


@pytest.mark.parametrize("lot", sampled(range(20), 1))
def test_a_picture_is_like_the_reference_rendering(lot: int) -> None:
    """#16: no faster painter may make it worse."""
    players, provinces = LIKENESS_SIZES[lot % len(LIKENESS_SIZES)]
    svg = draw(busy_scene(players, provinces, lot + 1), land_of(players, provinces))
    assert likeness(image_of(svg), svg) > LIKE_ENOUGH
    assert len(render(svg)) < MOST_BYTES


def width_of(svg: str) -> int:
    return Image.open(io.BytesIO(render(svg))).width


@pytest.mark.parametrize(("players", "provinces", "lot"), [(2, 6, 2), (7, 7, 1), (3, 9, 2)])
def test_a_picture_is_as_wide_as_its_bytes_let_it_be(
    players: int, provinces: int, lot: int
) -> None:
    """The next width is too large for them: a board that is itself so wide is painted smaller."""
    svg = draw(busy_scene(players, provinces, lot), land_of(players, provinces))
    wide = width_of(svg)
    wider = WIDTHS[WIDTHS.index(wide) - 1]
    assert wider > wide
    own = f'width="{SIDE}" height="{SIDE + STRIP}"'
    assert own in svg
    high = (SIDE + STRIP) * wider / SIDE
    assert width_of(svg.replace(own, f'width="{wider}" height="{high:.2f}"', 1)) < wider


def ink(text: str, family: str) -> int:
    """Dark pixels of a text on white."""
    stretch = ' font-stretch="condensed"' if family == FAMILIES["sans"] else ""
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="400" height="60"><rect width="400" height="60" fill="#fff"/>'
        f'<text x="10" y="42" font-family="{family}" font-weight="bold"{stretch} font-size="36">{text}</text></svg>'
    )
    return sum(Image.open(io.BytesIO(render(svg))).convert("L").histogram()[:100])


@pytest.mark.parametrize("face", ["serif", "sans"])
@pytest.mark.parametrize("text", ["P14", "Łukasz Żółć", "Ελένη", "Дмитро", "×4"])
def test_both_fonts_leave_ink(face: Face, text: str) -> None:
    assert ink(text, FAMILIES[face]) > 60 * len(text)
    assert ink(text, "No Such Family") == 0, (
        "a missing family vanishes without a word: this is what we guard against"
    )


def test_a_name_no_font_can_write_becomes_the_word_of_its_colour() -> None:
    scene, land = busy_scene(3, 3), encode_land(land_of(3, 3))

    def named(instead: str | None) -> bytes:
        ranking = tuple(
            tuple(
                msgspec.structs.replace(seat, name=instead or seat.colour.capitalize())
                for seat in bracket
            )
            for bracket in scene.ranking
        )
        return picture_of(draw_on, msgspec.structs.replace(scene, ranking=ranking), land).png

    assert named("李雷 🀄") == named(None)


def test_every_province_number_leaves_ink_on_the_map() -> None:
    land = land_of(7, 7)
    empty = tuple(Province(n) for n in range(1, 8))
    scene = msgspec.structs.replace(
        busy_scene(7, 7), provinces=empty, marches=(), supports=(), battles=()
    )
    image = Image.open(io.BytesIO(image_of(draw(scene, land)))).convert("L")
    for label in land.labels:
        reach = round(30 * label.scale)
        number = image.crop((label.x - reach, label.y - reach, label.x + reach, label.y + reach))
        assert sum(number.histogram()[:60]) > 200


async def test_the_rasteriser_draws_the_same_picture_as_a_process_of_its_own() -> None:
    scene, raw = busy_scene(7, 7), encode_land(land_of(7, 7))
    async with Rasteriser() as rasteriser:
        picture = await rasteriser.board(BOARD, scene, (), raw, FACTS)
        drawing, turns = asyncio.create_task(rasteriser.board(BOARD, scene, (), raw, FACTS)), 0
        while not drawing.done():
            await asyncio.sleep(0)
            turns += 1
        assert turns > 100, "the event loop went on all the while"
        again = await drawing
        assert picture == again == picture_of(draw_on, scene, raw)
        assert picture.alt == describe(scene)
        assert is_whole(picture.png, SIDE, SIDE + STRIP), "READING-1: with the names"


async def test_a_dead_process_is_replaced_and_what_cannot_be_drawn_is_told() -> None:
    scene, raw = busy_scene(3, 3), encode_land(land_of(3, 3))
    async with Rasteriser() as rasteriser:
        first = await rasteriser.board(BOARD, scene, (), raw, FACTS)
        before = await rasteriser.process_id()
        os.kill(before, signal.SIGKILL)
        assert await rasteriser.board(BOARD, scene, (), raw, FACTS) == first
        after = await rasteriser.process_id()
        assert after != before
        with pytest.raises(ValueError, match="no land"):
            await rasteriser.board(BOARD, scene, (), b"garbage", FACTS)
        with pytest.raises(ValueError, match="provinces"):
            await rasteriser.board(BOARD, busy_scene(7, 7), (), raw, FACTS)
        assert await rasteriser.process_id() == after, "a fault in a scene does not end the process"


@pytest.mark.long(held_by="tests/pages")
async def test_a_closed_rasteriser_starts_again_when_asked(crescent: str) -> None:
    rasteriser = Rasteriser()
    await rasteriser.close()
    try:
        view = heron_view()
        land = decode_land(await rasteriser.land(BOARD, view, 9, ""))
        assert land.plan == view.land
        await rasteriser.close()
        assert (
            decode_land(await rasteriser.land(BOARD, view, 3, crescent)).plan
            == parse_map(crescent).plan
        )
    finally:
        await rasteriser.close()


def test_the_words_of_a_picture_list_every_province_and_every_player() -> None:
    scene = busy_scene(8, 40, 4)
    text = describe(scene)
    assert "\n" not in text
    for province in scene.provinces:
        assert (
            f"P{province.number}"
            in text.replace(",", " ").replace(".", " ").replace(":", " ").split()
        )
    for bracket in scene.ranking:
        for seat in bracket:
            assert f"{seat.name} ({seat.colour}, " in text
    assert all(card in text for card in scene.cards)
    assert f"Dragon {scene.dragon.power} of {scene.dragon.threshold}" in text
    assert text.count("Battle in ") == sum(len(battle.fights) for battle in scene.battles)
    assert text.count(" marched ") == len(scene.marches)


def test_words_are_singular_where_there_is_one() -> None:
    scene = msgspec.structs.replace(
        busy_scene(2, 2), provinces=(Province(1, "red", 1, 1), Province(2, burnt=True)), marches=()
    )
    text = describe(scene)
    assert "P1: Anna (red, heart), 1 unit, level 1." in text
    assert "P2: nobody's, burnt." in text
