"""The head of the hall: year, table and phase, the seasons, until when, or who has won; and in the
air below it what is open.
"""

from collections.abc import Sequence

from pbem.board.faces import CORNER, Lettering, fit, legible, width
from pbem.board.palette import CREAM, GILT, HOT, INK, SOFT_CREAM, WHITE, mix
from pbem.games.sovereigns.board.parts import LONGEST_NAME, TEXT, WIDE, Box, Layer, Sign, name_of
from pbem.games.sovereigns.board.scene import Notice, Scene
from pbem.games.sovereigns.board.seats import SEATS
from pbem.games.sovereigns.board.words import say

HEAD = 158.0
"""Where the charters begin, px."""
SLIP, SLIP_HIGH, SLIP_GAP = 338.0, 70.0, 10.0
MOST_ROWS = 2
FLOOR = "#e6dbc0"
_LEFT, _RIGHT = 34.0, WIDE - 34.0


def lay_head(scene: Scene) -> Layer:
    layer = Layer("head")
    title = say("supposed_year" if scene.hypothesis else "year", scene.year)
    if scene.chronicle:
        title = scene.chronicle.turn
    layer.write(title, _LEFT, 84, 330, Lettering(60, INK, "serif"))
    table = legible(scene.table[:LONGEST_NAME], "")
    after = say("after", scene.phase) if table and scene.phase else scene.phase
    room = (640 if scene.chronicle else 360) - width(after, "serif", CORNER)
    used = layer.write(table, _LEFT + 2, 122, room, Lettering(CORNER, INK, "serif", least=TEXT))
    layer.write(
        after, _LEFT + 2 + used + (8 if table else 0), 122, 360, Lettering(CORNER, INK, "serif")
    )
    if scene.stage == "over":
        _say_winner(layer, scene)
    else:
        for i, line in enumerate(scene.due):
            ink = Lettering(CORNER, HOT if i else INK, "serif", anchor="end")
            layer.write(line, _RIGHT, 62 + 34 * i, 300, ink)
    _lay_seasons(layer, scene)
    return layer


def _say_winner(layer: Layer, scene: Scene) -> None:
    won = [name_of(kingdom, i) for i, kingdom in enumerate(scene.kingdoms) if kingdom.winner]
    room = 300.0
    layer.write(say("won", len(won)), _RIGHT, 62, room, Lettering(31, INK, "serif", anchor="end"))
    layer.write(say("winners", won), _RIGHT, 96, room, Lettering(34, INK, "serif", anchor="end"))
    layer.write(
        say("ended_by", scene.ended_by),
        _RIGHT,
        128,
        room,
        Lettering(CORNER, INK, "serif", anchor="end"),
    )


def _lay_seasons(layer: Layer, scene: Scene) -> None:
    """Four discs, the present one gilt; none at year start."""
    middle = WIDE / 2 + 30
    for i, season in enumerate(("Spring", "Summer", "Autumn", "Winter")):
        x = middle - 93 + 62 * i
        is_now = season == scene.shown_season
        fill = GILT if is_now else mix(FLOOR, WHITE, 0.6)
        edge, line = (INK, 3.0) if is_now else (SOFT_CREAM, 2.0)
        layer.boxes.append(Box(x - 26, 42, 52, 52, 26, fill, edge, line))
        layer.signs.append(Sign(season, x, 68, 18, INK if is_now else "#a3967a"))
    now = "" if scene.chronicle else say("now", scene.stage, scene.season)
    layer.write(now, middle, 127, 230, Lettering(CORNER, INK, "serif", "middle", least=TEXT * 0.9))


# ----------------------------------------------------------------------------------------- notices
def notices_high(scene: Scene) -> float:
    """How much lower the charters begin: with one charter at the top there is air next to it, else
    the open offers take rows of their own.
    """
    above = SEATS[len(scene.kingdoms)][0]
    rows = 0 if above == 1 else min(MOST_ROWS, -(-len(scene.notices) // 3))
    return rows * (SLIP_HIGH + SLIP_GAP) + (14 if rows else 0)


def lay_notices(scene: Scene) -> tuple[Layer, ...]:
    """Slips in the air of the hall; what has no room is counted on the last one."""
    places = _places(SEATS[len(scene.kingdoms)][0])
    more = len(scene.notices) - len(places) + 1 if len(scene.notices) > len(places) else 0
    shown: Sequence[Notice] = scene.notices[: len(places) - bool(more)]
    layers = [
        _slip(f"notice {i}", place, _head(scene, notice), _small(notice))
        for i, (place, notice) in enumerate(zip(places, shown, strict=False))
    ]
    if more:
        layers.append(_slip("notice more", places[-1], say("more_open", more), say("see_text")))
    return tuple(layers)


def _places(above: int) -> tuple[tuple[float, float], ...]:
    """The upper left corners of the slips; one charter at the top stands in the middle."""
    columns = (0, 2) if above == 1 else (0, 1, 2)
    return tuple(
        (24 + column * (SLIP + 9), HEAD - 8 + row * (SLIP_HIGH + SLIP_GAP))
        for row in range(MOST_ROWS)
        for column in columns
    )


def _head(scene: Scene, notice: Notice) -> str:
    """Of a long name the end is cut, not what is said of it."""
    name = name_of(scene.kingdoms[notice.kingdom], notice.kingdom)
    room = SLIP - 68 - width(say("notice", notice, ""), "serif", 20)
    return say("notice", notice, fit(name, 20, room, 20, "serif")[0])


def _small(notice: Notice) -> str:
    what = legible(notice.what[:LONGEST_NAME], say("unnamed"))
    room = SLIP - 68 - width(say("notice_hours", notice, ""), size=18)
    return say("notice_hours", notice, fit(what, 18, room, 18)[0])


def _slip(where: str, place: tuple[float, float], head: str, small: str) -> Layer:
    x, y = place
    layer = Layer(
        where,
        [
            Box(x + 3, y + 4, SLIP, SLIP_HIGH, 6, "#b8aa88", line=0),
            Box(x, y, SLIP, SLIP_HIGH, 6, CREAM, INK, 2),
        ],
        [Sign("wax", x + 34, y + SLIP_HIGH / 2, 21, own=21)],
    )
    layer.write(head, x + 62, y + 30, SLIP - 68, Lettering(28, INK, "serif"))
    layer.write(small, x + 62, y + 59, SLIP - 68, Lettering(26, HOT))
    return layer
