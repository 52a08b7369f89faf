"""What people say of their place at a table: to observe, to take over a seat, to let another person
play for them, to end a game together.

Every wish is one line. `parse_wish` reads it or says nothing; `format_wish` is its one spelling,
which is read back to the same.
"""

import re

import msgspec

from pbem.grammar.gm.times import format_span, format_wall_time, parse_span, parse_wall_time
from pbem.grammar.gm.values import Span, Unread, WallTime
from pbem.grammar.names import check_sayable, is_sayable

MOST_CHARACTERS = 200
MOST_WISHES = 16
END_OF_DAY, BEGINNING_OF_DAY = "23:59", "00:00"


class Wish(msgspec.Struct, frozen=True, tag_field="wish"):
    """Base of everything that can be wished."""


class Observe(Wish, frozen=True, tag="observe"):
    """To observe the table of this join code, or of this short name; `name` is what the writer
    wants to be called.
    """

    table: str
    name: str = ""

    def __post_init__(self) -> None:
        check_sayable(self.name)


class StopObserving(Wish, frozen=True, tag="stop observing"):
    """`table` "": wherever it is."""

    table: str = ""


class TakeOver(Wish, frozen=True, tag="take over"):
    """To have a seat that stands empty, at a table or by a code of the seat's own; `player` is what
    it is called, "" for any.
    """

    table: str
    player: str = ""

    def __post_init__(self) -> None:
        check_sayable(self.player)


class StandIn(Wish, frozen=True, tag="stand in"):
    """Somebody plays for the writer until then, `since` None: from now on. Named by an address, a
    name, or both.
    """

    who: str
    until: WallTime | Span
    since: WallTime | None = None
    address: str = ""


class Available(Wish, frozen=True, tag="available"):
    """To be asked when a seat needs a substitute (or not any more), at one table or ("") at all."""

    yes: bool
    table: str = ""


class Back(Wish, frozen=True, tag="back"):
    """The writer is back; `table` "": wherever a substitute plays for them."""

    table: str = ""


class Concede(Wish, frozen=True, tag="concede"):
    """The game should end with this player as its winner."""

    player: str

    def __post_init__(self) -> None:
        check_sayable(self.player or "?")


class Draw(Wish, frozen=True, tag="draw"):
    """The game should end drawn among those who are still in it."""


class ForgetMe(Wish, frozen=True, tag="forget me"):
    """Everything that identifies the writer must go."""


class OwnData(Wish, frozen=True, tag="my data"):
    """A copy of everything that is kept of the writer."""


class ReadLog(Wish, frozen=True, tag="log"):
    """What was done with the table, and by whom."""


class Watchers(Wish, frozen=True, tag="observers"):
    """Who the observers are."""


_QUOTES = " ,\"'“”„‘’«»<>()[]"
_SOMEBODY = re.compile(
    r"(?P<who>[^@<>\n,;:!?]{0,80}?)[ ]{0,4}<?(?:mailto:)?(?P<address>[^ @<>]+@[^ @<>]+|)>?"
)


def parse_until(text: str) -> WallTime | Span:
    """The end of a time: a day counts with all its hours. Unread for other text."""
    stripped = text.strip(" .")
    span = parse_span(stripped)
    if span is not None:
        return span
    try:
        return parse_wall_time(stripped)
    except Unread as error:
        if error.kind == "ambiguous":
            raise
        return parse_wall_time(f"{stripped} {END_OF_DAY}")


def parse_since(text: str, until: str) -> WallTime:
    """The beginning; `from 3 to 10 July` borrows the month of its end."""
    stripped = text.strip(" .,")
    if stripped.rstrip("stndrh").isdecimal():
        month = re.search(r"[A-Za-z]{3,}", until)
        stripped = f"{stripped} {month.group() if month is not None else ''}"
    try:
        return parse_wall_time(stripped)
    except Unread as error:
        if error.kind == "ambiguous":
            raise
        return parse_wall_time(f"{stripped} {BEGINNING_OF_DAY}")


def read_table(written: str) -> str:
    return written.strip(_QUOTES).casefold()


def read_name(written: str) -> str:
    """A name as a wish takes it; "" for what no name can be."""
    name = " ".join(written.strip(_QUOTES).split())
    return name if is_sayable(name) else ""


def read_stand_in(who: str, since: str, till: str, end: str, address: str) -> StandIn:
    """`till` says what the end is: a time that lasts (`for`), or a day. Unread or ValueError where
    there is no such time, or nobody.
    """
    until: Span | WallTime | None = parse_span(end) if till == "for" else parse_until(end)
    somebody = _SOMEBODY.fullmatch(who.strip(" ,"))
    if until is None or somebody is None or len(somebody["who"]) > MOST_CHARACTERS:
        raise Unread("invalid", "stand-in", who)
    begin = parse_since(since, end) if since else None
    written = address.strip(" :,;(<>)").removeprefix("mailto:") or somebody["address"]
    return StandIn(somebody["who"].strip(" \"'"), until, begin, written.casefold())


def format_wish(wish: Wish) -> str:
    """The one spelling of a wish."""
    match wish:
        case Observe(table=table, name=name):
            return f"observe {table} as {name}" if name else f"observe {table}"
        case StopObserving(table=table):
            return f"stop observing {table}".strip()
        case TakeOver(table=table, player=player):
            return (
                f"take over {player}'s seat in {table}"
                if player
                else f"take over a seat in {table}"
            )
        case StandIn(who=who, until=until, since=since, address=address):
            begin = f" from {format_wall_time(since)}" if since is not None else ""
            end = (
                f"for {format_span(until)}"
                if isinstance(until, Span) and since is None
                else f"until {_moment(until)}"
            )
            return f"{' '.join(part for part in (who, address) if part)} plays for me{begin} {end}"
        case Available(yes=yes, table=table):
            return f"I {'can' if yes else 'cannot'} substitute{' in ' + table if table else ''}"
        case Back(table=table):
            return f"back{' in ' + table if table else ''}"
        case Concede(player=player):
            return f"concede to {player}"
        case Draw():
            return "propose draw"
        case ForgetMe():
            return "forget me"
        case OwnData():
            return "my data"
        case ReadLog():
            return "audit log"
    return "observers"


def _moment(until: WallTime | Span) -> str:
    return format_span(until) if isinstance(until, Span) else format_wall_time(until)
