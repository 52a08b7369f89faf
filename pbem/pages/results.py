"""What people keep of their games: a profile, and the hall of fame. Mails, and the same as plain
text for a terminal. Alike for every game.

Whoever reads about somebody else gets what the desk has put into the facts, and nothing else is
known here.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from pbem.pages.dates import day
from pbem.pages.page import Page, Reader, Table, locale_of
from pbem.pages.rendering import page, phrase, tidy, twin

RESULTS = "mail/results.j2"
FRAME = "mail/gm_frame.j2"
FEET = "mail/notices.j2"
MOST_GAMES = 40
"""So many games are listed in a profile, the newest; the sums are of all."""


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


class ResultPages:
    """One method a mail; every one takes the table (or the house in its place) and the reader
    first.
    """

    def profile(self, table: Table, reader: Reader, profile: Profile) -> Page:
        return self._page(
            "profile", table, reader, self._profile(profile, reader.zone, locale_of(table, reader))
        )

    def hall(self, table: Table, reader: Reader, hall: Hall) -> Page:
        return self._page("hall", table, reader, {"hall": hall})

    def nobody(
        self, table: Table, reader: Reader, written: str, why: str, names: Sequence[str]
    ) -> Page:
        """Whose profile was asked for cannot be told: `why` is `unknown`, `vacant` or `several`;
        `names` are who sits at the table.
        """
        return self._page(
            "nobody", table, reader, {"written": written, "why": why, "names": tuple(names)}
        )

    def profile_text(self, profile: Profile, zone: str) -> str:
        """The same for a terminal."""
        return self._text("profile", self._profile(profile, zone, "en"))

    def hall_text(self, hall: Hall) -> str:
        return self._text("hall", {"hall": hall})

    @staticmethod
    def _profile(profile: Profile, zone: str, locale: str) -> dict[str, object]:
        return {
            "who": profile,
            "results": [
                (result, day(result.ended_at, zone, locale))
                for result in profile.results[:MOST_GAMES]
            ],
            "more": max(0, len(profile.results) - MOST_GAMES),
            "strikes": [(strike, day(strike.given_at, zone, locale)) for strike in profile.strikes],
        }

    @staticmethod
    def _text(name: str, facts: dict[str, object]) -> str:
        return tidy(
            twin(RESULTS, name, facts).text + "\n\n" + twin(RESULTS, f"{name}_rest", facts).text
        )

    @staticmethod
    def _page(name: str, table: Table, reader: Reader, facts: dict[str, object]) -> Page:
        title = phrase(RESULTS, f"{name}_title", facts)
        body, rest = twin(RESULTS, name, facts), twin(RESULTS, f"{name}_rest", facts)
        preheader = " ".join(body.text.replace("\N{NO-BREAK SPACE}", " ").split())[:160]
        values: dict[str, object] = {
            "table": table,
            "reader": reader,
            "title": title,
            "body": body,
            "rest": rest,
            "corner": "",
        }
        foot = "foot_player" if table.code else "foot_out"
        values |= {
            "preheader": preheader,
            "foot": twin(FEET, foot, table, reader, reader.code or table.code),
        }
        return page(FRAME, f"[{table.title}] {title}", values)
