"""Whom a press is for: `Ben, Chloé`, `all but Ben`, `the team`, by name, colour, symbol or number,
beyond doubt or not at all.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Literal

import msgspec
from rapidfuzz import fuzz

from pbem.grammar.kit.normalise import fold

GM_WORDS = frozenset({"gm", "the gm", "master", "game master", "the game master", "gamemaster"})
ALL = frozenset(
    {"all", "everyone", "everybody", "all players", "all of you", "the table", "alle", "broadcast"}
)
_OBSERVERS = frozenset({"observers", "the observers", "observer"})
TEAM = frozenset(
    {"team", "my team", "our team", "the team", "team mates", "teammates", "my team mates"}
)
_ME = frozenset({"me", "myself"})
_BUT = re.compile(r"\b(?:but|except(?: for)?|without|save|ausser|außer)\b", re.IGNORECASE)
_SEPARATOR = re.compile(
    r"(?:(?<!\s)\s++)?[,;/&+]\s*+(?:and\s++)?|(?<!\s)\s++(?:and|und|et)\s++", re.IGNORECASE
)
_TITLE = re.compile(r"(?:the |player |seat |dear |no\.? ?|number )", re.IGNORECASE)
ALIKE = 70.0
MOST_OPTIONS = 6
LONGEST = 600
"""Characters in which readers are named."""


class Member(msgspec.Struct, frozen=True):
    """Somebody at the table; `words` are other words that mean them: colour and symbol."""

    number: int
    name: str
    words: tuple[str, ...] = ()


class Roll(msgspec.Struct, frozen=True):
    """Who can be written to. `writer` is the number of the writer, `team` are those who play with
    them; `signs` are the names that the writer may sign with, `hides_names`: nobody should learn
    them.
    """

    members: tuple[Member, ...]
    writer: int | None = None
    team: tuple[int, ...] = ()
    signs: tuple[str, ...] = ()
    hides_names: bool = False

    def name_of(self, number: int) -> str:
        return next(member.name for member in self.members if member.number == number)


class To(msgspec.Struct, frozen=True):
    """Whom a press is for. Public press names nobody: it is for everybody. `grey`: nobody is told
    who wrote it.
    """

    kind: Literal["public", "private", "team", "gm"]
    players: tuple[int, ...] = ()
    gm: bool = False
    observers: bool = False
    grey: bool = False


class Unsent(msgspec.Struct, frozen=True):
    """What was meant as press and goes to nobody: why, as a code, the part that is the trouble, and
    who may have been meant.

    `nobody`: no readers are named. `unknown`, `ambiguous`: nobody is called so, or several are.
    `yourself`, `no-team`, `empty`, `fake`: as they say. `form`: it may be press or not.
    `where-it-ends`: one is closed and another is not. `end-without-press`. `too-many-at-once`,
    `too-many-lines`: more than a message may hold.
    """

    code: str
    written: str = ""
    options: tuple[str, ...] = ()


class Doubt(Exception):
    """The readers are not beyond doubt."""

    def __init__(self, code: str, written: str = "", options: Sequence[str] = ()) -> None:
        super().__init__(code)
        self.unsent = Unsent(code, written.strip()[:80], tuple(options)[:MOST_OPTIONS])


def plain_words(text: str) -> str:
    return " ".join(fold(text).strip(" .!,;\"'()").split())


def find_readers(whom: str, roll: Roll, *, grey: bool) -> To:
    """Everybody who is named. Raises Doubt."""
    if not whom.strip(" .,;"):
        raise Doubt("nobody")
    if len(whom) > LONGEST:
        raise Doubt("unknown", whom)
    folded = plain_words(whom)
    if folded in ALL:
        return To("public", grey=grey)
    but = _BUT.search(whom)
    if but is not None and plain_words(whom[: but.start()]) in ALL:
        left_out = {one for one in _named(whom[but.end() :], roll) if isinstance(one, int)}
        players = tuple(
            member.number
            for member in roll.members
            if member.number not in left_out and member.number != roll.writer
        )
        if not players:
            raise Doubt("nobody", whom)
        return To("private", players, grey=grey)
    return _together(list(_named(whom, roll)), roll, whom, grey=grey)


def _together(named: list[int | str], roll: Roll, whom: str, *, grey: bool) -> To:
    if "team" in named:
        if not roll.team:
            raise Doubt("no-team", whom)
        if len(named) == 1:
            return To("team", roll.team, grey=grey)
        named += list(roll.team)
    players = tuple(sorted({one for one in named if isinstance(one, int) and one != roll.writer}))
    gm, observers = "gm" in named, "observers" in named
    if "all" in named:
        if (
            gm or not observers
        ):  # everybody and somebody else: public press reaches the game masters anyway
            raise Doubt("ambiguous", whom, ("all",))
        return To("public", grey=grey)
    if not players and not gm and not observers:
        raise Doubt("yourself", whom)
    return To(
        "gm" if gm and not players and not observers else "private", players, gm, observers, grey
    )


def _named(whom: str, roll: Roll) -> Iterator[int | str]:
    """One after another; a name may have a comma or an `and` in it. Raises Doubt for the first
    who is unknown.
    """
    pieces = [(found.start(), found.end()) for found in _SEPARATOR.finditer(whom)]
    starts = [0, *(end for _, end in pieces)]
    ends = [*(start for start, _ in pieces), len(whom)]
    at = 0
    while at < len(starts):
        for last in range(len(ends) - 1, at - 1, -1):
            written = whom[starts[at] : ends[last]].strip()
            exact = [
                member.number
                for member in roll.members
                if plain_words(member.name) == plain_words(written)
            ]
            if last == at or exact:
                if last > at and _are_names(
                    [whom[starts[one] : ends[one]] for one in range(at, last + 1)], roll
                ):
                    raise Doubt("ambiguous", written, tuple(f"#{number}" for number in exact))
                if written or len(starts) == 1:
                    yield exact[0] if len(exact) == 1 else _one(written, roll)
                at = last + 1
                break


def _are_names(pieces: Sequence[str], roll: Roll) -> bool:
    """Whether each is somebody's name: nobody gets what is for Anna and Bartek by being called
    "Anna and Bartek".
    """
    names = {plain_words(member.name) for member in roll.members}
    return all(plain_words(piece) in names for piece in pieces)


def _one(written: str, roll: Roll) -> int | str:
    folded = plain_words(written)
    for words, meant in ((GM_WORDS, "gm"), (_OBSERVERS, "observers"), (TEAM, "team"), (ALL, "all")):
        if folded in words:
            return meant
    if folded in _ME:
        raise Doubt("yourself", written)
    bare = plain_words(_TITLE.sub("", folded, count=1)) or folded
    begun = [
        member
        for member in roll.members
        if any(plain_words(word).startswith(bare) for word in (member.name, *member.words))
    ]
    if folded in ("m", "o"):  # the old judges' letters
        meant = "gm" if folded == "m" else "observers"
        if written.strip().isupper() or not begun:
            return meant
        raise Doubt(
            "ambiguous",
            written,
            (meant.upper() if meant == "gm" else meant, *(member.name for member in begun)),
        )
    number = bare.removeprefix("#").strip()
    if number.isdigit():
        begun = [member for member in roll.members if str(member.number) == number]
    exact = [
        member
        for member in roll.members
        if bare in {plain_words(word) for word in (member.name, *member.words)}
    ]
    found = exact or begun
    if len(found) == 1:
        return found[0].number
    if found:
        raise Doubt("ambiguous", written, [member.name for member in found])
    near = [
        member.name
        for member in roll.members
        if fuzz.ratio(folded, plain_words(member.name)) >= ALIKE and member.number != roll.writer
    ]
    raise Doubt("unknown", written, near)
