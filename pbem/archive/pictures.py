"""Boards on pages: what the picture of a step tells, where it lies, how large it is, what
it shows in words.
"""

import io
import re
from dataclasses import dataclass

from PIL import Image as Opened

from pbem.archive.model import Step
from pbem.archive.templates import say
from pbem.board.board import Chronicle, Drawing
from pbem.pages.archive import Close
from pbem.pages.kit.usual import UsualPages

PICTURES = "pictures"
"""The folder of all boards of a game."""
WIDE = 640
"""How many px a board is wide at most: sharp on a phone, and half the bytes of what goes along with
a mail.
"""
SHOWN_WIDTH = 240
"""How many px a board is wide on a card."""
_DENSE = 2
"""Dots of a card's board for one of the page's, on good screens."""
_MAP = re.compile(r'<svg[^<>]*? data-map="(\d+(?:\.\d+)?)"')
_SIZE = re.compile(r'(<svg[^<>]*? )width="(\d+)(?:\.\d+)?" height="(\d+)(?:\.\d+)?"')


@dataclass(frozen=True, slots=True)
class Image:
    """`path` as a page refers to it, "" where it is not painted; `width` and `height` of the whole
    picture, px.
    """

    path: str
    width: int
    height: int
    alt: str

    def high(self, width: int) -> int:
        """Its height at this width."""
        return round(self.height * width / self.width)


def chronicle_of(pages: UsualPages, close: Close) -> Chronicle:
    """What the board of a step tells: that of its caption, and its headline."""
    return Chronicle(
        close.turn,
        say("turn", close.number and close.turn, pages.turn_word),
        pages.step_name(close) if close.number else "",
        pages.lead(close.view, close.events).headline,
    )


def picture_path(step: Step) -> str:
    """Where the board of a step lies in the folder of its game, as WebP."""
    return f"{PICTURES}/{step.picture}.webp"


def small_path(step: Step) -> str:
    """Where its board lies small, for a card."""
    return f"{PICTURES}/{step.picture}-small.webp"


def image_of(step: Step, root: str = "", *, small: bool = False) -> Image:
    """The board of a step, or the `small` one, on a page from which `root` leads to the folder of
    the game.
    """
    width, height = _painted(step.drawing)
    path = (small_path if small else picture_path)(step)
    return Image(f"{root}{path}" if step.is_painted else "", width, height, step.drawing.alt)


def svg_of(drawing: Drawing) -> str:
    """A drawing as the archive has it painted."""
    width, height = _painted(drawing)
    return _SIZE.sub(rf'\g<1>width="{width}" height="{height}"', drawing.svg, count=1)


def map_size(drawing: Drawing) -> tuple[int, float]:
    """The width of the board, and how high its map is without what stands below."""
    width, height = size_of(drawing)
    found = _MAP.search(drawing.svg)
    return width, float(found[1]) if found else height


def _painted(drawing: Drawing) -> tuple[int, int]:
    width, height = size_of(drawing)
    return min(width, WIDE), round(height * min(1.0, WIDE / width))


def size_of(drawing: Drawing) -> tuple[int, int]:
    """ValueError for what is no picture."""
    found = _SIZE.search(drawing.svg)
    if found is None:
        raise ValueError("a board without a size")
    return int(found[2]), int(found[3])


def thumbnail(picture: bytes, dense: int = _DENSE) -> tuple[bytes, int]:
    """A board small enough for a card, as WebP with `dense` dots for one of the page, and how
    high it is shown.
    """
    with Opened.open(io.BytesIO(picture)) as opened:
        whole = opened.convert("RGB")
    high = max(1, round(whole.height * SHOWN_WIDTH / whole.width))
    small = whole.resize((SHOWN_WIDTH * dense, high * dense), Opened.Resampling.LANCZOS)
    out = io.BytesIO()
    small.save(out, "WEBP", quality=72, method=4)
    return out.getvalue(), high
