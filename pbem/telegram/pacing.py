"""Telegram's limits as arithmetic: when the next message may go. The caller keeps the record of
what went.
"""

from collections.abc import Iterable
from datetime import datetime, timedelta

SECOND = timedelta(seconds=1)
MINUTE = timedelta(minutes=1)
RECORD_FOR = MINUTE
"""No send older than this delays another one."""


A_SECOND = 30
A_SECOND_TO_A_CHAT = 1
A_MINUTE_TO_A_GROUP = 20
"""At most this many messages; edits count as messages."""


def next_send_at(
    now: datetime,
    *,
    in_all: Iterable[datetime],
    to_chat: Iterable[datetime],
    is_group: bool,
) -> datetime:
    """The instant from which the next message may go to this chat: `now`, or later.

    `in_all` and `to_chat` are the instants of earlier sends, in any order; `to_chat` those to this
    very chat. Sends that are already planned for later count as well.
    """
    chat = sorted(to_chat)
    waits = [
        _free_from(sorted(in_all), A_SECOND, SECOND),
        _free_from(chat, A_SECOND_TO_A_CHAT, SECOND),
        _free_from(chat, A_MINUTE_TO_A_GROUP, MINUTE) if is_group else None,
    ]
    return max([now, *(wait for wait in waits if wait is not None)])


def _free_from(sends: list[datetime], most: int, window: timedelta) -> datetime | None:
    return sends[-most] + window if len(sends) >= most else None
