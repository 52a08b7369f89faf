"""What may be written about teams, places within them and factions before a game starts; read one
piece of a line at a time.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rapidfuzz.distance import OSA

from pbem.grammar.kit.normalise import fold


@dataclass(frozen=True, slots=True)
class Team:
    """To play in the team of that name; "": in none yet."""

    name: str


@dataclass(frozen=True, slots=True)
class Mate:
    """To play in the same team as somebody, named as it was written."""

    name: str


@dataclass(frozen=True, slots=True)
class Place:
    """A place within the team, counted from 1; 0: any."""

    number: int


@dataclass(frozen=True, slots=True)
class Faction:
    """A faction by its own name; "": none yet."""

    name: str


@dataclass(frozen=True, slots=True)
class UnknownFaction:
    """A faction that there is not; `near` are those that may have been meant, else all."""

    written: str
    near: tuple[str, ...]


Side = Team | Mate | Place | Faction

_IS = r"(?:\s*+[:=]\s*+|\s++(?:(?:is|called|named|number|no\.?)\s++)?)"
_WISH = (
    r"(?:(?:i|we|my|the|our|set|change|choose|pick|take|want|would|'d|will|'ll|like|love|be|am|'m|join|play|put|me|go|to|in|into|for|as|of|at|on|"
    r"a|start|starting|team|side|up)(?:\s++|(?='))){0,12}?"
)
_TEAM = re.compile(
    rf"{_WISH}(?:team|side)(?!\s*+(?:-\s*+)?games?\b){_IS}(?P<team>.+)", re.IGNORECASE
)
_TEAM_BEHIND = re.compile(
    r".*\b(?:join|in|into|for)\s++(?:the\s++)?(?P<team>\S++(?:\s++(?!(?:team|side)\b)\S++)?)\s++(?:team|side)",
    re.IGNORECASE,
)
_NO_TEAM = re.compile(
    r"(?:(?:no|any|whatever|whichever|either|a random|random|drop my|cancel my|leave(?:"
    r" (?:the|my|our|this|any))?|not in a|out of the)"
    r"\s+(?:team|side)|"
    r"team\s*+(?:[:=]\s*+)?(?:none|any|random|whatever|by chance|by lot))",
    re.IGNORECASE,
)
_MATE = re.compile(
    rf"{_WISH}(?:(?:together|the same team|same team|one team|team(?:ed)?"
    r" up|mates?)\s++)?with\s++(?P<mate>.*?\S)"
    r"(?:'s team)?(?:\s++(?:in (?:a|one|the same) team|as (?:my"
    r" )?team-?mate|please|together)){0,3}",
    re.IGNORECASE,
)
_ORDINALS = "first|second|third|fourth|fifth|sixth|seventh|eighth"
_COUNTS = f"one|two|three|four|five|six|seven|eight|{_ORDINALS}"
_PLACE = re.compile(
    rf"{_WISH}place{_IS}#?(?P<place>\d{{1,3}}(?:st|nd|rd|th)?|{_COUNTS}|any|none)", re.IGNORECASE
)
_ORDINAL = re.compile(
    rf"{_WISH}(?P<place>{_ORDINALS}|[1-8](?:st|nd|rd|th)) place" r"(?: in (?:the|my|our) team)?",
    re.IGNORECASE,
)
_FACTION = re.compile(rf"{_WISH}faction{_IS}(?P<faction>.+)", re.IGNORECASE)
_NO_FACTION = re.compile(
    r"(?:no|any|whatever|drop my|cancel my|a random|random) faction", re.IGNORECASE
)
_NUMBERS: Mapping[str, int] = {
    word: number
    for words in (
        ("one", "two", "three", "four", "five", "six", "seven", "eight"),
        ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth"),
    )
    for number, word in enumerate(words, start=1)
}
_NONE = ("none", "any", "random", "whatever", "by chance", "by lot")
_POLITE = re.compile(
    r"\b(?:regards|wishes|greetings|thanks|pleasure|love|care|respect|a"
    r" smile|joy|that|this|it|all|you)\b",
    re.IGNORECASE,
)
MOST_WORDS = 3
"""A name of a player, of a team or of a faction has no more words where it must be told from other
talk.
"""


def read_side(
    piece: str, *, factions: Sequence[str], people: Sequence[str], has_teams: bool
) -> Side | UnknownFaction | None:
    """What a piece says of a team, a place or a faction; None if it is about something else.

    `people` are the names at the table. Of a player who is not there it is read only where there
    are teams.
    """
    if _NO_TEAM.fullmatch(piece):
        return Team("")
    if _NO_FACTION.fullmatch(piece):
        return Faction("")
    if (found := _FACTION.fullmatch(piece)) is not None:
        return _faction(found["faction"], factions)
    if (found := _PLACE.fullmatch(piece) or _ORDINAL.fullmatch(piece)) is not None:
        return Place(_number(found["place"]))
    if (found := _MATE.fullmatch(piece)) is not None and _is_name(
        found["mate"], people, has_teams=has_teams
    ):
        return Mate(" ".join(found["mate"].split()))
    if (found := _TEAM.fullmatch(piece)) is not None:
        return _team(found["team"])
    if has_teams and (found := _TEAM_BEHIND.fullmatch(piece)) is not None:
        name = found["team"]
        if not name.endswith(("'s", "’s")):
            return _team(name)
        return Mate(" ".join(name[:-2].split())) if name[:-2].strip() else None
    return next(
        (Faction(name) for name in factions if _key(name) == _key(_without_wish(piece))), None
    )


def format_side(side: Side) -> str:
    """The one spelling of a choice; a name stands behind a colon, whatever it begins with."""
    match side:
        case Team(name=name):
            return f"team: {name or 'none'}"
        case Mate(name=name):
            return f"with {name}"
        case Place(number=number):
            return f"place {number or 'any'}"
    return f"faction {side.name or 'none'}"


def each_mate(mate: Mate, people: Sequence[str]) -> tuple[Mate, ...]:
    """`with Chloé and Anna`: each of them, unless it is the name of one."""
    parts = [
        part
        for part in re.split(r"(?<!\s)\s++(?:and|&|\+)\s++", mate.name, flags=re.IGNORECASE)
        if part
    ]
    is_one = any(_key(name).startswith(_key(mate.name)) for name in people)
    return (mate,) if is_one else tuple(dict.fromkeys(Mate(part) for part in parts))


def _team(text: str) -> Team:
    name = " ".join(text.strip(" \t\"'“”„").split())
    return Team("" if name.casefold() in _NONE else name)


def _number(text: str) -> int:
    word = text.casefold()
    digits = re.match(r"\d+", word)
    return int(digits[0]) if digits is not None else _NUMBERS.get(word, 0)


def _is_name(text: str, people: Sequence[str], *, has_teams: bool) -> bool:
    if any(_key(text) and _key(name).startswith(_key(text)) for name in people):
        return True
    is_short = len(text.split()) <= MOST_WORDS and any(map(str.isalnum, text))
    return has_teams and is_short and _POLITE.search(text) is None


def _faction(text: str, factions: Sequence[str]) -> Faction | UnknownFaction:
    word = _key(text)
    if word in _NONE:
        return Faction("")
    known = {_key(name): name for name in factions}
    if word in known:
        return Faction(known[word])
    if not factions:
        return Faction(" ".join(text.split()))
    begins = [name for key, name in known.items() if len(word) > 2 and key.startswith(word)]
    if len(begins) == 1:
        return Faction(begins[0])
    near = tuple(
        name for key, name in known.items() if OSA.distance(word, key, score_cutoff=2) <= 2
    )
    return UnknownFaction(" ".join(text.split())[:60], near or tuple(factions))


def _without_wish(piece: str) -> str:
    return re.sub(rf"^{_WISH[:-1]}", "", piece, flags=re.IGNORECASE)


def _key(text: str) -> str:
    """Letters alone: `Kalu'Ak` is `kaluak`, `Lannuvár` is `lannuvar`."""
    return "".join(letter for letter in fold(text) if letter.isalnum())
