"""The rolls of the season or the year start, on walnut below the hall: who did what, against whom,
with which dice, and by how much. Dice of a year start lie on the oak.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial

from pbem.board.faces import Lettering, legible, width
from pbem.board.palette import BLOOD, CREAM, GILT, GOLD, SOFT_CREAM, WALNUT, arms_of, mix
from pbem.games.sovereigns.board.charters import SUPPORT_COLOURS
from pbem.games.sovereigns.board.parts import Box, Die, Layer, Sign, meet
from pbem.games.sovereigns.board.scene import Roll, Scene
from pbem.games.sovereigns.board.seats import PEG, Hall, Seat
from pbem.games.sovereigns.board.words import say

LEFT, ROOM, COLUMN = 22.0, 512.0, 524.0
HIGH, YEAR_HIGH, BETWEEN = 98.0, 62.0, 10.0
TITLE = 58.0
FOOT = 14.0
CARD, BAD_WORD, GOOD = "#35281c", "#ff9b87", "#1f6b3a"
FAINT_DIE = "#b9ab8c"
CAST = ((27.0, 2), (27.0, 1), (23.0, 1), (19.0, 1))
"""How large dice on the table are, px, and how deep they lie; the first is the best."""
MEDAL = 64.0
"""How far the middle of the table is taken, px."""
MOST_DICE = 9
"""The most dice of one roll that are drawn; words tell of more."""
SIZES = (31, 28, 25, 22, 19, 17, 16)
"""Of dice, px, the largest first; if even the smallest does not fit, words tell the roll."""
NUMBER, SMALL = 30.0, 26.0
MOST_WORDS = 200
"""Of a free-form action, letters; what has room of it is shown."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A step along a line: dice, or a word."""

    dice: tuple[int, ...] = ()
    text: str = ""
    size: float = NUMBER
    fill: str = CREAM

    def wide(self, die: float) -> float:
        if self.dice:
            return len(self.dice) * (die + gap_of(die)) + 5
        return width(self.text, size=self.size) + 8


def gap_of(die: float) -> float:
    return die / 8


def lay_cast(scene: Scene, hall: Hall) -> tuple[Layer, ...]:
    """The dice of a year start on the oak, before the peg of each kingdom that rolled them, as
    large as there is room for them; none where there is not.
    """
    thrown = {
        place: [pips for roll in scene.rolls if roll.kingdom == place for pips in roll.dice]
        for place in range(len(hall.seats))
        if scene.told == "year-start"
    }
    for size, deep in CAST:
        layers = tuple(
            Layer(
                f"cast {place}", dice=_before(hall.seats[place], dice, size, deep, hall), of=place
            )
            for place, dice in thrown.items()
            if dice
        )
        if _are_apart(layers, hall):
            return layers
    return ()


def _are_apart(layers: tuple[Layer, ...], hall: Hall) -> bool:
    x, y = hall.middle
    taken = [(x - MEDAL, y - MEDAL, x + MEDAL, y + MEDAL), *(seat.rect for seat in hall.seats)]
    taken += [(x - PEG, y - PEG, x + PEG, y + PEG) for x, y in (seat.peg for seat in hall.seats)]
    for layer in layers:
        rects = [die.rect for die in layer.dice]
        if any(meet(rect, other, 2.0) for rect in rects for other in taken):
            return False
        taken += rects
    return True


def _before(seat: Seat, thrown: list[int], size: float, deep: int, hall: Hall) -> list[Die]:
    """From the peg towards the middle of the table, and not under charters at its sides."""
    step, rows = size + gap_of(size), -(-len(thrown) // deep)
    half = (step * (rows if seat.side in ("top", "bottom") else deep)) / 2
    x, y = seat.peg
    if seat.side in ("top", "bottom"):
        x = min(max(x, hall.open[0] + half), hall.open[2] - half)
    dice = []
    for i, pips in enumerate(thrown):
        away = PEG + 8 + size / 2 + step * (i % deep)
        aside = step * (i // deep - (rows - 1) / 2)
        right, down = {
            "top": (aside, away),
            "bottom": (aside, -away),
            "left": (away, aside),
            "right": (-away, aside),
        }[seat.side]
        dice.append(Die(x + right, y + down, size, pips, CREAM))
    return dice


def lay_rolls(
    scene: Scene, top: float, *, is_cast: bool = False
) -> tuple[tuple[Layer, ...], float]:
    """The lines in two columns, and where they end. `is_cast`: their dice lie on the table."""
    head = Layer("rolls")
    head.write(
        say("rolls", scene.told, len(scene.rolls)), 26, top + 41, 620, Lettering(30, CREAM, "serif")
    )
    if not scene.rolls:
        return (head,), top + TITLE + FOOT - 6
    head.write(
        say("legend", scene.told), 1054, top + 41, 420, Lettering(28, SOFT_CREAM, anchor="end")
    )
    is_year = scene.told == "year-start"
    high = YEAR_HIGH if is_year else HIGH
    layers = [head]
    for i, roll in enumerate(scene.rolls):
        x, y = LEFT + COLUMN * (i % 2), top + TITLE + (high + BETWEEN) * (i // 2)
        lay = (
            partial(_lay_year, is_cast=is_cast)
            if is_year
            else _lay_void
            if roll.sort == "void"
            else _lay_action
        )
        layers.append(_card(scene, roll, i, x, y, high, lay))
    rows = (len(scene.rolls) + 1) // 2
    return tuple(layers), top + TITLE + rows * (high + BETWEEN) + FOOT


def _card(
    scene: Scene,
    roll: Roll,
    i: int,
    x: float,
    y: float,
    high: float,
    lay: Callable[[Layer, Scene, Roll, float, float], None],
) -> Layer:
    is_great = roll.result == "great"
    edge, line = (GILT, 3.4) if is_great else (mix(GOLD, WALNUT, 0.5), 1.6)
    dashes = "8 6" if roll.sort == "void" or roll.is_undone else ""
    layer = Layer(
        f"roll {i}", [Box(x, y, ROOM, high, 10, CARD, edge, line, dashes)], of=roll.kingdom
    )
    lay(layer, scene, roll, x, y)
    return layer


def _coat(layer: Layer, place: int, x: float, y: float) -> None:
    layer.signs.append(Sign(f"coat-{place}", x, y, 18, own=25))


def _who(layer: Layer, scene: Scene, roll: Roll, x: float, y: float) -> None:
    """The number in its ruler's colour, and their arms."""
    arms = arms_of(scene.kingdoms[roll.kingdom].colour)
    layer.boxes.append(Box(x + 9, y + 10, 36, 34, 17, arms.full, CREAM, 2))
    layer.write(
        str(roll.n), x + 27, y + 35.5, 30, Lettering(24, arms.on, anchor="middle", least=24 * 0.4)
    )
    _coat(layer, roll.kingdom, x + 68, y + 28)


def _lay_action(layer: Layer, scene: Scene, roll: Roll, x: float, y: float) -> None:
    _who(layer, scene, roll, x, y)
    layer.signs.append(Sign(roll.action, x + 104, y + 27, 12.5, GILT))
    at = x + 126
    if roll.target is not None:
        _coat(layer, roll.target, x + 141, y + 28)
        at = x + 168
    good = roll.result in ("success", "great")
    verdict = say("undone") if roll.is_undone else say("result", roll.result, roll.is_again)
    fill = SOFT_CREAM if roll.is_undone else GILT if good else BAD_WORD
    taken = layer.write(verdict, x + ROOM - 14, y + 36, 190, Lettering(26, fill, anchor="end"))
    name = say("action", roll.action, roll.words)
    if roll.action == "Try":
        name = say("quoted", legible(roll.words[:MOST_WORDS], "")) if roll.words else name
    layer.write(name, at, y + 36, x + ROOM - 26 - taken - at, Lettering(28, CREAM, least=28 * 0.6))
    margin = _margin(layer, roll, x + ROOM - 10, y + 53, good=good)
    _line(layer, x + 14, y + 73, ROOM - 30 - margin, _pieces(roll))


def _margin(layer: Layer, roll: Roll, right: float, y: float, *, good: bool) -> float:
    said = say("plus", roll.margin)
    wide = width(said, size=33) + 18
    fill = mix(GOOD if good else BLOOD, CARD, 0.45) if roll.is_undone else GOOD if good else BLOOD
    layer.boxes.append(Box(right - wide, y, wide, 38, 8, fill, line=0))
    layer.write(said, right - wide / 2, y + 31, wide, Lettering(33, CREAM, anchor="middle"))
    return wide


def _lay_void(layer: Layer, scene: Scene, roll: Roll, x: float, y: float) -> None:
    """An order that could not be done, or was taken back."""
    _who(layer, scene, roll, x, y)
    verdict = say("void", roll.is_again)
    taken = layer.write(
        verdict, x + ROOM - 14, y + 36, 190, Lettering(26, SOFT_CREAM, anchor="end")
    )
    layer.write(say("nothing"), x + 100, y + 36, ROOM - 126 - taken, Lettering(28, SOFT_CREAM))
    layer.write(say("reason", roll.reason), x + 14, y + 82, ROOM - 28, Lettering(28, SOFT_CREAM))


def _lay_year(layer: Layer, scene: Scene, roll: Roll, x: float, y: float, *, is_cast: bool) -> None:
    """One line: support with its word, or a roll against rebellion or coup."""
    _coat(layer, roll.kingdom, x + 28, y + 31)
    if roll.sort in ("rebellion", "coup"):
        margin = _margin(layer, roll, x + ROOM - 10, y + 12, good=roll.result == "success")
        word = Piece(text=say("rising", roll.sort), size=28)
        _line(layer, x + 56, y + 31, ROOM - 76 - margin, [word, *_pieces(roll, is_cast=is_cast)])
        return
    said = say("support", roll.support)
    wide = width(said, size=26) + width(say("support_mark", roll.support), size=19) + 32
    right = x + ROOM - 10
    fill = SUPPORT_COLOURS[roll.support]
    layer.boxes.append(Box(right - wide, y + 13, wide, 36, 8, fill, mix(CREAM, fill, 0.35), 1.4))
    layer.write(
        say("support_mark", roll.support), right - wide + 10, y + 38, 90, Lettering(19, CREAM)
    )
    layer.write(said, right - 11, y + 40, wide, Lettering(26, CREAM, anchor="end"))
    pieces = (
        [Piece(text=say("fear"), size=28)]
        if roll.sort == "fear"
        else list(_pieces(roll, is_cast=is_cast))
    )
    _line(layer, x + 56, y + 31, ROOM - 76 - wide, pieces)


def _pieces(roll: Roll, *, is_cast: bool = False) -> Iterator[Piece]:
    """Dice (unless they lie on the table), what is added, the sum; then the number needed, or what
    the other side rolled.
    """
    if not (is_cast and roll.dice):
        yield _dice(roll.dice)
    yield Piece(text=say("sum", roll.plus, roll.total))
    if roll.contested:
        yield Piece(text=say("versus"), size=SMALL, fill=SOFT_CREAM)
        yield _dice(roll.against, FAINT_DIE)
        yield Piece(text=say("sum", roll.plus_against, roll.difficulty), fill=SOFT_CREAM)
    elif roll.difficulty is not None:
        yield Piece(text=say("needs"), size=SMALL, fill=SOFT_CREAM)
        yield Piece(text=str(roll.difficulty), fill=SOFT_CREAM)


def _dice(dice: tuple[int, ...], fill: str = CREAM) -> Piece:
    piece = Piece(dice=dice, fill=fill)
    return piece if 0 < len(dice) <= MOST_DICE else _in_words(piece)


def _line(
    layer: Layer, x: float, y: float, room: float, told: Iterator[Piece] | list[Piece]
) -> None:
    """Dice shrink until the line has room; then words replace the longer row of them, and at last
    all words shrink.
    """
    pieces = list(told)
    while True:
        die = next((size for size in SIZES if _long(pieces, size) <= room), None)
        if die is not None or not any(piece.dice for piece in pieces):
            break
        longest = max(pieces, key=lambda piece: len(piece.dice))
        pieces = [_in_words(piece) if piece is longest else piece for piece in pieces]
    k = 1.0 if die is not None else room / _long(pieces, 0)
    for piece in pieces:
        size = float(die or SIZES[-1])
        for i, pips in enumerate(piece.dice):
            layer.dice.append(
                Die(x + size / 2 + i * (size + gap_of(size)), y, size, pips, piece.fill)
            )
        if piece.text:
            layer.write(piece.text, x, y + 10.5 * k, room, Lettering(piece.size * k, piece.fill))
        x += piece.wide(size) * k


def _long(pieces: list[Piece], die: float) -> float:
    return sum(piece.wide(die) for piece in pieces)


def _in_words(piece: Piece) -> Piece:
    fill = SOFT_CREAM if piece.fill == FAINT_DIE else piece.fill
    return replace(piece, dice=(), text=say("many_dice", len(piece.dice)), fill=fill)
