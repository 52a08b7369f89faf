"""What a picture of any game says about its table."""

from datetime import datetime

import msgspec


class TableFacts(msgspec.Struct, frozen=True):
    """What the service knows and the engine does not: the table's name, the kind of the open phase, when it closes.

    `deadline` is aware (None: nothing is due); `zone` is the table's IANA zone. ZoneInfoNotFoundError for an unknown zone.
    `hypothesis`: somebody supposes all this.
    """

    title: str
    phase: str
    deadline: datetime | None = None
    zone: str = "UTC"
    hypothesis: bool = False
