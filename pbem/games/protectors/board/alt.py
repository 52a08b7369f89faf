"""The picture in words: its alternative text, which lists every province. Not escaped: the page that prints it does that."""

from pbem.board.palette import ARMS
from pbem.games.protectors.board.scene import Scene
from pbem.board.words import text_templates


def describe(scene: Scene) -> str:
    """What the picture shows, in one paragraph of plain text."""
    names = {seat.colour: seat.name for bracket in (*scene.ranking, scene.out) for seat in bracket}
    symbols = {arms.colour: arms.symbol for arms in ARMS}
    text = text_templates().get_template("alt.txt.j2").render(scene=scene, names=names, symbols=symbols)
    return " ".join(text.split())
