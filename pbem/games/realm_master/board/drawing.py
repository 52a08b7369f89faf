"""A scene of Realm-Master laid out as numbers (`lay_board`), written as SVG (`draw_svg`), and said
in words (`describe`).
"""

from collections.abc import Mapping
from dataclasses import dataclass

from engine.realm_master.conditions import land_name
from pbem.board import palette
from pbem.board.board import Drawing
from pbem.board.foot import Foot, lay_foot
from pbem.board.palette import SYMBOLS, arms_of, mix
from pbem.games.realm_master.board.chart import lay_chart
from pbem.games.realm_master.board.isle import HIGH, WIDE, Isle, isle
from pbem.games.realm_master.board.pieces import BoardPart, Placed
from pbem.games.realm_master.board.scene import Scene
from pbem.games.realm_master.board.table import lay_heroes, lay_market
from pbem.games.realm_master.board.words import TEMPLATES, say

GROUNDS: Mapping[str, str] = {
    "MER": "#ddd08a",
    "KUR": "#adc48e",
    "ARU": "#f3dca2",
    "JER": "#e9c3a6",
    "SAL": "#b2d0c6",
    "BAR": "#cbc3cf",
}
"""The colours of the lands; the name and the emblem say the same."""
SPARE = 10.0


@dataclass(frozen=True, slots=True)
class Tint:
    """How a land is painted: the rim in the colour of a player who stands there, or in a darker
    shade of the land's own.
    """

    land: str
    occupant: str
    base: str
    wash: str
    rim: str


@dataclass(frozen=True, slots=True)
class Board:
    """The whole picture as numbers: what the template writes and a test measures."""

    width: int
    height: int
    chart: int
    market: float
    isle: Isle
    tints: tuple[Tint, ...]
    parts: tuple[BoardPart, ...]
    foot: Foot | None


def lay_board(scene: Scene) -> Board:
    """Where everything lies. ValueError for a colour outside the palette, or other than four
    lands.
    """
    market, below = lay_market(scene)
    heroes, bottom = lay_heroes(scene, below)
    parts = (*lay_chart(scene), BoardPart("margins", market), *heroes)
    bottom = round(bottom + SPARE)
    foot = lay_foot(
        bottom,
        scene.chronicle,
        is_supposed=scene.hypothesis,
        meanings=say("meanings").split("|") if scene.is_first else (),
    )
    return Board(
        width=WIDE,
        height=bottom + (foot.height if foot else 0),
        chart=HIGH,
        market=below,
        isle=isle(),
        tints=tuple(_tint(scene, place) for place in range(len(scene.lands))),
        parts=parts,
        foot=foot,
    )


def _tint(scene: Scene, place: int) -> Tint:
    land = scene.lands[place]
    base = GROUNDS[land.key]
    if land.occupant is None:
        return Tint(
            land_name(land.key),
            "",
            base,
            mix(palette.INK, base, 0.06),
            mix(palette.INK, base, 0.22),
        )
    colour = scene.heroes[land.occupant].colour
    edge = arms_of(colour).edge
    return Tint(land_name(land.key), colour, base, mix(edge, base, 0.3), mix(edge, base, 0.9))


def texts_of(board: Board) -> tuple[Placed, ...]:
    """Every text on the board with the room it has: what has to be legible, and must not
    overlap.
    """
    return tuple(placed for part in board.parts for placed in part.layer.texts)


def draw_svg(scene: Scene) -> str:
    """The SVG of a scene. The same scene gives the same bytes."""
    return TEMPLATES.svg("board.svg.j2", board=lay_board(scene))


def describe(scene: Scene) -> str:
    """What the picture shows, in one paragraph of plain text. Not escaped: the page that prints it
    does that.
    """
    symbols = dict(zip(palette.COLOURS, SYMBOLS, strict=True))
    return TEMPLATES.text("alt.txt.j2", scene=scene, symbols=symbols)


def draw(scene: Scene, land: bytes) -> Drawing:
    """The picture of a scene. All tables lie on the same isle: there is no land of their own."""
    return Drawing(draw_svg(scene), describe(scene))
