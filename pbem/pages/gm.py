"""Notices to game masters: what became of their commands, what needs a confirmation, how a game
stands. Alike for every game.
"""

from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field
from datetime import datetime
from typing import Literal

from pbem.pages.dates import relative, seen
from pbem.pages.notice import Facts, Notice, quoted_lines
from pbem.pages.page import PeopleFacts, Reader, Table
from pbem.pages.rendering import phrase, tidy, twin

GM = "mail/gm.j2"
FIRST_WORDS = 48

Value = str | int | bool | datetime | None | tuple[str, ...]


class SeatStatus(Facts):
    """One line of a table's status. `answered`, `versions`, `final` are None where the reader may
    not know them (or nothing is asked).

    `lacking` is what the open phase waits for, in the words of orders. `accepted` tells, before the
    start, whether an invitation was answered with yes; None where none was sent. `address_state`
    "chat": the player there is known on Telegram alone; "none": nobody reaches them. `address` ""
    otherwise: the reader plays where names are hidden.
    """

    number: int
    name: str
    colour: str
    address: str
    address_state: str
    status: str
    asked: bool
    answered: bool | None
    final: bool | None
    versions: int | None
    lacking: tuple[str, ...] = ()
    accepted: bool | None = None
    person: str = ""
    """Who sits there now, where that is not the seat's name."""
    idle: bool = False
    """It plays by defaults, and nobody waits for it."""
    until: datetime | None = None
    """When a substitute gives the seat back."""
    graces: int | None = None
    """How often they will still be waited for; None where nobody is, or the reader may not know."""
    takeover_code: str = ""
    """The code that gives the empty seat to the first person who writes it, where the table allows
    that.
    """


@dataclass(frozen=True, slots=True)
class NoteStatus:
    """A player's note that nobody has answered yet."""

    number: int
    who: str
    text: str


class MotionStatus(Facts):
    """What the table votes on just now; how, nobody is told."""

    number: int
    kind: str
    closes_at: datetime
    what: str = ""
    until: datetime | None = None


class WaitingStatus(Facts):
    """What waits for the game master's word: the title of the letter that asked, until when, and
    the answers that it offers.
    """

    title: str
    until: datetime
    answers: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class NextStep:
    """Words that stand ready for the next step of a line; `code` names them for a button. Not
    `is_whole`: something must be filled in.
    """

    code: str
    words: str
    is_whole: bool = True


class TableStatus(Facts):
    """One screen about a table, for its game master; nobody's orders are in it.

    `phase` is the name of the open one and `turn_word` what its turn is called, as the game's own
    pages have them. `hides_answers`: the reader plays here, so nothing is told of what the others
    have sent. `votes` counts the answers to each question that is put to the table. `seats_most` 0:
    as many as the game takes.
    """

    slug: str
    title: str
    ruleset: str
    status: str
    phase_number: int
    phase: str
    turn: int
    deadline: datetime | None
    held_since: datetime | None
    paused_at: datetime | None
    attempts: int
    seats: tuple[SeatStatus, ...]
    notes: tuple[NoteStatus, ...]
    shunted: int
    letters: dict[str, int]
    zone: str
    hides_answers: bool = False
    settles_at: datetime | None = None
    seats_least: int = 0
    seats_most: int = 0
    votes: dict[str, int] = field(default_factory=dict)
    starts: str = "gm"
    phase_kind: str = ""
    """The kind of the open phase as the game's engine spells it, for programs."""
    join_code: str | None = None
    expires_at: datetime | None = None
    voting_until: datetime | None = None
    motions: tuple[MotionStatus, ...] = ()
    waiting: tuple[WaitingStatus, ...] = ()
    people: PeopleFacts = field(default_factory=PeopleFacts)
    steps: tuple[NextStep, ...] = ()
    turn_word: str = "turn"
    withheld: dict[str, int] = field(default_factory=dict)
    """How many letters were not sent, by reason."""


class TableLine(Facts):
    """A table in a list; `phase` is the name of the open one."""

    slug: str
    title: str
    status: str
    phase_number: int
    phase: str
    deadline: datetime | None


@dataclass(frozen=True, slots=True)
class Result:
    """What became of one line. `kind` names the command (done, asked), or says why not: a code
    (refused), or the kind of trouble (unread).

    `form` is the right spelling, where that helps. Of a phase the facts hold the name
    (`phase_name`), as the game's own pages have it.
    """

    quote: str
    state: Literal["done", "refused", "unread", "asked", "ignored"]
    kind: str
    facts: Mapping[str, Value] = field(default_factory=dict)
    form: str = ""


@dataclass(frozen=True, slots=True)
class WordHelp:
    """A word of the game masters, how it is written, and whether it needs a confirmation."""

    word: str
    form: str
    dangerous: bool


@dataclass(frozen=True, slots=True)
class Answer:
    """Everything in the answer to one mail of commands."""

    results: tuple[Result, ...]
    tables: tuple[TableStatus, ...] = ()
    listed: tuple[TableLine, ...] | None = None
    notes: tuple[NoteStatus, ...] | None = None
    words: tuple[WordHelp, ...] = ()
    is_changed: bool = False
    """The message changes one of before; the results are of that one, and nothing was done for it
    now.
    """


Why = Literal["no", "unclear", "over", "waiting", "long", "too-often"]


class GmNotice(Notice, foot="foot_master"):
    """A notice to game masters, of one table or (with the house in its place) of several."""

    template = GM
    frame = "mail/gm_frame.j2"
    feet = GM


class CommandsAnswered(GmNotice):
    """What became of each line, then how the tables concerned stand."""

    answer: Answer

    def facts(self, table: Table, reader: Reader) -> dict[str, object]:
        answer = self.answer
        return {
            "results": [_result_facts(result, table, reader) for result in answer.results],
            "mood": "changed" if answer.is_changed else _mood(answer),
            "tables": [_status_facts(status, table, reader) for status in answer.tables],
            "listed": None
            if answer.listed is None
            else [line.facts(table, reader) for line in answer.listed],
            "notes": None
            if answer.notes is None
            else [{"note": note, "lines": quoted_lines(note.text)} for note in answer.notes],
            "words": answer.words,
        }


class ConfirmationAsked(GmNotice, foot="foot_gm_confirm"):
    """Asks for a yes to what will happen; `proven`: we know who wrote the commands."""

    results: Sequence[Result]
    until: datetime
    _: KW_ONLY
    proven: bool

    def facts(self, table: Table, reader: Reader) -> dict[str, object]:
        results = [_result_facts(result, table, reader) for result in self.results]
        return super().facts(table, reader) | {"results": results}

    @classmethod
    def subject(cls, table: Table) -> str:
        """The subject of the mail."""
        return f"[{table.title}] {phrase(GM, f'{cls.macro()}_title', {})}"


class NotConfirmed(GmNotice):
    """We did nothing: the answer was no or unclear, the question is over, another one waits, or it
    is too long.
    """

    why: Why


class MasterInvited(GmNotice):
    """To a new game master: what they can write, and what the code is. `titles` are their tables
    (none: every table); `opening` shows how to open one.
    """

    titles: Sequence[str]
    words: Sequence[WordHelp]
    opening: str


def step_label(step: NextStep, *, table: str = "") -> str:
    """The words on a button that does a step; with the table's short name among several."""
    label = phrase(GM, "step_label", step.code, step.words)
    return f"{table}: {label}" if table else label


def tap_words(name: Literal["earlier", "taken"]) -> str:
    """The words for a tap that does nothing: its phase is over, or it was taken before."""
    return phrase(GM, f"tap_{name}")


def consent_labels() -> tuple[str, str]:
    """The words on the buttons below a question: yes and no."""
    return phrase(GM, "yes_label"), phrase(GM, "no_label")


def table_status_text(table: Table, reader: Reader, status: TableStatus) -> str:
    """A table's status as plain text, for a terminal."""
    return tidy(twin(GM, "table_status", _status_facts(status, table, reader)).text)


def unread_text(result: Result) -> str:
    """Why we could not read a line, in one line of plain text, for a terminal."""
    return phrase(GM, "unread", result.kind, result.facts)


def _result_facts(result: Result, table: Table, reader: Reader) -> dict[str, object]:
    facts = {
        key: seen(value, table, reader) if isinstance(value, datetime) else value
        for key, value in result.facts.items()
    }
    return {
        "lines": tuple(result.quote.splitlines()),
        "state": result.state,
        "kind": result.kind,
        "f": facts,
        "form": result.form,
    }


def _status_facts(status: TableStatus, table: Table, reader: Reader) -> dict[str, object]:
    return {
        "s": status.facts(table, reader),
        "zone": reader.zone,
        "left": relative(status.deadline, status.paused_at)
        if status.deadline and status.paused_at
        else "",
        "invited": [
            seat for seat in status.seats if seat.accepted is False and seat.status != "left"
        ],
        "notes": [
            {"number": note.number, "who": note.who, "words": _first_words(note.text)}
            for note in status.notes
        ],
    }


def _mood(answer: Answer) -> str:
    """What the title says: done, partly, nothing, asked, both (some of it is done, the rest waits),
    or told (a mail of questions alone).
    """
    states = {result.state for result in answer.results}
    if not states:
        return (
            "told"
            if answer.tables
            or answer.listed is not None
            or answer.words
            or answer.notes is not None
            else "empty"
        )
    if states <= {"done"}:
        return "done"
    if states <= {"asked", "done"}:
        return "both" if "done" in states else "asked"
    return "partly" if states & {"done", "asked"} else "nothing"


def _first_words(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= FIRST_WORDS else flat[: FIRST_WORDS - 1].rstrip() + "…"
