"""Pictures as they are sent: small, the same every time, with ink for every font, drawn in a process of their own."""

import asyncio
import hashlib
import io
import os
import signal

import msgspec
import pytest
from PIL import Image

from engine.protectors.lands import ring_land
from pbem.games.protectors.board.alt import describe
from pbem.games.protectors.board.drawing import draw
from pbem.board.faces import FAMILIES, Face
from pbem.games.protectors.board.land import decode_land, encode_land
from pbem.games.protectors.board.mapfile import parse_map
from pbem.games.protectors.board.margins import STRIP
from pbem.board.raster import MOST_BYTES, Rasteriser, picture_of, render
from pbem.games.protectors.board.rings import SIDE
from pbem.games.protectors.board.scene import Province
from tests.games.protectors.board.positions import busy_scene, land_of

SIZES = [*((n, n) for n in range(2, 17)), (9, 18), (8, 40), (13, 52)]


def image_of(png: bytes) -> Image.Image:
    return Image.open(io.BytesIO(png))


@pytest.mark.parametrize(("players", "provinces"), SIZES)
def test_a_picture_is_small_and_of_the_right_size(players: int, provinces: int) -> None:
    picture = picture_of(busy_scene(players, provinces, 2), encode_land(land_of(players, provinces)), True)
    assert len(picture.png) < MOST_BYTES
    image = image_of(picture.png)
    assert image.size == (SIDE, SIDE + STRIP)
    assert image.mode == "P"


def ink(text: str, family: str) -> int:
    """Dark pixels of a text on white."""
    stretch = ' font-stretch="condensed"' if family == FAMILIES["sans"] else ""
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="400" height="60"><rect width="400" height="60" fill="#fff"/>'
        f'<text x="10" y="42" font-family="{family}" font-weight="bold"{stretch} font-size="36">{text}</text></svg>'
    )
    return sum(image_of(render(svg)).convert("L").histogram()[:100])


@pytest.mark.parametrize("face", ["serif", "sans"])
@pytest.mark.parametrize("text", ["P14", "Łukasz Żółć", "Ελένη", "Дмитро", "×4"])
def test_both_fonts_leave_ink(face: Face, text: str) -> None:
    assert ink(text, FAMILIES[face]) > 60 * len(text)
    assert ink(text, "No Such Family") == 0, "a missing family vanishes without a word: this is what we guard against"


def test_a_name_no_font_can_write_becomes_the_word_of_its_colour() -> None:
    scene, land = busy_scene(3, 3), encode_land(land_of(3, 3))

    def named(instead: str | None) -> bytes:
        ranking = tuple(
            tuple(msgspec.structs.replace(seat, name=instead or seat.colour.capitalize()) for seat in bracket) for bracket in scene.ranking
        )
        return picture_of(msgspec.structs.replace(scene, ranking=ranking), land, True).png

    assert named("李雷 🀄") == named(None)


def test_every_province_number_leaves_ink_on_the_map() -> None:
    land = land_of(7, 7)
    empty = tuple(Province(n) for n in range(1, 8))
    scene = msgspec.structs.replace(busy_scene(7, 7), provinces=empty, marches=(), supports=(), battles=())
    image = image_of(render(draw(scene, land))).convert("L")
    for label in land.labels:
        reach = round(30 * label.scale)
        number = image.crop((label.x - reach, label.y - reach, label.x + reach, label.y + reach))
        assert sum(number.histogram()[:60]) > 200


async def test_the_rasteriser_draws_the_same_picture_as_a_process_of_its_own() -> None:
    scene, raw = busy_scene(7, 7), encode_land(land_of(7, 7))
    async with Rasteriser() as rasteriser:
        picture = await rasteriser.picture(scene, raw, strip=False)
        drawing, turns = asyncio.create_task(rasteriser.picture(scene, raw, strip=False)), 0
        while not drawing.done():
            await asyncio.sleep(0)
            turns += 1
        assert turns > 100, "the event loop went on all the while"
        again = await drawing
        assert picture == again == picture_of(scene, raw, False)
        assert picture.svg_digest == hashlib.sha256(draw(scene, decode_land(raw), strip=False).encode()).hexdigest()
        assert picture.alt == describe(scene)
        assert image_of(picture.png).size == (SIDE, SIDE)
        assert image_of(await rasteriser.render(draw(scene, land_of(7, 7)))).size == (SIDE, SIDE + STRIP)


async def test_a_dead_process_is_replaced_and_what_cannot_be_drawn_is_told() -> None:
    scene, raw = busy_scene(3, 3), encode_land(land_of(3, 3))
    async with Rasteriser() as rasteriser:
        first = await rasteriser.picture(scene, raw)
        before = await rasteriser.process_id()
        os.kill(before, signal.SIGKILL)
        assert await rasteriser.picture(scene, raw) == first
        after = await rasteriser.process_id()
        assert after != before
        with pytest.raises(ValueError, match="no land"):
            await rasteriser.picture(scene, b"garbage")
        with pytest.raises(ValueError, match="provinces"):
            await rasteriser.picture(busy_scene(7, 7), raw)
        assert await rasteriser.process_id() == after, "a fault in a scene does not end the process"


async def test_a_closed_rasteriser_starts_again_when_asked(crescent: str) -> None:
    rasteriser = Rasteriser()
    await rasteriser.close()
    try:
        land = decode_land(await rasteriser.land(ring_land(5), 9, island=True, drafts=2))
        assert land.plan == ring_land(5)
        assert land.island
        await rasteriser.close()
        own = parse_map(crescent)
        assert decode_land(await rasteriser.map_land(own, 3)).plan == own.plan
    finally:
        await rasteriser.close()


def test_the_words_of_a_picture_list_every_province_and_every_player() -> None:
    scene = busy_scene(8, 40, 4)
    text = describe(scene)
    assert "\n" not in text
    for province in scene.provinces:
        assert f"P{province.number}" in text.replace(",", " ").replace(".", " ").replace(":", " ").split()
    for bracket in scene.ranking:
        for seat in bracket:
            assert f"{seat.name} ({seat.colour}, " in text
    assert all(card in text for card in scene.cards)
    assert f"Dragon {scene.dragon.power} of {scene.dragon.threshold}" in text
    assert text.count("Battle in ") == sum(len(battle.fights) for battle in scene.battles)
    assert text.count(" marched ") == len(scene.marches)


def test_words_are_singular_where_there_is_one() -> None:
    scene = msgspec.structs.replace(busy_scene(2, 2), provinces=(Province(1, "red", 1, 1), Province(2, burnt=True)), marches=())
    text = describe(scene)
    assert "P1: Anna (red, heart), 1 unit, level 1." in text
    assert "P2: nobody's, burnt." in text
