"""What is written around the land: the four corners and the ranking below the map square.

Every text is cut or shrunk to a room that is kept free of land (`shores.CORNERS`), measured with
the fonts that draw it.
"""

from dataclasses import dataclass
from math import ceil

from pbem.board.faces import Face, Words, fit, legible, width
from pbem.board.lines import SIDE
from pbem.board.palette import CREAM, GILT, HOT, INK, SOFT_CREAM, arms_of
from pbem.games.protectors.board.blocks import Coat
from pbem.games.protectors.board.scene import Dragon, Scene, Seat
from pbem.games.protectors.board.words import say

EDGE = 38.0
"""From the side of the square to the text, px."""
STRIP = 200
"""Height of the ranking, px."""
LONGEST_NAME = 80
CARD_ROOMS = (290.0, 238.0, 174.0, 144.0)
"""How wide a card's name may be, from the lowest line up: the land is round."""
CARD_LINE = 32.0
LEFT_ROOMS = (214.0, 214.0, 196.0)
"""How wide the lines below the turn may be."""
TEAM_SIZE = 21.0
"""Of a team's name beside a player's, px: it is a mark and no more."""
TEAM_ROOM = 44.0
TEAM_GAP = 9.0
LEAST = 20.0
"""The smallest size of a corner's text, px."""
BAR = 214.0
MOST_TICKS = 20
RIGHTS = (
    ("march", "support", "fortify", "work"),
    ("support", "fortify", "work"),
    ("fortify", "work"),
    ("work",),
)
"""Which golden orders a bracket allows, the best bracket first (PR-3.9)."""


@dataclass(frozen=True, slots=True)
class Bar:
    """The Dragon's bar: a step a point up to twenty, tenths above."""

    x: float
    y: float
    width: float
    filled: float
    ticks: tuple[tuple[float, bool], ...]


@dataclass(frozen=True, slots=True)
class Icon:
    kind: str
    x: float
    y: float
    k: float = 1.0


@dataclass(frozen=True, slots=True)
class Corners:
    words: tuple[Words, ...]
    bar: Bar


@dataclass(frozen=True, slots=True)
class Ranking:
    words: tuple[Words, ...]
    coats: tuple[Coat, ...]
    icons: tuple[Icon, ...]
    rules: tuple[float, ...]


def lay_corners(scene: Scene, *, some: bool) -> Corners:
    """Turn, table and phase; what is due; the Dragon; the cards. `some`: not all arrows are
    drawn.
    """
    words = [_line(say("turn", scene.turn), EDGE, 86, 56, 200, INK, "serif")]
    lines = _table_lines(scene)
    if scene.arrows_turn is not None:
        lines.append((_arrows_line(scene.arrows_turn, LEFT_ROOMS[len(lines)], some=some), 24.0))
    for i, (text, size) in enumerate(lines):
        words.append(_line(text, EDGE, 120 + 29 * i, size, LEFT_ROOMS[i], INK))
    words += _due_lines(scene.due)
    words += _dragon_lines(scene.dragon)
    words += _card_lines(scene.cards, scene.staying)
    return Corners(tuple(word for word in words if word.text), _bar(scene.dragon))


def _line(
    text: str,
    x: float,
    y: float,
    size: float,
    room: float,
    fill: str,
    face: Face = "sans",
    *,
    right: bool = False,
) -> Words:
    text, size = fit(text, size, room, min(size, LEAST if face == "sans" else 30.0), face)
    return Words(text, x, y, size, fill, face, anchor="end" if right else "start")


def _arrows_line(turn: int, room: float, *, some: bool) -> str:
    """Whose arrows these are; shorter when there is no room to say it all."""
    text = say("arrows", turn, some)
    return text if width(text, "sans", LEAST) <= room else say("some_arrows")


def _table_lines(scene: Scene) -> list[tuple[str, float]]:
    """Table and phase on one line when there is room, on two when there is not."""
    name = legible(scene.table[:LONGEST_NAME], "")
    both = say("table", name, scene.phase) if name else scene.phase
    if width(both, "sans", 25) <= LEFT_ROOMS[0]:
        return [(both, 27.0)]
    return [(name, 26.0), (scene.phase, 26.0)] if name else [(scene.phase, 26.0)]


def _due_lines(due: tuple[str, str, str]) -> list[Words]:
    styles: tuple[tuple[float, float, str, Face], ...] = (
        (72, 32, INK, "serif"),
        (108, 30, HOT, "sans"),
        (142, 30, HOT, "sans"),
    )
    return [
        _line(text, SIDE - EDGE, y, size, 182, fill, face, right=True)
        for text, (y, size, fill, face) in zip(due, styles, strict=True)
    ]


def _dragon_lines(dragon: Dragon) -> list[Words]:
    return [
        Words(say("dragon"), EDGE + 38, SIDE - 148, 32, INK, "serif"),
        Words(say("power", dragon.power, dragon.threshold), EDGE, SIDE - 108, 36, HOT),
        Words(say("step", dragon.step), EDGE, SIDE - 43, 25, INK),
    ]


def _bar(dragon: Dragon) -> Bar:
    share = min(1.0, dragon.power / max(dragon.threshold, 1))
    steps = dragon.threshold if dragon.threshold <= MOST_TICKS else 10
    ticks = tuple((EDGE + BAR * i / steps, i / steps < share) for i in range(1, steps))
    return Bar(EDGE, SIDE - 97, BAR, (BAR - 4) * share, ticks)


def _card_lines(cards: tuple[str, ...], staying: tuple[str, ...]) -> list[Words]:
    """The longest lowest, because the corner widens downwards; what does not fit is counted."""
    shown, rest = list(cards), []
    if len(cards) + len(staying) <= len(CARD_ROOMS):
        shown += staying
    elif staying and len(cards) < len(CARD_ROOMS):
        rest = [say("staying", len(staying))]
    else:
        shown = list(cards[: len(CARD_ROOMS) - 1])
        rest = [say("more", len(cards) + len(staying) - len(shown))]
    lines = sorted([*shown, *rest], key=lambda text: -width(text))
    words = [
        _line(text, SIDE - EDGE, SIDE - 42 - CARD_LINE * i, 28, CARD_ROOMS[i], INK, right=True)
        for i, text in enumerate(lines)
    ]
    if lines:
        words.append(
            Words(
                say("in_play"),
                SIDE - EDGE,
                SIDE - 43 - CARD_LINE * len(lines),
                31,
                INK,
                "serif",
                anchor="end",
            )
        )
    return words


def lay_ranking(brackets: tuple[tuple[Seat, ...], ...]) -> Ranking:
    """One column a bracket, because brackets are what a rank is for; on top the golden orders it
    allows.
    """
    words: list[Words] = []
    coats: list[Coat] = []
    icons: list[Icon] = []
    column, top = (SIDE - 52) / 4, SIDE + 4.0
    rows = max((len(bracket) for bracket in brackets), default=1)
    step = min(76.0, 150 / max(rows, 1))
    for place, bracket in enumerate(brackets[:4]):
        x, right = 28 + column * place, 28 + column * (place + 1) - 30
        words.append(Words(say("bracket", place + 1), x, top + 31, 27, GILT, "serif"))
        icons += [Icon(kind, x + 71 + 32 * i, top + 22) for i, kind in enumerate(RIGHTS[place])]
        words.append(Words(say("vp"), right, top + 31, 25, GILT, anchor="end"))
        for row, seat in enumerate(bracket):
            coat, said, drawn = _seat(seat, x, right, top + 40 + step * (row + 0.5), big=step > 60)
            coats.append(coat)
            words += said
            icons += drawn
    rules = tuple(28 + column * place - 15 for place in range(1, max(len(brackets), 1)))
    return Ranking(tuple(words), tuple(coats), tuple(icons), rules)


def _seat(
    seat: Seat, x: float, right: float, y: float, *, big: bool
) -> tuple[Coat, list[Words], list[Icon]]:
    radius, size = (26.0, 30.0) if big else (16.5, 27.0)
    left = x + 2 * radius + 14
    points = Words(
        str(seat.vp), right, y + (11 if big else 9.5), 34 if big else 28, CREAM, anchor="end"
    )
    room = right - width(points.text, "sans", points.size) - 12 - left
    team = legible(seat.team[:LONGEST_NAME], "")
    if team:
        team, _ = fit(team, TEAM_SIZE, TEAM_ROOM, TEAM_SIZE)
        room -= width(team, "sans", TEAM_SIZE) + TEAM_GAP
    name, size = fit(
        legible(seat.name[:LONGEST_NAME], say("colour", seat.colour)), size, room, 23.0
    )
    words = [Words(name, left, y - 3 if big else y + 9.5, size, CREAM), points]
    if team:
        words.append(
            Words(team, left + width(name, "sans", size) + TEAM_GAP, words[0].y, TEAM_SIZE, GILT)
        )
    icons = []
    if big:
        icons.append(Icon("flag", left + 4, y + 19))
        words.append(Words(str(seat.provinces), left + 24, y + 29, 26, SOFT_CREAM))
        man = left + 40 + ceil(width(str(seat.provinces), "sans", 26))
        icons.append(Icon("man", man + 12, y + 19, 0.78))
        words.append(Words(str(seat.units), man + 25, y + 29, 26, SOFT_CREAM))
    return Coat(x + radius + 1, y - (1 if big else 0), radius, arms_of(seat.colour)), words, icons
