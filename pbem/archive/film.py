"""The boards of a game one after another, as an animated picture."""

import io
from collections.abc import Sequence

from PIL import Image

from pbem.board.palette import WALNUT

WIDTH = 480
FRAME_MS, LAST_MS = 1200, 4000
MOST_BYTES = 1_000_000
"""What may go along with a mail."""
_QUALITIES = (60, 45, 30, 20)


def film(pictures: Sequence[bytes]) -> bytes:
    """An animated WebP of these pictures, 480 px wide, 1.2 s each and the last one longer; what is
    lower than the highest of them stands on the colour of the frame.

    It begins with the last picture, since many mail programs show no other; then it runs through
    all, over and over. The best quality under `MOST_BYTES` is taken, or the least one. ValueError
    for no pictures.
    """
    if not pictures:
        raise ValueError("a film of no pictures")
    frames = _of_one_height([_frame(picture) for picture in (pictures[-1], *pictures)])
    lengths = [FRAME_MS] * (len(frames) - 1) + [LAST_MS]
    made = b""
    for quality in _QUALITIES:
        made = _written(frames, lengths, quality)
        if len(made) <= MOST_BYTES:
            break
    return made


def _frame(picture: bytes) -> Image.Image:
    with Image.open(io.BytesIO(picture)) as opened:
        whole = opened.convert("RGB")
    return whole.resize(
        (WIDTH, round(whole.height * WIDTH / whole.width)), Image.Resampling.LANCZOS
    )


def _of_one_height(frames: Sequence[Image.Image]) -> list[Image.Image]:
    high = max(frame.height for frame in frames)
    whole = []
    for frame in frames:
        ground = Image.new("RGB", (WIDTH, high), WALNUT)
        ground.paste(frame)
        whole.append(ground)
    return whole


def _written(frames: Sequence[Image.Image], lengths: Sequence[int], quality: int) -> bytes:
    out = io.BytesIO()
    frames[0].save(
        out,
        "WEBP",
        save_all=True,
        append_images=frames[1:],
        duration=list(lengths),
        loop=0,
        kmin=0,
        kmax=0,
        quality=quality,
        method=4,
    )
    return out.getvalue()
