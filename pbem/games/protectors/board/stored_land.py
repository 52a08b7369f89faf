"""A table's land, made once and stored with its game."""

from engine.protectors.view import TableView
from pbem.games.protectors.board.land import encode_land
from pbem.games.protectors.board.map_edges import draw_map
from pbem.games.protectors.board.mapfile import parse_map
from pbem.games.protectors.board.shores import make_land


def make_stored_land(view: TableView, seed: int, map_text: str) -> bytes:
    """The land of the generated map of this table, or of a GM's own. About 2 s. MapError (a
    ValueError) for a map that cannot be drawn.
    """
    island = view.island is not None
    land = (
        draw_map(parse_map(map_text), seed, island=island)
        if map_text
        else make_land(view.land, seed, island=island)
    )
    return encode_land(land)
