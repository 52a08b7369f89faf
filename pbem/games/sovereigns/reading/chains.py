"""Alternatives and conditions put together to one order (SS-9.4): `attack Borland with 3; if they
are gone, expedition with 2`.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from msgspec.structs import replace

from engine.ruleset import Problem
from engine.sovereigns import orders as o
from pbem.games.sovereigns.reading.entries import NOT_UNDERSTOOD


@dataclass(frozen=True, slots=True)
class Link:
    """One way of a chain of alternatives, and what leads it; `every`: it stands for all seasons or
    years.
    """

    way: o.Action | o.Way | o.Pass
    start: int
    end: int
    condition: o.Condition | None = None
    orelse: bool = False
    every: bool = False
    warnings: tuple[Problem, ...] = ()


def chains_of(links: Sequence[Link]) -> Iterator[list[Link]]:
    """The links parted where another order begins."""
    chain: list[Link] = []
    for link in links:
        if chain and not _follows(chain, link):
            yield chain
            chain = []
        chain.append(link)
    if chain:
        yield chain


def _follows(chain: Sequence[Link], link: Link) -> bool:
    if link.orelse:
        return True
    if link.condition is None:
        return False
    first = chain[0]
    excepts = isinstance(first.way, o.Way) and first.condition is None and len(chain) == 1
    return excepts or _is_gone(chain[-1].way, link.condition)


def _is_gone(way: o.Action | o.Way | o.Pass, condition: o.Condition | None) -> bool:
    """Whether a condition is that the target of the way before has fallen."""
    gone = o.Condition("fallen", way.target or 0) if isinstance(way, o.Action) else None
    return gone is not None and condition == gone


def ordered(chain: Sequence[Link]) -> o.Order | Problem:
    """The order of a chain. `4 harmony, fear if Cyrene has 5 or more` has its exception first."""
    links = list(chain)
    last = links[-1]
    if len(links) == 2 and last.condition and isinstance(last.way, o.Way) and not last.orelse:
        links.reverse()
    if any(
        link.condition is not None and not _is_gone(before.way, link.condition)
        for before, link in pairwise(links)
    ):  # one condition, on the first of them (SS-9.4)
        return NOT_UNDERSTOOD
    condition = links[0].condition
    ways = [link.way for link in links if not isinstance(link.way, o.Pass)]
    order: o.Do | o.Year
    if ways and all(isinstance(way, o.Action) for way in ways):
        order = o.Do(tuple(way for way in ways if isinstance(way, o.Action)), condition)
    elif ways and all(isinstance(way, o.Way) for way in ways):
        order = o.Year(tuple(way for way in ways if isinstance(way, o.Way)), condition)
    else:
        return NOT_UNDERSTOOD
    return o.Every(order) if any(link.every for link in links) else order


def with_more(order: o.Order | Problem, chain: Sequence[Link]) -> o.Order | Problem | None:
    """An order with another way that a sentence of its own tells: `otherwise ...`, `if they are
    gone, ...`; None: it tells none of it.
    """
    inner = order.order if isinstance(order, o.Every) else order
    if not isinstance(inner, o.Do | o.Year):
        return None
    last, first = inner.ways[-1], chain[0]
    if not (_is_gone(last, first.condition) or (first.orelse and first.condition is None)):
        return None
    ways = [link.way for link in chain if not isinstance(link.way, o.Pass)]
    is_one_kind = all(isinstance(way, type(last)) for way in ways)
    if not is_one_kind or any(link.condition for link in chain[1:]):
        return NOT_UNDERSTOOD
    whole = replace(inner, ways=(*inner.ways, *ways))
    return o.Every(whole) if isinstance(order, o.Every) else whole
