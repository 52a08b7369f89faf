"""The state of a game of Fortresses at an open question. Frozen and serialisable; a decoded one is
checked.
"""

from typing import Literal

import msgspec

from engine.fortresses.atlas import Alliance, Kingdom
from engine.fortresses.orders import Instruction, Line, Order
from engine.fortresses.units import NONE, UnitCode, Units

Stage = Literal["attack", "battle", "reinforce", "over"]
Winner = Alliance | Literal["draw"]
How = Literal["fortresses", "year-limit", "agreement", "resignation", "concession", "absence"]
HOWS: tuple[How, ...] = (
    "fortresses",
    "year-limit",
    "agreement",
    "resignation",
    "concession",
    "absence",
)
YEAR_LIMIT = 30


class Options(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """`year_limit` in Years, 0 for none (FW-9.2); whether a phase closes before its end
    (FW-4.5).
    """

    year_limit: int = YEAR_LIMIT
    early_close: bool = True


class Player(msgspec.Struct, frozen=True, omit_defaults=True):
    """`gone`: has resigned; the kingdoms are another's (FW-9.4)."""

    number: int
    name: str
    colour: str
    gone: bool = False


class Realm(msgspec.Struct, frozen=True, omit_defaults=True):
    """A kingdom at the table: whose seat it is, who commands it instead (0: nobody), its presets in
    the order given, and how many turns in a row were missed (FW-4.12, FW-9.8, FW-10.8).
    """

    kingdom: Kingdom
    seat: int
    command: int = 0
    presets: tuple[Instruction, ...] = ()
    missed: int = 0

    @property
    def commander(self) -> int:
        return self.command or self.seat


class Garrison(msgspec.Struct, frozen=True, omit_defaults=True):
    """The units of a kingdom in a zone, which of them have moved this turn, and how many of the
    moved Galleons have carried.
    """

    zone: str
    kingdom: Kingdom
    units: Units
    moved: Units = NONE
    carried: int = 0


class Battle(msgspec.Struct, frozen=True, omit_defaults=True):
    """A battle that is not over. `attackers` are those on the board. The other fields are of one
    that has begun: what it `started` with, castle points left, rounds completed, and the hits to
    take now.
    """

    zone: str
    attackers: Units
    started: Units | None = None
    points: int = 0
    round: int = 0
    hits: int = 0


class Passenger(msgspec.Struct, frozen=True):
    """Stands in `land` and is lost if its Galleon sinks in `sea` (FW-6.15)."""

    sea: str
    unit: UnitCode
    land: str


class State(msgspec.Struct, frozen=True, omit_defaults=True):
    """`owners` in the order of the map's Lands, `garrisons` in that of its zones and of turns;
    `held` are the lines stored for the open phase (in Attack, those kept for Reinforce as `Then`;
    in battle, kept lines alone).

    `opened` tells whether a window was open in this turn already. A `winner` before the stage is
    `over` is settled: the game ends when the open phase closes.
    """

    options: Options
    players: tuple[Player, ...]
    realms: tuple[Realm, ...]
    owners: tuple[Kingdom, ...]
    garrisons: tuple[Garrison, ...]
    year: int = 1
    stage: Stage = "attack"
    active: Kingdom = "silver"
    question: int = 0
    gold: int = 0
    held: tuple[Order, ...] = ()
    kept: tuple[Line, ...] = ()
    answered: bool = False
    draw: tuple[int, ...] = ()
    concede: tuple[int, ...] = ()
    instructions: tuple[Instruction, ...] = ()
    battles: tuple[Battle, ...] = ()
    passengers: tuple[Passenger, ...] = ()
    winner: Winner | None = None
    how: How | None = None
