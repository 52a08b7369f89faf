"""What people say of their place at a table: to look on, to take over a seat, to let somebody play
for them, to end a game together.

Every wish is one line. `parse_wish` reads it or says nothing; `format_wish` is its one spelling,
which is read back to the same.
"""

import re
from collections.abc import Mapping

import msgspec

from pbem.grammar.gm.commands import Span, Unread, WallTime
from pbem.grammar.gm.times import format_span, format_wall_time, parse_span, parse_wall_time
from pbem.grammar.house.vocabulary import load_words
from pbem.grammar.joining import CODE_LENGTH, CODE_LETTERS, POLITE_BEFORE, drop_behind
from pbem.grammar.kit.normalise import fold
from pbem.grammar.names import check_sayable, is_sayable, without_stop
from pbem.grammar.veterans import alias_of

MOST_CHARACTERS = 200
MOST_WISHES = 16
END_OF_DAY, BEGINNING_OF_DAY = "23:59", "00:00"


class Wish(msgspec.Struct, frozen=True, tag_field="wish"):
    """Base of everything that can be wished."""


class Observe(Wish, frozen=True, tag="observe"):
    """To look on at the table of this join code, or of this short name; `name` is what the writer
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
    """Whoever was away is back; `table` "": wherever somebody plays for them."""

    table: str = ""


class Concede(Wish, frozen=True, tag="concede"):
    """The game shall end with this player as its winner."""

    player: str

    def __post_init__(self) -> None:
        check_sayable(self.player or "?")


class Draw(Wish, frozen=True, tag="draw"):
    """The game shall end drawn among those who are still in it."""


class ForgetMe(Wish, frozen=True, tag="forget me"):
    """Everything that identifies the writer shall go."""


class ReadLog(Wish, frozen=True, tag="log"):
    """What was done with the table, and by whom."""


class Watchers(Wish, frozen=True, tag="observers"):
    """Who looks on."""


AnyWish = (
    Observe
    | StopObserving
    | TakeOver
    | StandIn
    | Available
    | Back
    | Concede
    | Draw
    | ForgetMe
    | ReadLog
    | Watchers
)

_BARE = {
    str(kind.__struct_config__.tag): kind for kind in (Back, Draw, ForgetMe, ReadLog, Watchers)
}
"""Wishes that are a word of the house (`house.words`) and nothing more."""
_CODE = rf"[a-z][a-z0-9-]{{0,30}}-[{CODE_LETTERS}]{{{CODE_LENGTH}}}"
_TABLE = r"[a-z][a-z0-9-]{0,37}"
_QUOTE = r"[\"'“”„‘’«»<(\[]{0,9}"
_CLOSE = r"[\"'“”‘’«»>)\]]{0,9}"
_POLITELY = r"(?:(?:can|could|may) i |i(?:(?: would|'d|’d) (?:like|love)| want| wish)? to )?"
_ADDRESS = r"[\w.!#$%&'*+/=?^`{|}~-]{1,64}@[\w.-]{1,254}\w"
_NAME = r"[^@<>\n,;:!?]{1,40}?"
_SOMEBODY = (
    rf"(?:(?P<who>{_NAME})[ ]{{1,9}})?<?(?:mailto:)?(?P<address>{_ADDRESS})>?|(?P<alone>{_NAME})"
)
_TIMES = (
    r"(?:[ ,]{1,9}(?:from|since)[ ]{1,9}(?P<since>.{1,80}?)(?=[ ,]{1,9}(?:until|till|to|for)[ ]))?"
    r"[ ,]{1,9}(?:(?:until|till|to)[ ]{1,9}(?P<until>.{1,200})|for[ ]{1,9}(?P<span>.{1,200}))"
)
_PLAYS = (
    r"(?:plays?|will play|shall play|is playing|sits? in|stands? in|substitutes?)[ ]++(?:in["
    r" ]++)?for[ ]++me"
)
_BEHIND = rf"[ :,;(<]{{0,9}}(?:mailto:)?(?P<behind>{_ADDRESS})[>)]?"
"""The substitute's address at the very end: `Dora plays for me: dora@example.org`."""
_AWAY = (
    r"(?:i(?: am| will be|'m|’m|'ll be|’ll be)?[ ]+)?(?:away|on holiday|set["
    r" ]?(?:absence|vacation|holiday))"
)
_ANY_SEAT = (
    r"(?:a|any|the|an empty|a vacant|the vacant|a free)[ ]++(?:(?:empty|vacant|free)[ ]++)?seat"
)

_OBSERVE = re.compile(
    rf"(?:{_POLITELY}(?:(?:observe|watch|look on at|sign ?on as (?:an )?observer(?:"
    r" (?:of|at|in|to))?)[ :]+"
    rf"(?:(?:the |your )?(?:table|game)[ :]+)?"
    rf"{_QUOTE}(?P<code>{_CODE}){_CLOSE}|observe[ :]+(?:(?:the )?(?:table|game)["
    rf" :]+)?{_QUOTE}(?P<table>{_TABLE}){_CLOSE}))"
    rf"(?:[ ,]{{1,9}}as[ ]{{1,9}}{_QUOTE}(?P<name>{_NAME}){_CLOSE})?",
    re.IGNORECASE,
)
_STOP = re.compile(
    rf"(?:stop|quit|end|no more)[ ]+(?:observing|watching|looking on)"
    rf"(?:[ ]+(?:at[ ]+)?(?:(?:the )?(?:table|game)[ ]+)?(?P<table>{_TABLE}))?"
    rf"|(?:unobserve|unwatch)(?:[ ]+(?P<second>{_TABLE}))?",
    re.IGNORECASE,
)
_TAKE_OVER = re.compile(
    rf"{_POLITELY}take[ -]?over(?:[ ]++(?:(?:{_ANY_SEAT}|(?:the seat of[ ]++)?(?P<player>{_NAME}))"
    rf"(?:(?:'s|’s)[ ]++seat)?[ ]{{1,9}}(?:in|at|of)))?"
    r"[ :]++(?:(?:the )?(?:table|game)["
    rf" :]++)?{_QUOTE}(?P<table>{_TABLE}(?:-[{CODE_LETTERS}]{{10}})?){_CLOSE}",
    re.IGNORECASE,
)
_STAND_IN = (
    re.compile(rf"(?:let[ ]{{1,9}})?(?:{_SOMEBODY})[ ]{{1,9}}{_PLAYS}{_TIMES}", re.IGNORECASE),
    re.compile(
        rf"{_AWAY}(?:[ ,]{{1,9}}(?:from|since)[ ]{{1,9}}(?P<since>.{{1,80}}?)(?=["
        r" ,]{1,9}(?:until|till|to|for)[ ]))?"
        r"[ ,]{1,9}(?:(?:until|till|to)[ ]{1,9}(?P<until>[^,;.:]{1,80})|for["
        r" ]{1,9}(?P<span>[^,;.:]{1,80}))"
        rf"[,;.:][ ]*+(?:and[ ]++|meanwhile[ ,]++)*+(?:{_SOMEBODY})[ ]{{1,9}}{_PLAYS}(?:["
        rf" ]++meanwhile)?(?:{_BEHIND})?",
        re.IGNORECASE,
    ),
    re.compile(
        rf"(?:let[ ]{{1,9}})?(?P<alone>{_NAME})["
        rf" ]{{1,9}}{_PLAYS}{_TIMES.replace('.{1,200})', '[^:;,(<@]{1,80}?)')}{_BEHIND}",
        re.IGNORECASE,
    ),
    re.compile(
        rf"(?:my[ ]++)?substitute(?:[ ]++is[ ]++|[ ]*+[:=][ ]*+)(?:{_SOMEBODY}){_TIMES}",
        re.IGNORECASE,
    ),
)
_AVAILABLE = re.compile(
    rf"i(?:(?: can| could| would| will|'d|’d|'ll|’ll)(?: gladly| happily| like to)?"
    rf"|(?P<not> can ?not| can't| can’t| won't| won’t| could not| will not)) "
    rf"(?:be a )?substitute(?: (?:in|at|for) (?P<table>{_TABLE}))?(?: any ?more| any ?longer)?",
    re.IGNORECASE,
)
_LISTED = re.compile(
    r"(?:put me on|(?P<off>take me off)) the (?:list of"
    r" substitutes|substitutes?(?:'|’)?(?:s)?(?:'|’)? list|substitute list)",
    re.IGNORECASE,
)
_BACK = re.compile(
    rf"(?:(?:i am|i'm|i’m) )?back(?: again)? (?:in|at) (?P<table>{_TABLE})", re.IGNORECASE
)
_CONCEDE = re.compile(
    r"(?:(?:i |we )?concede(?: (?:the )?(?:game|victory))? to|set concede(?: to)?)"
    rf" (?P<player>{_NAME})",
    re.IGNORECASE,
)
_AFTER = ("please", "pls", "thanks", "thank you", "thx", "now")
_WISHES = re.compile(
    r"(?:set )?pref(?:erence|erences|er)?s?(?: for)?(?: colou?rs?)?(?: is| are)?["
    r" :=]++(?P<first>.+)"
    r"|(?:my )?(?:colou?rs?|colou?r (?:wish(?:es)?|preferences?))(?: is| are)?[ :=]++(?P<second>.+)"
    r"|i(?:'d| would) (?:like|prefer|love)(?: to (?:be|have|play))?(?: in)? (?P<third>.+)",
    re.IGNORECASE,
)
_BETWEEN = re.compile(
    r"\s*(?:[,;/>|]|\bor(?: else)?\b|\bthen\b|\belse\b|\band\b|\bif not\b|\bbest\b|\s)\s*",
    re.IGNORECASE,
)


def parse_wish(line: str) -> AnyWish | None:
    """The wish that a line is, politeness around it left aside; None when it is about something
    else.
    """
    if len(line) > MOST_CHARACTERS:
        return None
    said = without_stop(
        drop_behind(
            POLITE_BEFORE.sub("", " ".join((alias_of(line) or line).lstrip("/ ").split())), _AFTER
        )
    )
    if (found := _OBSERVE.fullmatch(said)) is not None:
        name = _name_in(found["name"])
        return Observe((found["code"] or found["table"]).casefold(), name)
    if (found := _STOP.fullmatch(said)) is not None:
        return StopObserving((found["table"] or found["second"] or "").casefold())
    if (found := _TAKE_OVER.fullmatch(said)) is not None:
        player = _name_in(found["player"])
        is_clear = bool(player) or not found["player"]  # a name that is none means no other seat
        return TakeOver(found["table"].casefold(), player) if is_clear else None
    if (found := _AVAILABLE.fullmatch(said)) is not None:
        return Available(found["not"] is None, (found["table"] or "").casefold())
    if (found := _LISTED.fullmatch(said)) is not None:
        return Available(found["off"] is None)
    if (found := _BACK.fullmatch(said)) is not None:
        return Back(found["table"].casefold())
    bare = _BARE.get(load_words().lines.get(fold(said), ""))
    if bare is not None:
        return bare()
    if (found := _CONCEDE.fullmatch(said)) is not None:
        player = _name_in(found["player"])
        return Concede(player) if player else None
    return _stand_in(said)


def _name_in(found: str | None) -> str:
    """A name as a wish takes it; what is none is left out."""
    name = " ".join((found or "").strip(" \"'").split())
    return name if is_sayable(name) else ""


def _stand_in(said: str) -> StandIn | None:
    for pattern in _STAND_IN:
        found = pattern.fullmatch(said)
        if found is None:
            continue
        try:
            until = (
                parse_until(found["until"].strip())
                if found["until"]
                else parse_span(found["span"].removeprefix("the next ").strip())
            )
            since = parse_since(found["since"], found["until"] or "") if found["since"] else None
        except Unread:
            continue
        parts = found.groupdict()
        who = (parts.get("who") or parts.get("alone") or "").strip(" \"'")
        if until is not None:
            return StandIn(
                who, until, since, (parts.get("address") or parts.get("behind") or "").casefold()
            )
    return None


def parse_until(text: str) -> WallTime | Span:
    """The end of a time: a day is meant with all of it. Unread when it is none."""
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
        case ReadLog():
            return "audit log"
    return "observers"


def _moment(until: WallTime | Span) -> str:
    return format_span(until) if isinstance(until, Span) else format_wall_time(until)


def parse_wishes(text: str) -> tuple[AnyWish, ...] | None:
    """Every wish of a message that holds nothing else, but for a greeting and thanks; None when it
    does.
    """
    found: list[AnyWish] = []
    for line in text.splitlines()[:MOST_WISHES]:
        stripped = line.strip()
        if not stripped or _SMALL_TALK.fullmatch(stripped) is not None:
            continue
        wish = parse_wish(stripped)
        if wish is None:
            return None
        found.append(wish)
    return tuple(found) or None


_SMALL_TALK = re.compile(
    r"(?:hi|hello|hey|dear|good (?:morning|evening|day)|greetings|(?:many )?thanks|thank"
    r" you|thx|cheers|regards|(?:best|kind|warm) "
    r"(?:regards|wishes)|yours|please)\b[^:@?]{0,40}",
    re.IGNORECASE,
)


def read_colours(text: str, colours: Mapping[str, str]) -> tuple[str, ...] | None:
    """`I'd like green or blue`, `SET PREFERENCE green blue`: colours in the order they are wished
    for; `*` wishes for none.

    None when the text says nothing of the kind. One colour alone is a wish only behind the word
    preference.
    """
    said = drop_behind(POLITE_BEFORE.sub("", " ".join(text.split())), _AFTER).rstrip(" .!?")
    found = _WISHES.fullmatch(said)
    if found is None:
        return None
    rest = found["first"] or found["second"] or found["third"]
    if found["first"] is not None and rest.strip(" .") in ("*", "none", "any", "nothing"):
        return ()
    words = [word for word in _BETWEEN.split(fold(rest).strip(" .!")) if word]
    if not words or any(word not in colours for word in words):
        return None
    wished = tuple(dict.fromkeys(colours[word] for word in words))
    return wished if len(wished) > 1 or found["first"] is not None else None


def format_colours(colours: tuple[str, ...]) -> str:
    """The one spelling of a list of wishes."""
    return f"preference {' '.join(colours) if colours else '*'}"
