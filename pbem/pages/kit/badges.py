"""The arms of players as small pictures within a mail: fonts of phones lack half of the signs, and
draw the others unlike the board.

They lie as files beside the templates, painted from the board's own symbols, so that nothing is
painted when a mail goes out.
"""

import re
from functools import cache
from importlib.resources import files

from pbem.pages.kit.arms import ARMS

SIDE = 48
"""Width and height of a badge, px; a mail shows it at half of that."""
_NAMED = re.compile(r'"cid:arms-([a-z]+)"')


def badges_in(html: str) -> tuple[str, ...]:
    """The colours whose arms a page shows, each once, in their order there."""
    return tuple(dict.fromkeys(colour for colour in _NAMED.findall(html) if colour in ARMS))


def with_badges(html: str, address: str) -> str:
    """The page with its arms at another address: `{}` stands for the colour."""
    return _NAMED.sub(lambda found: f'"{address.format(found[1])}"', html)


@cache
def badge_png(colour: str) -> bytes:
    """The arms of a colour of `ARMS` as PNG."""
    return files("templates").joinpath("mail", "arms", f"{colour}.png").read_bytes()
