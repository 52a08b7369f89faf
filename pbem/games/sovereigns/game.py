"""States & Sovereigns, as the house takes it."""

from engine.sovereigns.positions.expectation import UNORDERED
from engine.sovereigns.ruleset import SOVEREIGNS
from pbem.board.board import Board
from pbem.board.palette import COLOURS, SYMBOLS
from pbem.game import Cases, Game
from pbem.games.sovereigns.board.scene_of import build_scene
from pbem.games.sovereigns.pages.cast import BOOK
from pbem.games.sovereigns.pages.letters import PAGES
from pbem.games.sovereigns.pages.menu import MENU
from pbem.games.sovereigns.play.script import PLAY
from pbem.games.sovereigns.reading.words import reserved_words
from pbem.later import Later

_READING = f"{__package__}.reading"

GAME = Game(
    contract_version=7,
    ruleset=SOVEREIGNS,
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
        Later("engine.sovereigns.positions.position:parse_position"),
        Later("engine.sovereigns.positions.position:parse_standings"),
        Later("engine.sovereigns.positions.position_out:format_position"),
        Later("engine.sovereigns.positions.expectation:parse_expectation"),
        Later("engine.sovereigns.positions.position_words:names_of"),
        UNORDERED,
        Later("engine.sovereigns.positions.expectation:read_command"),
        True,
        Later("engine.sovereigns.positions.expectation:tell_event"),
    ),
    read_question=Later(f"{_READING}.questions:parse_question"),
    read_supposition=Later(f"{_READING}.suppositions:read_supposition"),
    read_ruling=Later(f"{_READING}.rulings:read_ruling"),
    ruling_words=frozenset(
        {"approve", "refuse", "amend", "uphold", "deny", "diff", "contest", "stands"}
    ),
    menu=MENU,
    pictured=6,
    called=lambda view, number: (view.kingdom(number).name,),
    place=40,
)
