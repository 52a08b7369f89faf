"""Liar's Dice, as the house takes it: what `pyproject.toml` names in the group `pbem.games`."""

from liars_dice.board import BOARD
from liars_dice.pages import MENU, PAGES
from liars_dice.play import PLAY
from liars_dice.reading import READER, read_correction
from liars_dice.rules import RULES
from liars_dice.state import FACES, PLURALS, State
from pbem.board.palette import COLOURS, SYMBOLS
from pbem.game import Cases, Game
from pbem.grammar.usual import parse_which_turn

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
    reserved_words=(*COLOURS, *SYMBOLS, *FACES, *PLURALS, "bid", "liar", "dice"),
    vocabulary=READER.vocabulary,
)
