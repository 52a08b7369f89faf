"""A game master's mail: its lines are commands, and each is carried out once, however often the
mail arrives.
"""

from pbem.desk.gm_commands.confirming import PURPOSE, ask_master, settle_command
from pbem.desk.gm_commands.executing import (
    Commanded,
    carry_out,
    commands_of,
    is_bare_yes,
    take_answer_of_master,
)
from pbem.desk.gm_commands.places import is_about_oneself

__all__ = [
    "PURPOSE",
    "Commanded",
    "ask_master",
    "carry_out",
    "commands_of",
    "is_about_oneself",
    "is_bare_yes",
    "settle_command",
    "take_answer_of_master",
]
