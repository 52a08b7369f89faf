"""The picture: the lot on offer, the shelf of the others, and a row for each player."""

from collections.abc import Sequence
from dataclasses import dataclass

from engine.ruleset import Event
from pbem.board.board import Board, Drawing, TableFacts
from pbem.board.faces import Words, fit, legible
from pbem.board.palette import CREAM, GILT, INK, Coat, arms_of
from pbem.board.templates import BoardTemplates
from sealed_lots.rules import LOTS, View

TEMPLATES = BoardTemplates("sealed_lots", "templates/board")
WIDE, TOP, ROW = 800, 190, 84
GOODS = {
    "amber": "#e39a2d",
    "silk": "#d98bb0",
    "spice": "#c8502f",
    "timber": "#8a6a45",
    "wine": "#7d2346",
}


def key_of(lot: str) -> str:
    """A lot in the picture and in links: one word."""
    return lot.replace(" ", "-")


@dataclass(frozen=True, slots=True)
class Seat:
    """What everybody may see of a player."""

    name: str
    colour: str
    coins: int
    lots: tuple[str, ...]
    gone: bool
    wins: bool


@dataclass(frozen=True, slots=True)
class Scene:
    """All that is drawn."""

    title: str
    round: int
    lot: str
    shelf: tuple[str, ...]
    seats: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class Card:
    """A lot on the picture; `colour` is its buyer's."""

    key: str
    colour: str
    x: float
    y: float
    scale: float
    fill: str
    words: tuple[Words, ...]


def stage(view: View, events: Sequence[Event], about: TableFacts) -> Scene:
    """The scene of what the public may see."""
    seats = tuple(
        Seat(
            legible(player.name, f"Player {player.number}"),
            player.colour,
            player.coins,
            player.lots,
            player.gone,
            player.number in view.winners,
        )
        for player in view.players
    )
    taken = {view.lot, *(lot for player in view.players for lot in player.lots)}
    shelf = tuple(lot for lot in LOTS if lot not in taken)
    return Scene(about.title, view.turn, view.lot, shelf, seats)


def draw(scene: Scene, land: bytes) -> Drawing:
    """The picture of a scene, and the same in words."""
    say = TEMPLATES.say
    title, size = fit(legible(scene.title, "The table"), 30, 470, 18, "serif")
    words = [
        Words(title, 30, 54, size, CREAM, "serif"),
        Words(say("heading", scene.round, scene.lot), 30, 96, 24, GILT),
    ]
    cards = [_card(scene.lot, "", 636, 34)] if scene.lot else []
    cards += [_card(lot, "", 30 + at * 60, 108, 0.45) for at, lot in enumerate(scene.shelf)]
    coats = []
    for i, seat in enumerate(scene.seats):
        y = TOP + i * ROW
        name, size = fit(seat.name, 26, 170, 15)
        coats.append(Coat(seat.colour, 52, y + ROW / 2, arms_of(seat.colour)))
        words.append(Words(name, 96, y + 38, size, INK))
        words.append(Words(say("purse", seat), 96, y + 66, 19, INK))
        cards += [
            _card(lot, seat.colour, 280 + at * 62, y + 8, 0.45) for at, lot in enumerate(seat.lots)
        ]
    high = TOP + len(scene.seats) * ROW + 20
    svg = TEMPLATES.svg(
        "board.svg.j2", wide=WIDE, high=high, top=TOP, words=words, cards=cards, coats=coats
    )
    return Drawing(svg, TEMPLATES.text("alt.txt.j2", scene=scene))


def _card(lot: str, colour: str, x: float, y: float, scale: float = 1.0) -> Card:
    kind, worth = lot.split()
    text, size = fit(kind, max(32 * scale, 17), 118 * scale, 11)
    words = tuple(
        Words(line, x + 65 * scale, y + low * scale, high, INK, anchor="middle", halo=CREAM)
        for line, low, high in ((text, 76, size), (worth, 118, max(40 * scale, 18)))
    )
    return Card(key_of(lot), colour, x, y, scale, GOODS[kind], words)


BOARD = Board(stage, draw)
