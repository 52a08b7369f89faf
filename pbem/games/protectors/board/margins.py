"""What is written around the land: the four corners and the ranking below the map square.

Every text is cut or shrunk to a room that is kept free of land (`shores.CORNERS`), measured with
the fonts that draw it.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from math import ceil

from pbem.board.faces import CORNER, Lettering, Words, legible, width
from pbem.board.palette import CREAM, GILT, HOT, INK, SOFT_CREAM, arms_of
from pbem.board.paths import SIDE
from pbem.games.protectors.board.blocks import Coat, Tag
from pbem.games.protectors.board.scene import Dragon, Scene, Seat
from pbem.games.protectors.board.words import say

EDGE = 32.0
"""From the side of the square to the text, px."""
STRIP = 200
"""Height of the ranking, px."""
LONGEST_NAME = 80
TEXT = 30.0
"""Of texts, px: 10 on a phone 360 wide, the smallest except for a deadline in a zone without a
name, which is never cut.
"""
LEAST_DUE = 26.0
CARD_ROOMS = (306.0, 254.0, 190.0, 160.0)
"""How wide a card's name may be, from the lowest line up: the land is round."""
CARD_LINE = 33.0
LEFT_ROOMS = (226.0, 226.0, 206.0)
"""How wide the lines below the turn may be."""
DUE_ROOM = 197.0
KEY = 36.0
"""The room of a sign that a line explains, px."""
TEAM_GAP = 11.0
BAR = 150.0
MOST_TICKS = 20
COLUMN = (SIDE - 52) / 4
"""Of the ranking, px."""
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
    """`key` is the sign that a line explains: an arrow, or the gatehouse of a level."""

    words: tuple[Words, ...]
    bar: Bar
    key: Icon | Tag | None


@dataclass(frozen=True, slots=True)
class MarginRow:
    """A player's place in the ranking."""

    colour: str
    coat: Coat
    words: tuple[Words, ...]
    icons: tuple[Icon, ...]


@dataclass(frozen=True, slots=True)
class Ranking:
    """Brackets with what they allow, and the rows of players below."""

    words: tuple[Words, ...]
    icons: tuple[Icon, ...]
    rows: tuple[MarginRow, ...]
    rules: tuple[float, ...]


def lay_corners(scene: Scene, *, some: bool) -> Corners:
    """Turn, table and phase; what is due; the Dragon; the cards. `some`: not all arrows are
    drawn.
    """
    title = scene.chronicle.turn if scene.chronicle else say("turn", scene.turn)
    words = [_line(title, EDGE, 86, 200, Lettering(56, INK, "serif"))]
    lines = _table_lines(scene)
    words += [
        _line(text, EDGE, _left(i), LEFT_ROOMS[i], Lettering(CORNER, INK, "serif"))
        for i, text in enumerate(lines)
    ]
    key, said = _explained(scene, _left(len(lines)), some=some)
    if said:
        x = EDGE + (KEY if key else 0.0)
        words.append(
            _line(
                said,
                x,
                _left(len(lines)),
                LEFT_ROOMS[len(lines)] + EDGE - x,
                Lettering(CORNER, INK, "serif"),
            )
        )
    words += _due_lines(scene)
    words += _dragon_lines(scene.dragon)
    words += _card_lines(scene.cards, scene.staying)
    return Corners(tuple(word for word in words if word.text), _bar(scene.dragon), key)


def _left(line: int) -> float:
    return 118.0 + 33 * line


def _line(text: str, x: float, y: float, room: float, lettering: Lettering) -> Words:
    return lettering.write(text, x, y, room, TEXT)


def _explained(scene: Scene, y: float, *, some: bool) -> tuple[Icon | Tag | None, str]:
    """Whose the arrows are; before there are any, what the number in a gatehouse means."""
    if scene.chronicle is not None and scene.arrows_turn == scene.chronicle.number:
        return None, ""
    if scene.arrows_turn is not None and some:
        return None, say("some_arrows")
    if scene.arrows_turn is not None:
        return Icon("march", EDGE + 13, y - 11), say("arrows", scene.arrows_turn)
    if scene.turn == 1:
        return Tag(EDGE + 13, y - 11, 0.86, 1), say("level")
    return None, ""


def _table_lines(scene: Scene) -> list[str]:
    """Table and phase on one line when there is room, on two when there is not."""
    name = legible(scene.table[:LONGEST_NAME], "")
    known = [text for text in (name, scene.phase) if text]
    both = say("table", *known) if len(known) == 2 else ""
    return [both] if both and width(both, "serif", TEXT) <= LEFT_ROOMS[0] else known


def _due_lines(scene: Scene) -> list[Words]:
    below = INK if scene.is_over else HOT
    styles = ((72, INK), (108, below), (142, below))
    return [
        _line(
            text,
            SIDE - EDGE,
            y,
            DUE_ROOM,
            Lettering(CORNER, fill, "serif", anchor="end", least=LEAST_DUE),
        )
        for text, (y, fill) in zip(scene.due, styles, strict=True)
    ]


def _dragon_lines(dragon: Dragon) -> list[Words]:
    return [
        Words(say("dragon"), EDGE + 38, SIDE - 148, CORNER, INK, "serif"),
        _line(
            say("attacks", dragon.threshold), EDGE, SIDE - 105, 225, Lettering(CORNER, INK, "serif")
        ),
        Words(str(dragon.power), EDGE + BAR + 10, SIDE - 69, 34, HOT),
        Words(say("step", dragon.step), EDGE, SIDE - 37, CORNER, INK, "serif"),
    ]


def _bar(dragon: Dragon) -> Bar:
    share = min(1.0, dragon.power / max(dragon.threshold, 1))
    steps = dragon.threshold if dragon.threshold <= MOST_TICKS else 10
    ticks = tuple((EDGE + BAR * i / steps, i / steps < share) for i in range(1, steps))
    return Bar(EDGE, SIDE - 94, BAR, (BAR - 4) * share, ticks)


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
    lines = _shortened([*shown, *rest])
    words = [
        _line(
            text,
            SIDE - EDGE,
            SIDE - 40 - CARD_LINE * i,
            CARD_ROOMS[i],
            Lettering(CORNER, INK, "serif", anchor="end"),
        )
        for i, text in enumerate(lines)
    ]
    if lines:
        words.append(
            Words(
                say("in_play"),
                SIDE - EDGE,
                SIDE - 43 - CARD_LINE * len(lines),
                CORNER,
                INK,
                "serif",
                anchor="end",
            )
        )
    return words


def _shortened(lines: list[str]) -> list[str]:
    """The lines from the lowest and longest up, with short names where a full one has no room."""
    while True:
        lines = sorted(lines, key=lambda text: -width(text, "serif"))
        for i, (text, room) in enumerate(zip(lines, CARD_ROOMS, strict=False)):
            short = say("short_card", text)
            if short != text and width(text, "serif", TEXT) > room:
                lines[i] = short
                break
        else:
            return lines


# -------------------------------------------------------------------------------------- the ranking
def lay_ranking(scene: Scene, teams: Mapping[str, str]) -> Ranking:
    """One column a bracket, because brackets are what a rank is for; on top the golden orders it
    allows. Once the game is over, places and points instead. `teams` are the letters of the
    players' teams by colour.
    """
    brackets = scene.ranking
    words: list[Words] = []
    icons: list[Icon] = []
    rows: list[MarginRow] = []
    top = SIDE + 4.0
    most = max((len(bracket) for bracket in brackets), default=1)
    step = min(76.0, 150 / max(most, 1))
    for place, bracket in enumerate(brackets[:4]):
        x, right = 28 + COLUMN * place, 28 + COLUMN * (place + 1) - 30
        if scene.is_over:
            words.append(Words(say("place"), x, top + 32, TEXT, GILT, "serif"))
            words.append(Words(say("points"), right, top + 32, TEXT, GILT, anchor="end"))
        else:
            words.append(Words(say("bracket", place + 1), x, top + 32, TEXT, GILT, "serif"))
            icons += [Icon(kind, x + 71 + 32 * i, top + 22) for i, kind in enumerate(RIGHTS[place])]
            icons.append(Icon("token", right - 12, top + 22))
        for row, seat in enumerate(bracket):
            y = top + 40 + step * (row + 0.5)
            lay = _two_lines if step > 60 else _one_line
            rows.append(lay(seat, teams.get(seat.colour, ""), x, right, y))
    rules = tuple(28 + COLUMN * place - 15 for place in range(1, max(len(brackets), 1)))
    return Ranking(tuple(words), tuple(icons), tuple(rows), rules)


def _one_line(seat: Seat, team: str, x: float, right: float, y: float) -> MarginRow:
    """Arms, name and points."""
    left = x + 46.0
    points = Words(str(seat.worth), right, y + 10.5, TEXT, CREAM, anchor="end")
    until = right - width(points.text, "sans", TEXT) - 12
    words = (*_name(seat, team, left, y + 10.5, until), points)
    return MarginRow(seat.colour, Coat(x + 17, y, 16.5, arms_of(seat.colour)), words, ())


def _two_lines(seat: Seat, team: str, x: float, right: float, y: float) -> MarginRow:
    """Arms and name; below it lands, units and points."""
    left, low = x + 62.0, y + 31
    lands, units = str(seat.provinces), str(seat.units)
    man = left + 23 + ceil(width(lands, "sans", TEXT)) + 8
    words = (
        *_name(seat, team, left, y - 4, right),
        Words(lands, left + 20, low, TEXT, SOFT_CREAM),
        Words(units, man + 23, low, TEXT, SOFT_CREAM),
        Words(str(seat.worth), right, low, 34, CREAM, anchor="end"),
    )
    icons = (Icon("flag", left + 2, low - 11), Icon("man", man + 10, low - 10, 0.78))
    return MarginRow(seat.colour, Coat(x + 26, y - 1, 25.0, arms_of(seat.colour)), words, icons)


def _name(seat: Seat, team: str, left: float, y: float, until: float) -> list[Words]:
    """A player's name, and the letter of the team behind it."""
    name = legible(seat.name[:LONGEST_NAME], say("colour", seat.colour))
    said = say("placed", seat.place, name) if seat.place else name
    room = until - left - (width(team, "sans", TEXT) + TEAM_GAP if team else 0.0)
    words = [_line(said, left, y, room, Lettering(TEXT, CREAM))]
    if team:
        end = left + width(words[0].text, "sans", TEXT) + TEAM_GAP
        words.append(Words(team, end, y, TEXT, GILT))
    return words
