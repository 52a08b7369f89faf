"""What the easel draws, what it refuses, and that kept pixels change nothing."""

import pytest

from pbem.board.easel import DEEPEST, Sheet
from pbem.board.kept import KEPT, Shelf
from pbem.board.painting import MOST_BYTES, colours_of, render
from tests.board.likeness import likeness
from tests.rows import each_row


def svg(inside: str, width: int = 60, height: int = 40) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}"'
        f' viewBox="0 0 {width} {height}">{inside}</svg>'
    )


SHAPES = svg(
    '<defs><pattern id="band" width="6" height="6" patternUnits="userSpaceOnUse">'
    '<path d="M0,0h6v6h-6z" fill="#a5180f"/><path d="M2,0h2v6h-2z" fill="#f0d636" shape-rendering="crispEdges"/></pattern>'
    '<g id="both"><circle r="9" fill="#0f4f9b" stroke="#1c140d" stroke-width="3"/><path d="M-4,-4h8v8h-8z"/></g></defs>'
    '<rect width="200" height="120" fill="#f6ead0"/>'
    '<rect x="6" y="6" width="60" height="40" rx="8" fill="url(#band)" stroke="#241a12" stroke-width="2.4" stroke-dasharray="9 6"/>'
    '<g transform="translate(100,30) scale(1.5)" fill="#fff"><use href="#both"/><use href="#both" x="26" fill="#5a9650"/></g>'
    '<g transform="rotate(-20 40 90)" fill-opacity=".4"><ellipse cx="40" cy="90" rx="30" ry="12" fill="#85571a"/></g>'
    '<path d="M90,70l60,10-50,24z" fill="#8cc410" stroke="#1c140d" stroke-width="4" stroke-linejoin="round" paint-order="stroke"/>'
    '<g opacity=".5"><path d="M150,60h40v40h-40z" fill="#761a94"/></g>',
    200,
    120,
)


def test_shapes_look_as_by_the_reference() -> None:
    assert likeness(render(SHAPES), SHAPES) > 0.97


@each_row(
    ("inside", "said"),
    [
        ('<image href="x.png"/>', "image"),
        ('<g filter="url(#f)"/>', "filter"),
        ('<rect width="4" height="4" fill="url(#none)"/>', "none"),
        ('<use href="#none"/>', "none"),
        ('<g id="a"><use href="#a"/></g>', "uses itself"),
        ("<g>" * (DEEPEST + 2) + "</g>" * (DEEPEST + 2), "too deep"),
        ('<path d="M0 0L"/>', "path data"),
        ('<path d="M0 0L1 1" stroke="#000" stroke-linecap="pointed"/>', "pointed"),
        ('<g transform="skewX(3)"><path d="M0 0"/></g>', "transform"),
        ('<rect width="wide" height="4"/>', "wide"),
        ('<rect width="4" height="4" fill="reddish"/>', "reddish"),
    ],
)
def test_what_cannot_be_drawn_is_refused(inside: str, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        Sheet.of(svg(inside)).drawn()


@pytest.mark.parametrize("text", ["", "no markup", "<svg/>", "<svg", "<b xmlns='x'/>"])
def test_what_is_no_svg_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="SVG"):
        Sheet.of(text).drawn()


def test_what_only_a_browser_needs_changes_no_pixel() -> None:
    shape = '<path d="M3,3L50,21L9,38z" fill="#a5180f"/>'
    told = f'<g class="lands" pointer-events="none"><g data-area="P4" data-colour="red">{shape}</g></g>'
    unseen = '<path data-area="NTH" d="M0,0H60V40H0Z" fill="none" pointer-events="all"/>'
    assert (Sheet.of(svg(told + unseen)).drawn() == Sheet.of(svg(shape)).drawn()).all()


def test_kept_pixels_change_no_picture() -> None:
    """#16: the same bytes, whether the still parts of it were painted before or not."""
    still = '<rect width="60" height="40" fill="#c3d6d2"/><circle cx="30" cy="20" r="11.5" fill="#3f6673" fill-opacity=".5"/>'
    of = svg(
        f'<g class="still">{still}</g><path d="M3,3L50,21L9,38z" fill="#a5180f"/>'
        '<g class="still"><path d="M2,30L58,9.5" stroke="#1c140d" stroke-width="3.3"/></g>'
    )
    KEPT.clear()
    cold = render(of)
    assert KEPT.bytes_held == 2 * 60 * 40 * 4
    assert render(of) == cold
    other = of.replace("#c3d6d2", "#ecdcb4")
    assert render(other) != cold
    assert render(of) == cold
    assert KEPT.bytes_held == 3 * 60 * 40 * 4, "the line above is kept once"


def test_what_is_used_least_lately_makes_room() -> None:
    of = svg('<g class="still"><path d="M2,30L58,9.5" stroke="#000"/></g>')
    KEPT.clear()
    Sheet.of(of).drawn()
    (image,) = KEPT.images
    shelf = Shelf(2 * 60 * 40 * 4)
    for key in (b"a", b"b"):
        shelf.put(key, image)
    assert shelf.get(b"a") is image
    shelf.put(b"c", image)
    assert [shelf.get(key) is not None for key in (b"a", b"b", b"c")] == [True, False, True]
    assert shelf.bytes_held == 2 * 60 * 40 * 4


def test_colours_that_a_picture_is_drawn_in_are_exact() -> None:
    flat = ["#c3d6d2", "#bfd2cf", "#0f4f9b", "#fbfbf7", "#1c140d"]
    rows = "".join(
        f'<rect x="{12 * i}" width="12" height="40" fill="{colour}"/>'
        for i, colour in enumerate(flat)
    )
    image = Sheet.of(svg(rows)).drawn()
    assert [tuple(image[20, 12 * i + 6, :3]) for i in range(5)] == [
        tuple(bytes.fromhex(colour[1:])) for colour in flat
    ]
    assert colours_of(svg(rows)) == {tuple(bytes.fromhex(colour[1:])) for colour in flat}


def test_a_picture_too_rich_for_its_bytes_is_made_smaller() -> None:
    dots = "".join(
        f'<circle cx="{11 * x + (y * 7) % 11}" cy="{11 * y}" r="{4 + (x * y) % 4}.3" fill="#{(x * 5 + y * 3) % 256:02x}{(y * 7) % 256:02x}{(x * 11) % 256:02x}"/>'
        for x in range(98)
        for y in range(98)
    )
    png = render(svg(dots, 1080, 1080))
    assert len(png) < 3 * MOST_BYTES
