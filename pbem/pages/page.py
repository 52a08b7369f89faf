"""What goes into a page and what comes out; the port the desk speaks to.

A page is built from what its reader may know: a table's facts, the reader, that reader's view and
events. Nothing here holds a state, so nothing here can leak one.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Protocol, runtime_checkable

from engine.ruleset import Event, Problem, RulingRequest
from pbem.pages.archive import Close

MARKER = "~~~~ Write your answer above this line ~~~~"
"""The first line of every mail: what a reader of answers finds below it was written by us, quoted
or not.
"""
FOOT_MARK = "\n-- \n"
"""What stands between a mail's words and its foot; the last of its kind in a mail.
"""


DEFAULT_LOCALE = "en"
"""The language of dates of a person who has chosen none. Who wants English in spite of the table's
has `en_001`.
"""


@dataclass(frozen=True, slots=True)
class Page:
    """One message in forms that say the same; `html` shows the picture as `cid:board` where the
    table has one.

    `chat` are the words for a chat, in Telegram's HTML; "" where the text has to do. `passing` are
    those at its end that hold only while the phase is open. `html_main` is
    from where to where in `html` stands what the page itself says, within the frame; None: it was
    set in none of ours. In `text` that stands between `MARKER` and the last `FOOT_MARK`.
    """

    subject: str
    text: str
    html: str
    chat: str = ""
    html_main: tuple[int, int] | None = None
    passing: str = ""


@dataclass(frozen=True, slots=True)
class Reader:
    """Who reads: `number` is None for a game master or an observer; `zone` an IANA name."""

    number: int | None
    name: str
    zone: str
    locale: str = DEFAULT_LOCALE
    """The language of dates that the reader has chosen; `DEFAULT_LOCALE` as long as it is the
    table's.
    """
    code: str = ""
    """The token that proves an answer of this reader, where the letter is not about one seat (a
    game master's).
    """
    looks_on: bool = False
    """They have no part in the game, and see what the public sees."""
    is_group: bool = False
    """Several people read along, so that no time is anybody's own."""

    @property
    def whose_time(self) -> str:
        """Words behind an instant: in whose zone it is."""
        return f"in the time of {self.zone}" if self.is_group else "your time"


@dataclass(frozen=True, slots=True)
class PeopleFacts:
    """What a table says about its people; as it is where nothing is said. The words are those of
    the rule that sets it.
    """

    observers: bool = True
    observers_shown: str = "number"
    takeovers: str = "gm"
    least_reliability: int = 0
    nmr_count: int = 0
    nmr_then: str = "gm"
    resigned: str = "vacant"
    draws: str = "phase"
    first_nmr: str = "play"
    hidden_names: bool = False


@dataclass(frozen=True, slots=True)
class HoursShown:
    """When a player is there, by their own clock (`since` "": at any hour), and what that shows."""

    name: str
    since: str
    until: str
    zone: str
    now: str


@dataclass(frozen=True, slots=True)
class Table:
    """The table around the game. Instants are aware; `code` is this reader's token for the foot (""
    when there is none).
    """

    title: str
    slug: str
    game_title: str
    now: datetime
    deadline: datetime | None
    phase_number: int
    gm_name: str
    code: str
    zone: str
    early_close: bool
    finality: str
    has_picture: bool
    hours: int
    rules_url: str = ""
    archive_url: str = ""
    """Where everybody can follow the game on the web; "" where it is not published."""
    locale: str = DEFAULT_LOCALE
    """The language of dates at this table."""
    is_paused: bool = False
    """The clock is stopped: there is no deadline as long as that lasts."""
    away: tuple[str, ...] = ()
    """For whom the deadline is later, "" for somebody whose name is not told."""
    rhythm: str = ""
    """When deadlines of the table are, in the words that set it; "" for any hour of any day."""
    telegram: str = ""
    """The link by which a reader without a chat can play by Telegram too."""
    people: PeopleFacts = PeopleFacts()
    """What it says about its people."""
    hours_shown: tuple[HoursShown, ...] = ()
    """The hours of players who show them."""
    settles_at: datetime | None = None
    """When the phase closes before its deadline, if nobody orders anything else."""
    mailto: str = ""
    """The link that begins the answer to this letter, where one word is enough."""
    won_by: str = ""
    """The winner whom this letter of the end goes to; "" where it goes to anybody else."""
    told_to: int | None = None
    """The player whom this letter of the end goes to; None where it goes to everybody."""
    is_last_call: bool = False
    """Whether this reminder is the last of several."""
    stand_in_until: datetime | None = None
    """When the seat of this reader goes back to whom it belongs; None: it is theirs."""
    in_chat: bool = True
    """Whether anybody may read this letter in a chat; if not, it needs no words for one."""


def locale_of(table: Table, reader: Reader) -> str:
    """The language in which this reader sees dates: their own choice before the table's."""
    return table.locale if reader.locale == DEFAULT_LOCALE else reader.locale


@dataclass(frozen=True, slots=True)
class ReceiptItem:
    """One clause of a message and what became of it; `caret` marks where in `quote` the trouble
    sits. `example` is a line to copy where there is no suggestion, `instead` what either would
    replace, `dropped` what its words took back. `is_offered`: the suggestion of another one says
    what it may mean.
    """

    number: int
    quote: str
    caret: tuple[int, int] | None = None
    texts: tuple[str, ...] = ()
    problems: tuple[Problem, ...] = ()
    suggestion: str | None = None
    note: str | None = None
    instead: tuple[str, ...] = ()
    example: str = ""
    dropped: tuple[str, ...] = ()
    is_offered: bool = False

    @property
    def refusals(self) -> tuple[Problem, ...]:
        return tuple(problem for problem in self.problems if not problem.warning)


@dataclass(frozen=True, slots=True)
class ReceiptFacts:
    """What became of one message as a whole.

    `told` are the answers that the message brought at once, for this reader alone: a look at a
    card, say; `told_all`: everybody was told that it was done. `standing` are the canonical texts
    that count now, `offered` the suggestions a `yes` may take; `dropped_replaced` texts that fell
    to this message; `slips` words read in spite of a slip of the pen. `is_locked`: the rules refuse
    what the player changes after this. `closes`: nobody is waited for any more, and the phase
    closes at once. `final_held`: this message, or the one whose suggestions it takes, said `final`,
    and that does not count since not all of it was taken.
    `final_of_nothing`: it said `final` while no order that the phase asks for stood,
    so that the rules decide. Of a message that was changed: `fallen` only its earlier version had
    brought, so that it no longer stands; `back` stands again, as before the message; `stays` stands
    on from its earlier version, though the message no longer says it. `unheard` are lines of it of
    which nothing came, and which went to nobody.
    """

    items: tuple[ReceiptItem, ...]
    standing: tuple[str, ...]
    standing_orders: tuple[Any, ...]
    final: bool
    version: int
    received_at: datetime
    offered: tuple[tuple[int, str], ...] = ()
    dropped_replaced: tuple[str, ...] = ()
    slips: tuple[str, ...] = ()
    dated_earlier: bool = False
    cc_warning: bool = False
    cut: bool = False
    note_passed: bool = False
    is_locked: bool = False
    closes: bool = False
    final_held: bool = False
    final_of_nothing: bool = False
    told: tuple[Event, ...] = ()
    told_all: bool = False
    fallen: tuple[str, ...] = ()
    back: tuple[str, ...] = ()
    stays: tuple[str, ...] = ()
    unheard: tuple[str, ...] = ()

    def spoken(self, say: Callable[[str], str]) -> "ReceiptFacts":
        """The same with the texts of orders in other words."""
        return replace(
            self,
            standing=tuple(map(say, self.standing)),
            offered=tuple((number, say(text)) for number, text in self.offered),
            dropped_replaced=tuple(map(say, self.dropped_replaced)),
            fallen=tuple(map(say, self.fallen)),
            back=tuple(map(say, self.back)),
            stays=tuple(map(say, self.stays)),
        )


@dataclass(frozen=True, slots=True)
class PastPhase:
    """One line of the table's history: what happened in a phase, in short lines. A phase that was
    rolled back has none.
    """

    turn: int
    phase: str
    lines: tuple[str, ...]
    is_undone: bool = False


@dataclass(frozen=True, slots=True)
class SuppositionFacts:
    """What somebody supposes, and the result.

    `question` is as it was written, `orders` the canonical texts that count, by player; `stored`:
    those of the reader stand already, the question names none; `standing` are all texts that stand.
    `clauses` are those of the question, with the player each is about. `after` is the reader's view
    of the table as it would lie, `events` what would happen, `hangs` what of it the reader cannot
    know. `left` of `most` questions are left in this phase. With `refused`, a code, nothing is
    supposed; `when` are then the phases in which it can be.
    """

    question: str
    is_preview: bool
    most: int
    orders: tuple[tuple[int, tuple[str, ...]], ...] = ()
    stored: bool = True
    standing: tuple[str, ...] = ()
    clauses: tuple[tuple[int | None, ReceiptItem], ...] = ()
    after: Any = None
    events: tuple[Event, ...] = ()
    hangs: tuple[Problem, ...] = ()
    left: int = 0
    refused: str = ""
    when: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RollBack:
    """What a game master has taken back: `undone` are the turns and kinds of the phases, `events`
    what the public saw happen in them.

    `was_paused`: the clock stood still and runs again.
    """

    undone: tuple[tuple[int, str], ...]
    events: tuple[Event, ...]
    reshuffled: bool
    was_paused: bool
    by: str


@dataclass(frozen=True, slots=True)
class StoredVersion:
    """A version of somebody's own orders as it was stored."""

    version: int
    received_at: datetime
    texts: tuple[str, ...]
    final: bool = False


@dataclass(frozen=True, slots=True)
class PhaseEvents:
    """What happened in a phase, as far as one reader may know; 0 is the start. A phase that was
    rolled back has no events.
    """

    number: int
    turn: int
    kind: str
    events: tuple[Event, ...]
    is_undone: bool = False


@dataclass(frozen=True, slots=True)
class RecordFacts:
    """The file of a finished game: what it is called, and the fingerprint by which two people know
    that they have the same one.
    """

    filename: str
    fingerprint: str
    past: tuple[Close, ...] = ()
    """All that counted, from the start on, for the story of the game."""


@runtime_checkable
class AsksMaster(Protocol):
    """Pages of a game that asks its game master for rulings."""

    def ruling_request(
        self, table: Table, view: Any, request: RulingRequest, until: datetime
    ) -> Page:
        """One question, what is done `until` then if nobody answers, and the answers to it. `view`
        is the public's; an order that is ruled on is quoted anyway.
        """
        ...


@runtime_checkable
class TellsStory(Protocol):
    """Pages of a game that tells its whole story on a page of its own in an archive."""

    def chronicle(self, view: Any, past: Sequence[PhaseEvents]) -> str:
        """HTML to be set in the frame of an archive, within `.chronicle`. `view` is the public's,
        `past` what everybody may know of all phases that count, the open one included.
        """
        ...
