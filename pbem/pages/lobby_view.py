"""A table before its game begins, as one reader may see it: who sits there, what is put to the
vote, when it starts or is given up.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal


@dataclass(frozen=True, slots=True)
class SeatInLobby:
    """Somebody at the table. `has_answered` is false for a player who has not answered an
    invitation.

    `team`, `place` (within the team, from 1; 0: any) and `faction` are what they have chosen, ""
    for nothing.
    """

    number: int
    name: str
    colour: str
    has_answered: bool = True
    is_reader: bool = False
    team: str = ""
    place: int = 0
    faction: str = ""


@dataclass(frozen=True, slots=True)
class Question:
    """Something put to the vote. `mine` is the reader's own answer ("" for none); of the others
    only their number is told.

    `unfit` are answers that `players` of them could not play: whatever the vote, it is then played
    without.
    """

    question: str
    answers: tuple[str, ...]
    mine: str = ""
    voted: int = 0
    unfit: tuple[str, ...] = ()
    players: int = 0


@dataclass(frozen=True, slots=True)
class Lobby:
    """A table that has not begun. `voting_until` is set while it is full and a vote is open.

    `teams` is how many equal teams there are (0: none), of `team_size` players at most; `factions`
    are those to choose from. `..._voted`: only if the vote goes that way.
    """

    sitting: tuple[SeatInLobby, ...]
    least: int
    most: int
    starts: Literal["gm", "full"]
    code: str = ""
    questions: tuple[Question, ...] = ()
    free_colours: tuple[str, ...] = ()
    expires_at: datetime | None = None
    voting_until: datetime | None = None
    teams: int = 0
    team_size: int = 0
    teams_voted: bool = False
    factions: tuple[str, ...] = ()
    factions_voted: bool = False
    factions_shared: bool = False
    factions_later: bool = False
    wishes: tuple[str, ...] = ()
    """The colours that the reader wishes for, the dearest first."""

    @property
    def reader(self) -> SeatInLobby | None:
        return next((seat for seat in self.sitting if seat.is_reader), None)

    @property
    def is_full(self) -> bool:
        return len(self.sitting) >= self.most

    @property
    def unanswered(self) -> tuple[str, ...]:
        """The invited who have said nothing yet."""
        return tuple(seat.name for seat in self.sitting if not seat.has_answered)


@dataclass(frozen=True, slots=True)
class Change:
    """What was done to a seat; `about` is the question of a vote, or the wanted player without a
    team (`asked`).
    """

    what: Literal[
        "accepted", "name", "colour", "wishes", "zone", "vote", "team", "place", "faction", "asked"
    ]
    value: str = ""
    about: str = ""


@dataclass(frozen=True, slots=True)
class Refusal:
    """What was not done: a code, what was written, and what could be sent instead."""

    code: str
    written: str = ""
    options: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Done:
    """What became of a message: what was done and not done, the note that was passed on, whether
    the message was `cut` short, and whether it asks for help.
    """

    changes: tuple[Change, ...] = ()
    refusals: tuple[Refusal, ...] = ()
    note: str = ""
    cut: bool = False
    helps: bool = False


@dataclass(frozen=True, slots=True)
class Proposal:
    """What a plain yes would give; it does what `wishes` says too, and passes on the note. One too
    long to be shown in full is lost.
    """

    name: str
    colour: str
    zone: str
    wishes: tuple[Change, ...] = ()
    note: str = ""
    note_lost: bool = False
    is_zone_told: bool = False
