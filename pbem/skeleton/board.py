"""The picture: a name and a coat for each player."""

from collections.abc import Sequence
from dataclasses import dataclass

from engine.ruleset import Event
from pbem.board.board import Board, Drawing, TableFacts
from pbem.board.faces import Words, fit, legible
from pbem.board.palette import CREAM, INK, Coat, arms_of
from pbem.board.templates import BoardTemplates

from .rules import View

TEMPLATES = BoardTemplates(__package__, "templates/board")
WIDE, TOP, ROW = 640, 80, 70


@dataclass(frozen=True, slots=True)
class Scene:
    """All that is drawn; `seats` are names with their colours."""

    title: str
    round: int
    secret: int
    seats: tuple[tuple[str, str], ...]


def stage(view: View, events: Sequence[Event], about: TableFacts) -> Scene:
    """The scene of what the public may see."""
    seats = tuple((legible(one.name, f"Player {one.number}"), one.colour) for one in view.players)
    return Scene(about.title, view.turn, view.secret, seats)


def draw(scene: Scene, land: bytes) -> Drawing:
    """The picture of a scene, and the same in words."""
    heading = TEMPLATES.say("heading", scene.round, scene.secret)
    title, size = fit(f"{legible(scene.title, 'The table')}: {heading}", 30, WIDE - 60, 16, "serif")
    words, coats = [Words(title, 30, 50, size, CREAM, "serif")], []
    for at, (name, colour) in enumerate(scene.seats):
        y = TOP + at * ROW + ROW / 2
        text, size = fit(name, 28, WIDE - 150, 15)
        coats.append(Coat(colour, 60, y, arms_of(colour)))
        words.append(Words(text, 110, y + 10, size, INK))
    high = TOP + len(scene.seats) * ROW + 20
    svg = TEMPLATES.svg("board.svg.j2", wide=WIDE, high=high, top=TOP, words=words, coats=coats)
    return Drawing(svg, TEMPLATES.text("alt.txt.j2", scene=scene))


BOARD = Board(stage, draw)
