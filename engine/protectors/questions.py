"""What can be asked about the past of a game: one matter, of which province, player and turn.

A question holds only numbers; reading it from words and answering it happen elsewhere.
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
    """Why something happened as it did. None: not said, so the newest turn that has an answer, and
    the player who asks.

    `province` 0 is the Island; `player` is the subject of the question, `order` the kind of order.
    """

    topic: Topic
    province: int | None = None
    player: int | None = None
    turn: int | None = None
    order: OrderKind | None = None
