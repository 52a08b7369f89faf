"""Drawings in layers are the same drawings: nothing is lost, and little is there twice."""

import re
from xml.etree import ElementTree as ET

import pytest

from pbem.archive.fonts import LETTERS, font_files, subset
from pbem.archive.layers import Layers, layers_of
from pbem.board.board import Drawing
from tests.archive.played import played

SVG = "{http://www.w3.org/2000/svg}"


def shapes_of(element: ET.Element, named: dict[str, ET.Element], around: str = "") -> list[str]:
    """Everything that is drawn in it, with all that it inherits, in order; uses are followed."""
    tag = element.tag.removeprefix(SVG)
    given = dict(element.attrib)
    name = given.pop("href", "").removeprefix("#") if tag == "use" else ""
    given.pop("id", None)
    here = around + "".join(f"[{key}={given[key]}]" for key in sorted(given) if key != "d")
    if name in named:
        used = named[name]
        if used.tag.removeprefix(SVG) == "path":
            return [f"path {used.attrib['d']} {here}"]
        return [shape for child in used for shape in shapes_of(child, named, here)]
    if tag == "g":
        return [shape for child in element for shape in shapes_of(child, named, here)]
    text = " ".join("".join(element.itertext()).split())
    return [f"{tag} {element.get('d', '')} {here} {text}".replace("  ", " ")]


def flat(shapes: list[str]) -> list[str]:
    return [re.sub(r"\s+", " ", re.sub(r"\[class=\w+\]", "", shape)).strip() for shape in shapes]


def drawn(svg: str) -> list[str]:
    root = ET.fromstring(svg)  # noqa: S314 - our own
    named = {one.attrib["id"]: one for one in root.iter() if "id" in one.attrib}
    return flat([shape for child in root for shape in shapes_of(child, named)])


def laid(layers: Layers, step: tuple[int, ...]) -> list[str]:
    shapes = ET.fromstring(f"<defs>{layers.shapes}</defs>")  # noqa: S314 - our own
    named = {one.attrib["id"]: one for one in shapes.iter() if "id" in one.attrib}
    markup = "".join(layers.parts[part] for place in step for part in layers.layers[place].parts)
    return flat(
        [
            shape
            for child in ET.fromstring(f"<g>{markup}</g>")  # noqa: S314 - our own
            for shape in shapes_of(child, named)
        ]
    )


def test_every_step_draws_what_its_drawing_draws() -> None:
    steps = played(1, 5, 8).steps
    layers = layers_of([step.drawing for step in steps])
    assert len(layers.steps) == len(steps)
    for step, places in zip(steps, layers.steps, strict=True):
        assert laid(layers, places) == drawn(step.drawing.svg), step.key


def test_what_is_the_same_in_several_steps_is_there_once() -> None:
    steps = played(1, 5, 60).steps
    layers = layers_of([step.drawing for step in steps])
    whole = sum(len(step.drawing.svg) for step in steps)
    kept = len(layers.shapes) + sum(map(len, layers.parts))
    assert kept * 3 < whole
    assert len(set(layers.parts)) == len(layers.parts)
    assert not set(re.findall(r' d="([^"]{60,})"', "".join(layers.parts))) & set(
        re.findall(r' d="([^"]{60,})"', layers.shapes)
    )


def test_nothing_that_can_be_pointed_at_is_hidden_in_a_use() -> None:
    svg = (
        '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="12" data-map="9">'
        f'<g class="lands"><g data-area="P1"><path d="M0,0{"h1v1" * 20}z" fill="{{}}"/></g></g>'
        "<rect/></svg>"
    )
    layers = layers_of([Drawing(svg.format(colour), "") for colour in ("red", "blue", "red")])
    assert [layer.name for layer in layers.layers] == ["lands", "", "lands"]
    assert layers.steps == ((0, 1), (2, 1), (0, 1))
    assert (layers.width, layers.heights) == (9, (9, 9, 9))
    assert "data-area" not in layers.shapes
    assert layers.parts[0] == '<g data-area="P1"><use href="#o0" fill="red"/></g>'


def test_a_long_group_is_shared_by_its_elements() -> None:
    svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="{}"><g class="lands"><g>{}</g></g></svg>'
    lands = [f'<g data-area="P{place}"><rect x="{"1" * 90}"/></g>' for place in range(9)]
    changed = [*lands[:8], lands[8].replace("rect", "circle")]
    drawings = [(9, lands), (9, changed), (12, lands)]
    layers = layers_of([Drawing(svg.format(high, "".join(one)), "") for high, one in drawings])
    assert len(layers.parts) == 2 + 9 + 1
    markup = ["".join(layers.parts[part] for part in layer.parts) for layer in layers.layers]
    assert markup == [f"<g>{''.join(one)}</g>" for one in (lands, changed)]
    assert (layers.height, layers.heights) == (9, (9, 9, 12))


@pytest.mark.parametrize("drawings", [["<svg"], ['<svg width="1"/>', '<svg width="2"/>']])
def test_what_is_no_board_is_refused(drawings: list[str]) -> None:
    with pytest.raises(ValueError, match=r"no SVG|not of one board"):
        layers_of([Drawing(svg, "") for svg in drawings])


def test_the_fonts_have_the_letters_that_are_needed_and_few_others_and_their_licences() -> None:
    files = font_files(layers_of([step.drawing for step in played(1, 5, 8).steps]))
    assert files.keys() == {"serif.ttf", "sans.ttf", "fonts-licence.txt"}
    assert all(files[name].startswith(b"\0\1\0\0") for name in ("serif.ttf", "sans.ttf"))
    assert len(files["serif.ttf"]) + len(files["sans.ttf"]) < 50_000
    assert b"SIL Open Font License" in files["fonts-licence.txt"]
    assert set("Anna Dmytro Chloé Łukasz – 7") <= LETTERS
    assert len(subset("sans", {"A"})) < len(subset("sans", set("ABCDEFGé")))
