"""A game master's mail: its lines are commands, and each is carried out once, however often the
mail arrives.
"""

from pbem.desk.gm_commands.confirming import PURPOSE, ask_master, settle_command
from pbem.desk.gm_commands.executing import Commanded, carry_out, take_commands
from pbem.desk.gm_commands.linking import is_about_telegram

__all__ = [
    "PURPOSE",
    "Commanded",
    "ask_master",
    "carry_out",
    "is_about_telegram",
    "settle_command",
    "take_commands",
]
