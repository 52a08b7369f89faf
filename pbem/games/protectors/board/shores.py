"""From a sketch to a finished land: filled into the square, with rims, water lines, skerries, waves
and scenery.

All the cutting of shapes happens here, once per game; drawing a turn only picks colours.
"""

import math
from collections.abc import Mapping, Sequence

import numpy as np
import shapely
from shapely.geometry import LinearRing, LineString, Point, Polygon, box
from shapely.geometry.base import BaseGeometry

from engine.protectors.lands import LandPlan
from pbem.board.paths import MIDDLE, SIDE, Line, Points, pack_line, scatter
from pbem.board.relief import parts_of, rings_of
from pbem.games.protectors.board.labels import BLOCK, label_scale, label_spots
from pbem.games.protectors.board.land import FORM, Border, Label, Land, Shape, Sprig
from pbem.games.protectors.board.outlines import Sketch, sketch_rings

DRAFTS = 24
CROWDED, CALM = 14, (1.0, 0.75, 0.55)
"""With more provinces some drafts start with calmer noise, which leaves more room."""
MARGIN = 36
"""Between the land and the edge of the square, px."""
CORNERS = (
    (0, 0, 244, 96),
    (0, 0, 254, 156),
    (0, 0, 236, 186),
    (SIDE - 226, 0, SIDE, 150),
    (0, SIDE - 186, 166, SIDE),
    (0, SIDE - 122, 268, SIDE),
    (SIDE - 336, SIDE - 72, SIDE, SIDE),
    (SIDE - 284, SIDE - 104, SIDE, SIDE),
    (SIDE - 220, SIDE - 136, SIDE, SIDE),
    (SIDE - 190, SIDE - 170, SIDE, SIDE),
    (SIDE - 160, SIDE - 204, SIDE, SIDE),
)
"""Boxes (left, top, right, bottom) in which the board writes: no land there."""
SPARE_DRAFTS = 40
SHALLOWS = (40, 28, 18, 9)
RIM, WASH = 8, 24
KINDS, SHARES = 4, (0.36, 0.32, 0.22, 0.10)
Chance = np.random.Generator
Boxes = Sequence[tuple[float, float, float, float]]


def make_land(plan: LandPlan, seed: int, *, island: bool = False, drafts: int = DRAFTS) -> Land:
    """The land of a generated map: the roomiest and liveliest of some drafts. About 2 s, once per
    game.

    ValueError when the plan has no rings: a game master's own map is drawn by `map_edges.draw_map`.
    """
    if not plan.rings:
        raise ValueError("this plan has no rings")
    best: tuple[float, Sketch] | None = None
    for draft in range(max(drafts, 1) + SPARE_DRAFTS):
        if draft >= drafts and best is not None:
            break
        made = sketch_rings(
            plan.rings,
            seed * 100 + draft,
            calm=CALM[draft % len(CALM)] if plan.provinces > CROWDED else 1.0,
        )
        if made is not None:
            sketch = spread(made[0])
            worth = label_scale(list(sketch.outlines.values())) ** 2 * (1.2 + made[1])
            if best is None or worth > best[0]:
                best = worth, sketch
    if best is None:
        raise ValueError("these rings do not fit")
    return finish(best[1], plan, seed, island=island)


def spread(sketch: Sketch) -> Sketch:
    """Fill the square, but leave the corners free."""
    return sketch.moved(*fitting(np.vstack(list(sketch.outlines.values()))))


def fitting(points: Points) -> tuple[Points, Points]:
    """The middle of these points, and the scales (x and y within 7 %) at which they fill the square
    around it, corners left free.
    """
    low, high = points.min(0), points.max(0)
    centre: Points = (low + high) / 2
    fill = (SIDE - 2 * MARGIN) / np.maximum(high - low, 1e-9)
    scale: Points = np.minimum(fill, fill[::-1] * 1.07)
    corners = np.array(CORNERS, float) + np.array([-5, -5, 5, 5])
    while _in_boxes((points - centre) * scale + MIDDLE, corners):
        scale = scale * 0.99
    return centre, scale


def _in_boxes(points: Points, boxes: Points) -> bool:
    x, y = points[:, :1], points[:, 1:]
    return bool(
        ((x > boxes[:, 0]) & (y > boxes[:, 1]) & (x < boxes[:, 2]) & (y < boxes[:, 3])).any()
    )


def finish(
    sketch: Sketch,
    plan: LandPlan,
    seed: int,
    *,
    island: bool,
    given: Mapping[int, tuple[float, float]] | None = None,
) -> Land:
    """Cut everything that is drawn of this land into shapes, and pack it. `given` are label places
    a game master chose.
    """
    shapes = {p: Polygon(line) for p, line in sorted(sketch.outlines.items())}
    chance = np.random.default_rng([seed, 5])
    ground = shapely.union_all([shape.buffer(0.3, quad_segs=1) for shape in shapes.values()])
    middle, reach = _middle(sketch, ground, island=island)
    isle = blob(middle[0], middle[1], min(96.0, reach * 0.5), chance, 0.2) if island else None
    bulk = shapely.union_all([ground, *([isle] if isle else [])])
    islets = _skerries(bulk, reach, middle, chance)
    solid = shapely.union_all([bulk, *islets])
    scale = label_scale(list(sketch.outlines.values()))
    labels = label_spots(dict(sorted(sketch.outlines.items())), scale)
    labels |= {number: (x, y, labels[number][2]) for number, (x, y) in (given or {}).items()}
    waves, ship = _waters(
        solid.buffer(46), middle, reach, np.random.default_rng([seed, 9]), island=island
    )
    return Land(
        form=FORM,
        seed=seed,
        plan=plan,
        outlines=tuple(pack_line(sketch.outlines[p]) for p in shapes),
        borders=tuple(
            Border(a, b, tuple(map(pack_line, lines)))
            for (a, b), lines in sorted(sketch.borders.items())
        ),
        coasts=tuple(map(pack_line, sketch.coasts)),
        islets=tuple(pack_line(np.asarray(islet.exterior.coords)) for islet in islets),
        island=pack_line(np.asarray(isle.exterior.coords)) if isle else b"",
        middle=(round(middle[0]), round(middle[1])),
        reach=round(reach),
        labels=tuple(Label(round(x), round(y), own) for x, y, own in labels.values()),
        scale=scale,
        inner=tuple(
            _packed(shape.buffer(-RIM, quad_segs=3).simplify(0.6)) for shape in shapes.values()
        ),
        deep=tuple(
            _packed(shape.buffer(-WASH, quad_segs=3).simplify(0.9)) for shape in shapes.values()
        ),
        hatch=tuple(_hatched(shape) for shape in shapes.values()),
        shallows=tuple(
            _packed(_shallow(bulk if depth > 18 else solid, depth)) for depth in SHALLOWS
        ),
        solid=_packed(solid),
        waves=waves,
        ship=ship,
        scenery=tuple(_scenery(shapes, labels, seed)),
    )


def _middle(
    sketch: Sketch, ground: BaseGeometry, *, island: bool
) -> tuple[tuple[float, float], float]:
    """The middle of the inner Sea and the free radius there; without one, for an Island, the widest
    water.
    """
    if sketch.sea is not None:
        sea = Polygon(sketch.sea)
        centre = sea.centroid if sea.contains(sea.centroid) else sea.representative_point()
        return (centre.x, centre.y), min(
            math.sqrt(sea.area / math.pi), sea.exterior.distance(centre) * 1.5
        )
    if not island:
        return (MIDDLE, MIDDLE), 0.0
    at = np.arange(60.0, SIDE - 59, 12.0)
    xs, ys = (axis.ravel() for axis in np.meshgrid(at, at))
    spots = shapely.points(xs, ys)
    blocked = shapely.union_all([ground, *(box(*corner) for corner in CORNERS)])
    free = np.minimum(
        shapely.distance(blocked, spots), np.minimum.reduce([xs, ys, SIDE - xs, SIDE - ys]) - 20
    )
    best = int(np.argmax(free))
    return (float(xs[best]), float(ys[best])), float(free[best]) * 1.2


def blob(x: float, y: float, radius: float, chance: Chance, wild: float = 0.25) -> Polygon:
    turn = np.linspace(0, 2 * math.pi, 48, endpoint=False)
    wave = sum(
        wild / k * chance.normal() * np.sin(k * turn + chance.uniform(0, 6.28))
        for k in (2, 3, 4, 6, 9, 13)
    )
    out = radius * (1 + wave / 1.5)
    shape = Polygon(np.stack([x + out * np.cos(turn) * 1.15, y + out * np.sin(turn)], 1)).buffer(0)
    return max(parts_of(shape), key=lambda part: part.area)


def _skerries(
    ground: BaseGeometry, reach: float, middle: tuple[float, float], chance: Chance
) -> list[Polygon]:
    """Some rocks off the coast."""
    found: list[Polygon] = []
    corners = shapely.union_all([box(*corner).buffer(12) for corner in CORNERS])
    shapely.prepare(ground)
    for _ in range(90):
        turn, outside = chance.uniform(0, 2 * math.pi), chance.random() < 0.7
        away = chance.uniform(440, 530) if outside else reach - chance.uniform(18, 32)
        x, y = middle[0] + away * math.sin(turn), middle[1] - away * math.cos(turn)
        spot = blob(x, y, chance.uniform(4, 9), chance)
        clear = (
            (outside or reach > 180)
            and 5 < ground.distance(spot) < 30
            and all(spot.distance(rock) > 16 for rock in found)
        )
        if (
            clear
            and len(found) < 9
            and box(24, 24, SIDE - 24, SIDE - 24).contains(spot)
            and not corners.intersects(spot)
        ):
            found.append(spot)
    return found


def _shallow(ground: BaseGeometry, depth: int) -> BaseGeometry:
    wide = ground.buffer(depth, quad_segs=4).simplify(0.9)
    return shapely.union_all(
        [
            Polygon(part.exterior, [hole for hole in part.interiors if _is_wide(hole)])
            for part in parts_of(wide)
        ]
    )


def _is_wide(ring: LinearRing) -> bool:
    return not Polygon(ring).buffer(-8).is_empty


def _packed(shape: BaseGeometry) -> Shape:
    return Shape(tuple(rings_of(shape)))


def _hatched(shape: Polygon) -> tuple[Line, ...]:
    x0, y0, x1, y1 = shape.bounds
    high = y1 - y0
    strokes = shapely.union_all(
        [LineString([(x, y0), (x - high, y1)]) for x in np.arange(x0, x1 + high, 15)]
    )
    cut = strokes.intersection(shape.buffer(-RIM - 1))
    lines = [
        part
        for part in getattr(cut, "geoms", [cut])
        if isinstance(part, LineString) and part.length > 3
    ]
    return tuple(pack_line(np.asarray(part.coords)) for part in lines)


def _waters(
    shallow: BaseGeometry,
    middle: tuple[float, float],
    reach: float,
    chance: Chance,
    *,
    island: bool,
) -> tuple[tuple[tuple[int, int], ...], tuple[int, int] | None]:
    """Open water: a few waves, and a ship where there is sea enough."""
    corners = shapely.union_all([box(*corner).buffer(18) for corner in CORNERS])
    water = box(40, 40, SIDE - 40, SIDE - 40).difference(shapely.union_all([shallow, corners]))
    inner = water.intersection(Point(middle).buffer(max(reach, 1)))
    if not island:
        water = water.difference(Point(middle).buffer(96))
    ship = None
    if inner.area > 9000 and island:
        room = max(parts_of(inner), key=lambda part: part.area).buffer(-30)
        if not room.is_empty:
            at = room.representative_point()
            ship = (round(at.x), round(at.y))
            water = water.difference(at.buffer(62))
    return tuple((round(x), round(y)) for x, y in scatter(water, chance, 500, 74, 26)), ship


def _scenery(
    shapes: dict[int, Polygon], labels: dict[int, tuple[float, float, float]], seed: int
) -> list[Sprig]:
    """A range, a wood, some hills or reeds where a province has room, in one or two clumps; one
    kind a province.
    """
    chance, sprigs = np.random.default_rng([seed, 3]), []
    for province, shape in shapes.items():
        x, y, own = labels[province]
        left, top, right, bottom = (edge * own for edge in BLOCK)
        free = shape.buffer(-29).difference(
            box(x + left, y + top, x + right, y + bottom).buffer(14)
        )
        kind = int(chance.choice(KINDS, p=SHARES))
        clumps = [
            free.intersection(Point(spot).buffer(chance.uniform(46, 76)))
            for spot in scatter(free, chance, 60, 120, 2)
        ]
        region = shapely.union_all(clumps) if clumps else Polygon()
        if region.area > 300:
            sprigs += [
                Sprig(province, kind, round(u), round(v), round(100 * chance.uniform(0.85, 1.15)))
                for u, v in scatter(region, chance, 150, 36, 9)
            ]
    return sprigs
