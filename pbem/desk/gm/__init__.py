"""What a game master does with a table. Each command is logged, and carried out once however often
it is asked for.

A name's module is imported when the name is first asked for: who only looks needs few of them.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from pbem.desk.mandate import AlreadyDone, By, Refused, find_game

if TYPE_CHECKING:
    from pbem.desk.gm.acts import apply_act
    from pbem.desk.gm.deadlines import close_now, extend, pause, resume
    from pbem.desk.gm.history import end, roll_back
    from pbem.desk.gm.insights import look
    from pbem.desk.gm.people import announce, answer_note, replace, unlock
    from pbem.desk.gm.rulings import correct, rule
    from pbem.desk.gm.starts import seat_in_team, start
    from pbem.desk.gm.strikes import pardon, strike
    from pbem.desk.gm.table_rules import TableChanges, change_options, change_table
    from pbem.desk.gm.tables import NewTable, invite, open_table

__all__ = [
    "AlreadyDone",
    "By",
    "NewTable",
    "Refused",
    "TableChanges",
    "announce",
    "answer_note",
    "apply_act",
    "change_options",
    "change_table",
    "close_now",
    "correct",
    "end",
    "extend",
    "find_game",
    "invite",
    "look",
    "open_table",
    "pardon",
    "pause",
    "replace",
    "resume",
    "roll_back",
    "rule",
    "seat_in_team",
    "start",
    "strike",
    "unlock",
]

_MODULES = {
    "apply_act": "acts",
    "correct": "rulings",
    "close_now": "deadlines",
    "extend": "deadlines",
    "pause": "deadlines",
    "resume": "deadlines",
    "seat_in_team": "starts",
    "end": "history",
    "roll_back": "history",
    "rule": "rulings",
    "look": "insights",
    "NewTable": "tables",
    "TableChanges": "table_rules",
    "change_options": "table_rules",
    "change_table": "table_rules",
    "invite": "tables",
    "open_table": "tables",
    "announce": "people",
    "answer_note": "people",
    "replace": "people",
    "unlock": "people",
    "start": "starts",
    "pardon": "strikes",
    "strike": "strikes",
}


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = globals()[name] = getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
    return found
