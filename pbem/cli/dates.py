"""How times are written on the command line."""

import re
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from pbem.grammar.gm.commands import Unread
from pbem.grammar.gm.times import instant_of, parse_span, parse_wall_time


def parse_moment(text: str, zone: str, now: datetime) -> datetime:
    """`2026-11-23 18:00` in the table's zone, or `+36h`, `+2d`, `+30m` from now. ValueError if it
    is neither.
    """
    stripped = text.strip()
    if stripped.startswith("+") and stripped[1:-1].isdigit() and stripped[-1] in "mhd":
        unit = {"m": "minutes", "h": "hours", "d": "days"}[stripped[-1]]
        try:
            return now + timedelta(**{unit: int(stripped[1:-1])})
        except OverflowError as error:
            raise ValueError(f"{stripped} is beyond all time") from error
    moment = datetime.fromisoformat(stripped)
    return (
        moment if moment.tzinfo is not None else moment.replace(tzinfo=ZoneInfo(zone))
    ).astimezone(UTC)


def parse_deadline(
    words: list[str], deadline: datetime | None, zone: str, now: datetime, *, earlier: bool = False
) -> datetime:
    """`by 24h` after (or before) the deadline now; `to 2026-11-23 18:00` or `to Monday 23 November,
    18:00`; `+36h` from now.

    ValueError, saying what, for anything else.
    """
    text = " ".join(words).strip()
    said = re.sub(r"^(?:to|until|till) ", "", text)
    try:
        if text.startswith("by "):
            span = parse_span(text.removeprefix("by "))
            if span is None or deadline is None:
                raise ValueError(f"{text!r} is no length of time, or there is no deadline")
            return (
                deadline - timedelta(minutes=span.minutes)
                if earlier
                else deadline + timedelta(minutes=span.minutes)
            )
        return instant_of(parse_wall_time(said), now, zone)
    except Unread:
        return parse_moment(said, zone, now)
