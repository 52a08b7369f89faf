"""What a game master does with a table. Each command is logged, and carried out once however often
it is asked for.
"""

from pbem.desk.gm.acting import apply_act
from pbem.desk.gm.correcting import correct
from pbem.desk.gm.deadlines import close_now, extend, pause, resume
from pbem.desk.gm.forming import seat_in_team
from pbem.desk.gm.history import end, roll_back
from pbem.desk.gm.looking import look
from pbem.desk.gm.opening import NewTable, change_options, change_table, invite, open_table
from pbem.desk.gm.people import announce, answer_note, replace, unlock
from pbem.desk.gm.starting import start
from pbem.desk.gm.strikes import pardon, strike
from pbem.desk.mandate import AlreadyDone, By, Refused, find_game

__all__ = [
    "AlreadyDone",
    "By",
    "NewTable",
    "Refused",
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
    "seat_in_team",
    "start",
    "strike",
    "unlock",
]
