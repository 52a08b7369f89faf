"""Texts are drawn as wide as the board takes them to be, whatever they are written in."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.board.faces import FAMILIES, Face, fit, width
from pbem.board.lettering import lettering
from pbem.board.painting import render
from tests.board.likeness import likeness

TEXTS = (
    "Year 5", "AVATAR To Vo.", "Łukasz Żółć", "Ελένη", "Дмитро", "×4 −1", "fi ffl office",
    "e\u0301a\u0300 o\u0308", "שלום עולם 12 א", "abc مرحبا بك def", "李雷 🀄 x", "W" * 60,
)  # fmt: skip


@pytest.mark.parametrize("face", ["serif", "sans"])
@pytest.mark.parametrize("text", TEXTS)
def test_no_text_is_drawn_wider_than_it_was_measured(text: str, face: Face) -> None:
    drawn = lettering(text, FAMILIES[face])
    assert drawn is not None
    assert drawn.width <= width(text, face) * 1.005
    assert drawn.width >= width(text, face) * 0.77, "joined and kerned letters are narrower"


@pytest.mark.parametrize("face", ["serif", "sans"])
def test_every_script_looks_as_by_the_reference(face: Face) -> None:
    stretch = ' font-stretch="condensed"' if face == "sans" else ""
    rows = "".join(
        f'<text x="10" y="{40 + 44 * i}" font-family="{FAMILIES[face]}" font-weight="bold"{stretch}'
        f' font-size="32" stroke="#e3b650" stroke-width="5.44" stroke-linejoin="round" paint-order="stroke">{text}</text>'
        for i, text in enumerate(TEXTS)
        if face == "sans" or text.isascii()
    )
    svg = (
        '<svg xmlns="http://www.w3.org/2000/svg" width="500" height="560">'
        f'<rect width="500" height="560" fill="#fff"/>{rows}</svg>'
    )
    assert likeness(render(svg), svg) > 0.98


@given(st.text(max_size=60), st.sampled_from(["serif", "sans"]), st.sampled_from([0, 17]))
def test_any_text_has_an_outline(text: str, face: Face, halo: int) -> None:
    drawn = lettering(text, FAMILIES[face], halo)
    assert drawn is not None
    assert drawn.path.isFinite()


def test_what_is_made_small_enough_is_not_cut() -> None:
    """THIRD A26: `12:10` was cut to `12…` where it fitted to the hundredth of a px."""
    for first in range(25):
        for second in range(25):
            text = f"{first}:{second}"
            assert fit(text, 26.0, 43.0, 14.0)[0] == text


def test_a_family_that_is_not_ours_has_none() -> None:
    assert lettering("Anna", "No Such Family") is None
