"""How a game master asks: for a table, for orders, for what would happen."""

from typing import Any

from pbem.grammar.gm import commands as c
from pbem.grammar.gm.commands import Lexicon
from pbem.grammar.gm.naming import player_of, table_alone
from pbem.grammar.gm.quoting import say
from pbem.grammar.gm.word import Word


def _look(rest: str, table: str, lexicon: Lexicon) -> c.Look:
    player, table = player_of(rest, table, lexicon)
    return c.Look(player=player, table=table)


WORDS: tuple[Word[Any], ...] = (
    Word(
        c.Status,
        ("status", "summary", "state"),
        "status",
        "status heron",
        parse=lambda rest, table, _lexicon: c.Status(table=table_alone(rest, table)),
    ),
    Word(
        c.Games,
        ("games", "list games", "list tables", "tables", "list"),
        "games",
        "games",
        parse=lambda _rest, _table, _lexicon: c.Games(),
    ),
    Word(
        c.Look,
        ("look at the orders of", "look at", "look", "show orders of", "become"),
        "look at PLAYER's orders",
        "look at Ben's orders",
        parse=_look,
        format=lambda command: f"look at {say(command.player)}'s orders",
        dangerous=True,
    ),
    Word(
        c.Predict,
        ("predict", "foresee", "what would happen"),
        "predict",
        "predict heron",
        parse=lambda rest, table, _lexicon: c.Predict(table=table_alone(rest, table)),
        dangerous=True,
    ),
    Word(
        c.Help,
        ("help", "commands", "get help"),
        "help",
        "help",
        parse=lambda _rest, _table, _lexicon: c.Help(),
    ),
)
