"""What can be asked about a game of Realm-Master: its past, turn by turn, and the odds of dice that
are still to be thrown.

A question holds numbers and keys alone; whoever reads it out of words, and whoever answers it, are
elsewhere.
"""

from typing import Literal, get_args

import msgspec

from engine.realm_master.conditions import Face

Topic = Literal["hearts", "gold", "banners", "attack", "turn", "round", "ranking", "death", "end"]
TOPICS: tuple[Topic, ...] = get_args(Topic)


class Question(msgspec.Struct, frozen=True):
    """Why something came out as it did. None: not said; then it is the newest time that has an
    answer, and whoever asks.

    `lost`: what is asked about went down.
    """

    topic: Topic
    player: int | None = None
    turn: int | None = None
    round: int | None = None
    lost: bool = False


class Odds(msgspec.Struct, frozen=True):
    """How likely so many dice show a face. `keep` are the places of dice on the table that are kept
    (None: those that show it).
    """

    face: Face
    number: int
    keep: tuple[int, ...] | None = None
