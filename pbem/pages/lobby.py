"""Notices about tables that have not begun, and about leaving one that has: joining, seats, votes,
what becomes of the table. Alike for every game.
"""

from collections.abc import Sequence
from dataclasses import KW_ONLY
from datetime import datetime

from pbem.pages.dates import seen
from pbem.pages.kit.arms import arms_of
from pbem.pages.lobby_view import Done, Lobby, Proposal, Refusal
from pbem.pages.notice import Notice, quoted_lines
from pbem.pages.page import Reader, Table
from pbem.pages.rendering import Twin


class LobbyNotice(Notice):
    """A notice about a table that has not begun, or about leaving one that has."""

    template = "mail/lobby.j2"
    frame = "mail/lobby_frame.j2"
    feet = "mail/lobby.j2"
    reader_feet = ("foot_player", "foot_gm", "foot_gm")

    def facts(self, table: Table, reader: Reader) -> dict[str, object]:
        now = {"zone": reader.zone, "here": seen(table.now, table, reader)}
        return now | super().facts(table, reader)

    def preheader(self, body: Twin) -> str:
        """The words below the headline, which the subject has said."""
        return body.text.partition("\n")[2]


class TellsLobby(LobbyNotice):
    """One that shows the table as this reader sees it."""

    lobby: Lobby

    def facts(self, table: Table, reader: Reader) -> dict[str, object]:
        return lobby_facts(table, reader, self.lobby) | super().facts(table, reader)


# ----------------------------------------------------------------------------- before a seat is had
class AskJoiner(TellsLobby, foot="foot_joiner"):
    """Asks the address from which somebody wants to join."""

    proposal: Proposal
    refusals: Sequence[Refusal] = ()

    def facts(self, table: Table, reader: Reader) -> dict[str, object]:
        asked = {"arms": arms_of(self.proposal.colour), "note": quoted_lines(self.proposal.note)}
        return super().facts(table, reader) | asked


class NotJoined(LobbyNotice, foot="foot_nobody"):
    """There is no seat. `why`: full, begun, over, barred (by three strikes), unreliable,
    unknown-code (only to people whom we know) or guessed (many codes). `vacant` are the seats
    that the reader can take over in a game that has begun, with the join `code` they have.
    """

    why: str
    vacant: Sequence[str] = ()
    code: str = ""


# -------------------------------------------------------------------------------------- with a seat
class Seated(TellsLobby, foot="foot_seat"):
    """The reader has a seat; `is_again`: they had it, and asked to join again."""

    _: KW_ONLY
    is_again: bool = False


class SeatReceipt(TellsLobby, foot="foot_seat"):
    """What became of a message, and what the seat has chosen."""

    done: Done

    def facts(self, table: Table, reader: Reader) -> dict[str, object]:
        return super().facts(table, reader) | {"note": quoted_lines(self.done.note)}


class SeatLeft(LobbyNotice, foot="foot_nobody"):
    """The seat is given back; `code` is the table's join code ("": there is none)."""

    code: str


class TableFull(TellsLobby, foot="foot_seat"):
    """To everybody: all seats are taken."""


class FreeAgain(TellsLobby, foot="foot_seat"):
    """To everybody: a seat of a full table is free again."""

    who: str


class MateWanted(TellsLobby, foot="foot_seat"):
    """To a player without a team: `who` would like to have them in theirs."""

    who: str


class TableExpiresSoon(TellsLobby):
    """To everybody: we give the table up soon."""

    reader_feet = ("foot_seat", "foot_gm", "foot_gm")


class TableExpired(TellsLobby):
    """To everybody: the game did not begin in time."""

    reader_feet = ("foot_nobody", "foot_gm", "foot_gm")


class TableClosed(LobbyNotice, foot="foot_nobody"):
    """To a person who writes to a table that is given up."""


class ColoursSettled(LobbyNotice):
    """To everybody as the game starts: who got which colour. Each of `granted` has a `name`, a
    `colour` and the `nth` wish that it is (0: none).
    """

    granted: Sequence[object]


# ------------------------------------------------------------------------------------ during a game
class ZoneSet(LobbyNotice, foot="foot_player"):
    """We show times in the reader's zone from now on."""


class ZoneUnclear(LobbyNotice, foot="foot_player"):
    """We know no such zone."""

    refusal: Refusal


class LanguageSet(LobbyNotice, foot="foot_player"):
    """We write dates in the reader's language, called `name`, from now on."""

    name: str


class LanguageUnclear(LobbyNotice, foot="foot_player"):
    """We know no such language for dates."""

    written: str
    suggestions: Sequence[str]

    def facts(self, table: Table, reader: Reader) -> dict[str, object]:
        offered = [f"my language is {name}" for name in self.suggestions]
        return super().facts(table, reader) | {"suggestions": offered}


class LeaveExplained(LobbyNotice):
    """What leaving means, and the words for it, before or after the game has `begun`; `is_out`:
    the player is eliminated.
    """

    _: KW_ONLY
    is_out: bool = False
    begun: bool = True

    def choose_foot(self, table: Table, reader: Reader, code: str) -> str:
        return "foot_player" if self.begun else "foot_seat"


class AskResign(LobbyNotice, foot="foot_resign"):
    """Asks the registered address for a yes. `then` is what becomes of the seat: `vacant`, `gm`
    (the game master decides), `eliminate` (it leaves the game) or `returned` (to its owner).
    """

    then: str = "vacant"


class Resigned(LobbyNotice, foot="foot_nobody"):
    """The reader has given up their seat."""


class PlayerResigned(LobbyNotice, foot="foot_player"):
    """To everybody else: `who` has resigned; `then` is as in `AskResign`."""

    who: str
    then: str = "vacant"


# ---------------------------------------------------------------------------------- to game masters
class GmJoined(TellsLobby, foot="foot_gm"):
    """To the game masters: `who` has a seat."""

    who: str
    _: KW_ONLY
    was_invited: bool


class GmLeft(TellsLobby, foot="foot_gm"):
    """To the game masters: `who` has no seat any more, or `declined` one."""

    who: str
    _: KW_ONLY
    declined: bool


class GmBarred(TellsLobby, foot="foot_gm"):
    """To the game masters: a person with three strikes got no seat, although they `asked` for it or
    one was kept for them (PR-1.11).
    """

    who: str
    _: KW_ONLY
    asked: bool = True


class GmFull(TellsLobby, foot="foot_gm"):
    """To the game masters: all seats are taken."""


class GmVotingOver(TellsLobby, foot="foot_gm"):
    """To the game masters: the vote is over."""


class GmCannotStart(TellsLobby, foot="foot_gm"):
    """To the game masters: the game could not start by itself."""

    error: str


class GmResigned(LobbyNotice, foot="foot_gm"):
    """To the game masters: `who` has resigned; `then` is as in `AskResign`."""

    who: str
    then: str = "vacant"


def lobby_facts(table: Table, reader: Reader, lobby: Lobby) -> dict[str, object]:
    """What templates need to show a table that has not begun."""

    def moment_of(instant: datetime | None) -> object:
        return seen(instant, table, reader)

    return {
        "lobby": lobby,
        "game_title": table.game_title,
        "zone": reader.zone,
        "rhythm": f"{table.rhythm} ({table.zone})" if table.rhythm else "",
        "people": table.people,
        "here": moment_of(table.now),
        "expires": moment_of(lobby.expires_at),
        "voting": moment_of(lobby.voting_until),
        "seats": tuple((seat, arms_of(seat.colour)) for seat in lobby.sitting),
        "arms_mine": arms_of(lobby.reader.colour) if lobby.reader is not None else arms_of(""),
    }
