"""The map of a game that has one: every place can be named as the map says, and stands on the board
where it can be clicked; borders are those of the drawing.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any
from xml.etree import ElementTree as ET

import skia

from engine.maps import Map
from engine.ruleset import Standing, known_state
from pbem.board.map_shapes import map_faults
from pbem.board.outlines import outline_of
from pbem.board.paints import matrix_of
from pbem.conformance.boards import PHONE, first_drawing
from pbem.conformance.findings import found
from pbem.conformance.walk import Walk
from pbem.findings import Finding
from pbem.game import Game
from pbem.grammar.house.reading import read_alone
from pbem.grammar.kit.vocabulary import names_of

LEAST_TOUCH = 8.0
"""How wide and high what is seen of an area is on a phone, px, at the very least."""
MOST_TEXTS = 400
"""Orders of one state in which names are looked for."""


def check_map(game: Game, told: Map[Any], walks: Sequence[Walk]) -> Iterator[Finding]:
    """All of it; edges are those of outlines or points in the file, where it has them."""
    if any(place.outline or place.at for place in told.places.values()):
        for fault in map_faults(told):
            named = fault.facts.get("places", (fault.place,))
            places = ", ".join(map(str, named if isinstance(named, tuple) else (named,)))
            where = f"{told.source}{fault.line}"
            yield found("map-drawn", code=fault.code, places=places, place=where)
    yield from _unread(game, told, walks)
    yield from _unseen(game, told, walks[0])


def _unread(game: Game, told: Map[Any], walks: Sequence[Walk]) -> Iterator[Finding]:
    """Each name of a place in an order that says it, and that is read as the same order."""
    rules, left = game.ruleset, dict.fromkeys(told.keys)
    for state in (state for walk in walks for state in walk.states):
        for number in rules.phase(state).asked if left else ():
            known = known_state(rules, state, number)
            orders = islice(rules.legal(known, number), MOST_TEXTS)
            for text in [rules.format_order(known, order) for order in orders]:
                for key in [key for key in left if _said(key).search(text)]:
                    del left[key]
                    for name in names_of(told, key):
                        said = _said(key).sub(name, text, count=1)
                        read = read_alone(game.read, known, number, Standing(), said)
                        if [one for item in read.items for one in item.texts] != [text]:
                            yield found("map-unread", name=name, said=said, text=text)


def _said(key: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w/]){re.escape(key)}(?![\w/])")


def _unseen(game: Game, told: Map[Any], walk: Walk) -> Iterator[Finding]:
    """Places without a name, or without an area that a finger finds."""
    root = ET.fromstring(first_drawing(game, walk).svg)  # noqa: S314 - the game's own
    frame = skia.Rect.MakeWH(float(root.attrib["width"]), float(root.attrib["height"]))
    areas = dict.fromkeys((place.area for place in told.places.values()), 0.0)
    for area, box in _areas(root, skia.Matrix(), ""):
        if area in areas and box.intersect(frame):
            areas[area] = max(areas[area], min(box.width(), box.height()))
    texts = (one.text or "" for one in root.iter() if one.tag.endswith("}text"))
    words = {word for text in texts for word in text.split()}
    for place in told.places.values():
        if areas[place.area] * PHONE / frame.width() < LEAST_TOUCH:
            yield found("map-untouched", name=place.name, area=place.area)
        if place.code not in words and not words.issuperset(place.name.split()):
            yield found("map-unnamed", name=place.name)


def _areas(element: ET.Element, matrix: skia.Matrix, area: str) -> Iterator[tuple[str, skia.Rect]]:
    """The boxes of all paths with the areas that they are of, in the measure of the picture."""
    given = element.attrib
    matrix = skia.Matrix.Concat(matrix, matrix_of(given.get("transform", "")))
    area = given.get("data-area", area)
    if area and "d" in given:
        yield area, matrix.mapRect(outline_of(given["d"]).getBounds())
    for one in element:
        yield from _areas(one, matrix, area)
