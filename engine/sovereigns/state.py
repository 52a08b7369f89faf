"""The state of a game of States & Sovereigns. Frozen and serialisable; a decoded one is checked by
`codec`.

Pending orders of the open phase are no part of it: the house keeps them. What took effect at once
in the open phase is kept in `log`, so that it can be taken again after an action was rolled back
(SS-10.5).
"""

from collections.abc import Mapping
from typing import Any, Literal

import msgspec

from engine.sovereigns.codes import Attribute
from engine.sovereigns.orders import Do, OfferItem, Pass, Year

Stage = Literal["setup", "year-start", "season", "over"]
Season = Literal["Spring", "Summer", "Autumn", "Winter"]
SEASONS: tuple[Season, ...] = ("Spring", "Summer", "Autumn", "Winter")
Support = Literal[
    "none", "full-support", "support", "indifference", "protest", "strike", "rebellion", "coup"
]
SUPPORTS: tuple[Support, ...] = (
    "none",
    "full-support",
    "support",
    "indifference",
    "protest",
    "strike",
    "rebellion",
    "coup",
)
Boon = Literal["bonus", "dice"]


class Options(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """`max_years` ends the game after this many years (SS-11.8); None: it continues."""

    max_years: int | None = None


class Points(msgspec.Struct, frozen=True, omit_defaults=True):
    """Points of each attribute."""

    R: int = 0
    M: int = 0
    H: int = 0

    def of(self, attribute: Attribute) -> int:
        return {"R": self.R, "M": self.M, "H": self.H}[attribute]

    def plus(self, attribute: Attribute, number: int) -> "Points":
        return msgspec.structs.replace(self, **{attribute: self.of(attribute) + number})


class Mod(msgspec.Struct, frozen=True, omit_defaults=True):
    """A game master's modifier of all rolls."""

    flat: int = 0
    die: int = 0
    until: Literal["season", "year"] = "season"


class Next(msgspec.Struct, frozen=True, omit_defaults=True):
    """What counts once, on the next such roll; `defence` by the attacker. They add up (SF-9.6)."""

    research: int = 0
    year_start: int = 0
    R: int = 0
    M: int = 0
    H: int = 0
    roll: int = 0
    defence: Mapping[int, int] = {}


class Building(msgspec.Struct, frozen=True, omit_defaults=True):
    """`lasting` ones cannot be destroyed (SS-7.8)."""

    code: str
    lasting: bool = False


class Discovery(msgspec.Struct, frozen=True, omit_defaults=True):
    """Open; with a name it is proposed, and approved when `left` hours are over (SS-7.4). `number`
    counts the proposals of a game.
    """

    great: bool = False
    name: str = ""
    code: str = ""
    left: int = 0
    number: int = 0


class Kingdom(msgspec.Struct, frozen=True, omit_defaults=True):
    """`ex` are expended points, depleted ones included. `fell` counts the fallen in order (0:
    none). `missed` are seasons in a row without a word (SS-11.9); `objected` is of the season
    closed last. `dealt` counts the numbered offers that this ruler has made or got.
    """

    number: int
    ruler: str
    colour: str = ""
    name: str = ""
    total: Points = Points()
    ex: Points = Points()
    depleted: int = 0
    alive: bool = True
    support: Support = "none"
    rest: int = 0
    mods: tuple[Mod, ...] = ()
    next: Next = Next()
    tech: tuple[str, ...] = ()
    buildings: tuple[Building, ...] = ()
    used: tuple[str, ...] = ()
    faith: int = 0
    converted_by: tuple[int, ...] = ()
    boons: tuple[Boon, ...] = ()
    security: int = 0
    discoveries: tuple[Discovery, ...] = ()
    claimed: bool = False
    objected: bool = False
    every_year: Year | None = None
    every_season: Do | None = None
    year_order: Year | None = None
    abdicating: bool = False
    missed: int = 0
    fell: int = 0
    dealt: int = 0

    def free(self, attribute: Attribute) -> int:
        return self.total.of(attribute) - self.ex.of(attribute)

    def has_building(self, code: str) -> bool:
        return any(building.code == code for building in self.buildings)


class Loan(msgspec.Struct, frozen=True, omit_defaults=True):
    """`due` None: at the year's end; else this many closes of seasons to come. A capture until year
    end is one too.
    """

    lender: int
    borrower: int
    attribute: Attribute
    points: int
    due: int | None = None


class OpenOffer(msgspec.Struct, frozen=True, omit_defaults=True):
    """`id` counts the offers of the whole table, which no ruler may know (SS-5.4). `numbers` are
    those that its giver and its taker call it by; None: they call it by its id.
    """

    id: int
    giver: int
    taker: int
    gives: tuple[OfferItem, ...]
    wants: tuple[OfferItem, ...]
    left: int
    numbers: tuple[int, int] | None = None

    def number_for(self, player: int) -> int:
        if self.numbers is None:
            return self.id
        return self.numbers[0 if player == self.giver else 1]

    def seen_by(self, player: int) -> "OpenOffer":
        """The offer as one of its two rulers knows it: by their own number."""
        return msgspec.structs.replace(self, id=self.number_for(player), numbers=None)


class OpenBallot(msgspec.Struct, frozen=True):
    claimant: int
    ayes: tuple[int, ...]
    left: int


class Objection(msgspec.Struct, frozen=True, omit_defaults=True):
    """Open until a verdict or until `left` hours are over (SS-10.3)."""

    number: int
    action: int
    by: int
    left: int
    why: str = ""


class Undone(msgspec.Struct, frozen=True):
    """An action that was rolled back waits for another order of its ruler (SS-12.6)."""

    action: int
    player: int
    left: int


class Ruling(msgspec.Struct, frozen=True, omit_defaults=True):
    """A game master's word on a free-form action (SS-8.3), for exactly the order it was given for.
    None: not ruled.
    """

    player: int
    order: Do
    difficulty: int | None = None
    contest: bool = False
    attribute: Attribute | None = None
    effect: str | None = None
    repercussion: str | None = None


class Dice(msgspec.Struct, frozen=True, omit_defaults=True):
    """Dice that fell for an action, by sort, in order (SS-10.6)."""

    ordinary: tuple[int, ...] = ()
    bonus: tuple[int, ...] = ()
    depletion: tuple[int, ...] = ()
    defence: tuple[int, ...] = ()
    defence_bonus: tuple[int, ...] = ()


class Played(msgspec.Struct, frozen=True):
    """An action of the season closed last: who, what, with which dice, and how all lay just before
    it.
    """

    number: int
    player: int
    order: Do | Pass
    dice: Dice
    before: "State"


class DoneAtOnce(msgspec.Struct, frozen=True):
    """What took effect at once in the open phase: `actor` 0 is the game master."""

    hour: int
    actor: int
    act: Mapping[str, Any]


class State(msgspec.Struct, frozen=True, omit_defaults=True):
    """`kingdoms` by number, `seating` the numbers in seat order; `technologies` are codes by name,
    all there are.

    `paused` are the hours by which the deadline has moved. `winter` keeps the year orders given in
    Winter while its actions resolve. `offered` counts all offers, `numbered` those that each ruler
    has an own number for: in a game that was begun before there were such numbers, the first ones
    have none. `by_table`: no offer has any, as in worked cases.
    """

    options: Options
    kingdoms: tuple[Kingdom, ...]
    seating: tuple[int, ...]
    stage: Stage = "setup"
    year: int = 1
    season: Season = "Spring"
    hour: int = 0
    paused: int = 0
    question: int = 0
    expeditions: int = 0
    actions: int = 0
    offered: int = 0
    numbered: int = 0
    by_table: bool = False
    objections_made: int = 0
    proposals: int = 0
    fallen: int = 0
    technologies: Mapping[str, str] = {}
    loans: tuple[Loan, ...] = ()
    offers: tuple[OpenOffer, ...] = ()
    ballots: tuple[OpenBallot, ...] = ()
    objections: tuple[Objection, ...] = ()
    undone: Undone | None = None
    rulings: tuple[Ruling, ...] = ()
    winter: Mapping[int, Year] = {}
    played: tuple[Played, ...] = ()
    log: tuple[DoneAtOnce, ...] = ()
    winners: tuple[int, ...] = ()
    ended_by: str = ""

    def kingdom(self, number: int) -> Kingdom:
        return self.kingdoms[number - 1]

    @property
    def living(self) -> tuple[int, ...]:
        """Numbers of the living, in seat order."""
        return tuple(number for number in self.seating if self.kingdom(number).alive)
