"""How much of a message is heard, and what of it was understood."""

from collections.abc import Sequence

from pbem.grammar.house import commands as c
from pbem.grammar.house.formatting import format_command
from pbem.grammar.kit.reading import Reading
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


def has_orders(reading: Reading) -> bool:
    """Whether anything in it was meant as an order; a message without that is a
    note.
    """
    if reading.answers is not None:
        return True
    return any(
        item.orders or item.dropped or any(problem.code != "no-order" for problem in item.problems)
        for item in reading.items
    )


def is_addressed(reading: Reading) -> bool:
    """Whether the note is what stands behind `GM:`, and not all that nobody understood."""
    return reading.note is not None and not reading.items


def is_wholly_understood(reading: Reading) -> bool:
    """Whether nothing in it was left unread or refused."""
    return not any(not problem.warning for item in reading.items for problem in item.problems)
