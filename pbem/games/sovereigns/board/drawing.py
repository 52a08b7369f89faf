"""A scene of the court laid out as numbers (`lay_board`), written as SVG (`draw_svg`), and said in
words (`describe`).
"""

from dataclasses import dataclass

from pbem.board.board import Drawing
from pbem.board.foot import Foot, lay_foot
from pbem.board.palette import Arms, arms_of, mix
from pbem.games.sovereigns.board.charters import lay_charter, rows_for
from pbem.games.sovereigns.board.head import HEAD, lay_head, lay_notices, notices_high
from pbem.games.sovereigns.board.parts import WIDE, Layer
from pbem.games.sovereigns.board.ribbons import Ribbon, Thread, lay_alone, lay_ribbons, lay_traces
from pbem.games.sovereigns.board.rolls import lay_cast, lay_rolls
from pbem.games.sovereigns.board.scene import Kingdom, Scene
from pbem.games.sovereigns.board.seats import Hall, lay_hall
from pbem.games.sovereigns.board.words import TEMPLATES, say

DIVISIONS = 6
"""Partitions of a shield, dealt by seat."""


@dataclass(frozen=True, slots=True)
class Coat:
    """A kingdom's arms: colour, charge and partition, all three; grey and cracked if it fell."""

    arms: Arms
    second: str
    division: int
    alive: bool


@dataclass(frozen=True, slots=True)
class Board:
    """The whole picture as numbers: what the template writes and a test measures."""

    width: int
    height: int
    hall: Hall
    coats: tuple[Coat, ...]
    charters: tuple[Layer, ...]
    alone: tuple[Layer, ...]
    traces: tuple[Thread, ...]
    ribbons: tuple[Ribbon, ...]
    margins: tuple[Layer, ...]
    cast: tuple[Layer, ...]
    rolls: tuple[Layer, ...]
    foot: Foot | None

    @property
    def pegs(self) -> tuple[int, ...]:
        """The kingdoms that stand on the table: the living, and who fell by what is drawn."""
        drawn = {place for ribbon in self.ribbons for place in ribbon.ends}
        return tuple(place for place, coat in enumerate(self.coats) if coat.alive or place in drawn)

    @property
    def layers(self) -> tuple[Layer, ...]:
        tokens = tuple(ribbon.token for ribbon in self.ribbons)
        return (*self.margins, *self.charters, *self.alone, *tokens, *self.cast, *self.rolls)


def lay_board(scene: Scene) -> Board:
    """Where everything lies. ValueError for a colour outside the palette."""
    hall = lay_hall(len(scene.kingdoms), HEAD + notices_high(scene), rows_for(scene))
    alone = lay_alone(scene, hall)
    charters = tuple(lay_charter(scene, place, seat) for place, seat in enumerate(hall.seats))
    full = [seat.rect for seat in hall.seats] + [layer.boxes[0].rect for layer in alone]
    full += [sign.rect for layer in charters for sign in layer.signs if sign.kind == "crown"]
    cast = lay_cast(scene, hall)
    rolls, end = lay_rolls(scene, hall.end, is_cast=bool(cast))
    foot = lay_foot(
        round(end),
        scene.chronicle,
        is_supposed=scene.hypothesis,
        meanings=say("meanings").split("|") if scene.is_first else (),
    )
    return Board(
        width=WIDE,
        height=round(end) + (foot.height if foot else 0),
        hall=hall,
        coats=tuple(map(_coat, range(len(scene.kingdoms)), scene.kingdoms)),
        charters=charters,
        alone=alone,
        traces=lay_traces(scene, hall),
        ribbons=lay_ribbons(scene, hall, full),
        margins=(lay_head(scene), *lay_notices(scene)),
        cast=cast,
        rolls=rolls,
        foot=foot,
    )


def _coat(place: int, kingdom: Kingdom) -> Coat:
    arms = arms_of(kingdom.colour)
    second = mix(arms.full, "#000000" if arms.on == "#ffffff" else "#ffffff", 0.62)
    return Coat(arms, second, place % DIVISIONS, kingdom.alive)


def draw_svg(scene: Scene) -> str:
    """The SVG of a scene. The same scene gives the same bytes."""
    return TEMPLATES.svg("board.svg.j2", board=lay_board(scene), scene=scene)


def describe(scene: Scene) -> str:
    """What the picture shows, in one paragraph of plain text: enough to play by. Not escaped: the
    page that prints it does that.
    """
    symbols = [arms_of(kingdom.colour).symbol for kingdom in scene.kingdoms]
    return TEMPLATES.text("alt.txt.j2", scene=scene, symbols=symbols)


def draw(scene: Scene, land: bytes) -> Drawing:
    """The picture of a scene. There is no land."""
    return Drawing(draw_svg(scene), describe(scene))
