"""Maps of places: what they are called, what they are, and which border which; read from one file.

    map: 1
    name: The Sound
    places:
      Holm: {code: HOL, kind: coast, at: [3, 4], borders: {army: [Lund], fleet: [Sound]}}
      Lund: {code: LUN, kind: coast, at: [5, 4], borders: {army: [Holm]}, aliases: [Lundy],
        coasts: {nc: {name: north coast, borders: {fleet: [Sound]}}}}
      Sound: {code: SOU, kind: sea, at: [4, 1], borders: {fleet: [Holm, Lund/nc]}}

A place has a name, and may have a code, aliases, an outline or a point (`at`), and facts of the
game's own. Borders are of the kinds that a game has: where an army may go, where a fleet may. Each
is stated by both places. A coast is a part of a place with borders of its own, and is named
`Lund/nc` where a border leads to it. Nothing here draws.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from importlib.resources import files
from typing import Generic, TypeVar

import msgspec

from engine.map_files import Fact, MapError, MapFile, MapProblem

FactsT = TypeVar("FactsT")
NameT = TypeVar("NameT", bound=int | str)
Spot = tuple[float, float]


class NoFacts(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """For a game whose places differ in nothing but what the kit knows."""


class Coast(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A part of a place that is named for itself: `north coast`."""

    name: str
    borders: dict[str, tuple[str, ...]] = {}
    aliases: tuple[str, ...] = ()
    at: Spot | None = None


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename={"version": "map"}):
    version: int
    places: dict[str, dict[str, object]]
    name: str = ""


class Place(msgspec.Struct, Generic[FactsT], frozen=True, forbid_unknown_fields=True):
    """A place as the file tells it; `coasts` by their short names (`nc`), `line` where it
    stands.
    """

    name: str
    line: int
    kind: str
    facts: FactsT
    code: str = ""
    aliases: tuple[str, ...] = ()
    borders: dict[str, tuple[str, ...]] = {}
    coasts: dict[str, Coast] = {}
    at: Spot | None = None
    label: Spot | None = None
    outline: tuple[Spot, ...] = ()

    @property
    def area(self) -> str:
        """One word for it, as areas of boards and addresses have it."""
        return self.code or "-".join(self.name.split())

    @property
    def spellings(self) -> tuple[str, ...]:
        """All that it is called, its name first."""
        return tuple(dict.fromkeys(filter(None, (self.name, self.code, *self.aliases))))


@dataclass(frozen=True, eq=False)
class Map(Generic[FactsT]):
    """Places by their names, in the order of the file; `source` names the file. Places of the kinds
    that are `closed` border nothing. A map is equal to itself alone.
    """

    name: str
    places: Mapping[str, Place[FactsT]]
    source: str = ""
    closed: frozenset[str] = frozenset()
    _distances: dict[tuple[str, tuple[str, ...]], Mapping[str, int]] = field(default_factory=dict)

    def place(self, key: str) -> Place[FactsT]:
        """The place of this name, or that of a coast. KeyError if there is none."""
        return self.places[key.partition("/")[0]]

    @cached_property
    def keys(self) -> tuple[str, ...]:
        """All names of places, and then those of coasts (`Lund/nc`)."""
        coasts = (f"{one.name}/{key}" for one in self.places.values() for key in one.coasts)
        return (*self.places, *coasts)

    def borders(self, key: str) -> Mapping[str, tuple[str, ...]]:
        """Where a place or a coast leads, by kind."""
        name, _, coast = key.partition("/")
        place = self.places[name]
        return place.coasts[coast].borders if coast else place.borders

    def neighbours(self, key: str, kinds: Iterable[str]) -> tuple[str, ...]:
        """What borders this place or coast in one of these ways: kind by kind, in the order of
        the file.
        """
        borders = self.borders(key)
        return tuple(dict.fromkeys(name for kind in kinds for name in borders.get(kind, ())))

    def distances(self, origin: str, kinds: Iterable[str]) -> Mapping[str, int]:
        """How many borders everything is away; what cannot be reached is missing."""
        ways = tuple(kinds)
        if (origin, ways) not in self._distances:
            found = {origin: 0}
            ahead = [origin]
            for here in ahead:
                new = [near for near in self.neighbours(here, ways) if near not in found]
                found |= dict.fromkeys(new, found[here] + 1)
                ahead += new
            self._distances[origin, ways] = found
        return self._distances[origin, ways]


class GraphFault(msgspec.Struct, Generic[NameT], frozen=True):
    """What is wrong with borders: `self-border` (a place), `unknown-neighbour` (who states it, whom
    it names), `asymmetric-border` (who names, who does not name back), `unconnected` (those that
    cannot be reached from the first place).
    """

    code: str
    places: tuple[NameT, ...] = ()


def border_faults(
    names: Collection[NameT], stated: Iterable[tuple[NameT, NameT]]
) -> Iterator[GraphFault[NameT]]:
    """What is wrong with each border, stated as (who states it, whom it names)."""
    known, pairs = frozenset(names), frozenset(stated)
    for a, b in sorted(pairs):
        if a == b:
            yield GraphFault("self-border", (a,))
        elif a not in known or b not in known:
            yield GraphFault("unknown-neighbour", (a, b))
        elif (b, a) not in pairs:
            yield GraphFault("asymmetric-border", (a, b))


def cut_off(names: Sequence[NameT], pairs: Iterable[tuple[NameT, NameT]]) -> tuple[NameT, ...]:
    """The names that no way leads to from the first; a border leads both ways."""
    links: dict[NameT, list[NameT]] = {name: [] for name in names}
    for a, b in pairs:
        if a in links and b in links:
            links[a].append(b)
            links[b].append(a)
    reached, ahead = set(names[:1]), [*names[:1]]
    while ahead:
        new = [name for name in links[ahead.pop()] if name not in reached]
        reached.update(new)
        ahead += new
    return tuple(name for name in names if name not in reached)


def load_map(
    package: str,
    name: str,
    facts: type[FactsT],
    *,
    kinds: Collection[str],
    borders: Collection[str],
    closed: Collection[str] = (),
) -> Map[FactsT]:
    """The map in a file of a package; see `parse_map`."""
    file = files(package).joinpath(*name.split("/"))
    text = file.read_text("utf-8")
    return parse_map(text, facts, kinds=kinds, borders=borders, closed=closed, source=f"{file}:")


def parse_map(
    text: str,
    facts: type[FactsT],
    *,
    kinds: Collection[str],
    borders: Collection[str],
    closed: Collection[str] = (),
    source: str = "",
) -> Map[FactsT]:
    """The map of a file, whose places are of these kinds and border in these ways. Nobody can go to
    places of the kinds that are `closed`, and these state no borders.

    MapError with every fault found: besides those of `MapProblem` and `GraphFault`, `no-places`,
    `unknown-kind`, `unknown-border` (of no such kind), and `name-twice` for what two places are
    called.
    """
    file = MapFile(text, source)
    told = file.read_as(_File)
    problems: list[MapProblem] = []
    places: dict[str, Place[FactsT]] = {}
    for name, one in told.places.items():
        if one.keys() & {"name", "line"}:
            problems.append(file.wrong_form("", "name, line", "places", name))
        whole = {"facts": {}, **one, "name": name, "line": file.line("", "places", name)}
        try:
            places[name] = msgspec.convert(whole, Place[facts])  # type: ignore[valid-type]
        except msgspec.ValidationError as fault:
            problems.append(file.misshapen(fault, "places", name))
    if told.version != 1:
        problems.append(file.wrong_form("map", str(told.version)))
    if not told.places:
        problems.append(MapProblem("no-places", file.line("places")))
    found = Map(told.name, places, source, frozenset(closed))
    if len(places) == len(told.places):
        problems += [*_words_of(found), *_ways_of(found, kinds, borders)]
    if problems:
        raise MapError(problems, source)
    return found


def _words_of(told: Map[FactsT]) -> Iterator[MapProblem]:
    """What two places are called; a name with a slash could not be told from a coast."""
    called: dict[str, str] = {}
    for place in told.places.values():
        if "/" in place.name:
            facts: dict[str, Fact] = {"at": place.name, "problem": "/"}
            yield MapProblem("wrong-form", place.line, place.name, facts)
        for word in dict.fromkeys(word.casefold() for word in place.spellings):
            first = called.setdefault(word, place.name)
            if first != place.name:
                facts = {"word": word, "places": (first, place.name)}
                yield MapProblem("name-twice", place.line, place.name, facts)


def _ways_of(
    told: Map[FactsT], kinds: Collection[str], borders: Collection[str]
) -> Iterator[MapProblem]:
    stated: dict[str, list[tuple[str, str]]] = {kind: [] for kind in borders}
    for place in told.places.values():
        if place.kind not in {*kinds, *told.closed}:
            yield MapProblem("unknown-kind", place.line, place.name, {"kind": place.kind})
    for key in told.keys:
        place = told.place(key)
        for kind, names in told.borders(key).items():
            if kind in stated:
                stated[kind] += ((key, name) for name in names)
            else:
                yield MapProblem("unknown-border", place.line, key, {"kind": kind})
    for kind, pairs in stated.items():
        for fault in border_faults(told.keys, pairs):
            facts: dict[str, Fact] = {"kind": kind, "places": fault.places}
            yield MapProblem(fault.code, told.place(fault.places[0]).line, fault.places[0], facts)
    own = [(key, told.place(key).name) for key in told.keys]
    open_ = [key for key in told.keys if told.place(key).kind not in told.closed]
    lost = cut_off(open_, [*own, *(pair for pairs in stated.values() for pair in pairs)])
    if lost:
        line = told.place(lost[0]).line
        yield MapProblem("unconnected", line, lost[0], {"places": lost})
