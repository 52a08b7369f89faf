"""Straits, as the house takes it: what `pyproject.toml` names in the group `pbem.games`."""

from pbem.board.palette import COLOURS, SYMBOLS
from pbem.game import Cases, Game
from pbem.grammar.usual import parse_which_turn
from straits.board import BOARD
from straits.pages import MENU, PAGES
from straits.play import PLAY
from straits.reading import READER, read_correction
from straits.rules import RULES
from straits.state import MAP, State

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
    reserved_words=(*COLOURS, *SYMBOLS, "army", "fleet", "year"),
    vocabulary=READER.vocabulary,
    map=MAP,
)
