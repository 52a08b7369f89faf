"""Realm-Master, as the house takes it."""

from engine.realm_master.positions.expectation import UNORDERED
from engine.realm_master.ruleset import REALM_MASTER
from pbem.board.board import Board
from pbem.board.palette import COLOURS, SYMBOLS
from pbem.game import Cases, Game
from pbem.games.realm_master.board.scene_of import build_scene
from pbem.games.realm_master.pages.cast import BOOK
from pbem.games.realm_master.pages.letters import PAGES
from pbem.games.realm_master.pages.menu import MENU
from pbem.games.realm_master.play.script import PLAY
from pbem.games.realm_master.reading.words import reserved_words
from pbem.later import Later

_READING = f"{__package__}.reading"

GAME = Game(
    contract_version=7,
    ruleset=REALM_MASTER,
    read=Later(f"{_READING}.reader:READER.read"),
    read_canonical=Later(f"{_READING}.reader:READER.read_canonical"),
    read_correction=Later(f"{_READING}.corrections:read_correction"),
    pages=PAGES,
    board=Board(build_scene, Later(f"{__package__}.board.drawing:draw")),
    book=BOOK,
    colours=COLOURS,
    reserved_words=(*COLOURS, *SYMBOLS, *reserved_words()),
    vocabulary=Later(f"{_READING}.words:vocabulary"),
    play=PLAY,
    cases=Cases(
        Later(f"{_READING}.reader:read_case"),
        Later("engine.realm_master.positions.position:parse_position"),
        Later("engine.realm_master.positions.position:parse_standings"),
        Later("engine.realm_master.positions.position_out:format_position"),
        Later("engine.realm_master.positions.expectation:parse_expectation"),
        Later("engine.realm_master.positions.position_words:names_of"),
        UNORDERED,
    ),
    read_question=Later(f"{_READING}.questions:parse_question"),
    menu=MENU,
    pictured=8,
    place=20,
)
