"""What can be asked about the past of a game."""

from typing import Literal

import msgspec

from engine.fortresses.atlas import Kingdom

Topic = Literal["battles", "income", "purchase", "home", "end", "all"]


class Question(msgspec.Struct, frozen=True):
    """Why something came out as it did: in a zone, of a kingdom, in a Year; where that is not
    named, the latest there is. `round` is one of a battle's.
    """

    topic: Topic
    zone: str | None = None
    kingdom: Kingdom | None = None
    year: int | None = None
    round: int | None = None
