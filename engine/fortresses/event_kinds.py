"""What can happen in Fortresses: one struct a kind, its tag being the kind. Units are texts (`2L
1K`), players numbers, zones names.

Nothing is hidden in this game (FW-1.8): every event is for everybody.
"""

from typing import Literal

import msgspec

from engine.ruleset import Facts
from engine.usual import RulingGiven

CorrectedThing = Literal["owner", "units", "moved", "gold", "command", "missed"]


class SeatsDealt(Facts, frozen=True, tag="seats"):
    """Who plays which kingdom: (kingdom, player), in turn order."""

    seats: tuple[tuple[str, int], ...]


class TurnBegan(Facts, frozen=True, tag="turn"):
    year: int
    kingdom: str


class TurnSkipped(Facts, frozen=True, tag="turn-skipped"):
    year: int
    kingdom: str


class WindowOpened(Facts, frozen=True, tag="window"):
    stage: str
    kingdom: str
    asked: tuple[int, ...]
    hours: int


class OrdersGiven(Facts, frozen=True, tag="orders"):
    """The lines that stood when a phase closed: public from now on."""

    kingdom: str
    stage: str
    lines: tuple[str, ...]


class LineRefused(Facts, frozen=True, tag="line-refused"):
    """A kept line that could not be carried out when Reinforce opened, or a stored one at the close
    of its phase.
    """

    player: int
    line: str
    code: str


class RoundFought(Facts, frozen=True, tag="round"):
    """The dice as rolled, in the order of the rules."""

    zone: str
    round: int
    attack: tuple[int, ...]
    defence: tuple[int, ...]
    attackers: str
    defenders: str


class Losses(msgspec.Struct, frozen=True):
    kingdom: str
    units: str


class RoundLost(Facts, frozen=True, tag="losses"):
    """What a side lost in a round; `points` are castle points."""

    zone: str
    round: int
    lost: tuple[Losses, ...]
    points: int = 0


class FliersRetreated(Facts, frozen=True, tag="retreated"):
    zone: str
    units: str


class PassengerDrowned(Facts, frozen=True, tag="drowned"):
    zone: str
    unit: str
    land: str
    kingdom: str


class BattleEnded(Facts, frozen=True, tag="battle"):
    zone: str
    rounds: int
    result: str


class ChancesTold(Facts, frozen=True, tag="odds"):
    """The odds of a battle that nobody has fought. Chances are in permille, and 0 or 1000 only for
    what is impossible or certain; average losses are in tenths of units and of gold.

    `points` are castle points; `of` owns the Land ("" for a Sea).
    """

    zone: str
    kingdom: str
    of: str
    attackers: str
    defenders: str
    points: int
    won: int
    held: int
    nobody: int
    no_effect: int
    lose: int
    lose_gold: int
    kill: int
    kill_gold: int


class LandConquered(Facts, frozen=True, tag="conquered"):
    zone: str
    kingdom: str
    of: str


class IncomeCollected(Facts, frozen=True, tag="income"):
    kingdom: str
    gold: int


class UnitsBought(Facts, frozen=True, tag="bought"):
    kingdom: str
    zone: str
    units: str


class DefaultPurchase(Facts, frozen=True, tag="default-purchase"):
    kingdom: str
    zone: str
    units: str


class FliersHome(Facts, frozen=True, tag="flew-home"):
    kingdom: str
    units: str
    zone: str
    to: str


class GoldLeft(Facts, frozen=True, tag="gold-left"):
    kingdom: str
    gold: int


class TurnMissed(Facts, frozen=True, tag="missed"):
    player: int
    kingdom: str


class PlayerAbsent(Facts, frozen=True, tag="absent"):
    player: int


class CommandTaken(Facts, frozen=True, tag="took-command"):
    player: int
    kingdom: str


class CommandReturned(Facts, frozen=True, tag="command-returned"):
    player: int
    kingdom: str


class Agreed(Facts, frozen=True, tag="agreed"):
    """A player proposes or accepts: `draw` or `concede`."""

    player: int
    what: str


class ProposalLapsed(Facts, frozen=True, tag="lapsed"):
    what: str


class PlayerResigned(Facts, frozen=True, tag="resigned"):
    player: int


class GameOver(Facts, frozen=True, tag="game-over"):
    winner: str
    by: str


class Corrected(Facts, frozen=True, tag="corrected"):
    """A game master set something right: what was and what is. Of a zone its `owner`, its `units`
    (those of a kingdom, as texts) and which of them `moved`; of a kingdom its gold, the turns
    missed, and the number of the player who commands.
    """

    what: CorrectedThing
    before: int | str
    after: int | str
    zone: str | None = None
    kingdom: str | None = None
    reason: str = ""


AnyFacts = (
    SeatsDealt
    | TurnBegan
    | TurnSkipped
    | WindowOpened
    | OrdersGiven
    | LineRefused
    | RoundFought
    | RoundLost
    | FliersRetreated
    | PassengerDrowned
    | BattleEnded
    | ChancesTold
    | LandConquered
    | IncomeCollected
    | UnitsBought
    | DefaultPurchase
    | FliersHome
    | GoldLeft
    | TurnMissed
    | PlayerAbsent
    | CommandTaken
    | CommandReturned
    | Agreed
    | ProposalLapsed
    | PlayerResigned
    | GameOver
    | Corrected
    | RulingGiven
)
