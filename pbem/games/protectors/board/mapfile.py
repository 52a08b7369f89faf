"""A game master's own map: a YAML file of provinces with outlines and borders, and start places
(PR-1.6).

    map: 1
    name: The Crescent
    provinces:
      - {number: 1, outline: [[0, 0], [40, 0], [40, 30], [0, 30]], borders: [2]}
      - {number: 2, outline: [[40, 0], [80, 0], [80, 30], [40, 30]], borders: [1], label: [60, 15]}
    starts: [1, 2]

Coordinates may be of any size, y growing southward. A bad map is refused with every fault and its
place; `map_edges` draws a good one in the manner of the generated ones.
"""

from collections.abc import Iterator, Mapping

import msgspec

from engine.map_files import Fact, MapError, MapFile, MapProblem
from engine.protectors.lands import MOST_PLAYERS, LandPlan, check_borders
from pbem.board.map_shapes import Outlined, outline_faults
from pbem.board.shared_edges import Corner

MOST_POINTS = 2000
FURTHEST = 1e7


class OwnMap(msgspec.Struct, frozen=True):
    """A checked map: its graph for the engine, and what `map_edges` needs to draw it."""

    name: str
    plan: LandPlan
    outlines: tuple[tuple[Corner, ...], ...]
    labels: tuple[tuple[int, Corner], ...]


class _Province(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    number: int
    outline: tuple[tuple[float, float], ...]
    borders: tuple[int, ...]
    label: tuple[float, float] | None = None


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename={"version": "map"}):
    version: int
    provinces: tuple[_Province, ...]
    starts: tuple[int, ...]
    name: str = ""


def read_map(text: str) -> Mapping[str, object]:
    """A GM's own map as the table option `land`. MapError (a ValueError) names every fault with its
    line.
    """
    plan = parse_map(text).plan
    return {"provinces": plan.provinces, "borders": plan.borders, "starts": plan.starts}


def parse_map(text: str) -> OwnMap:
    """Read and check a map file. MapError with every fault found when it is not one, or cannot be
    played on: besides those of `MapProblem`, `check_borders` and `outline_faults`,
    `too-few-points`, `too-many-points`, `start-unknown`, `start-twice` and `start-count`.
    """
    file = MapFile(text)
    told = file.read_as(_File)
    problems = [*_form(told, file)]
    if problems:
        raise MapError(problems)
    problems += [*_graph(told, file), *_starts(told, file)]
    if not problems:
        problems += outline_faults(
            {
                province.number: Outlined(
                    province.outline,
                    province.borders,
                    file.line(f"provinces[{i}].outline"),
                    province.label,
                )
                for i, province in enumerate(told.provinces)
            },
            "provinces",
        )
    if problems:
        raise MapError(problems)
    provinces = sorted(told.provinces, key=lambda province: province.number)
    borders = {(min(p.number, q), max(p.number, q)) for p in provinces for q in p.borders}
    return OwnMap(
        name=told.name,
        plan=LandPlan(len(provinces), (), tuple(sorted(borders)), told.starts),
        outlines=tuple(province.outline for province in provinces),
        labels=tuple(
            (province.number, province.label)
            for province in provinces
            if province.label is not None
        ),
    )


def _form(told: _File, file: MapFile) -> Iterator[MapProblem]:
    if told.version != 1:
        yield file.wrong_form("map", str(told.version))
    for i, province in enumerate(told.provinces):
        path = f"provinces[{i}].outline"
        count, line = len(set(province.outline)), file.line(path)
        facts: dict[str, Fact] = {"points": count}
        if count < 3:
            yield MapProblem("too-few-points", line, province.number, facts)
        elif len(province.outline) > MOST_POINTS:
            facts = {"points": len(province.outline), "most": MOST_POINTS}
            yield MapProblem("too-many-points", line, province.number, facts)
        points = (*province.outline, *([province.label] if province.label else []))
        far = [c for point in points for c in point if not abs(c) <= FURTHEST]
        if far:
            facts = {"at": "outline", "problem": str(far[0])}
            yield MapProblem("wrong-form", line, province.number, facts)


def _graph(told: _File, file: MapFile) -> Iterator[MapProblem]:
    """What the engine finds wrong with the borders, with the line of the first province named."""
    pairs = [(province.number, other) for province in told.provinces for other in province.borders]
    numbers = [province.number for province in told.provinces]
    lines = {number: file.line(f"provinces[{i}]") for i, number in enumerate(numbers)}
    for fault in check_borders(numbers, pairs):
        first = fault.places[0] if fault.places else None
        line = file.line("provinces") if first is None else lines.get(first)
        facts: dict[str, Fact] = {"provinces": fault.places}
        yield MapProblem(fault.code, line or file.line("provinces"), first, facts)


def _starts(told: _File, file: MapFile) -> list[MapProblem]:
    line, numbers = file.line("starts"), {province.number for province in told.provinces}
    problems = [
        MapProblem("start-unknown", line, start) for start in told.starts if start not in numbers
    ]
    problems += [
        MapProblem("start-twice", line, start)
        for start in sorted(set(told.starts))
        if told.starts.count(start) > 1
    ]
    if not 2 <= len(told.starts) <= MOST_PLAYERS:
        problems.append(
            MapProblem(
                "start-count", line, facts={"starts": len(told.starts), "most": MOST_PLAYERS}
            )
        )
    return problems
