"""The arms of players as small pictures within a mail: fonts of phones lack half of the signs, and
draw the others unlike the board.

They are files next to the templates (`mail/arms`, and `arms` of a game that has its own), painted
from the board's own symbols, so that nothing is painted when a mail goes out.
"""

import re
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable

from pbem.pages.kit.arms import ARMS

SIDE = 48
"""Width and height of a badge, px; a mail shows it at half of that."""
_NAMED = re.compile(r'"cid:arms-((?:[a-z_]+\.)?[a-z]+)"')


def badges_in(html: str) -> tuple[str, ...]:
    """The names of the arms that a page shows, each once, in their order there."""
    return tuple(name for name in dict.fromkeys(_NAMED.findall(html)) if _file(name).is_file())


def with_badges(html: str, address: str) -> str:
    """The page with its arms at another address: `{}` stands for their name."""
    return _NAMED.sub(lambda found: f'"{address.format(found[1])}"', html)


@cache
def badge_png(name: str) -> bytes:
    """The arms of this name (`Arms.badge`) as PNG."""
    return _file(name).read_bytes()


def said_of(name: str) -> str:
    """What the arms of this name are called where they cannot be seen."""
    return ARMS[name].symbol if name in ARMS else name.rpartition(".")[2]


def _file(name: str) -> Traversable:
    package, _, colour = name.rpartition(".")
    return files("templates").joinpath(package or "mail", "arms", f"{colour}.png")
