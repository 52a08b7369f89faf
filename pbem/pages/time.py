"""Short mails about a table's time: waiting, absences, graces, votes on more time, and when
deadlines are. Alike for every game.
"""

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass
from datetime import date, datetime
from typing import Literal

from pbem.pages.notice import Facts, Notice


class AbsenceLine(Facts):
    """The first and the last day of an absence, and the one table it is about ("": all)."""

    first: date
    last: date
    table: str = ""


class MotionFacts(Facts):
    """A motion. `until` is what a deadline would become; `closes_at` the end of the vote. `answer`
    is the reader's own, "" as yet. `detail` is what the motion is about, in words of its own kind
    (a name, say).
    """

    number: int
    kind: str
    closes_at: datetime
    until: datetime | None = None
    answer: str = ""
    detail: str = ""
    unanimous: bool = False
    """Everybody must say yes, and no numbers are told."""


@dataclass(frozen=True, slots=True)
class Count:
    """What a vote came to, in numbers alone. `needed` is how many had to say yes."""

    yes: int
    no: int
    voters: int
    needed: int

    @property
    def silent(self) -> int:
        return self.voters - self.yes - self.no


@dataclass(frozen=True, slots=True)
class ClockFacts:
    """When deadlines of a table are, and what moves them. `windows` are (name, hours)."""

    windows: tuple[tuple[str, float], ...]
    clock: str
    days: tuple[str, ...]
    quiet: tuple[str, str] | None
    zone: str
    absence_days: int
    graces: int
    grace_hours: float
    votes: bool
    tells_names: bool
    left: int | None = None
    """How often the reader is still waited for."""
    settled_hours: float = 0.0
    """So long after the last order a phase closes for which all have orders; 0: it does not."""


class TimeNotice(Notice):
    """A notice about a table's time."""

    template = "mail/time.j2"
    reader_feet = ("foot_player", "foot_gm", "foot_gm")


class PhaseWaits(TimeNotice):
    """The phase stays open for the reader until its deadline."""


class PhaseWaitsNoMore(TimeNotice):
    """The phase need not wait for the reader; `is_final`: their orders are final."""

    _: KW_ONLY
    is_final: bool


class IsReady(TimeNotice):
    """The reader has done everything, and the phase does not wait for them."""


class IsNotReady(TimeNotice):
    """Something is missing, so nothing is made final."""


# --- absences
class Absent(TimeNotice):
    """We keep an absence. `falls_in` is an open deadline within it, which stays; `most_days` is
    how far absences move a deadline here.
    """

    line: AbsenceLine
    most_days: int
    falls_in: datetime | None
    _: KW_ONLY
    tells_names: bool


class AbsenceUnclear(TimeNotice):
    """We could not read an absence: `what` is a code, `written` the part in question."""

    what: str
    written: str


class AbsencesListed(TimeNotice):
    """The reader's own absences."""

    lines: Sequence[AbsenceLine]


class AbsencesTakenBack(TimeNotice):
    """We took back this many absences."""

    count: int


# --- graces
class GraceGiven(TimeNotice):
    """To everybody: the table waits for late players (`names`). `left` is how often it still waits
    for the reader; None: the reader is not late.
    """

    old: datetime
    new: datetime
    names: Sequence[str]
    left: int | None


# --- players who have never answered
class FirstTurnWaits(TimeNotice):
    """To a player: the game waits for `count` players who have never answered (`names`, where they
    are told); `is_own`: the reader is one of them. `asks`: it waited before, and the game master is
    asked now.
    """

    old: datetime
    new: datetime
    names: Sequence[str]
    count: int
    _: KW_ONLY
    is_own: bool
    asks: bool


class GmFirstTurn(TimeNotice):
    """To a game master: the same, with the words that decide about these seats."""

    new: datetime
    names: Sequence[str]
    _: KW_ONLY
    asks: bool


class OpenSeat(Facts):
    """An empty seat, with the code that takes it and the link that does so in a chat ("": none)."""

    name: str
    code: str
    link: str


class SeatsOpened(TimeNotice):
    """To everybody: the clock is stopped until somebody takes these seats, who writes to `address`;
    a game that still waits `until` then is broken off. `again`: they were told before.
    """

    seats: Sequence[OpenSeat]
    address: str
    until: datetime
    _: KW_ONLY
    again: bool


# --- more time and votes
class MoreTimeAsked(TimeNotice):
    """To the player who asks for more time: the game master decides."""

    until: datetime


class GmMoreTime(TimeNotice):
    """To a game master: somebody asks for more time."""

    who: str
    until: datetime
    number: int


class MoreTimeRefused(TimeNotice):
    """To the player who asked, alone: the deadline stays."""

    by: str


class MotionImpossible(TimeNotice):
    """There is no vote, and `code` says why."""

    kind: str
    code: str
    written: str = ""


class MotionSecond(TimeNotice):
    """The players already vote on another end of the game, so there is no second vote."""

    motion: MotionFacts


class MotionOpened(TimeNotice):
    """The question, to everybody who votes (and the game masters, who do not)."""

    motion: MotionFacts


class MotionAnswered(TimeNotice):
    """What the reader has voted."""

    motion: MotionFacts


class MotionSettled(TimeNotice):
    """To everybody: the numbers, and what follows. `old` and `new` are deadlines."""

    motion: MotionFacts
    outcome: Literal["passed", "failed"]
    count: Count
    old: datetime | None = None
    new: datetime | None = None


class NoMotion(TimeNotice):
    """A vote where no question is open, or several are (`motions`)."""

    motions: Sequence[MotionFacts]


# --- the clock
class ClockShown(TimeNotice):
    """When deadlines are."""

    clock: ClockFacts


class ClockChanged(TimeNotice):
    """To everybody: the clock that holds from the next phase on."""

    clock: ClockFacts
    by: str
