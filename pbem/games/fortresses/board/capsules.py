"""Who goes: a capsule at the tail of a stroke, with a sign and a number for each type."""

from collections.abc import Iterator
from dataclasses import dataclass

from engine.fortresses.atlas import Kingdom
from pbem.board.faces import Words
from pbem.games.fortresses.board.banners import BANNERS
from pbem.games.fortresses.board.room import Box
from pbem.games.fortresses.board.scene import Counts

EACH, ROW, EDGE, CODE = 42.0, 31.0, 8.0, 56.0
"""Widths and height at size 1: of a type, a row, the ends, and the code of a zone, px."""


@dataclass(frozen=True, slots=True)
class CapsuleUnit:
    """A unit's sign; its number is among the words."""

    unit: str
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class Capsule:
    """All around its own middle; `x`, `y` is where that lies."""

    kingdom: Kingdom
    k: float
    half: float
    tall: float
    entries: tuple[CapsuleUnit, ...]
    words: tuple[Words, ...]
    x: float = 0.0
    y: float = 0.0

    @property
    def box(self) -> Box:
        edge = 3.0 * self.k
        return (
            self.x - self.half - edge,
            self.y - self.tall - edge,
            self.x + self.half + edge,
            self.y + self.tall + edge,
        )


def capsules(kingdom: Kingdom, counts: Counts, code: str) -> Iterator[Capsule]:
    """The best one first: smaller and more compact, at last the sum alone. `code` tells where the
    units come from.
    """
    cells = len(counts) + (1 if code else 0)
    for k in (1.08, 0.8, 0.6):
        yield _capsule(kingdom, counts, code, k, cells)
        if cells > 1:
            yield _capsule(kingdom, counts, code, k, (cells + 1) // 2)
    yield _sum(kingdom, sum(count for _, count in counts))


def _capsule(kingdom: Kingdom, counts: Counts, code: str, k: float, in_row: int) -> Capsule:
    on = BANNERS[kingdom].on
    cells: list[tuple[str, str, float]] = [(unit, str(count), EACH) for unit, count in counts]
    if code:
        cells.append(("", code, CODE))
    rows = [cells[i : i + in_row] for i in range(0, len(cells), in_row)]
    widest = max(sum(wide for _, _, wide in row) for row in rows)
    entries, words = [], []
    for i, row in enumerate(rows):
        y = (i - (len(rows) - 1) / 2) * ROW * 0.94 * k
        x = -sum(wide for _, _, wide in row) / 2 * k
        for unit, text, wide in row:
            middle = x + wide * k / 2
            if unit:
                entries.append(CapsuleUnit(unit, middle - 8 * k, y))
                size = (25 if len(text) < 2 else 20) * k
                words.append(
                    Words(text, middle + 12 * k, y + size * 0.36, size, on, anchor="middle")
                )
            else:
                words.append(Words(text, middle, y + 9 * k, 25 * k, on, anchor="middle"))
            x += wide * k
    return Capsule(
        kingdom,
        k,
        (widest + EDGE) * k / 2,
        ROW * k * (1 + 0.94 * (len(rows) - 1)) / 2,
        tuple(entries),
        tuple(words),
    )


def _sum(kingdom: Kingdom, total: int) -> Capsule:
    size = 17.0
    words = Words(str(total), 0, size * 0.36, size, BANNERS[kingdom].on, anchor="middle")
    return Capsule(kingdom, 0.66, 14.0, 10.5, (), (words,))
