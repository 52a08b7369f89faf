"""What a game master does with a table. Each command is logged, and carried out once however often it is asked for."""

from pbem.desk.gm.deadlines import close_now, extend
from pbem.desk.gm.mandate import AlreadyDone, By, Refused, find_game
from pbem.desk.gm.opening import NewTable, change_options, invite, open_table
from pbem.desk.gm.starting import start

__all__ = [
    "AlreadyDone",
    "By",
    "NewTable",
    "Refused",
    "change_options",
    "close_now",
    "extend",
    "find_game",
    "invite",
    "open_table",
    "start",
]
