"""How a game master asks: for a table, for orders, for what would happen."""

from typing import Any

from pbem.grammar.gm import commands as c
from pbem.grammar.gm.quoting import say
from pbem.grammar.gm.word import Word, alone, of_player

WORDS: tuple[Word[Any], ...] = (
    alone(c.Status),
    alone(c.Games),
    of_player(c.Look, lambda command: f"look at {say(command.player)}'s orders"),
    alone(c.Predict),
    alone(c.Help),
)
