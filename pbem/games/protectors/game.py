"""Protectors of the Realm, as the house takes it."""

from engine.protectors.colours import COLOURS, SYMBOLS
from engine.protectors.positions.expectation import UNORDERED
from engine.protectors.ruleset import PROTECTORS
from engine.protectors.view import TableView
from pbem.board.board import Board
from pbem.game import Cases, Game
from pbem.games.protectors.board.scene_of import build_scene
from pbem.games.protectors.pages.book import BOOK
from pbem.games.protectors.pages.letters import PAGES
from pbem.games.protectors.pages.menu import MENU
from pbem.games.protectors.play.script import PLAY
from pbem.later import Later

_READING = f"{__package__}.reading"
_BOARD = f"{__package__}.board"


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
    contract_version=7,
    ruleset=PROTECTORS,
    read=Later(f"{_READING}.reader:READER.read"),
    read_canonical=Later(f"{_READING}.reader:READER.read_canonical"),
    read_correction=Later(f"{_READING}.corrections:read_correction"),
    pages=PAGES,
    board=Board(
        build_scene,
        Later(f"{_BOARD}.drawing:draw_on"),
        Later(f"{_BOARD}.stored_land:make_stored_land"),
    ),
    book=BOOK,
    colours=COLOURS,
    reserved_words=(*COLOURS, *SYMBOLS.values()),
    vocabulary=Later(f"{_READING}.dialect:lexicon"),
    play=PLAY,
    cases=Cases(
        Later(f"{_READING}.reader:read_case"),
        Later("engine.protectors.positions.position:parse_position"),
        Later("engine.protectors.positions.position:parse_standings"),
        Later("engine.protectors.positions.position_out:format_position"),
        Later("engine.protectors.positions.expectation:parse_expectation"),
        Later("engine.protectors.positions.position_words:names_of"),
        UNORDERED,
    ),
    read_map=Later(f"{_BOARD}.mapfile:read_map"),
    read_question=Later(f"{_READING}.questions:parse_question"),
    read_supposition=Later(f"{_READING}.suppositions:read_supposition"),
    menu=MENU,
    team_mates=team_mates,
    place=10,
)
