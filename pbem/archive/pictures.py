"""Boards on pages: where the picture of a step lies, how large it is, what it shows in words."""

import re
from dataclasses import dataclass

from pbem.archive.model import Step
from pbem.board.board import Drawing

PICTURES = "pictures"
"""The folder of all boards of a game."""
_SIZE = re.compile(r'<svg[^>]*? width="(\d+)(?:\.\d+)?" height="(\d+)')


@dataclass(frozen=True, slots=True)
class Image:
    """`path` as a page refers to it; `width` and `height` of the whole picture, px."""

    path: str
    width: int
    height: int
    alt: str

    def high(self, width: int) -> int:
        """Its height at this width."""
        return round(self.height * width / self.width)


def picture_path(step: Step) -> str:
    """Where the board of a step lies in the folder of its game, as WebP."""
    return f"{PICTURES}/{step.picture}.webp"


def image_of(step: Step, root: str = "") -> Image:
    """The board of a step on a page from which `root` leads to the folder of the game."""
    width, height = size_of(step.drawing)
    return Image(f"{root}{picture_path(step)}", width, height, step.drawing.alt)


def size_of(drawing: Drawing) -> tuple[int, int]:
    """ValueError for what is no picture."""
    found = _SIZE.search(drawing.svg)
    if found is None:
        raise ValueError("a board without a size")
    return int(found[1]), int(found[2])
