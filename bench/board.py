"""Boards from the scene to PNG, against the method before: resvg and a median cut, on the same SVG.
CPU time of this process, ms, everything warm.

    python -m bench.board
"""

import importlib
import importlib.util
import io
import statistics
import time
from collections.abc import Callable

import resvg_py
from PIL import Image

from pbem.board.faces import FAMILIES, font_path
from pbem.board.painting import render
from pbem.board.raster import keep_memory
from pbem.registry import load_games

EVERY = 8
"""The peer, which takes ten times as long, has one turn in this many rounds."""
FIGURE = "board_ms"
"""The picture that the peer paints too."""


def measure(rounds: int) -> dict[str, float]:
    """`board_ms` and `board_40_ms`: medians from the scene to PNG. `board_vs_resvg`: how many times
    as long the peer takes to paint the SVG of the first; in the same rounds.
    """
    keep_memory()
    figures: dict[str, float] = {}
    for figure, draw in scenes().items():
        svg = draw()
        for warm in range(2):
            render(svg if warm else draw())
        drawn, painted, peer = [], [], []
        for number in range(rounds):
            drawn.append(cost(draw))
            painted.append(cost(lambda: render(svg)))  # noqa: B023 - called here and now
            if figure == FIGURE and number % EVERY == 0:
                peer.append(cost(lambda: by_resvg(svg)))  # noqa: B023 - called here and now
        figures[figure] = statistics.median(map(sum, zip(drawn, painted, strict=True)))
        if peer:
            figures["board_vs_resvg"] = statistics.median(peer) / statistics.median(painted)
    return figures


def scenes() -> dict[str, Callable[[], str]]:
    """What the games' tests hand over to be measured: it draws the SVG."""
    found: dict[str, Callable[[], str]] = {}
    for game in load_games():
        name = f"tests.games.{game.replace('-', '_')}.board.positions"
        if importlib.util.find_spec(name) is not None:
            found |= getattr(importlib.import_module(name), "measured", dict)()
    return found


def by_resvg(svg: str) -> bytes:
    """The peer: it reads its fonts again for every picture, as that library does."""
    fonts = [font_path(face) for face in FAMILIES]
    drawn = resvg_py.svg_to_bytes(svg_string=svg, skip_system_fonts=True, font_files=fonts)
    reduced = (
        Image.open(io.BytesIO(bytes(drawn)))
        .convert("RGB")
        .quantize(256, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
    )
    out = io.BytesIO()
    reduced.save(out, "PNG", compress_level=6)
    return out.getvalue()


def cost(work: Callable[[], object]) -> float:
    """What this takes, ms of CPU time."""
    begun = time.process_time()
    work()
    return (time.process_time() - begun) * 1e3


if __name__ == "__main__":
    for figure, value in measure(41).items():
        print(f"{figure} {value:.1f}")
