"""The picture: the last bid, and a row of dice for each player."""

from collections.abc import Sequence
from dataclasses import dataclass

from engine.ruleset import Event
from liars_dice.state import Challenged, View
from pbem.board.board import Board, Drawing, TableFacts
from pbem.board.faces import Words, fit, legible
from pbem.board.palette import CREAM, GILT, INK, Arms, arms_of
from pbem.board.templates import BoardTemplates

TEMPLATES = BoardTemplates("liars_dice", "templates/board")
WIDE, TOP, ROW, DIE = 560, 130, 84, 46
PIPS = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, 1), (-1, 1), (1, -1)),
    5: ((-1, -1), (1, 1), (-1, 1), (1, -1), (0, 0)),
    6: ((-1, -1), (1, 1), (-1, 1), (1, -1), (-1, 0), (1, 0)),
}


@dataclass(frozen=True, slots=True)
class Seat:
    """What everybody may see of a player; dice under the cup are 0."""

    name: str
    colour: str
    dice: tuple[int, ...]
    acts: bool
    wins: bool


@dataclass(frozen=True, slots=True)
class Scene:
    """All that is drawn; `bid` is empty where there is none."""

    title: str
    round: int
    bid: str
    is_over: bool
    shown: bool
    seats: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class Die:
    """A die in the picture, with the middles of its pips."""

    x: float
    y: float
    pips: tuple[tuple[float, float], ...]


@dataclass(frozen=True, slots=True)
class Row:
    """A player's row: the coat as the kit's `coat` draws it, and the dice."""

    colour: str
    x: float
    y: float
    arms: Arms
    dice: tuple[Die, ...]
    acts: bool
    k: float = 1.0
    start: bool = True


def stage(view: View, events: Sequence[Event], about: TableFacts) -> Scene:
    """The scene of what the public may see. After a challenge its dice are shown once more."""
    last = [event.facts for event in events if isinstance(event.facts, Challenged)]
    doubt = last[-1] if last and not view.bids else None
    hands = dict(doubt.hands) if doubt else {}
    seats = tuple(
        Seat(
            legible(one.name, f"Player {one.number}"),
            one.colour,
            hands.get(one.number, ()) if doubt else one.dice,
            one.number == view.to_act and view.stage == "turn",
            one.number in view.winners,
        )
        for one in view.players
    )
    bid = doubt.words if doubt else view.bid_words
    return Scene(
        about.title,
        doubt.round if doubt else view.turn,
        bid,
        view.stage == "over",
        doubt is not None,
        seats,
    )


def draw(scene: Scene, land: bytes) -> Drawing:
    """The picture of a scene, and the same in words."""
    title, size = fit(legible(scene.title, "The table"), 30, WIDE - 60, 18, "serif")
    heading, high = fit(TEMPLATES.say("heading", scene), 26, WIDE - 60, 16)
    words = [Words(title, 30, 50, size, CREAM, "serif"), Words(heading, 30, 96, high, GILT)]
    rows = []
    for at, seat in enumerate(scene.seats):
        y = TOP + at * ROW + ROW / 2
        name, size = fit(seat.name, 26, 150, 15)
        words.append(Words(name, 96, y - 2, size, INK))
        words.append(Words(TEMPLATES.say("hand", seat), 96, y + 26, 18, INK))
        dice = tuple(
            _die(260 + place * (DIE + 10) + DIE / 2, y, face)
            for place, face in enumerate(seat.dice)
        )
        rows.append(Row(seat.colour, 56, y, arms_of(seat.colour), dice, seat.acts))
    svg = TEMPLATES.svg(
        "board.svg.j2",
        wide=WIDE,
        high=TOP + len(rows) * ROW + 20,
        top=TOP,
        row=ROW,
        die=DIE,
        words=words,
        rows=rows,
    )
    return Drawing(svg, TEMPLATES.text("alt.txt.j2", scene=scene))


def _die(x: float, y: float, face: int) -> Die:
    step = DIE * 0.28
    pips = PIPS.get(face, ())
    return Die(x, y, tuple((x + right * step, y + down * step) for right, down in pips))


BOARD = Board(stage, draw)
