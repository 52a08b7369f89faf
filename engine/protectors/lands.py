"""Which lands there are and which of them border each other: the one place that decides topology
(PR-1.5, PR-1.6).

A generated land is a set of concentric rings around an inner Sea. Every ring holds a multiple of
the number of players, so that turning the land by one player maps it onto itself: every start
province sees the same graph. Angles are shares of a full turn, kept as exact fractions while
borders are worked out; no four provinces meet in one point.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from math import lcm, pi, sqrt

import msgspec

from engine.maps import GraphFault, border_faults, cut_off

MOST_PLAYERS = 16
MOST_PROVINCES = 52
MOST_RINGS = 4
SHORTEST_CONTACT = (
    0.085  # of the land's radius: a shorter border between two rings could not be seen
)
SMALLEST_SEA, WIDEST_SEA = 0.19, 0.50  # of the land's radius


class Ring(msgspec.Struct, frozen=True):
    """One ring: how many provinces, by what share of one province it is turned clockwise, and its
    first number.

    The province `first + j` lies between the angles `(j + turn) / count` and `(j + 1 + turn) /
    count` of a full turn, clockwise from the top.
    """

    count: int
    turn: float
    first: int


class LandPlan(msgspec.Struct, frozen=True, cache_hash=True):
    """The graph of a land: what the rules need to know of a map.

    `rings` lie from the Sea outwards and are empty for a game master's own map; `borders` are pairs
    (a, b) with a < b, sorted; `starts` are the start provinces in clockwise order.
    """

    provinces: int
    rings: tuple[Ring, ...]
    borders: tuple[tuple[int, int], ...]
    starts: tuple[int, ...]

    def neighbours(self, province: int) -> tuple[int, ...]:
        """The provinces that share a land border with this one, lowest number first."""
        return tuple(
            sorted({b if a == province else a for a, b in self.borders if province in (a, b)})
        )


def ring_land(provinces: int) -> LandPlan:
    """One ring in which i borders i-1 and i+1, everybody starting somewhere (PR-1.6); two provinces
    border each other once.
    """
    if not 2 <= provinces <= MOST_PROVINCES:
        raise ValueError(f"a ring has 2 to {MOST_PROVINCES} provinces, not {provinces}")
    return _plan((provinces,), provinces)


def generate_land(players: int, provinces: int) -> LandPlan:
    """The land of a table: Normal when there are as many provinces as players (PR-1.3), else Grand,
    fair by rotation (PR-1.6).
    """
    if not 2 <= players <= MOST_PLAYERS:
        raise ValueError(f"2 to {MOST_PLAYERS} players, not {players}")
    if provinces == players:
        return ring_land(provinces)
    share, rest = divmod(provinces, players)
    if rest or share < 2 or provinces > MOST_PROVINCES:
        raise ValueError(
            f"{players} players need a multiple of {players} provinces, at most {MOST_PROVINCES},"
            f" not {provinces}"
        )
    return _plan(_best_counts(players, share), players)


def check_borders(
    provinces: Sequence[int], pairs: Iterable[tuple[int, int]]
) -> tuple[GraphFault[int], ...]:
    """What is wrong with a graph (PR-1.6), empty when it can be played.

    `provinces` are the numbers given; `pairs` are borders as stated, (who states it, whom it
    names), so a border that holds is there both ways round. Codes: `no-provinces`,
    `too-many-provinces`, `number-gap` (a number of 1..P missing, doubled or out of range), and
    those of `GraphFault`.
    """
    faults: list[GraphFault[int]] = []
    count, stated = len(provinces), set(pairs)
    if not count:
        return (GraphFault("no-provinces"),)
    if count > MOST_PROVINCES:
        faults.append(GraphFault("too-many-provinces", (count,)))
    seen = Counter(provinces)
    wrong = {n for n in range(1, count + 1) if not seen[n]} | {
        n for n, times in seen.items() if times > 1 or not 1 <= n <= count
    }
    if wrong:
        faults.append(GraphFault("number-gap", tuple(sorted(wrong))))
    faults += border_faults(seen, stated)
    lost = cut_off(sorted(seen), stated)
    if lost:
        faults.append(GraphFault("unconnected", lost))
    return tuple(faults)


def both_ways(pairs: Iterable[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    """Borders named once, as `check_borders` wants them."""
    return tuple(sorted({pair for a, b in pairs for pair in ((a, b), (b, a))}))


def _plan(counts: tuple[int, ...], players: int) -> LandPlan:
    """Number the rings from the outermost, turn each by half a step against the next one out, and
    read the borders off.
    """
    theta = (
        Fraction(1, 2 * counts[-1]) if len(counts) > 1 else Fraction(0)
    )  # where the first border of the ring lies
    turned: list[tuple[int, Fraction, int]] = []
    first = 1
    for place in reversed(range(len(counts))):
        count = counts[place]
        if turned:
            theta = (theta + Fraction(1, 2 * lcm(count, counts[place + 1]))) % Fraction(1, count)
        turned.insert(0, (count, theta, first))
        first += count
    borders = {tuple(sorted(pair)) for pair in _links(turned)}
    return LandPlan(
        provinces=sum(counts),
        rings=tuple(Ring(count, float(turn * count), number) for count, turn, number in turned),
        borders=tuple(sorted((a, b) for a, b in borders)),
        starts=tuple(range(1, counts[-1] + 1, counts[-1] // players)),
    )


def _links(rings: list[tuple[int, Fraction, int]]) -> Iterator[tuple[int, int]]:
    for count, _, first in rings:
        yield from ((first + j, first + (j + 1) % count) for j in range(count) if count > 1)
    for (inner, theta, low), (outer, phi, high) in pairwise(rings):
        for i in range(inner):
            for j in range(outer):
                gap = (phi + Fraction(j, outer) - theta - Fraction(i, inner)) % 1
                if gap < Fraction(1, inner) or gap + Fraction(1, outer) > 1:  # the two arcs overlap
                    yield low + i, high + j


@lru_cache(maxsize=64)
def _best_counts(players: int, share: int) -> tuple[int, ...]:
    """Ring sizes, from the Sea outwards, that give the roomiest provinces, about as wide as
    deep.
    """
    options = [
        tuple(players * part for part in parts)
        for parts in _partitions(share, 1, MOST_RINGS)
        if len(parts) > 1
    ]
    return max(options, key=lambda counts: (round(_room(counts), 6), -len(counts), counts))


def _partitions(total: int, least: int, most: int) -> Iterator[tuple[int, ...]]:
    yield (total,)
    if most > 1:
        for part in range(least, total // 2 + 1):
            yield from ((part, *rest) for rest in _partitions(total - part, part, most - 1))


def _room(counts: tuple[int, ...]) -> float:
    """The side of the smallest province, in shares of the land's radius, with the Sea as wide as
    suits these rings best.

    Rings whose provinces would touch over too short a border count for little.
    """
    return max(
        _room_around(SMALLEST_SEA + step * (WIDEST_SEA - SMALLEST_SEA) / 16, counts)
        for step in range(17)
    )


def _room_around(sea: float, counts: tuple[int, ...]) -> float:
    total, radii, so_far = sum(counts), [sea], 0
    for count in counts:
        so_far += count
        radii.append(sqrt(sea * sea + (1 - sea * sea) * so_far / total))
    room = min(
        min(pi * (a + b) / count, 1.1 * (b - a))
        for count, (a, b) in zip(counts, pairwise(radii), strict=True)
    )
    contacts = [pi * radii[i + 1] / lcm(counts[i], counts[i + 1]) for i in range(len(counts) - 1)]
    return room * min(1.0, min(contacts, default=1.0) / SHORTEST_CONTACT) ** 4
