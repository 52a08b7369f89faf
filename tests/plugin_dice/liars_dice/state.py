"""What the rules of Liar's Dice work with: state, orders, events and view."""

from collections.abc import Iterator
from typing import ClassVar, Literal

import msgspec

from engine.ruleset import Facts
from engine.usual import RulingGiven

FACES = ("one", "two", "three", "four", "five", "six")
PLURALS = ("ones", "twos", "threes", "fours", "fives", "sixes")
DICE = 5


def named(count: int, face: int) -> str:
    """`1 five`, `3 fives`."""
    return f"{count} {(FACES if count == 1 else PLURALS)[face - 1]}"


# ----------------------------------------------------------------------------------------- the state
class Player(msgspec.Struct, frozen=True):
    """`dice` are 0 in the view of who may not see them; who has none is out."""

    number: int
    name: str
    colour: str = "red"
    dice: tuple[int, ...] = ()


class State(msgspec.Struct, frozen=True):
    """`bid` is the last one as (count, face), (0, 0) before the first; `bids` how many there were
    in this round. `fallen` are those who are out, the first one first.
    """

    players: tuple[Player, ...]
    to_act: int
    round: int = 1
    bid: tuple[int, int] = (0, 0)
    bidder: int = 0
    bids: int = 0
    wild: bool = False
    fallen: tuple[int, ...] = ()
    winners: tuple[int, ...] = ()
    how: str = ""


class Bid(msgspec.Struct, frozen=True, tag="bid"):
    """`Bid 1 five`, `Bid 3 fives`: the first template counts whose types know the values."""

    form: ClassVar[tuple[str, ...]] = (
        "Bid {count:one} {face:face}",
        "Bid {count:count} {face:faces}",
    )
    count: int
    face: int


class Challenge(msgspec.Struct, frozen=True, tag="challenge"):
    form: ClassVar[str] = "Liar"


Order = Bid | Challenge


# ------------------------------------------------------------------------------------ what can happen
class Voted(Facts, frozen=True, tag="voted"):
    answer: str
    votes: tuple[tuple[str, int], ...]
    by_coin: bool


class GameSetUp(Facts, frozen=True, tag="game-set-up"):
    dice: int
    wild: bool
    first: int


class Rolled(Facts, frozen=True, tag="rolled"):
    """For the player alone."""

    player: int
    dice: tuple[int, ...]


class BidMade(Facts, frozen=True, tag="bid-made"):
    player: int
    count: int
    face: int

    @property
    def words(self) -> str:
        return named(self.count, self.face)


class Challenged(Facts, frozen=True, tag="challenged"):
    """`found` dice showed the face; `hands` are all dice, by player."""

    round: int
    player: int
    bidder: int
    count: int
    face: int
    found: int
    loser: int
    hands: tuple[tuple[int, tuple[int, ...]], ...]

    @property
    def words(self) -> str:
        return named(self.count, self.face)


class PlayerOut(Facts, frozen=True, tag="out"):
    player: int
    resigned: bool = False


class Corrected(Facts, frozen=True, tag="corrected"):
    player: int
    dice: int


class GameOver(Facts, frozen=True, tag="game-over"):
    winners: tuple[int, ...]


AnyFacts = (
    Voted
    | GameSetUp
    | Rolled
    | BidMade
    | Challenged
    | PlayerOut
    | Corrected
    | GameOver
    | RulingGiven
)


# ------------------------------------------------------------------------------------------- the view
class View(msgspec.Struct, frozen=True):
    """What one player may know, or everybody: of the dice of others only how many there are."""

    stage: Literal["turn", "over"]
    turn: int
    asked: tuple[int, ...]
    winners: tuple[int, ...]
    how: str
    players: tuple[Player, ...]
    to_act: int
    bid: tuple[int, int]
    bidder: int
    bids: int
    wild: bool
    fallen: tuple[int, ...]
    you: int | None

    @property
    def own(self) -> Player:
        return next(player for player in self.players if player.number == self.you)

    @property
    def total(self) -> int:
        return sum(len(player.dice) for player in self.players)

    @property
    def bid_words(self) -> str:
        return named(*self.bid) if self.bids else ""


def faults_of(state: State) -> Iterator[str]:
    """What no game can come to."""
    if [player.number for player in state.players] != list(range(1, len(state.players) + 1)):
        yield "players out of order"
    if any(len(one.dice) > DICE or not set(one.dice) <= set(range(7)) for one in state.players):
        yield "more dice than there are, or a die with no such face"
    if not state.how and not state.players[state.to_act - 1].dice:
        yield "a player without dice is to act"
