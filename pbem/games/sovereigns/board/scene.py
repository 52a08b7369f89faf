"""What a picture of the court shows: plain values in the council's words, no rules, no places.

A scene is what the engine's public view and the last public events come to. Same scene, same
picture, byte for byte. Kingdoms stand in seat order and are told by their place in it, from 0.
"""

from typing import Literal

import msgspec

from engine.sovereigns.events import Result
from engine.sovereigns.state import Building, Season, Stage, Support
from pbem.board.board import Chronicle

Sort = Literal["action", "void", "support", "fear", "rebellion", "coup"]


class Kingdom(msgspec.Struct, frozen=True, kw_only=True):
    """A charter. Names are as people wrote them: the picture cuts and escapes them; no `name`: the
    charter is still sealed. `fell` counts the fallen in order (0: none), `how` where the events
    tell it. `tech` are (name, code); `open_discoveries` have no proposal yet.
    """

    name: str
    ruler: str
    colour: str
    resources: int = 0
    military: int = 0
    harmony: int = 0
    support: Support = "none"
    tech: tuple[tuple[str, str], ...] = ()
    buildings: tuple[Building, ...] = ()
    faith: int = 0
    converted_by: tuple[int, ...] = ()
    security: int = 0
    flat: int = 0
    dice: int = 0
    """What all its rolls have more or less for a while: of the sum, of the number of dice."""
    open_discoveries: int = 0
    alive: bool = True
    fell: int = 0
    how: str = ""
    winner: bool = False


class Roll(msgspec.Struct, frozen=True, kw_only=True):
    """A line of the rolls. `n` is the number of the action through the game (0: none), `difficulty`
    None where there is none; `plus` is added to the sum. `contested`: the target rolled `against`.
    `is_again`: an action done again; `is_undone`: taken back, or to be done again after one that
    was.
    """

    sort: Sort
    kingdom: int
    n: int = 0
    action: str = ""
    target: int | None = None
    dice: tuple[int, ...] = ()
    plus: int = 0
    against: tuple[int, ...] = ()
    plus_against: int = 0
    contested: bool = False
    total: int = 0
    difficulty: int | None = None
    result: Result | None = None
    support: Support = "none"
    reason: str = ""
    words: str = ""
    is_again: bool = False
    is_undone: bool = False

    @property
    def margin(self) -> int:
        return self.total - (self.difficulty or 0)


class Trace(msgspec.Struct, frozen=True):
    """What one kingdom did to another earlier in the year."""

    kingdom: int
    target: int
    result: Result | None


class Notice(msgspec.Struct, frozen=True, kw_only=True):
    """Something open: a ballot, an objection, a redo or a proposed technology, with the hours left;
    or a word of the game master on the rules (which is no `kingdom`'s). `what` are people's words,
    `number` is that of an action.
    """

    kind: Literal["ballot", "objection", "redo", "proposal", "ruling"]
    kingdom: int = 0
    number: int = 0
    what: str = ""
    code: str = ""
    hours: int = 0


class Scene(msgspec.Struct, frozen=True, kw_only=True):
    """One picture. `due` are three lines, upper right; `told` names what the rolls belong to: a
    season, a year start, or nothing yet. `next_expedition` is the difficulty of the next one.
    """

    table: str
    year: int
    stage: Stage
    season: Season
    phase: str
    due: tuple[str, str, str]
    kingdoms: tuple[Kingdom, ...]
    rolls: tuple[Roll, ...] = ()
    traces: tuple[Trace, ...] = ()
    told: Season | Literal["year-start", ""] = ""
    notices: tuple[Notice, ...] = ()
    next_expedition: int = 7
    ended_by: str = ""
    last_year: int | None = None
    """The game ends after it (SS-11.8)."""
    hypothesis: bool = False
    chronicle: Chronicle | None = None
    is_first: bool = False
    """A legend stands below."""

    @property
    def shown_season(self) -> str:
        """The season that is open, or in a chronicle the one that was closed; "": none."""
        if self.chronicle:
            return self.told
        return self.season if self.stage == "season" else ""
