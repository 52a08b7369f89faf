"""Notices about players and observers of a table: observing, substitutes, takeovers, players
who do not answer. Alike for every game.
"""

from collections.abc import Sequence
from dataclasses import KW_ONLY
from datetime import datetime

from pbem.pages.notice import Facts, Notice


class LogLine(Facts):
    """An entry of a table's log. `command` is the log's word; `said` are pairs of a label and a
    value.
    """

    at: datetime
    by: str
    command: str
    said: tuple[tuple[str, str | datetime], ...] = ()
    is_private: bool = False
    """Only this reader sees it, since it is about their own seat."""


class Account(Facts):
    """The Telegram account behind a request: since when we know its owner (None: they are new), and
    how many seats they have.
    """

    known_since: datetime | None
    seats: int = 0


class PeopleNotice(Notice):
    """A notice about players or observers."""

    template = "mail/people.j2"
    feet = "mail/people.j2"
    reader_feet = ("foot_player", "foot_gm", "foot_observer")


# ---------------------------------------------------------------------------------------- observers
class AskObserver(PeopleNotice, foot="foot_yes"):
    """Asks the address from which somebody wants to observe."""


class Observing(PeopleNotice, foot="foot_observer"):
    """The reader observes from now on."""


class ObservingStopped(PeopleNotice, foot="foot_nobody"):
    """The reader no longer observes these tables; none: they did not observe any."""

    titles: Sequence[str]


class ObserversOff(PeopleNotice, foot="foot_nobody"):
    """To an observer: the table no longer has any."""

    by: str


class WatchersListed(PeopleNotice):
    """How many observers there are, and who they are if the table shows that."""

    count: int
    names: Sequence[str]
    _: KW_ONLY
    allowed: bool


class ObserverHelp(PeopleNotice, foot="foot_observer"):
    """What an observer may write."""


# -------------------------------------------------------------------------------------- taking over
class AskTakeOver(PeopleNotice, foot="foot_yes"):
    """Asks the address from which somebody wants to take over a seat."""

    who: str


class TakeOverAsked(PeopleNotice, foot="foot_nobody"):
    """To somebody who wants to take over a seat: the game master decides."""

    who: str


class GmTakeOver(PeopleNotice, foot="foot_gm"):
    """To the game masters: `name` wants the seat of `who`. With an `account` they asked in a chat,
    under a name that nobody has checked.
    """

    who: str
    name: str
    address: str
    account: Account | None = None


class NamesTold(PeopleNotice):
    """To everybody: the game is over, and these are the people (in the order in which they had the
    seat) behind the players' colours.
    """

    seats: Sequence[tuple[str, str]]


class GmVacant(PeopleNotice, foot="foot_gm"):
    """To the game masters of a table where the first person to ask gets an empty seat: its code,
    and its `link` ("": there is no bot).
    """

    who: str
    code: str
    link: str


class TakenOver(PeopleNotice):
    """To everybody: somebody has taken over the empty seat."""

    who: str


class DoorClosed(PeopleNotice, foot="foot_nobody"):
    """We refuse a request of somebody without a seat: `what` is observe, take-over or stand-in,
    `why` a code.
    """

    what: str
    why: str
    _: KW_ONLY
    options: Sequence[str] = ()


# -------------------------------------------------------------------------------------- substitutes
class AskStandIn(PeopleNotice, foot="foot_yes"):
    """Asks a substitute, whom a player named or who is on the list. `until` None: for good."""

    who: str
    since: datetime | None
    until: datetime | None
    by: str = ""


class StandInAsked(PeopleNotice):
    """To the player: we ask the substitute that they named."""

    whom: str
    since: datetime | None
    until: datetime


class StandInUnclear(PeopleNotice):
    """To the player: we asked nobody. `why` is a code."""

    why: str
    written: str = ""
    days: int = 0


class StandInAnswered(PeopleNotice):
    """To the player or the game masters: the substitute's answer."""

    whom: str
    since: datetime
    until: datetime
    _: KW_ONLY
    yes: bool


class StandInOver(PeopleNotice, foot="foot_nobody"):
    """To a substitute: the seat went back (`end`, `back`), or nobody is needed (`not-needed`)."""

    who: str
    why: str


class AwayBegun(PeopleNotice, foot="foot_away"):
    """To the player who is away: `whom` has their seat until then."""

    whom: str
    until: datetime


class AwayHelp(PeopleNotice, foot="foot_away"):
    """To a player who is away and writes orders: who plays, and how to come back."""

    whom: str
    until: datetime


class StandsIn(PeopleNotice):
    """To everybody else: a substitute plays for `who` until then."""

    who: str
    until: datetime


class PlayerReturned(PeopleNotice):
    """To everybody else: the player is back."""

    who: str


class SubstituteAvailable(PeopleNotice, foot="foot_nobody"):
    """The reader is on the list of substitutes, or no longer. `only` is the title of the one table
    that this is about; "": any.
    """

    only: str
    _: KW_ONLY
    yes: bool


class BackAgain(PeopleNotice, foot="foot_nobody"):
    """Nobody plays for the reader any more at that table ("": at any). `count` absences are taken
    back, and `kept` stay that are for all tables.
    """

    count: int
    _: KW_ONLY
    at: str = ""
    kept: int = 0


# ------------------------------------------------------------------------ players who do not answer
class GmAbsent(PeopleNotice, foot="foot_gm"):
    """To the game masters: `who` has missed this many deadlines in a row. `nobody_left`: we found
    no substitute.
    """

    who: str
    missed: int
    _: KW_ONLY
    nobody_left: bool = False


class SeatIdle(PeopleNotice):
    """To everybody: the rules' defaults play for the seat, and nobody waits for it. `missed` 0: a
    game master says so. `is_own`: it is the reader's.
    """

    who: str
    missed: int
    _: KW_ONLY
    is_own: bool


class SeatAwake(PeopleNotice):
    """To everybody: we wait for the seat again, since its player has written or the game master
    says so.
    """

    who: str
    _: KW_ONLY
    has_written: bool = True


class SeatRemoved(PeopleNotice):
    """To everybody: the seat has left the game, by a game master or the table's rule."""

    who: str
    reason: str
    by: str


class GmSeatGivenUp(PeopleNotice, foot="foot_gm"):
    """Asks the game masters what becomes of a seat that its player gave up."""

    who: str
    _: KW_ONLY
    can_go: bool


class PeopleRulesChanged(PeopleNotice):
    """To everybody: the table's rules about its people have changed."""

    lines: Sequence[str]
    by: str


# ----------------------------------------------------------------------------------- one's own data
class AskForget(PeopleNotice, foot="foot_yes"):
    """Asks a person's own address whether we forget all that identifies them."""

    titles: Sequence[str]


class ForgetAlone(PeopleNotice, foot="foot_nobody"):
    """To a person who asks for that among other things: how to ask for it alone."""


class AskData(PeopleNotice, foot="foot_yes"):
    """Asks a person's own address whether we send all that we keep of them."""


class DataNotSent(PeopleNotice, foot="foot_nobody"):
    """To a person who asks for their data: how to ask for it `alone`, or why they get none."""

    why: str


class DataSent(PeopleNotice, foot="foot_nobody"):
    """Brings a person all that we keep of them, as a file; a large file comes without mails."""

    _: KW_ONLY
    with_mails: bool


class TableLog(PeopleNotice):
    """The table's log, the newest entry last; `more`: there are older ones."""

    lines: Sequence[LogLine]
    _: KW_ONLY
    more: bool = False
