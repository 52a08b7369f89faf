"""What people say to the house at a table, one type a word: its tag is the word, its fields are
what was said with it. Nobody reads it again, except the game what is its own.
"""

from typing import Literal

import msgspec

from pbem.grammar.gm.commands import Span, WallTime
from pbem.grammar.names import check_sayable
from pbem.grammar.people import Wish
from pbem.grammar.settings import Setting
from pbem.grammar.settings import Unclear as UnclearSetting
from pbem.grammar.times import USUAL, Absence
from pbem.grammar.times import Vote as Ballot

DigestTime = Literal["at once", "hourly", "daily"]


class Unclear(msgspec.Struct, frozen=True):
    """What stands behind a word and cannot be taken: all that was `written`, the `part` that is the
    trouble, why (`code` and `what`), and what may have been meant.
    """

    written: str
    part: str = ""
    code: str = ""
    what: str = ""
    suggestions: tuple[str, ...] = ()


class Command(msgspec.Struct, frozen=True, tag_field="word"):
    """Base of all words of a table."""


class Status(Command, frozen=True, tag="status"):
    """How the table stands."""


class Players(Command, frozen=True, tag="players"):
    """Who plays."""


class ShowMap(Command, frozen=True, tag="map"):
    """The board."""


class TextBoard(Command, frozen=True, tag="text board"):
    """The board without a picture."""


class Orders(Command, frozen=True, tag="orders"):
    """What stands of one's own orders."""


class Preview(Command, frozen=True, tag="preview"):
    """What these would come to."""


class WhatIf(Command, frozen=True, tag="what-if"):
    """What would happen if; the question is for the game's reader."""

    question: str


class Why(Command, frozen=True, tag="why"):
    """How something came out as it did; the question is for the game's reader."""

    question: str = ""


class History(Command, frozen=True, tag="history"):
    """What has happened so far, or (`turn`) then."""

    turn: int | None = None


class Happened(Command, frozen=True, tag="happened"):
    """What has happened since the player was asked last."""


class Help(Command, frozen=True, tag="help"):
    """What can be said; in a chat the shortest of it."""


class HelpOrders(Command, frozen=True, tag="help orders"):
    """All that can be said."""


class Rule(Command, frozen=True, tag="rule"):
    """A rule by its ID (`PR-7.8`), or by its number alone."""

    id: str


class Record(Command, frozen=True, tag="record"):
    """The file with which a game can be verified."""


class Resend(Command, frozen=True, tag="resend"):
    """The last letters once more."""


class Deadlines(Command, frozen=True, tag="deadlines"):
    """When deadlines are, and what moves them."""


class Veterans(Command, frozen=True, tag="veterans"):
    """The old judges' words, or (by its key) one of them that does not exist here."""

    old: str = ""


class OwnZone(Command, frozen=True, tag="time zone"):
    """How a time zone is chosen."""


class Zone(Command, frozen=True, tag="zone"):
    """The writer's time zone."""

    zone: str | Unclear


class OwnLanguage(Command, frozen=True, tag="my language"):
    """How a language is chosen."""


class Language(Command, frozen=True, tag="language"):
    """The language of the writer's dates, by its code."""

    code: str | Unclear


class HowToJoin(Command, frozen=True, tag="join"):
    """How a table is joined."""


class Profile(Command, frozen=True, tag="profile"):
    """How somebody has played; `name` "": the writer. Names are as they were written."""

    name: str = ""

    def __post_init__(self) -> None:
        check_sayable(self.name)


class HallOfFame(Command, frozen=True, tag="hall of fame"):
    """How all have played."""


class LinkTelegram(Command, frozen=True, tag="telegram"):
    """To play by Telegram, too."""


class UnlinkTelegram(Command, frozen=True, tag="unlink telegram"):
    """To play without Telegram again."""


class Settings(Command, frozen=True, tag="settings"):
    """What somebody chooses for themselves; nothing: how it stands."""

    choices: tuple[Setting | UnclearSetting, ...] = ()


class PressHelp(Command, frozen=True, tag="press"):
    """How press is written."""


class PressList(Command, frozen=True, tag="press list"):
    """What press there was."""


class Letter(Command, frozen=True, tag="letter"):
    """What looks like press and was not sent, with its heading."""

    text: str


class Mute(Command, frozen=True, tag="mute"):
    """Press of this player (`all`: of everybody, `grey`: without a name) is not to be told."""

    whom: str

    def __post_init__(self) -> None:
        check_sayable(self.whom or "?")


class Unmute(Command, frozen=True, tag="unmute"):
    """It is."""

    whom: str

    def __post_init__(self) -> None:
        check_sayable(self.whom or "?")


class Digest(Command, frozen=True, tag="digest"):
    """When press is told."""

    when: DigestTime | Unclear


class Wait(Command, frozen=True, tag="wait"):
    """The phase is not to close before its deadline."""


class NoWait(Command, frozen=True, tag="nowait"):
    """It may."""


class Ready(Command, frozen=True, tag="ready"):
    """All that the writer owes is said."""


class Absences(Command, frozen=True, tag="absences"):
    """When the writer is away."""


class Away(Command, frozen=True, tag="away"):
    """The writer is away then."""

    when: Absence | Unclear


class MoreTime(Command, frozen=True, tag="more time"):
    """So much longer, or until then."""

    until: Span | WallTime | Unclear = USUAL


class Vote(Command, frozen=True, tag="vote"):
    """An answer to a motion, or the motion to stop or start the clock."""

    ballot: Ballot | Literal["pause", "resume"]


class Leave(Command, frozen=True, tag="leave"):
    """To leave the table."""


class Resign(Command, frozen=True, tag="resign"):
    """To give the seat back."""


AnyCommand = Command | Wish
"""A word of a table, or what somebody says of their place there."""
KINDS: tuple[type[AnyCommand], ...] = (*Command.__subclasses__(), *Wish.__subclasses__())


def word_of(command: AnyCommand | type[AnyCommand]) -> str:
    """The word that a command, or a type of commands, is of."""
    return str(command.__struct_config__.tag)


BY_WORD = {word_of(kind): kind for kind in KINDS}
