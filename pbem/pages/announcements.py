"""What a game master's command has changed: told to the table, to a newcomer, to one player; and
the record of a game. Alike for every game.
"""

from collections.abc import Sequence
from dataclasses import KW_ONLY
from datetime import datetime
from typing import Literal

from pbem.pages.notice import Notice, QuotedText
from pbem.pages.page import Reader, RecordFacts, Table


class Announcement(Notice):
    """A notice to players or game masters about what was done, most often `by` a game master."""

    template = "mail/announcements.j2"
    reader_feet = ("foot_player", "foot_gm", "foot_gm")


class Paused(Announcement):
    """The clock is stopped."""

    by: str
    reason: QuotedText = ""


class Resumed(Announcement):
    """The clock runs again; the deadline has moved by the time it stood."""

    old: datetime
    new: datetime
    by: str


class ClosedEarly(Announcement):
    """The open phase was closed by the game master's word, before it was `due`."""

    due: datetime
    by: str


class Replaced(Announcement):
    """To everybody else: somebody new has the seat of `who`; `newcomer` is "" where no other
    name was given.
    """

    who: str
    newcomer: str
    by: str


class Unseated(Announcement, foot="foot_out"):
    """To the player who had the seat: their mails no longer count."""

    by: str


class Ejected(Announcement):
    """To everybody: the game master has emptied the seat of `who`; "": to its player."""

    who: str
    reason: QuotedText
    by: str

    def choose_foot(self, table: Table, reader: Reader, code: str) -> str:
        return super().choose_foot(table, reader, code) if self.who else "foot_out"


class Predicted(Announcement):
    """To everybody: a game master has looked at what would happen if the phase closed now."""

    at: datetime
    by: str


class Announced(Announcement):
    """What the game master has to say to everybody."""

    text: QuotedText
    by: str


class NoteAnswered(Announcement):
    """To the one player who wrote the note."""

    note: QuotedText
    answer: QuotedText
    by: str


class Looked(Announcement):
    """To everybody: a game master has looked at somebody's standing orders, or at what only
    they may know.
    """

    who: str
    at: datetime
    by: str
    _: KW_ONLY
    what: Literal["orders", "knowledge"] = "orders"


class Corrected(Announcement):
    """To everybody, what each may know of it: something on the table was set right, and why;
    with the board.
    """

    told: Sequence[str]
    reason: QuotedText
    by: str

    def facts(self, table: Table, reader: Reader) -> dict[str, object]:
        return super().facts(table, reader) | {
            "alt": "The board as it lies now." if table.has_picture else ""
        }


class Exported(Announcement):
    """To everybody: the mails of a game that is over were written into a gallery."""

    at: datetime
    by: str


class Ended(Announcement):
    """The game is broken off. The seed is published with it; "" when nothing was dealt yet."""

    by: str
    reason: QuotedText
    seed_hex: str
    commitment: str
    record: RecordFacts | None = None


class Pardoned(Announcement):
    """To everybody: a strike is taken back (PR-1.11)."""

    who: str
    reason: QuotedText
    by: str


# --- to game masters
class ThirdStrike(Announcement):
    """Somebody has three strikes over all games: at these tables (PR-1.11)."""

    who: str
    tables: Sequence[str]


class ClosedUnread(Announcement):
    """We closed a phase without the mailbox, which we could not read in time."""

    number: int
    deadline: datetime | None


class RecordNotice(Notice):
    """A notice about the record of a game."""

    template = "mail/checking.j2"


class RecordSent(RecordNotice):
    """The record is attached; how to check it."""

    seed_hex: str
    commitment: str
    record: RecordFacts


class RecordSecret(RecordNotice):
    """The game continues, and its seed is secret."""


class RecordMissing(RecordNotice):
    """We cannot play the stored game again."""
