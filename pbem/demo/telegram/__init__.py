"""A stand-in for Telegram within this process: the Bot API over HTTP, and users who write, tap and
look at their chats.
"""

from pbem.demo.telegram.chats import Shown
from pbem.demo.telegram.faults import Fault
from pbem.demo.telegram.network import Tap
from pbem.demo.telegram.people import Group, User
from pbem.demo.telegram.server import TelegramStandIn

__all__ = ["Fault", "Group", "Shown", "Tap", "TelegramStandIn", "User"]
