"""Protectors of the Realm, as the house takes it."""

from collections.abc import Mapping

from engine.protectors.colours import COLOURS, SYMBOLS
from engine.protectors.expectation import UNORDERED, parse_expectation
from engine.protectors.position import parse_position, parse_standings
from engine.protectors.position_out import format_position
from engine.protectors.position_words import names_of
from engine.protectors.ruleset import PROTECTORS
from engine.protectors.view import TableView
from pbem.board.board import Board
from pbem.game import Cases, Game
from pbem.games.protectors.board.drawing import draw_on
from pbem.games.protectors.board.making import make_stored_land
from pbem.games.protectors.board.mapfile import parse_map
from pbem.games.protectors.board.scene_of import build_scene
from pbem.games.protectors.pages.book import BOOK
from pbem.games.protectors.pages.letters import PAGES
from pbem.games.protectors.pages.menu import MENU
from pbem.games.protectors.play.script import PLAY
from pbem.games.protectors.reading.correcting import read_correction
from pbem.games.protectors.reading.reader import READER
from pbem.games.protectors.reading.supposing import read_supposition
from pbem.games.protectors.reading.why import parse_question


def read_map(text: str) -> Mapping[str, object]:
    """A GM's own map as the table option `land`. MapError (a ValueError) names every fault with its
    line.
    """
    plan = parse_map(text).plan
    return {"provinces": plan.provinces, "borders": plan.borders, "starts": plan.starts}


def team_mates(view: TableView, player: int) -> tuple[int, ...]:
    """The others of this player's team."""
    return tuple(
        number
        for _, members in view.teams
        if player in members
        for number in members
        if number != player
    )


GAME = Game(
    contract_version=1,
    ruleset=PROTECTORS,
    read=READER.read,
    read_canonical=READER.read_canonical,
    read_correction=read_correction,
    pages=PAGES,
    board=Board(build_scene, draw_on, make_stored_land),
    book=BOOK,
    colours=COLOURS,
    reserved_words=(*COLOURS, *SYMBOLS.values()),
    play=PLAY,
    cases=Cases(
        READER.read,
        parse_position,
        parse_standings,
        format_position,
        parse_expectation,
        names_of,
        UNORDERED,
    ),
    read_map=read_map,
    read_question=parse_question,
    read_supposition=read_supposition,
    menu=MENU,
    team_mates=team_mates,
    place=10,
)
