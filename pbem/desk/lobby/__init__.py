"""Tables that have not begun: joining by code, seats, names and colours, votes, and leaving
again.
"""

from pbem.desk.lobby.join_questions import PURPOSE
from pbem.desk.lobby.joins import ask_joiner, settle_join, wants_to_join

__all__ = ["PURPOSE", "ask_joiner", "settle_join", "wants_to_join"]
