"""The picture in words: its alternative text, which lists every province. Not escaped: the page
that prints it does that.
"""

from pbem.board.palette import ARMS
from pbem.games.protectors.board.scene import Scene
from pbem.games.protectors.board.words import TEMPLATES


def describe(scene: Scene) -> str:
    """What the picture shows, in one paragraph of plain text."""
    names = {seat.colour: seat.name for bracket in (*scene.ranking, scene.out) for seat in bracket}
    symbols = {arms.colour: arms.symbol for arms in ARMS}
    return TEMPLATES.text("alt.txt.j2", scene=scene, names=names, symbols=symbols)
