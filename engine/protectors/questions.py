"""What can be asked about the past of a game: one matter, of which province, player and turn.

A question holds numbers alone; whoever reads it out of words, and whoever answers it, are
elsewhere.
"""

from typing import Literal, get_args

import msgspec

Topic = Literal[
    "province",
    "battles",
    "orders",
    "bid",
    "ranking",
    "dragon",
    "cards",
    "money",
    "pirates",
    "elimination",
    "abilities",
    "end",
]
"""`battles`: without a province, and whatever else cost units; `abilities`: factions, the Island
and its Sanctum too.
"""

TOPICS: tuple[Topic, ...] = get_args(Topic)

OrderKind = Literal["march", "support", "fortify", "work"]


class Question(msgspec.Struct, frozen=True):
    """Why something came out as it did. None: not said; then it is the newest turn that has an
    answer, and whoever asks.

    `province` 0 is the Island; `player` is the one who is asked about; `order` the one kind of
    order that is.
    """

    topic: Topic
    province: int | None = None
    player: int | None = None
    turn: int | None = None
    order: OrderKind | None = None
