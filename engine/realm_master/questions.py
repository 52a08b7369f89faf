"""What can be asked about a game of Realm-Master: its past, turn by turn, and the odds of dice.

A question holds only numbers and keys; reading it from words and answering it happen elsewhere.
"""

from typing import Literal, get_args

import msgspec

from engine.realm_master.conditions import Face

Topic = Literal["hearts", "gold", "banners", "attack", "turn", "round", "ranking", "death", "end"]
TOPICS: tuple[Topic, ...] = get_args(Topic)


class Question(msgspec.Struct, frozen=True):
    """Why something happened as it did. None: not said, so the newest time that has an answer, and
    the player who asks.

    `lost`: the question is about a loss.
    """

    topic: Topic
    player: int | None = None
    turn: int | None = None
    round: int | None = None
    lost: bool = False


class Odds(msgspec.Struct, frozen=True):
    """How likely this many dice show a face. `keep` are the places of dice on the table that are
    kept (None: those that show it).
    """

    face: Face
    number: int
    keep: tuple[int, ...] | None = None
