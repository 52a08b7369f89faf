"""What a game master can write: one record a command. The types of its fields (`parts.py`), in the
order of its spelling, say how it is read and written; `gm.words` has how its word is said.
"""

from collections.abc import Mapping
from functools import cache
from typing import Annotated, Any, ClassVar, Literal, NamedTuple, get_type_hints

import msgspec

from pbem.grammar.clock_rules import ClockChange
from pbem.grammar.gm import moments, parts, players, rules, tails
from pbem.grammar.gm.choices import Choices, check
from pbem.grammar.gm.naming import slug_of
from pbem.grammar.gm.values import Invited, Lexicon, Questions, Span, Trouble, Unread, WallTime
from pbem.grammar.press_rules import PressChange

__all__ = ["Choices", "Invited", "Lexicon", "Questions", "Span", "Trouble", "Unread", "WallTime"]

Player = Annotated[str, players.Player("player")]
Reason = Annotated[str, tails.Reason("reason")]
Because = Annotated[str, tails.Because("reason")]


Needs = Literal["house", "table", "note", "phase"]
"""What a command is about: the house, a table, a note of one, or its open phase."""


class Slot(NamedTuple):
    """A field of a command, its type, and whether it must be said."""

    field: str
    part: parts.Part[Any]
    required: bool


class GmCommand(msgspec.Struct, frozen=True, kw_only=True, tag_field="command"):
    """Base of every command. `table` is the short name as it was written, "" where none was: then
    the reply address tells it. A value that no line says cannot be made: ValueError.
    """

    table: str = ""
    needs: ClassVar[Needs] = "table"
    verb: ClassVar[str] = ""
    """How we write its word, where that is not as its form begins."""

    def __post_init__(self) -> None:
        slots = {slot.field: slot for slot in slots_of(type(self))}
        for field in self.__struct_fields__:
            value = getattr(self, field)
            if field in slots:
                slot = slots[field]
                check(slot.part.can_say(value), value)
                check(value != "" or not slot.required or slot.part.may_be_empty, value)
            elif isinstance(value, str):
                check(value == " ".join(value.split()), value)
            if isinstance(value, int):
                check(0 <= value <= parts.MOST_NUMBER, value)


class PhaseCommand(GmCommand, frozen=True, kw_only=True):
    """Base of those about the open phase of a table; once it is over they mean nothing any more."""

    needs: ClassVar[Needs] = "phase"


class NoteCommand(GmCommand, frozen=True, kw_only=True):
    """Base of those about a player's note, which tells the table."""

    needs: ClassVar[Needs] = "note"


class HouseCommand(GmCommand, frozen=True, kw_only=True):
    """Base of those that are of no table."""

    needs: ClassVar[Needs] = "house"

    def __post_init__(self) -> None:
        super().__post_init__()
        check(not self.table, self.table)


@cache
def slots_of(command: type[GmCommand]) -> tuple[Slot, ...]:
    """The fields of a command that are written, in the order of its spelling."""
    hints = get_type_hints(command, include_extras=True)
    return tuple(
        Slot(field.name, part, field.required)
        for field in msgspec.structs.fields(command)
        for part in getattr(hints[field.name], "__metadata__", ())
    )


class NewGame(GmCommand, frozen=True, kw_only=True, tag="new game"):
    needs: ClassVar[Needs] = "house"
    title: Annotated[str, parts.Title("title")]
    choices: Annotated[Choices, rules.CHOICES] = Choices()

    def __post_init__(self) -> None:
        super().__post_init__()
        check(self.table == slug_of(self.title), self.title)


class Invite(GmCommand, frozen=True, kw_only=True, tag="invite"):
    people: Annotated[tuple[Invited, ...], players.People("address")]


class Clock(GmCommand, frozen=True, kw_only=True, tag="clock"):
    """How the deadlines of a table are set from now on; what it does not say stays."""

    verb: ClassVar[str] = "timing"
    change: Annotated[ClockChange, rules.CLOCK]


class Grant(GmCommand, frozen=True, kw_only=True, tag="grant"):
    """More time for a player who asks; without `request` the only request that is open."""

    request: Annotated[int | None, parts.Number("request")] = None


class Refuse(GmCommand, frozen=True, kw_only=True, tag="refuse"):
    request: Annotated[int | None, parts.Number("request")] = None


class Team(GmCommand, frozen=True, kw_only=True, tag="team"):
    """Before the start: a player's team ("": none) and the place in it, from 1 (None: any)."""

    player: Player
    team: Annotated[str, players.Side("team", players.BEFORE_A_SIDE, ": ")]
    place: Annotated[
        int | None, players.Place("place", r"[ ,]+(?=(?:(?:at|on) )?place\b)", ", ")
    ] = None


class Faction(GmCommand, frozen=True, kw_only=True, tag="faction"):
    """Before the start: a player's faction, "": none yet."""

    player: Player
    faction: Annotated[str, players.Side("faction", players.BEFORE_A_SIDE, ": ")]


class Start(GmCommand, frozen=True, kw_only=True, tag="start"):
    pass


class Status(GmCommand, frozen=True, kw_only=True, tag="status"):
    pass


class Games(HouseCommand, frozen=True, kw_only=True, tag="games"):
    pass


class Notes(GmCommand, frozen=True, kw_only=True, tag="notes"):
    pass


class Extend(PhaseCommand, frozen=True, kw_only=True, tag="extend"):
    when: Annotated[Span | WallTime, moments.Move("time")]
    reason: Because = ""


class Shorten(PhaseCommand, frozen=True, kw_only=True, tag="shorten"):
    when: Annotated[Span | WallTime, moments.Move("time")]
    reason: Because = ""


class Deadline(PhaseCommand, frozen=True, kw_only=True, tag="deadline"):
    """The new deadline, later or earlier than the one now."""

    when: Annotated[WallTime, moments.Time("time")]
    reason: Because = ""


class Close(PhaseCommand, frozen=True, kw_only=True, tag="close"):
    """Without `phase` the open one, whichever that is; the question to confirm has its number."""

    phase: Annotated[int | None, parts.Number("phase", noun="phase ", none="now")] = None


class Pause(PhaseCommand, frozen=True, kw_only=True, tag="pause"):
    reason: Annotated[str, tails.Pausing("reason")] = ""


class Resume(PhaseCommand, frozen=True, kw_only=True, tag="resume"):
    pass


class Replace(GmCommand, frozen=True, kw_only=True, tag="replace"):
    """`address` "": the person of that name who has asked for the seat."""

    player: Player
    address: Annotated[
        str, players.Who("newcomer", players.BEFORE_A_NEWCOMER, " with ", asked=True)
    ]
    name: str = ""
    zone: Annotated[str, moments.Zone("zone", "[ ,]+(?:time ?)?zone[ :]+", ", zone ")] = ""

    def __post_init__(self) -> None:
        super().__post_init__()
        check(bool(self.address or (self.name and not self.zone)), self)


class Eject(PhaseCommand, frozen=True, kw_only=True, tag="eject"):
    """The seat stands empty from now on."""

    player: Player
    reason: Reason = ""


class People(GmCommand, frozen=True, kw_only=True, tag="people"):
    """What the table says about its people from now on: fields of `people_rules.PeopleRules`."""

    changes: Annotated[Mapping[str, str | int | bool], rules.PEOPLE]


class Substitute(PhaseCommand, frozen=True, kw_only=True, tag="substitute"):
    """Asks a person to play for a player until then; without `since` from now on."""

    player: Annotated[str, players.Player("player", " for ")]
    address: Annotated[str, players.Who("newcomer", " (?:by|with) | ?: ?", " by ")]
    until: Annotated[WallTime | Span, moments.Until("time", moments.BEFORE_A_PERIOD)]
    name: str = ""
    since: WallTime | None = None


class Defaults(PhaseCommand, frozen=True, kw_only=True, tag="defaults"):
    """A seat plays by the rules' defaults, and nobody waits for it; `off`: they do, again."""

    player: Player
    off: Annotated[bool, parts.Flag("off", parts.BEFORE_OFF)] = False


class Remove(PhaseCommand, frozen=True, kw_only=True, tag="remove"):
    """A player is out of the game from now on."""

    player: Player
    reason: Annotated[str, tails.Reason("reason", tails.BEFORE_PLAIN_WORDS, trims=" .")] = ""


class Unlock(PhaseCommand, frozen=True, kw_only=True, tag="unlock"):
    player: Player


class Strike(PhaseCommand, frozen=True, kw_only=True, tag="strike"):
    player: Player
    reason: Reason


class Pardon(GmCommand, frozen=True, kw_only=True, tag="pardon"):
    """Takes a strike back; the game stays as it is."""

    player: Player
    reason: Reason


class Correct(PhaseCommand, frozen=True, kw_only=True, tag="correct"):
    """Corrects something in the game, which reads `what` itself."""

    what: Annotated[str, parts.What("correction")]
    reason: Annotated[str, tails.Correction("reason")]


class Ruling(PhaseCommand, frozen=True, kw_only=True, tag="ruling"):
    """An answer to what the game has asked; the game itself reads `what`."""

    what: Annotated[str, parts.What("ruling")]


class Announce(GmCommand, frozen=True, kw_only=True, tag="announce"):
    text: Annotated[str, tails.Text("text")]


class Write(GmCommand, frozen=True, kw_only=True, tag="write"):
    """A word to some players, or to all."""

    whom: Annotated[str, players.Whom("player")]
    text: Annotated[str, tails.Text("text", most=players.MOST_READERS)]


class Answer(NoteCommand, frozen=True, kw_only=True, tag="answer"):
    note: Annotated[int, parts.Number("note")]
    text: Annotated[str, tails.Text("text")]


class Dismiss(NoteCommand, frozen=True, kw_only=True, tag="dismiss"):
    """Closes a note without an answer; `also` are others."""

    note: Annotated[int, parts.Notes("note")]
    also: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        super().__post_init__()
        notes = {self.note, *self.also}
        check(len(notes) == 1 + len(self.also) <= parts.MOST_NOTES, self.also)


class Option(GmCommand, frozen=True, kw_only=True, tag="option"):
    choices: Annotated[Choices, rules.CHOICES]

    def __post_init__(self) -> None:
        super().__post_init__()
        check(self.choices != Choices(), self.choices)


class Press(GmCommand, frozen=True, kw_only=True, tag="press"):
    """What press the table allows from now on; what it does not say stays."""

    change: Annotated[PressChange, rules.PRESS]


class RollBack(PhaseCommand, frozen=True, kw_only=True, tag="roll back"):
    phase: Annotated[int, parts.Number("phase", said=" to ", noun="phase ")]
    reshuffle: Annotated[bool, parts.Flag("reshuffle", parts.BEFORE_RESHUFFLE, " and ")] = False


class Look(PhaseCommand, frozen=True, kw_only=True, tag="look"):
    player: Annotated[str, players.Orders("player")]


class Predict(PhaseCommand, frozen=True, kw_only=True, tag="predict"):
    """What would happen if the open phase closed now."""


class Promote(GmCommand, frozen=True, kw_only=True, tag="promote"):
    """Somebody else may run this table too."""

    address: Annotated[str, players.Who("address")]
    name: str = ""


class End(GmCommand, frozen=True, kw_only=True, tag="end"):
    reason: Reason = ""


class Zone(HouseCommand, frozen=True, kw_only=True, tag="zone"):
    """The game master's own time zone, an IANA name."""

    zone: Annotated[str, moments.Zone("zone")]


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


class GmLine(msgspec.Struct, frozen=True):
    """One line of a mail, with its command, or why it has none."""

    quote: str
    command: AnyCommand | None = None
    trouble: Trouble | None = None
