"""What the desk asks to be done soon: a use case and its ids, never data."""

from dataclasses import dataclass
from typing import Literal, Protocol

JobName = Literal[
    "receive",  # a message of the inbox
    "close_phase",  # a game, and the number of its phase
    "deliver",  # a letter of the outbox
    "let_run_out",  # a game, and the number of its phase, of which something has run out
    "ask_master",  # a game, something of which waits for its game master's word
    "remind",  # a game, and the number of its phase
    "tend_table",  # a table that has not begun, or people of one that runs
    "settle_motion",  # a vote whose time is over
    "end_question",  # a question that nobody has answered in time
    "tell_press",  # a reader whose hour has come
    "keep_house",
]


@dataclass(frozen=True, slots=True, order=True)
class Job:
    """One request. It may be done twice, or never: the sweep asks again for whatever is due."""

    name: JobName
    ids: tuple[int, ...] = ()


class Jobs(Protocol):
    """Asks for work to be done soon."""

    def ask(self, job: Job) -> None: ...
