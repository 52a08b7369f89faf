"""Telegram's limits as arithmetic: when the next message may go. The caller keeps the record of
what went.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

SECOND = timedelta(seconds=1)
MINUTE = timedelta(minutes=1)
RECORD_FOR = MINUTE
"""No send older than this delays another one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pace:
    """At most this many messages: a second in all, a second to one chat, a minute to one group.
    Edits count as messages.
    """

    a_second: int = 30
    a_second_to_a_chat: int = 1
    a_minute_to_a_group: int = 20


TELEGRAM = Pace()


def next_send_at(
    now: datetime,
    *,
    in_all: Iterable[datetime],
    to_chat: Iterable[datetime],
    is_group: bool,
    pace: Pace = TELEGRAM,
) -> datetime:
    """The instant from which the next message may go to this chat: `now`, or later.

    `in_all` and `to_chat` are the instants of earlier sends, in any order; `to_chat` those to this
    very chat. Sends that are already planned for later count as well.
    """
    chat = sorted(to_chat)
    waits = [
        _free_from(sorted(in_all), pace.a_second, SECOND),
        _free_from(chat, pace.a_second_to_a_chat, SECOND),
        _free_from(chat, pace.a_minute_to_a_group, MINUTE) if is_group else None,
    ]
    return max([now, *(wait for wait in waits if wait is not None)])


def _free_from(sends: list[datetime], most: int, window: timedelta) -> datetime | None:
    return sends[-most] + window if len(sends) >= most else None
