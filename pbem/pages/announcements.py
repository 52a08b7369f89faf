"""Short mails about what a game master's command has changed: to the table, to a newcomer, to one
player. Alike for every game.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Literal

from pbem.pages.notice import notice_page, quoted_lines, seen
from pbem.pages.page import Page, Reader, RecordFacts, Table

ANNOUNCEMENTS = "mail/announcements.j2"


class AnnouncementPages:
    """One method a mail; every one takes the table and the reader first. Texts of people are shown
    as they wrote them, escaped.
    """

    def paused(self, table: Table, reader: Reader, by: str, reason: str = "") -> Page:
        """The clock is stopped."""
        return self._page("paused", table, reader, {"by": by, "lines": quoted_lines(reason)})

    def resumed(self, table: Table, reader: Reader, old: datetime, new: datetime, by: str) -> Page:
        """The clock runs again; the deadline has moved by the time it stood."""
        return self._page(
            "resumed",
            table,
            reader,
            {"by": by, "old": seen(old, table, reader), "new": seen(new, table, reader)},
        )

    def closed_early(self, table: Table, reader: Reader, due: datetime, by: str) -> Page:
        """The open phase was closed by the game master's word, before it was `due`."""
        return self._page(
            "closed_early", table, reader, {"by": by, "due": seen(due, table, reader)}
        )

    def replaced(self, table: Table, reader: Reader, who: str, newcomer: str, by: str) -> Page:
        """To everybody else: somebody new has the seat of `who`; `newcomer` is "" where no other
        name was given.
        """
        return self._page("replaced", table, reader, {"who": who, "newcomer": newcomer, "by": by})

    def unseated(self, table: Table, reader: Reader, by: str) -> Page:
        """To whoever had the seat: their mails count no more."""
        return self._page("unseated", table, reader, {"by": by}, foot="foot_out")

    def ejected(self, table: Table, reader: Reader, who: str, reason: str, by: str) -> Page:
        """To everybody: the seat of `who` stands empty by the game master's word. `who` "": to
        whoever had it.
        """
        foot = "" if who else "foot_out"
        return self._page(
            "ejected",
            table,
            reader,
            {"who": who, "lines": quoted_lines(reason), "by": by},
            foot=foot,
        )

    def predicted(self, table: Table, reader: Reader, at: datetime, by: str) -> Page:
        """To everybody: a game master has looked at what would happen if the phase closed now."""
        return self._page("predicted", table, reader, {"by": by, "at": seen(at, table, reader)})

    def announcement(self, table: Table, reader: Reader, text: str, by: str) -> Page:
        """What the game master has to say to everybody."""
        return self._page("announcement", table, reader, {"by": by, "lines": quoted_lines(text)})

    def note_answered(self, table: Table, reader: Reader, note: str, answer: str, by: str) -> Page:
        """To the one player who wrote the note."""
        return self._page(
            "note_answered",
            table,
            reader,
            {"by": by, "note": quoted_lines(note), "lines": quoted_lines(answer)},
        )

    def looked(
        self,
        table: Table,
        reader: Reader,
        who: str,
        at: datetime,
        by: str,
        *,
        what: Literal["orders", "knowledge"] = "orders",
    ) -> Page:
        """To everybody: a game master has looked at somebody's standing orders, or at what only
        they may know.
        """
        return self._page(
            "looked",
            table,
            reader,
            {"who": who, "by": by, "at": seen(at, table, reader), "what": what},
        )

    def corrected(
        self, table: Table, reader: Reader, told: Sequence[str], reason: str, by: str
    ) -> Page:
        """To everybody, what each may know of it: something on the table was set right, and why;
        with the board.
        """
        alt = "The board as it lies now." if table.has_picture else ""
        return self._page(
            "corrected",
            table,
            reader,
            {"told": tuple(told), "lines": quoted_lines(reason), "by": by, "alt": alt},
        )

    def exported(self, table: Table, reader: Reader, at: datetime, by: str) -> Page:
        """To everybody: the mails of a game that is over were written into a gallery."""
        return self._page("exported", table, reader, {"by": by, "at": seen(at, table, reader)})

    def ended(
        self,
        table: Table,
        reader: Reader,
        by: str,
        reason: str,
        seed_hex: str,
        commitment: str,
        record: RecordFacts | None = None,
    ) -> Page:
        """The game is broken off. The seed is published with it; "" when nothing was dealt yet."""
        facts: dict[str, object] = {
            "by": by,
            "lines": quoted_lines(reason),
            "seed": seed_hex,
            "commitment": commitment,
            "record": record,
        }
        return self._page("ended", table, reader, facts)

    def pardoned(self, table: Table, reader: Reader, who: str, reason: str, by: str) -> Page:
        """To everybody: a strike is taken back (PR-1.11)."""
        return self._page(
            "pardoned", table, reader, {"who": who, "by": by, "lines": quoted_lines(reason)}
        )

    # ------------------------------------------------------------------------------ to game masters
    def third_strike(self, table: Table, reader: Reader, who: str, tables: Sequence[str]) -> Page:
        """Somebody has three strikes over all games: at these tables (PR-1.11)."""
        return self._page("third_strike", table, reader, {"who": who, "tables": tuple(tables)})

    def closed_unread(
        self, table: Table, reader: Reader, number: int, deadline: datetime | None
    ) -> Page:
        """A close went on although the mailbox could not be read for as long as it waits."""
        return self._page(
            "closed_unread", table, reader, {"number": number, "due": seen(deadline, table, reader)}
        )

    @staticmethod
    def _page(
        name: str,
        table: Table,
        reader: Reader,
        facts: dict[str, object],
        *,
        foot: str = "",
    ) -> Page:
        foot = foot or ("foot_gm" if reader.number is None else "foot_player")
        return notice_page(ANNOUNCEMENTS, name, table, reader, facts, foot=foot)
