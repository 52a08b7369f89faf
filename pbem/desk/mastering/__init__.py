"""A game master's mail: its lines are commands, and each is carried out once, however often the mail arrives."""

from pbem.desk.mastering.asking import PURPOSE, ask_master, settle_command
from pbem.desk.mastering.carrying import Commanded, carry_out, take_commands
from pbem.desk.mastering.linking import is_about_telegram

__all__ = ["PURPOSE", "Commanded", "ask_master", "carry_out", "is_about_telegram", "settle_command", "take_commands"]
