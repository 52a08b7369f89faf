"""The game, as the house takes it: what `pyproject.toml` names in the group `pbem.games`."""

from pbem.board.palette import COLOURS, SYMBOLS
from pbem.game import Cases, Game
from pbem.grammar.usual import parse_which_turn

from .board import BOARD
from .pages import MENU, PAGES
from .play import PLAY
from .reading import READER, read_correction
from .rules import RULES, State

GAME = Game(
    contract_version=7,
    ruleset=RULES,
    read=READER.read,
    read_canonical=READER.read_canonical,
    read_correction=read_correction,
    read_question=parse_which_turn,
    pages=PAGES,
    board=BOARD,
    book=PAGES.book,
    menu=MENU,
    play=PLAY,
    cases=Cases.of_struct(READER.read, RULES, State),
    colours=COLOURS,
    reserved_words=(*COLOURS, *SYMBOLS, "guess"),
    vocabulary=READER.vocabulary,
)
