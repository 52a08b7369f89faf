"""A scene on a land, laid out as numbers (`lay_board`) and written as SVG (`draw_board`).

The markup lives in `templates/protectors/board/`; here are places, sizes and colours. What never
changes of a land is kept as path data and shared by all its pictures.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache, partial

from pbem.board.board import Drawing
from pbem.board.faces import Words
from pbem.board.foot import Foot, lay_foot
from pbem.board.palette import ASH, EMBER, LAND, LAND_EDGE, OCEAN, SHADOW, WATER, arms_of, mix
from pbem.board.paths import SIDE, Line, format_path
from pbem.games.protectors.board.alt import describe
from pbem.games.protectors.board.blocks import Block, label_block
from pbem.games.protectors.board.choice import choose_marks
from pbem.games.protectors.board.grid import share_inside
from pbem.games.protectors.board.land import Land, Sprig, decode_land
from pbem.games.protectors.board.margins import STRIP, Corners, Ranking, lay_corners, lay_ranking
from pbem.games.protectors.board.marks import BattleMark, IsleMark, lay_island, lay_marks
from pbem.games.protectors.board.scene import Province, Scene
from pbem.games.protectors.board.strokes import Arrow, Hook
from pbem.games.protectors.board.teams import team_letters
from pbem.games.protectors.board.words import TEMPLATES, say

SHALLOW_LINES = ((0.2, 17), (0.3, 19), (0.45, 21), (0.75, 25))
"""Strength and width (tenths of a px) of the water lines, widest ring first."""


@dataclass(frozen=True, slots=True)
class Layer:
    path: str
    fill: str
    stroke: str
    width: int


@dataclass(frozen=True, slots=True)
class Backdrop:
    """Path data of a land, in tenths of a px, that all pictures of it share."""

    shallows: tuple[Layer, ...]
    solid: str
    shadow: str
    outlines: tuple[str, ...]
    inner: tuple[str, ...]
    deep: tuple[str, ...]
    borders: str
    shore: str
    island: str


@dataclass(frozen=True, slots=True)
class Ground:
    """How a province is painted: its outline in `rim`, drawn in `wash` and `base` inside, hatched
    or not.
    """

    province: int
    owner: str
    outline: str
    inner: str
    deep: str
    hatch: str
    rim: str
    wash: str
    base: str


@dataclass(frozen=True, slots=True)
class Board:
    """The whole picture as numbers: what the template writes and a test measures."""

    side: int
    height: int
    land: Land
    backdrop: Backdrop
    grounds: tuple[Ground, ...]
    scenery: tuple[Sprig, ...]
    blocks: tuple[Block, ...]
    island: IsleMark | None
    hooks: tuple[Hook, ...]
    arrows: tuple[Arrow, ...]
    battles: tuple[BattleMark, ...]
    corners: Corners
    ranking: Ranking
    foot: Foot | None = None


@lru_cache(maxsize=64)
def backdrop_of(land: Land) -> Backdrop:
    """The path data of a land."""
    fill, layers = OCEAN, []
    for shape, (strength, wide) in zip(land.shallows, SHALLOW_LINES, strict=True):
        fill = mix(WATER, fill, 0.05)
        layers.append(Layer(_area(shape.rings), fill, mix(WATER, fill, strength), wide))
    return Backdrop(
        shallows=tuple(layers),
        solid=_area(land.solid.rings),
        shadow=mix(SHADOW, fill, 0.42),
        outlines=tuple(_area((line,)) for line in land.outlines),
        inner=tuple(_area(shape.rings) for shape in land.inner),
        deep=tuple(_area(shape.rings) for shape in land.deep),
        borders=format_path(
            (line for border in land.borders for line in border.lines), close=False
        ),
        shore=format_path(land.coasts, close=False) + _area(land.islets),
        island=_area((land.island,)) if land.island else "",
    )


def _area(lines: Sequence[Line]) -> str:
    return format_path(lines, close=True)


def lay_board(scene: Scene, land: Land) -> Board:
    """Where everything lies. ValueError when the scene is not of this land."""
    if [province.number for province in scene.provinces] != list(range(1, len(land.outlines) + 1)):
        raise ValueError("this scene and this land have different provinces")
    backdrop, teams = backdrop_of(land), team_letters(scene)
    foot = lay_foot(
        SIDE + STRIP,
        scene.chronicle,
        is_supposed=scene.hypothesis,
        meanings=say("meanings").split("|") if scene.is_first else (),
    )
    blocks = tuple(
        label_block(
            province,
            label,
            teams.get(province.owner or "", ""),
            partial(share_inside, land, province.number),
        )
        for province, label in zip(scene.provinces, land.labels, strict=True)
    )
    chosen = choose_marks(scene)
    marks = lay_marks(scene, chosen, land, blocks)
    burnt = {province.number for province in scene.provinces if province.burnt}
    return Board(
        side=SIDE,
        height=SIDE + STRIP + (foot.height if foot else 0),
        land=land,
        backdrop=backdrop,
        grounds=tuple(_ground(province, land, backdrop) for province in scene.provinces),
        scenery=tuple(
            sprig
            for sprig in land.scenery
            if sprig.province not in burnt and marks.table.is_free(sprig.x, sprig.y, 22)
        ),
        blocks=blocks,
        island=lay_island(scene.island, land) if land.island else None,
        hooks=marks.hooks,
        arrows=marks.arrows,
        battles=marks.battles,
        corners=lay_corners(scene, some=marks.left_out > 0),
        ranking=lay_ranking(scene, teams),
        foot=foot,
    )


def _ground(province: Province, land: Land, backdrop: Backdrop) -> Ground:
    i = province.number - 1
    if province.owner:
        arms = arms_of(province.owner)
        base = ASH if province.burnt else arms.tint
        wash = mix(arms.edge, base, 0.24)
        rim = mix(arms.edge, wash, 0.82)
        deep = backdrop.deep[i]
    else:
        base = wash = ASH if province.burnt else LAND
        rim = mix(EMBER if province.burnt else LAND_EDGE, base, 0.6)
        deep = ""
    return Ground(
        province.number,
        province.owner or "",
        backdrop.outlines[i],
        backdrop.inner[i],
        deep,
        format_path(land.hatch[i], close=False) if province.burnt else "",
        rim,
        wash,
        base,
    )


def texts_of(board: Board) -> tuple[tuple[str, Words], ...]:
    """Every text on the board with where it belongs: what has to be legible, and must not
    overlap.
    """
    found = [(f"P{block.province}", words) for block in board.blocks for words in block.words]
    found += [("level", block.tag.words) for block in board.blocks if block.tag]
    coats = [block.coat for block in board.blocks if block.coat]
    found += [("team", coat.letter) for coat in coats if coat.letter]
    found += [("arrow", arrow.units) for arrow in board.arrows]
    found += [("battle", words) for battle in board.battles for words in battle.words]
    found += [("corner", words) for words in board.corners.words]
    found += [("ranking", words) for words in board.ranking.words]
    found += [("ranking", words) for row in board.ranking.rows for words in row.words]
    found += [("island", words) for words in (board.island.words if board.island else ())]
    if board.foot:
        found += [("foot", words) for words in board.foot.texts]
    return tuple(found)


def draw_board(board: Board) -> str:
    """The SVG of a board. The same board gives the same bytes."""
    return TEMPLATES.svg("board.svg.j2", board=board, strip=STRIP)


def draw(scene: Scene, land: Land) -> str:
    """The SVG of a scene: the map square, and below it the ranking."""
    return draw_board(lay_board(scene, land))


_decoded = lru_cache(maxsize=64)(decode_land)


def draw_on(scene: Scene, land: bytes) -> Drawing:
    """The picture of a scene, on a land as it is stored: one for mails and chats, since who sees
    it alone must know whose sign is whose.
    """
    return Drawing(draw(scene, _decoded(land)), describe(scene))
