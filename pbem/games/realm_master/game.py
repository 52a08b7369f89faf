"""Realm-Master, as the house takes it."""

from engine.realm_master.expectation import UNORDERED, parse_expectation
from engine.realm_master.position import parse_position, parse_standings
from engine.realm_master.position_out import format_position
from engine.realm_master.position_words import names_of
from engine.realm_master.ruleset import REALM_MASTER
from pbem.board.board import Board
from pbem.board.palette import COLOURS, SYMBOLS
from pbem.game import Cases, Game
from pbem.games.realm_master.board.drawing import draw
from pbem.games.realm_master.board.scene_of import build_scene
from pbem.games.realm_master.pages.cast import BOOK
from pbem.games.realm_master.pages.letters import PAGES
from pbem.games.realm_master.pages.menu import MENU
from pbem.games.realm_master.play.script import PLAY
from pbem.games.realm_master.reading.correcting import read_correction
from pbem.games.realm_master.reading.reader import READER, RealmMasterReader
from pbem.games.realm_master.reading.why import parse_question
from pbem.games.realm_master.reading.words import reserved_words

GAME = Game(
    contract_version=1,
    ruleset=REALM_MASTER,
    read=READER.read,
    read_canonical=READER.read_canonical,
    read_correction=read_correction,
    pages=PAGES,
    board=Board(build_scene, draw),
    book=BOOK,
    colours=COLOURS,
    reserved_words=(*COLOURS, *SYMBOLS, *reserved_words()),
    play=PLAY,
    cases=Cases(
        RealmMasterReader(asks_back=False).read,
        parse_position,
        parse_standings,
        format_position,
        parse_expectation,
        names_of,
        UNORDERED,
    ),
    read_question=parse_question,
    menu=MENU,
    pictured=8,
    tells_in_questions=True,
    place=20,
)
