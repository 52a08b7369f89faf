"""Fields of time: by how much, to when, until when, and in which zone."""

import re
from collections.abc import Mapping
from typing import Any

from pbem.grammar.gm.parts import Part
from pbem.grammar.gm.times import (
    format_span,
    format_wall_time,
    parse_span,
    parse_wall_time,
    parse_zone,
)
from pbem.grammar.gm.values import Lexicon, Span, Unread, WallTime
from pbem.grammar.people import parse_since, parse_until

_PERIOD = re.compile(
    r"(?:(?:from|since) (?P<since>.{1,80}?)[ ,]{1,9})??(?:(?:until|till|to) (?P<until>.+)"
    r"|for (?P<span>.+))",
    re.IGNORECASE,
)
_THE_DEADLINE = re.compile("(?:the )?deadline ", re.IGNORECASE)
_MOVE = re.compile(r"(?:(?P<how>by|to|until|till) )?(?P<when>.+)", re.IGNORECASE)
_BEFORE_A_TIME = re.compile(r"(?>(?:(?:(?:is|to|at|until|till)\b|=) ?+)*)", re.IGNORECASE)
BEFORE_A_PERIOD = r"[ ,]+(?=(?:from|since|until|till|to|for) )"


class Move(Part[Span | WallTime]):
    """By how much, or to when, a deadline moves; a number alone is one of hours."""

    before = _THE_DEADLINE

    def parse(self, said: str, lexicon: Lexicon) -> Span | WallTime:
        found = _MOVE.fullmatch(said.strip(" :.!?"))
        how, when = (found["how"] or "", found["when"]) if found is not None else ("", "")
        is_length = how.lower() in ("", "by")
        span = parse_span(f"{when}h" if is_length and re.fullmatch(r"\d{1,4}", when) else when)
        if span is not None and is_length:
            return span
        if span is not None:
            raise Unread("ambiguous", "by-or-from-now", said, (f"by {format_span(span)}",))
        if not how:
            raise Unread("missing", "time")
        return parse_wall_time(when)

    def format(self, value: Span | WallTime) -> str:
        return (
            f"by {format_span(value)}"
            if isinstance(value, Span)
            else f"to {format_wall_time(value)}"
        )


class Time(Part[WallTime]):
    """A day and an hour; a length is ambiguous: it may count from now."""

    before = _THE_DEADLINE

    def parse(self, said: str, lexicon: Lexicon) -> WallTime:
        said = _BEFORE_A_TIME.sub("", said.strip(" :.!?"), count=1)
        span = parse_span(re.sub(r"^by[ ]+", "", said, flags=re.IGNORECASE))
        if span is not None:
            raise Unread("ambiguous", "by-or-from-now", said, (f"extend by {format_span(span)}",))
        return parse_wall_time(said)

    def format(self, value: WallTime) -> str:
        return format_wall_time(value)


class Until(Part[WallTime | Span]):
    """Until when, or for how long, and perhaps from when."""

    joins = ("since",)

    def read(self, field: str, said: str, lexicon: Lexicon) -> Mapping[str, Any]:
        found = _PERIOD.fullmatch(said.strip(" ,.!:"))
        if found is None:
            raise Unread("missing", "time", said)
        end = found["until"] or found["span"]
        until = parse_until(end.removeprefix("the next "))
        if found["span"] is not None and not isinstance(until, Span):
            raise Unread("invalid", "length", end)
        since = parse_since(found["since"], found["until"] or "") if found["since"] else None
        return {field: until, "since": since}

    def write(self, field: str, command: Any) -> str:
        until = getattr(command, field)
        begin = f" from {format_wall_time(command.since)}" if command.since is not None else ""
        end = format_span(until) if isinstance(until, Span) else format_wall_time(until)
        return f"{begin} until {end}"


class Zone(Part[str]):
    """An IANA name of a time zone, or its city."""

    def parse(self, said: str, lexicon: Lexicon) -> str:
        return parse_zone(re.sub(r"^[ :=]*(?:is[ ]+)?", "", said, flags=re.IGNORECASE).strip(" .!"))

    def format(self, value: str) -> str:
        return value
