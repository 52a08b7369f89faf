"""What a game master can write: one frozen value a command. None can be made that no line says:
ValueError.
"""

from collections.abc import Iterable, Mapping
from typing import Literal

import msgspec

from pbem.grammar.clock_rules import ClockChange
from pbem.grammar.gm.choices import Choices, check, check_clock, check_people, check_press
from pbem.grammar.gm.naming import is_title, slug_of
from pbem.grammar.gm.values import Lexicon, Questions, Span, Unread, WallTime
from pbem.grammar.press_rules import PressChange

__all__ = ["Choices", "Lexicon", "Questions", "Span", "Unread", "WallTime"]

MOST_NOTES = 50
"""So many notes one command dismisses."""
MOST_READERS = 120
_MOST_NUMBER = 999_999_999


class Invited(msgspec.Struct, frozen=True):
    """Somebody to be invited."""

    name: str
    address: str

    def __post_init__(self) -> None:
        check(self.name != "" and self.name == " ".join(self.name.split()), self.name)


class GmCommand(msgspec.Struct, frozen=True, kw_only=True, tag_field="command"):
    """Base of every command. `table` is the short name as it was written, "" where none was: then
    it is known by the reply address.
    """

    table: str = ""

    def __post_init__(self) -> None:
        """Each field is what one line says, but for a text; a number has nine figures at most."""
        for field in self.__struct_fields__:
            value = getattr(self, field)
            if isinstance(value, str) and field != "text":
                check(value == " ".join(value.split()), value)
                check(value != "" or field not in ("player", "what"), value)
            elif isinstance(value, str):
                check(value != "" and value == value.strip(), value)
            elif isinstance(value, int):
                check(0 <= value <= _MOST_NUMBER, value)


class HouseCommand(GmCommand, frozen=True, kw_only=True):
    """Base of those that are of no table."""

    def __post_init__(self) -> None:
        super().__post_init__()
        check(not self.table, self.table)


class NewGame(GmCommand, frozen=True, kw_only=True, tag="new game"):
    title: str
    choices: Choices = Choices()

    def __post_init__(self) -> None:
        super().__post_init__()
        check(is_title(self.title) and self.table == slug_of(self.title), self.title)


class Invite(GmCommand, frozen=True, kw_only=True, tag="invite"):
    people: tuple[Invited, ...]

    def __post_init__(self) -> None:
        super().__post_init__()
        check(self.people != (), self.people)


class Clock(GmCommand, frozen=True, kw_only=True, tag="clock"):
    """How the table's deadlines are set from now on, as far as it is said."""

    change: ClockChange

    def __post_init__(self) -> None:
        super().__post_init__()
        check_clock(self.change)


class Grant(GmCommand, frozen=True, kw_only=True, tag="grant"):
    """More time that a player asks for; `request` None: the one that is open."""

    request: int | None = None


class Refuse(GmCommand, frozen=True, kw_only=True, tag="refuse"):
    request: int | None = None


class Team(GmCommand, frozen=True, kw_only=True, tag="team"):
    """Before the start: a player's team ("": none) and the place in it, from 1 (None: any)."""

    player: str
    team: str
    place: int | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        check(self.place is None or 1 <= self.place <= 99, self.place)


class Faction(GmCommand, frozen=True, kw_only=True, tag="faction"):
    """Before the start: a player's faction, "": none yet."""

    player: str
    faction: str


class Start(GmCommand, frozen=True, kw_only=True, tag="start"):
    pass


class Status(GmCommand, frozen=True, kw_only=True, tag="status"):
    pass


class Games(HouseCommand, frozen=True, kw_only=True, tag="games"):
    pass


class Notes(GmCommand, frozen=True, kw_only=True, tag="notes"):
    pass


class Extend(GmCommand, frozen=True, kw_only=True, tag="extend"):
    when: Span | WallTime
    reason: str = ""


class Shorten(GmCommand, frozen=True, kw_only=True, tag="shorten"):
    when: Span | WallTime
    reason: str = ""


class Deadline(GmCommand, frozen=True, kw_only=True, tag="deadline"):
    """The deadline shall be then: it is extended or shortened, as the case may be."""

    when: WallTime
    reason: str = ""


class Close(GmCommand, frozen=True, kw_only=True, tag="close"):
    """`phase` None: the open one, whichever that is; it is asked back with its number."""

    phase: int | None = None


class Pause(GmCommand, frozen=True, kw_only=True, tag="pause"):
    reason: str = ""


class Resume(GmCommand, frozen=True, kw_only=True, tag="resume"):
    pass


class Replace(GmCommand, frozen=True, kw_only=True, tag="replace"):
    """`address` "": somebody of that name who has asked for the seat."""

    player: str
    address: str
    name: str = ""
    zone: str = ""

    def __post_init__(self) -> None:
        super().__post_init__()
        check(bool(self.address or (self.name and not self.zone)), self)


class Eject(GmCommand, frozen=True, kw_only=True, tag="eject"):
    """The seat stands empty from now on."""

    player: str
    reason: str = ""


class People(GmCommand, frozen=True, kw_only=True, tag="people"):
    """What the table says about its people from now on, as far as it is said: fields of
    `people_rules.PeopleRules`.
    """

    changes: Mapping[str, str | int | bool]

    def __post_init__(self) -> None:
        super().__post_init__()
        check_people(self.changes)


class Substitute(GmCommand, frozen=True, kw_only=True, tag="substitute"):
    """Somebody shall be asked to play for a player until then, `since` None: from now on."""

    player: str
    address: str
    until: WallTime | Span
    name: str = ""
    since: WallTime | None = None


class Defaults(GmCommand, frozen=True, kw_only=True, tag="defaults"):
    """A seat goes on by the rules' defaults and is not waited for; `off`: it is, again."""

    player: str
    off: bool = False


class Remove(GmCommand, frozen=True, kw_only=True, tag="remove"):
    """A player is out of the game from now on."""

    player: str
    reason: str = ""


class Unlock(GmCommand, frozen=True, kw_only=True, tag="unlock"):
    player: str


class Strike(GmCommand, frozen=True, kw_only=True, tag="strike"):
    player: str
    reason: str

    def __post_init__(self) -> None:
        super().__post_init__()
        check(self.reason != "", self)


class Pardon(GmCommand, frozen=True, kw_only=True, tag="pardon"):
    """A strike is taken back; the game stays as it is."""

    player: str
    reason: str

    def __post_init__(self) -> None:
        super().__post_init__()
        check(self.reason != "", self)


class Correct(GmCommand, frozen=True, kw_only=True, tag="correct"):
    """Something on the table is set right; `what` is for the game itself to read."""

    what: str
    reason: str

    def __post_init__(self) -> None:
        super().__post_init__()
        check(self.reason != "", self)


class Ruling(GmCommand, frozen=True, kw_only=True, tag="ruling"):
    """An answer to what the game has asked; `what` is for the game itself to read."""

    what: str


class Announce(GmCommand, frozen=True, kw_only=True, tag="announce"):
    text: str


class Write(GmCommand, frozen=True, kw_only=True, tag="write"):
    """A word to some players, or to all."""

    whom: str
    text: str

    def __post_init__(self) -> None:
        super().__post_init__()
        check(
            self.whom != "" and ":" not in self.whom and len(self.whom) <= MOST_READERS, self.whom
        )


class Answer(GmCommand, frozen=True, kw_only=True, tag="answer"):
    note: int
    text: str


class Dismiss(GmCommand, frozen=True, kw_only=True, tag="dismiss"):
    """A note is done without an answer; `also` are others that are."""

    note: int
    also: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        super().__post_init__()
        notes = {self.note, *self.also}
        check(len(notes) == 1 + len(self.also) <= MOST_NOTES, self.also)


class Option(GmCommand, frozen=True, kw_only=True, tag="option"):
    choices: Choices

    def __post_init__(self) -> None:
        super().__post_init__()
        check(self.choices != Choices(), self.choices)


class Press(GmCommand, frozen=True, kw_only=True, tag="press"):
    """What press the table allows from now on, as far as it is said."""

    change: PressChange

    def __post_init__(self) -> None:
        super().__post_init__()
        check_press(self.change)


class RollBack(GmCommand, frozen=True, kw_only=True, tag="roll back"):
    phase: int
    reshuffle: bool = False


class Look(GmCommand, frozen=True, kw_only=True, tag="look"):
    player: str


class Predict(GmCommand, frozen=True, kw_only=True, tag="predict"):
    """What would happen if the open phase closed now."""


class Promote(GmCommand, frozen=True, kw_only=True, tag="promote"):
    """Somebody else may run this table too."""

    address: str
    name: str = ""


class End(GmCommand, frozen=True, kw_only=True, tag="end"):
    reason: str = ""


class Zone(HouseCommand, frozen=True, kw_only=True, tag="zone"):
    """The game master's own time zone, an IANA name."""

    zone: str


class Help(HouseCommand, frozen=True, kw_only=True, tag="help"):
    pass


AnyCommand = (
    NewGame
    | Invite
    | Option
    | Press
    | Team
    | Faction
    | Start
    | Status
    | Games
    | Notes
    | Extend
    | Clock
    | Grant
    | Refuse
    | Shorten
    | Deadline
    | Close
    | Pause
    | Resume
    | Announce
    | Write
    | Answer
    | Dismiss
    | Replace
    | Eject
    | Substitute
    | Defaults
    | Remove
    | People
    | Unlock
    | Strike
    | Pardon
    | Correct
    | Ruling
    | Look
    | Predict
    | Promote
    | RollBack
    | End
    | Zone
    | Help
)
"""In the order a game needs them."""


def word_of(command: GmCommand | type[GmCommand]) -> str:
    """The word that a command, or a type of commands, is of."""
    return str(command.__struct_config__.tag)


class Trouble(msgspec.Struct, frozen=True):
    """Why a line is no command.

    `unknown`: no such word. `missing`: `what` was not said. `ambiguous`: `what` can be read in two
    ways. `invalid`: `what` cannot be read at all. `written` is the part that is the trouble,
    `nearest` what may have been meant, `form` the right spelling.
    """

    kind: Literal["unknown", "missing", "ambiguous", "invalid"]
    what: str
    written: str = ""
    nearest: tuple[str, ...] = ()
    form: str = ""


class GmLine(msgspec.Struct, frozen=True):
    """One line of a mail, with the command that it is, or why it is none."""

    quote: str
    command: AnyCommand | None = None
    trouble: Trouble | None = None


def shown_game(games: Iterable[str]) -> str:
    """The id of the game that our examples show, of those that a house runs: its first."""
    return next(iter(games), "GAME")
