"""The board: the kit's map, with what this game shows on it."""

from collections.abc import Sequence

from engine.ruleset import Event
from pbem.board.board import Board, Drawing, TableFacts
from pbem.board.maps import MapArrow, MapPiece, MapScene, MapSeat, Sign, draw_map
from straits.state import MAP, PORTS, Carried, Kind, State, Unit

LEGEND = (
    ("shield", "an army"),
    ("ship", "a fleet"),
    ("mark", "a port"),
    ("go", "moves there"),
    ("help", "supports"),
    ("fail", "in vain, or beaten"),
)
SIGNS: dict[Kind, Sign] = {"army": "shield", "fleet": "ship"}
HEADINGS = {"orders": "orders", "muster": "retreats and builds", "over": "the end"}


def stage(view: State, events: Sequence[Event], about: TableFacts) -> MapScene:
    """The scene of what everybody sees."""
    colours = {one.number: one.colour for one in view.players}

    def piece(unit: Unit, *, is_out: bool = False) -> MapPiece:
        return MapPiece(unit.at, colours[unit.owner], SIGNS[unit.kind], unit.kind, is_out)

    carried = [event.facts for event in events if isinstance(event.facts, Carried)]
    last = max((one.year for one in carried), default=0)
    return MapScene.of(
        about,
        f"Year {view.turn}: {HEADINGS[view.stage]}",
        holders={place: colours[holder] for place, holder in view.ports},
        pieces=(
            *map(piece, view.units),
            *(piece(one.unit, is_out=True) for one in view.beaten),
        ),
        arrows=tuple(
            MapArrow(
                one.unit,
                one.target or one.of,
                colours[one.player],
                bool(one.of),
                one.of if one.target else "",
                not one.works,
            )
            for one in carried
            if one.year == last and (one.target or one.of)
        ),
        seats=tuple(
            MapSeat(one.colour, one.name, f"{len(view.held(one.number))} ports", one.gone)
            for one in view.players
        ),
        marked=PORTS,
        legend=LEGEND,
    )


def draw(scene: MapScene, land: bytes) -> Drawing:
    return draw_map(MAP, scene, water=("sea",))


BOARD = Board(stage, draw)
