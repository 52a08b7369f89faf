"""What people keep of their games: a profile, and the hall of fame. Notices, and the same as plain
text for a terminal. Alike for every game.

The desk decides what a reader may know of somebody else; nothing else is known here.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from pbem.pages.dates import day
from pbem.pages.notice import Notice
from pbem.pages.page import Reader, Table, locale_of
from pbem.pages.rendering import tidy, twin

RESULTS = "mail/results.j2"
MOST_GAMES = 40
"""The most games that a profile lists, the newest; the sums are of all."""


@dataclass(frozen=True, slots=True)
class Windows:
    """Windows that somebody was asked in, and how many of them they missed."""

    asked: int = 0
    missed: int = 0

    def __add__(self, other: "Windows") -> "Windows":
        return Windows(self.asked + other.asked, self.missed + other.missed)

    @property
    def answered(self) -> int:
        return self.asked - self.missed

    @property
    def percent(self) -> int | None:
        """The share that was answered, rounded down: 100 is every single one. None where nothing
        was asked.
        """
        return 100 * self.answered // self.asked if self.asked else None


@dataclass(frozen=True, slots=True)
class GameResult:
    """One game that is over. `title` and `seat` are "" where the reader may not know which it was;
    `kind` is the name of the game.

    `place` None: there are no places, for the reason that `how` is a code of. `prize` is in $Realm.
    """

    title: str
    kind: str
    seat: str
    place: int | None
    players: int
    won: bool
    prize: int
    how: str
    ended_at: datetime
    windows: Windows


@dataclass(frozen=True, slots=True)
class KindSums:
    """All games of one kind. `places` are the places taken with how often each was, the best
    first.
    """

    kind: str
    games: int
    wins: int
    treasury: int
    places: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Strike:
    """A strike; `title` and `reason` are "" where the reader was not at that table."""

    title: str
    reason: str
    given_at: datetime
    pardoned: bool
    pardon_reason: str = ""


@dataclass(frozen=True, slots=True)
class CurrentTable:
    """A table that is not over, and the windows there so far. `status` is the store's word."""

    title: str
    kind: str
    seat: str
    status: str
    windows: Windows


@dataclass(frozen=True, slots=True)
class Profile:
    """What there is to tell of somebody. `is_own`: they read it themselves; `tables` are told to
    nobody else.

    `name` "" is somebody who was here and has been forgotten. `left` counts the games that they
    left before the end.
    """

    name: str
    is_own: bool
    games: int
    wins: int
    treasury: int
    left: int
    windows: Windows
    kinds: tuple[KindSums, ...] = ()
    results: tuple[GameResult, ...] = ()
    strikes: tuple[Strike, ...] = ()
    is_barred: bool = False
    tables: tuple[CurrentTable, ...] = ()

    @property
    def standing_strikes(self) -> int:
        return sum(not strike.pardoned for strike in self.strikes)


@dataclass(frozen=True, slots=True)
class FameLine:
    """One line of the hall of fame. `name` "": somebody who was here. `table` tells two of one name
    apart; `took_over`: the name is that of a seat which they had from somebody else.
    """

    rank: int
    name: str
    treasury: int
    wins: int
    games: int
    table: str = ""
    took_over: bool = False
    is_reader: bool = False


@dataclass(frozen=True, slots=True)
class Hall:
    """The best of the service, and the reader's own line where it is further down; `people` is how
    many have one.
    """

    lines: tuple[FameLine, ...]
    mine: FameLine | None
    people: int


class ResultNotice(Notice):
    """A notice about results."""

    template = RESULTS
    frame = "mail/gm_frame.j2"

    def choose_foot(self, table: Table, reader: Reader, code: str) -> str:
        return "foot_player" if table.code else "foot_out"


class ProfileShown(ResultNotice):
    """A person's profile."""

    profile: Profile

    def facts(self, table: Table, reader: Reader) -> dict[str, object]:
        return _profile_facts(self.profile, reader.zone, locale_of(table, reader))


class HallShown(ResultNotice):
    """The hall of fame."""

    hall: Hall


class NoProfile(ResultNotice):
    """There is no profile to show: `why` is `unknown`, `vacant`, `several` or `hidden`; `names` are
    the players at the table.
    """

    written: str
    why: str
    names: Sequence[str]


def profile_text(profile: Profile, zone: str) -> str:
    """A profile for a terminal."""
    return _text(ProfileShown, _profile_facts(profile, zone, "en"))


def hall_text(hall: Hall) -> str:
    """The hall of fame for a terminal."""
    return _text(HallShown, {"hall": hall})


def _profile_facts(profile: Profile, zone: str, locale: str) -> dict[str, object]:
    return {
        "profile": profile,
        "results": [
            (result, day(result.ended_at, zone, locale)) for result in profile.results[:MOST_GAMES]
        ],
        "more": max(0, len(profile.results) - MOST_GAMES),
        "strikes": [(strike, day(strike.given_at, zone, locale)) for strike in profile.strikes],
    }


def _text(shown: type[Notice], facts: dict[str, object]) -> str:
    name = shown.macro()
    body, rest = twin(RESULTS, name, facts), twin(RESULTS, f"{name}_rest", facts)
    return tidy(f"{body.text}\n\n{rest.text}")
