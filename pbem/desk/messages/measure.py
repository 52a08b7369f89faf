"""How many words of one message are answered: of those that only show something a few, and all that
do something.
"""

from collections.abc import Sequence

from pbem.grammar.house import commands as c
from pbem.grammar.house.formatting import format_command
from pbem.grammar.people import ReadLog, Watchers

SHOWN_A_MESSAGE = 5
DONE_A_MESSAGE = 40
"""More of them than anybody means in one message."""

SHOWING: frozenset[type[c.AnyCommand]] = frozenset(
    {
        c.Status,
        c.Players,
        c.ShowMap,
        c.TextBoard,
        c.Orders,
        c.Preview,
        c.WhatIf,
        c.Why,
        c.History,
        c.Happened,
        c.Help,
        c.HelpOrders,
        c.Rule,
        c.Record,
        c.Resend,
        c.Deadlines,
        c.Veterans,
        c.OwnZone,
        c.OwnLanguage,
        c.HowToJoin,
        c.Profile,
        c.HallOfFame,
        c.PressHelp,
        c.PressList,
        c.Absences,
        ReadLog,
        Watchers,
    }
)


def limit_words(
    commands: Sequence[c.AnyCommand], most: int = SHOWN_A_MESSAGE
) -> tuple[list[c.AnyCommand], tuple[str, ...]]:
    """Those that are answered, and the lines of the others."""
    left = {True: most, False: DONE_A_MESSAGE}
    heard: list[c.AnyCommand] = []
    cut: list[str] = []
    for command in commands:
        shows = type(command) in SHOWING or command == c.Settings()
        left[shows] -= 1
        if left[shows] >= 0:
            heard.append(command)
        else:
            cut.append(format_command(command))
    return heard, tuple(dict.fromkeys(cut))
