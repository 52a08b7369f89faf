"""A game master's map in the manner of the generated ones: every edge roughened once, so that
neighbours still fit.
"""

import numpy as np
import shapely
from shapely.geometry import Polygon

from pbem.board.paths import SIDE, Points
from pbem.board.shared_edges import Tracing, chains, roughened, trace
from pbem.games.protectors.board.land import Land
from pbem.games.protectors.board.mapfile import OwnMap
from pbem.games.protectors.board.outlines import Sketch
from pbem.games.protectors.board.shores import finish, fitting

SMALLEST_SEA = 60.0**2 * 3.14
"""An inner water of less than this area, px, is no Sea."""


def draw_map(own: OwnMap, seed: int, *, island: bool = False) -> Land:
    """The land of a game master's map: about half a second, once per game."""
    tracing = trace(dict(enumerate(own.outlines, start=1)))
    first = fitting(_along(tracing))
    rough = _sketch(tracing, _moved(tracing.corners, *first), seed)
    second = fitting(np.vstack(list(rough.outlines.values())))  # the noise reaches a little further
    given = {}
    for number, label in own.labels:
        x, y = _moved(_moved(np.array(label), *first), *second)
        given[number] = (float(x), float(y))
    return finish(rough.moved(*second), own.plan, seed, island=island, given=given)


def _moved(points: Points, centre: Points, scale: Points) -> Points:
    moved: Points = (points - centre) * scale + SIDE / 2
    return moved


def _along(tracing: Tracing[int]) -> Points:
    """Points all along the outlines, near enough that no edge slips through a corner of the
    board.
    """
    step = float(np.ptp(tracing.corners, axis=0).max()) / 80
    outlines = [
        shapely.segmentize(shapely.LinearRing(tracing.corners[list(corners)]), step)
        for corners in tracing.rounds.values()
    ]
    return np.vstack([shapely.get_coordinates(outline) for outline in outlines])


def _sketch(tracing: Tracing[int], places: Points, seed: int) -> Sketch:
    drawn = roughened(tracing, places, seed)
    coasts = [edge for edge, owners in tracing.owners().items() if len(owners) == 1]
    return Sketch(
        drawn.outlines,
        {
            pair: [drawn.joined(run) for run in chains(edges)]
            for pair, edges in sorted(tracing.shared.items())
        },
        [drawn.joined(run) for run in chains(coasts)],
        _sea(drawn.outlines),
    )


def _sea(outlines: dict[int, Points]) -> Points | None:
    """The shore of the widest inner water, if it is wide enough."""
    whole = shapely.union_all(
        [Polygon(outline).buffer(0.3, quad_segs=1) for outline in outlines.values()]
    )
    holes = [hole for part in getattr(whole, "geoms", [whole]) for hole in part.interiors]
    widest = max(holes, key=lambda hole: float(Polygon(hole).area), default=None)
    if widest is None or Polygon(widest).area < SMALLEST_SEA:
        return None
    return np.asarray(widest.coords)[:-1]
