"""Fortresses, as the house takes it."""

from engine.fortresses.atlas import KINGDOMS, atlas
from engine.fortresses.positions.expectation import UNORDERED
from engine.fortresses.ruleset import FORTRESSES
from pbem.board.board import Board
from pbem.board.palette import COLOURS, SYMBOLS
from pbem.game import Cases, Game
from pbem.games.fortresses.board.scene_of import build_scene
from pbem.games.fortresses.pages.cast import BOOK
from pbem.games.fortresses.pages.letters import PAGES
from pbem.games.fortresses.pages.menu import MENU
from pbem.games.fortresses.play.script import PLAY
from pbem.games.fortresses.reading.words import reserved_words
from pbem.later import Later

_READING = f"{__package__}.reading"
_TAKEN = frozenset({"red", "blue", "sky", "yellow", "white", "grey", "black"})
"""Colours of people that would be taken for one of the four kingdoms', or for the Black Sea."""

GAME = Game(
    contract_version=7,
    ruleset=FORTRESSES,
    read=Later(f"{_READING}.reader:READER.read"),
    read_canonical=Later(f"{_READING}.reader:READER.read_canonical"),
    read_correction=Later(f"{_READING}.corrections:read_correction"),
    pages=PAGES,
    board=Board(build_scene, Later(f"{__package__}.board.drawing:draw")),
    book=BOOK,
    colours=tuple(colour for colour in COLOURS if colour not in _TAKEN),
    reserved_words=(*COLOURS, *SYMBOLS, *KINGDOMS, *reserved_words()),
    vocabulary=Later(f"{_READING}.words:vocabulary"),
    play=PLAY,
    cases=Cases(
        Later(f"{_READING}.reader:read_case"),
        Later("engine.fortresses.positions.position:parse_position"),
        Later("engine.fortresses.positions.position:parse_standings"),
        Later("engine.fortresses.positions.position_out:format_position"),
        Later("engine.fortresses.positions.expectation:parse_expectation"),
        Later("engine.fortresses.positions.position_words:names_of"),
        UNORDERED,
        tell_event=Later("engine.fortresses.positions.expectation:tell_event"),
    ),
    read_question=Later(f"{_READING}.questions:parse_question"),
    read_supposition=Later(f"{_READING}.suppositions:read_supposition"),
    menu=MENU,
    map=atlas(),
    pictured=3,
    place=30,
)
