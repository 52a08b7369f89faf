"""What is written around the land: the four corners.

Every text is cut or shrunk to a room that is kept free of land (`shores.CORNERS`), measured with
the fonts that draw it.
"""

from dataclasses import dataclass

from pbem.board.faces import Face, Words, fit, legible, width
from pbem.board.lines import SIDE
from pbem.board.palette import HOT, INK
from pbem.games.protectors.board.scene import Dragon, Scene
from pbem.games.protectors.board.words import say

EDGE = 38.0
"""From the side of the square to the text, px."""
LONGEST_NAME = 80
CARD_ROOMS = (290.0, 238.0, 174.0, 144.0)
"""How wide a card's name may be, from the lowest line up: the land is round."""
CARD_LINE = 32.0
LEFT_ROOMS = (214.0, 214.0, 196.0)
"""How wide the lines below the turn may be."""
LEAST = 20.0
"""The smallest size of a corner's text, px."""
BAR = 214.0
MOST_TICKS = 20


@dataclass(frozen=True, slots=True)
class Bar:
    """The Dragon's bar: a step a point up to twenty, tenths above."""

    x: float
    y: float
    width: float
    filled: float
    ticks: tuple[tuple[float, bool], ...]


@dataclass(frozen=True, slots=True)
class Corners:
    words: tuple[Words, ...]
    bar: Bar


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
