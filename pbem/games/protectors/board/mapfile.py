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

import math
import re
from collections.abc import Mapping, Sequence

import msgspec
import yaml
from shapely import is_valid_reason
from shapely.geometry import Point, Polygon
from yaml.nodes import MappingNode, Node, SequenceNode

from engine.protectors.lands import MOST_PLAYERS, LandPlan, check_borders
from pbem.games.protectors.board.shared_edges import Corner, Tracing, trace

LONGEST_FILE = 1_000_000
DEEPEST = 8
MOST_POINTS = 2000
FURTHEST = 1e7
OVERLAP = 0.003
"""Two outlines may overlap by this share of the smaller: drawn by hand, they never fit exactly."""


class MapProblem(msgspec.Struct, frozen=True):
    """What is wrong with a map, and where: the line of the file (from 1) and the province, as far
    as there are such.

    Codes: `too-long`, `not-yaml`, `too-deep`, `alias`, `key-twice`, `wrong-form`, `too-few-points`,
    `too-many-points`, `outline-crosses-itself`, `outlines-overlap`, `border-without-edge`,
    `edge-without-border`, `label-outside`, `start-unknown`, `start-twice`, `start-count`, and those
    of `engine.protectors.lands.LandFault`.
    """

    code: str
    line: int
    province: int | None = None
    facts: dict[str, str | int | float | tuple[int, ...]] = {}


class MapError(ValueError):
    """A map file that cannot be played on, with every fault found."""

    def __init__(self, problems: Sequence[MapProblem]):
        super().__init__(", ".join(f"{problem.code} (line {problem.line})" for problem in problems))
        self.problems = tuple(problems)


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
    played on.
    """
    told, root = _read(text)
    problems = [*_form(told, root)]
    if problems:
        raise MapError(problems)
    problems += [*_graph(told, root), *_starts(told, root)]
    if not problems:
        problems += _geometry(told, root)
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


def _read(text: str) -> tuple[_File, MappingNode]:
    if len(text) > LONGEST_FILE:
        raise MapError(
            [MapProblem("too-long", 1, facts={"characters": len(text), "most": LONGEST_FILE})]
        )
    try:
        depth = 0
        for event in yaml.parse(text, Loader=yaml.SafeLoader):
            line = event.start_mark.line + 1 if event.start_mark else 1
            if isinstance(event, yaml.AliasEvent):
                raise MapError([MapProblem("alias", line)])
            depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(
                event, yaml.CollectionEndEvent
            )
            if depth > DEEPEST:
                raise MapError([MapProblem("too-deep", line)])
        loader = yaml.SafeLoader(text)
        try:
            root = loader.get_single_node()
            data = loader.construct_document(root) if root is not None else None
        finally:
            loader.dispose()
    except yaml.MarkedYAMLError as fault:
        mark = fault.problem_mark
        raise MapError(
            [
                MapProblem(
                    "not-yaml", mark.line + 1 if mark else 1, facts={"problem": fault.problem or ""}
                )
            ]
        ) from fault
    except (yaml.YAMLError, ValueError) as fault:
        if isinstance(fault, MapError):
            raise
        raise MapError([MapProblem("not-yaml", 1, facts={"problem": str(fault)})]) from fault
    if not isinstance(root, MappingNode):
        raise MapError([MapProblem("wrong-form", 1, facts={"at": "", "problem": "no mapping"})])
    _refuse_double_keys(root)
    try:
        return msgspec.convert(data, _File), root
    except msgspec.ValidationError as fault:
        problem, _, path = str(fault).partition(" - at `$")
        path = path.rstrip("`").lstrip(".")
        raise MapError(
            [MapProblem("wrong-form", _line(root, path), facts={"at": path, "problem": problem})]
        ) from fault


def _refuse_double_keys(node: Node) -> None:
    ahead: list[Node] = [node]
    while ahead:
        here = ahead.pop()
        if isinstance(here, MappingNode):
            seen: set[str] = set()
            for key, value in here.value:
                if str(key.value) in seen:
                    raise MapError(
                        [
                            MapProblem(
                                "key-twice", key.start_mark.line + 1, facts={"key": str(key.value)}
                            )
                        ]
                    )
                seen.add(str(key.value))
                ahead.append(value)
        elif isinstance(here, SequenceNode):
            ahead += here.value


def _line(root: Node, path: str) -> int:
    """The line of a place such as `provinces[2].outline[0]`, or of the nearest place around it."""
    node = root
    for step in re.findall(r"[^.\[\]]+", path):
        if isinstance(node, MappingNode):
            found = [value for key, value in node.value if key.value == step]
        elif isinstance(node, SequenceNode) and step.isdigit():
            found = node.value[int(step) : int(step) + 1]
        else:
            found = []
        if not found:
            break
        node = found[0]
    return int(node.start_mark.line) + 1


def _form(told: _File, root: Node) -> list[MapProblem]:
    problems = []
    if told.version != 1:
        problems.append(
            MapProblem(
                "wrong-form", _line(root, "map"), facts={"at": "map", "problem": str(told.version)}
            )
        )
    for i, province in enumerate(told.provinces):
        count, line = len(set(province.outline)), _line(root, f"provinces[{i}].outline")
        if count < 3:
            problems.append(MapProblem("too-few-points", line, province.number, {"points": count}))
        elif len(province.outline) > MOST_POINTS:
            problems.append(
                MapProblem(
                    "too-many-points",
                    line,
                    province.number,
                    {"points": len(province.outline), "most": MOST_POINTS},
                )
            )
        far = [
            c
            for point in (*province.outline, *([province.label] if province.label else []))
            for c in point
            if not abs(c) <= FURTHEST
        ]
        if far:
            problems.append(
                MapProblem(
                    "wrong-form", line, province.number, {"at": "outline", "problem": str(far[0])}
                )
            )
    return problems


def _graph(told: _File, root: Node) -> list[MapProblem]:
    """What the engine finds wrong with the borders, with the line of the first province named."""
    pairs = [(province.number, other) for province in told.provinces for other in province.borders]
    lines = {
        province.number: _line(root, f"provinces[{i}]") for i, province in enumerate(told.provinces)
    }
    return [
        MapProblem(
            fault.code,
            lines.get(fault.provinces[0], _line(root, "provinces"))
            if fault.provinces
            else _line(root, "provinces"),
            fault.provinces[0] if fault.provinces else None,
            {"provinces": fault.provinces},
        )
        for fault in check_borders([province.number for province in told.provinces], pairs)
    ]


def _starts(told: _File, root: Node) -> list[MapProblem]:
    line, numbers = _line(root, "starts"), {province.number for province in told.provinces}
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


def _geometry(told: _File, root: Node) -> list[MapProblem]:
    """Outlines that cross themselves or each other; borders and shared edges that do not agree."""
    lines = {
        province.number: _line(root, f"provinces[{i}].outline")
        for i, province in enumerate(told.provinces)
    }
    shapes = {province.number: Polygon(province.outline) for province in told.provinces}
    problems = []
    for number, shape in sorted(shapes.items()):
        if not shape.is_valid or shape.area <= 0:
            where = re.search(r"\[([^\s\[\]]+) ([^\s\[\]]+)\]", is_valid_reason(shape))
            facts: dict[str, str | int | float | tuple[int, ...]] = {}
            if where and all(math.isfinite(float(part)) for part in where.groups()):
                facts = {"x": round(float(where[1]), 2), "y": round(float(where[2]), 2)}
            problems.append(MapProblem("outline-crosses-itself", lines[number], number, facts))
    if problems:
        return problems
    numbers = sorted(shapes)
    for i, a in enumerate(numbers):
        for b in numbers[i + 1 :]:
            common = shapes[a].intersection(shapes[b]).area
            if common > OVERLAP * min(shapes[a].area, shapes[b].area):
                problems.append(MapProblem("outlines-overlap", lines[b], b, {"provinces": (a, b)}))
    if problems:
        return problems
    tracing = trace({province.number: province.outline for province in told.provinces})
    return [*_edges(told, tracing, lines), *_labels(told, shapes, lines)]


def _edges(told: _File, tracing: Tracing, lines: dict[int, int]) -> list[MapProblem]:
    stated = {(min(p.number, q), max(p.number, q)) for p in told.provinces for q in p.borders}
    shared = set(tracing.shared)
    return [
        MapProblem("border-without-edge", lines[a], a, {"provinces": (a, b)})
        for a, b in sorted(stated - shared)
    ] + [
        MapProblem("edge-without-border", lines[a], a, {"provinces": (a, b)})
        for a, b in sorted(shared - stated)
    ]


def _labels(told: _File, shapes: dict[int, Polygon], lines: dict[int, int]) -> list[MapProblem]:
    return [
        MapProblem(
            "label-outside",
            lines[province.number],
            province.number,
            {"x": province.label[0], "y": province.label[1]},
        )
        for province in told.provinces
        if province.label is not None
        and not shapes[province.number].contains(Point(province.label))
    ]
