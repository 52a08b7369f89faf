"""The board of a game on a map: places in the colours of those who hold them, pieces, and what was
ordered as arrows; a strip of players below.

A game says what there is to see (`MapScene`), by the names of the map's places and coasts.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import msgspec
import numpy as np

from engine.maps import Map
from pbem.board.board import Chronicle, Drawing, TableFacts
from pbem.board.brush import bows, brush
from pbem.board.faces import Lettering, Words, legible
from pbem.board.foot import Foot, lay_foot
from pbem.board.heading import due_lines
from pbem.board.map_ground import PIECE, Ground, Spot, ground_of
from pbem.board.palette import CREAM, GILT, SOFT_CREAM, Coat, arms_of
from pbem.board.paths import SIDE
from pbem.board.templates import KIT

HEAD, ROW, COLUMNS = 96, 76, 3
"""Heights of the head and of a row of players, px, and how many stand in a row."""
EDGE = 24.0
SMALLEST = 27.0
"""Of letters: 9 px on a phone."""
Sign = Literal["shield", "ship", "disc"]


class MapPiece(msgspec.Struct, frozen=True):
    """A piece at a place or a coast; `word` says what it is. One that is beaten `is_out`."""

    at: str
    colour: str
    sign: Sign
    word: str
    is_out: bool = False


class MapArrow(msgspec.Struct, frozen=True):
    """What a piece does: goes there, or helps there; with `of`, it helps what comes from there."""

    origin: str
    target: str
    colour: str
    is_help: bool = False
    of: str = ""
    fails: bool = False


class MapSeat(msgspec.Struct, frozen=True):
    """A player in the strip below the map, with a figure: `5 ports`."""

    colour: str
    name: str
    figure: str
    is_out: bool = False


class MapScene(msgspec.Struct, frozen=True):
    """All that is drawn. `holders` are colours by place; `marked` places have the golden disc;
    `legend` are signs (those of pieces, `mark`, `go`, `help`, `fail`) with what they mean, for the
    first board of a game.
    """

    title: str
    heading: str
    due: tuple[str, str, str] = ("", "", "")
    holders: Mapping[str, str] = {}
    pieces: tuple[MapPiece, ...] = ()
    arrows: tuple[MapArrow, ...] = ()
    seats: tuple[MapSeat, ...] = ()
    marked: tuple[str, ...] = ()
    legend: tuple[tuple[str, str], ...] = ()
    chronicle: Chronicle | None = None
    is_supposed: bool = False

    @classmethod
    def of(cls, about: TableFacts, heading: str, **what: Any) -> "MapScene":
        """The scene at a moment; `heading` says what is asked, and stands in a table scene."""
        told, legend = about.chronicle, what.pop("legend", ())
        return cls(
            about.title,
            f"{told.turn}: {told.step}".rstrip(": ") if told else heading,
            due_lines(about, KIT.say),
            legend=legend if about.is_first else (),
            chronicle=told,
            is_supposed=about.hypothesis,
            **what,
        )


@dataclass(frozen=True, slots=True)
class Picture:
    """Where everything lies: what the template writes and a test measures. Pieces with their
    middles, arrows with their path data and where they end.
    """

    width: int
    top: int
    bottom: int
    height: int
    ground: Ground
    names: tuple[Words, ...]
    pieces: tuple[tuple[MapPiece, Spot], ...]
    arrows: tuple[tuple[MapArrow, str, Spot], ...]
    coats: tuple[Coat, ...]
    words: tuple[Words, ...]
    foot: Foot | None


def draw_map(told: Map[Any], scene: MapScene, *, water: Collection[str], seed: int = 0) -> Drawing:
    """The picture of a scene on this map, of which places of these kinds are water, and the same
    in words. KeyError for a place or a coast that the map does not have.
    """
    picture = lay_map(scene, ground_of(told, frozenset(water), seed))
    svg = KIT.svg("map.svg.j2", board=picture, scene=scene, told=told, arms_of=arms_of)
    return Drawing(svg, KIT.text("map_alt.txt.j2", scene=scene, told=told))


def lay_map(scene: MapScene, ground: Ground) -> Picture:
    """Where everything lies."""
    bottom = HEAD + ground.high
    rows = -(-len(scene.seats) // COLUMNS)
    end = bottom + ROW * rows + (16 if rows else 0)
    foot = lay_foot(
        end,
        scene.chronicle,
        is_supposed=scene.is_supposed,
        meanings=[meaning for _, meaning in scene.legend],
    )
    return Picture(
        width=SIDE,
        top=HEAD,
        bottom=bottom,
        height=end + (foot.height if foot else 0),
        ground=ground,
        names=tuple(words for site in ground.sites.values() for words in site.words),
        pieces=tuple(_pieces(scene.pieces, ground)),
        arrows=tuple(_arrow(arrow, ground) for arrow in scene.arrows),
        coats=tuple(
            Coat(seat.colour, *_seat_at(i, bottom), arms_of(seat.colour), 0.92)
            for i, seat in enumerate(scene.seats)
        ),
        words=(*_head(scene), *_strip(scene.seats, bottom)),
        foot=foot,
    )


def _pieces(pieces: Sequence[MapPiece], ground: Ground) -> Iterator[tuple[MapPiece, Spot]]:
    """Those that stand at one place stand side by side."""
    for piece in pieces:
        group = [one for one in pieces if one.at == piece.at]
        x, y = ground.pieces[piece.at]
        yield piece, (x + (group.index(piece) - (len(group) - 1) / 2) * PIECE * 0.8, y)


def _arrow(arrow: MapArrow, ground: Ground) -> tuple[MapArrow, str, Spot]:
    """From piece to piece; help for a piece that goes somewhere ends in the middle of its way."""
    tail, head = (np.array(ground.pieces[at]) for at in (arrow.origin, arrow.target))
    if arrow.of:
        head = (head + np.array(ground.pieces[arrow.of])) / 2
    away = head - tail
    length = max(float(np.hypot(*away)), 1.0)
    ahead = away / length
    tail = tail + ahead * min(PIECE * 0.45, length * 0.3)
    head = head - ahead * (0.0 if arrow.of else min(PIECE * 0.5, length * 0.3))
    (line,) = bows(tail[None], head[None], np.array([0.08]))
    path = brush(line, 0.7 if arrow.is_help else 0.9, broken=arrow.is_help)
    return arrow, path, (float(head[0]), float(head[1]))


def _head(scene: MapScene) -> Iterator[Words]:
    title = legible(scene.title, "", "serif")
    yield Lettering(40.0, CREAM, "serif").write(title, EDGE, 46, SIDE * 0.6, SMALLEST)
    yield Lettering(30.0, GILT).write(scene.heading, EDGE, 82, SIDE * 0.6, SMALLEST)
    what, day, hour = scene.due
    right = Lettering(28.0, CREAM, anchor="end")
    for text, y in ((what, 44), (f"{day} {hour}".strip(), 82)):
        if text:
            yield right.write(text, SIDE - EDGE, y, SIDE * 0.34, SMALLEST)


def _seat_at(place: int, bottom: int) -> Spot:
    """The middle of a player's coat."""
    wide = (SIDE - 2 * EDGE) / COLUMNS
    return EDGE + 34 + wide * (place % COLUMNS), bottom + 12 + ROW * (place // COLUMNS + 0.5)


def _strip(seats: Sequence[MapSeat], bottom: int) -> Iterator[Words]:
    room = (SIDE - 2 * EDGE) / COLUMNS - 90
    for i, seat in enumerate(seats):
        x, y = _seat_at(i, bottom)
        fill = SOFT_CREAM if seat.is_out else CREAM
        name = legible(seat.name, f"Player {i + 1}", "serif")
        yield Lettering(30.0, fill, "serif").write(name, x + 42, y - 4, room, SMALLEST)
        yield Lettering(SMALLEST, fill).write(seat.figure, x + 42, y + 27, room, SMALLEST)
