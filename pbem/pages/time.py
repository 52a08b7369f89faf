"""Short mails about a table's time: waiting, absences, graces, votes on more time, and when
deadlines are. Alike for every game.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Literal

from pbem.pages.dates import weekday
from pbem.pages.notice import legacy_page, seen
from pbem.pages.page import Page, Reader, Table, locale_of

TIME = "mail/time.j2"


@dataclass(frozen=True, slots=True)
class AbsenceLine:
    """The first and the last day of an absence, and the one table it is about ("": all)."""

    first: date
    last: date
    table: str = ""


@dataclass(frozen=True, slots=True)
class MotionFacts:
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


class TimePages:
    """One method a mail; every one takes the table and the reader first."""

    def waits(self, table: Table, reader: Reader) -> Page:
        return self._page(
            "waits",
            table,
            reader,
            {"early": table.early_close, "due": seen(table.deadline, table, reader)},
        )

    def waits_no_more(self, table: Table, reader: Reader, *, is_final: bool) -> Page:
        return self._page(
            "waits_no_more", table, reader, {"early": table.early_close, "final": is_final}
        )

    def ready(self, table: Table, reader: Reader) -> Page:
        """Nothing more is owed, and nothing waits."""
        return self._page("ready", table, reader, {"due": seen(table.deadline, table, reader)})

    def not_ready(self, table: Table, reader: Reader) -> Page:
        """Something is missing: nothing is made final."""
        return self._page("not_ready", table, reader, {})

    # ------------------------------------------------------------------------------------- absences
    def absent(
        self,
        table: Table,
        reader: Reader,
        line: AbsenceLine,
        most_days: int,
        falls_in: datetime | None,
        *,
        tells_names: bool,
    ) -> Page:
        """An absence is kept. `falls_in` is an open deadline that lies in it, and stays where it
        is.
        """
        facts = {
            "line": _said(line, table, reader),
            "most_days": most_days,
            "due": seen(falls_in, table, reader),
            "tells_names": tells_names,
        }
        return self._page("absent", table, reader, facts)

    def absence_unclear(
        self, table: Table, reader: Reader, kind: str, what: str, written: str
    ) -> Page:
        return self._page(
            "absence_unclear", table, reader, {"kind": kind, "what": what, "written": written[:80]}
        )

    def absences(self, table: Table, reader: Reader, lines: Sequence[AbsenceLine]) -> Page:
        return self._page(
            "absences",
            table,
            reader,
            {"lines": tuple(_said(line, table, reader) for line in lines)},
        )

    def back(self, table: Table, reader: Reader, count: int) -> Page:
        """So many absences are taken back."""
        return self._page("back", table, reader, {"count": count})

    # --------------------------------------------------------------------------------------- graces
    def grace(
        self,
        table: Table,
        reader: Reader,
        old: datetime,
        new: datetime,
        names: Sequence[str],
        left: int | None,
    ) -> Page:
        """To everybody: the table waits for somebody. `left` is how often it still will for this
        reader, who is late; None: who is not.
        """
        facts = {
            "old": seen(old, table, reader),
            "new": seen(new, table, reader),
            "names": tuple(names),
            "left": left,
        }
        return self._page("grace", table, reader, facts)

    # -------------------------------------------------------------------------- more time and votes
    def more_time_asked(self, table: Table, reader: Reader, until: datetime) -> Page:
        """To whoever asks: the game master decides."""
        facts = {
            "until": seen(until, table, reader),
            "due": seen(table.deadline, table, reader),
            "gm_name": table.gm_name,
        }
        return self._page("more_time_asked", table, reader, facts)

    def gm_more_time(
        self, table: Table, reader: Reader, who: str, until: datetime, number: int
    ) -> Page:
        """To a game master: somebody asks for more time."""
        facts = {
            "who": who,
            "until": seen(until, table, reader),
            "due": seen(table.deadline, table, reader),
            "number": number,
        }
        return self._page("gm_more_time", table, reader, facts)

    def more_time_refused(self, table: Table, reader: Reader, by: str) -> Page:
        """To whoever asked, alone."""
        return self._page(
            "more_time_refused",
            table,
            reader,
            {"by": by, "due": seen(table.deadline, table, reader)},
        )

    def motion_impossible(
        self, table: Table, reader: Reader, kind: str, code: str, written: str = ""
    ) -> Page:
        """Nothing is put to the vote, and why."""
        facts = {
            "kind": kind,
            "code": code,
            "written": written[:80],
            "due": seen(table.deadline, table, reader),
            "gm_name": table.gm_name,
        }
        return self._page("motion_impossible", table, reader, facts)

    def motion_second(self, table: Table, reader: Reader, motion: MotionFacts) -> Page:
        """Another end of the game is voted on already, and this one is not put to the vote beside
        it.
        """
        return self._page("motion_second", table, reader, self._motion(table, reader, motion))

    def motion_opened(self, table: Table, reader: Reader, motion: MotionFacts) -> Page:
        """The question, to everybody who votes (and the game masters, who do not)."""
        return self._page("motion_opened", table, reader, self._motion(table, reader, motion))

    def motion_answered(self, table: Table, reader: Reader, motion: MotionFacts) -> Page:
        return self._page("motion_answered", table, reader, self._motion(table, reader, motion))

    def motion_settled(
        self,
        table: Table,
        reader: Reader,
        motion: MotionFacts,
        outcome: Literal["passed", "failed"],
        count: Count,
        old: datetime | None = None,
        new: datetime | None = None,
    ) -> Page:
        """To everybody: the numbers, and what comes of it."""
        facts = self._motion(table, reader, motion) | {"outcome": outcome, "count": count}
        facts |= {"old": seen(old, table, reader), "new": seen(new, table, reader)}
        return self._page("motion_settled", table, reader, facts)

    def no_motion(self, table: Table, reader: Reader, motions: Sequence[MotionFacts]) -> Page:
        """A vote on nothing, or on one of several."""
        return self._page(
            "no_motion",
            table,
            reader,
            {"motions": tuple(self._motion(table, reader, motion)["m"] for motion in motions)},
        )

    # ------------------------------------------------------------------------------------ the clock
    def clock(self, table: Table, reader: Reader, clock: ClockFacts) -> Page:
        """When deadlines are, to whoever asks."""
        return self._page(
            "clock", table, reader, {"c": clock, "due": seen(table.deadline, table, reader)}
        )

    def clock_changed(self, table: Table, reader: Reader, clock: ClockFacts, by: str) -> Page:
        """To everybody: from the next phase on deadlines are otherwise."""
        return self._page(
            "clock_changed",
            table,
            reader,
            {"c": clock, "by": by, "due": seen(table.deadline, table, reader)},
        )

    @staticmethod
    def _motion(table: Table, reader: Reader, motion: MotionFacts) -> dict[str, object]:
        said = {
            "number": motion.number,
            "kind": motion.kind,
            "answer": motion.answer,
            "detail": motion.detail,
            "unanimous": motion.unanimous,
        }
        said |= {
            "until": seen(motion.until, table, reader),
            "closes": seen(motion.closes_at, table, reader),
        }
        return {"m": said, "is_master": reader.number is None}

    @staticmethod
    def _page(name: str, table: Table, reader: Reader, facts: Mapping[str, object]) -> Page:
        return legacy_page(
            TIME,
            name,
            table,
            reader,
            dict(facts),
            foot="foot_gm" if reader.number is None else "foot_player",
        )


def _said(line: AbsenceLine, table: Table, reader: Reader) -> dict[str, str]:
    locale = locale_of(table, reader)
    return {
        "first": weekday(line.first, locale),
        "last": weekday(line.last, locale),
        "table": line.table,
    }
