"""A scene laid out as numbers (`lay_board`), written as SVG (`draw_svg`), and said in words
(`describe`).
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from pbem.board.board import Drawing
from pbem.board.faces import Words
from pbem.board.foot import Foot, lay_foot
from pbem.board.relief import LandShape
from pbem.games.fortresses.board.banners import BANNERS, Banner
from pbem.games.fortresses.board.ground import HIGH, WIDE, Ground, Sprig, ground
from pbem.games.fortresses.board.margins import (
    STRIP,
    Card,
    Margins,
    lay_cards,
    lay_corners,
    lay_notes,
    lay_strip,
)
from pbem.games.fortresses.board.marks import BRIDGE, Stroke, lay_strokes
from pbem.games.fortresses.board.pieces import Name, Piece, lay_pieces, name_of
from pbem.games.fortresses.board.room import Room
from pbem.games.fortresses.board.scene import Scene
from pbem.games.fortresses.board.seals import Seal, lay_seals
from pbem.games.fortresses.board.words import TEMPLATES, say

SPRIG = 9.0
"""Half the room of a bit of scenery, px."""


@dataclass(frozen=True, slots=True)
class Estate:
    """A Land by its code, in the colours of a player who holds it."""

    code: str
    banner: Banner
    shape: LandShape


@dataclass(frozen=True, slots=True)
class Board:
    """The whole picture as numbers: what the template writes and a test measures. `left_out` marks
    found no room.
    """

    width: int
    height: int
    map: int
    ground: Ground
    estates: tuple[Estate, ...]
    seas: tuple[tuple[str, str], ...]
    scenery: tuple[Sprig, ...]
    names: tuple[Name, ...]
    pieces: tuple[Piece, ...]
    strokes: tuple[Stroke, ...]
    seals: tuple[Seal, ...]
    corners: Margins
    notes: tuple[Words, ...]
    strip: Margins
    cards: tuple[Card, ...]
    room: Room
    left_out: int
    foot: Foot | None


def lay_board(scene: Scene) -> Board:
    """Where everything lies."""
    room, base, bottom = Room(), ground(), HIGH + STRIP
    foot = lay_foot(
        bottom,
        scene.chronicle,
        is_supposed=scene.hypothesis,
        meanings=say("meanings").split("|") if scene.is_first else (),
    )
    corners = lay_corners(scene)
    room.take("corner", corners.boxes)
    room.take("corner", [note.box for note in lay_notes(scene, 1)])
    names = tuple(map(name_of, scene.zones))
    for name in names:
        room.take(f"name {name.zone}", [name.box])
    pieces = lay_pieces(scene.zones, room)
    for way in base.crossings.values():
        points = np.linspace(way[0], way[1], 7)
        room.take(BRIDGE, [(x - 9, y - 9, x + 9, y + 9) for x, y in points])
    strokes, room, lost = lay_strokes(scene, room)
    seals, more = lay_seals(scene, room)
    return Board(
        width=WIDE,
        height=bottom + (foot.height if foot else 0),
        map=HIGH,
        ground=base,
        estates=tuple(_estates(scene, base)),
        seas=tuple((zone.code, base.seas[zone.name]) for zone in scene.zones if zone.owner is None),
        scenery=tuple(_scenery(base, room)),
        names=names,
        pieces=pieces,
        strokes=strokes,
        seals=seals,
        corners=corners,
        notes=tuple(lay_notes(scene, lost + more)),
        strip=lay_strip(scene),
        cards=lay_cards(scene),
        room=room,
        left_out=lost + more,
        foot=foot,
    )


def _estates(scene: Scene, base: Ground) -> Iterator[Estate]:
    for zone in scene.zones:
        if zone.owner is not None:
            yield Estate(zone.code, BANNERS[zone.owner], base.lands[zone.name])


def _scenery(base: Ground, room: Room) -> Iterator[Sprig]:
    """What is free of everything else."""
    half = np.array([(SPRIG * 2 * sprig.k, SPRIG * sprig.k) for sprig in base.scenery])
    spots = np.array([(sprig.x, sprig.y) for sprig in base.scenery])
    boxes = np.concatenate([spots - half, spots + half], 1)[:, None]
    free = room.free(boxes, gap=3.0)
    return (sprig for sprig, is_free in zip(base.scenery, free, strict=True) if is_free)


def texts_of(board: Board) -> tuple[tuple[str, Words], ...]:
    """Every upright text with where it belongs: what has to be legible, and must not overlap."""
    found = [(name.zone, words) for name in board.names if not name.turn for words in name.words]
    found += [("piece", piece.count) for piece in board.pieces if piece.count is not None]
    found += [("corner", words) for words in board.corners.words]
    found += [("strip", words) for words in board.strip.words]
    found += [("strip", words) for card in board.cards for words in card.words]
    found += [("note", words) for words in board.notes]
    if board.foot:
        found += [("foot", words) for words in board.foot.texts]
    return tuple(found)


def draw_svg(scene: Scene) -> str:
    """The SVG of a scene. The same scene gives the same bytes."""
    return TEMPLATES.svg("board.svg.j2", board=lay_board(scene), banners=BANNERS)


def describe(scene: Scene) -> str:
    """What the picture shows, in one paragraph of plain text. Not escaped: the page that prints it
    does that.
    """
    return TEMPLATES.text("alt.txt.j2", scene=scene)


def draw(scene: Scene, land: bytes) -> Drawing:
    """The picture of a scene. All tables are played on the same map: there is no land of their
    own.
    """
    return Drawing(draw_svg(scene), describe(scene))
