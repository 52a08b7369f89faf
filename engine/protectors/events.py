"""What can happen in Protectors of the Realm: one struct a kind, its tag being the kind.

Battles and Dragon Attacks carry their whole arithmetic, term by term with its cause and rule, so
that a page can say why. Players and provinces are numbers (province 0 is the Island, player 0 the
Dragon). Rule IDs stand on the event; a `Term` names its own.
"""

from typing import Literal

import msgspec

from engine.protectors.orders import Order
from engine.ruleset import Facts


class Term(msgspec.Struct, frozen=True):
    """One summand of a strength: `amount` is what it adds in the end. For support, `player` and
    `province` tell whose and from where, `units` how many stand there, `bonus` the golden +1 and
    `rain` what Heavy Rains take.
    """

    source: Literal[
        "units",
        "fortify",
        "golden-fortify",
        "defenders",
        "golden-march",
        "crusade",
        "work",
        "snow",
        "support",
        "golden-support",
        "fire",
        "island",
        "king",
    ]
    amount: int
    rule: str
    player: int | None = None
    province: int | None = None
    units: int = 0
    bonus: int = 0
    rain: int = 0


class Side(msgspec.Struct, frozen=True):
    player: int
    role: Literal["defender", "attacker"]
    rank: int
    units: int
    terms: tuple[Term, ...]
    total: int
    lost: int


# ------------------------------------------------------------------------------- set-up and ranking
class GameSetUp(Facts, frozen=True, tag="game-set-up"):
    """Start places dealt, decks shuffled (their order stays secret). `teams`: each with its
    members, in the order they lie.
    """

    starts: tuple[tuple[int, int], ...]
    provinces: int
    teams: tuple[tuple[str, tuple[int, ...]], ...] = ()
    island: bool = False


class OptionVoted(Facts, frozen=True, tag="option-voted"):
    """`unfit` is the number of players with whom what was voted for cannot be played: then it is
    played without (PR-13.1).
    """

    option: str
    value: str
    votes: tuple[tuple[str, int], ...]
    by_coin: bool
    unfit: int | msgspec.UnsetType = msgspec.UNSET


class BidsRevealed(Facts, frozen=True, tag="bids"):
    """`bids`: (player, counted, asked for, spent), spent being cut to the purse; nothing asked = -1
    (missing).

    A Lannuvár bid counts higher than what is spent; the Bank's bids come in a second event, after
    the others' (PR-11.7).
    """

    bids: tuple[tuple[int, int, int, int], ...]
    rebid: bool


class TieAsked(Facts, frozen=True, tag="tie"):
    """Those who bid again, for which places (the first of them)."""

    players: tuple[int, ...]
    place: int


class TieDrawn(Facts, frozen=True, tag="tie-drawn"):
    """A tie settled: by chance, or by the ranking before (from turn 2)."""

    players: tuple[int, ...]
    by: Literal["chance", "ranking"]


class RankingSet(Facts, frozen=True, tag="ranking"):
    """The new ranking and the sizes of its brackets."""

    ranking: tuple[int, ...]
    brackets: tuple[int, ...]


class RankingChanged(Facts, frozen=True, tag="ranking-changed"):
    """The ranking after an elimination, a champion or a drop."""

    ranking: tuple[int, ...]
    brackets: tuple[int, ...]
    cause: Literal["eliminated", "champion", "dropped"]


# -------------------------------------------------------------------------------------------- cards
class TurnBegan(Facts, frozen=True, tag="turn"):
    turn: int


class CardRevealed(Facts, frozen=True, tag="card"):
    """A card revealed and played. `step` is its hoard step, `extra` what Power Overwhelming adds in
    the same raise.
    """

    deck: str
    card: str
    tier: int
    step: int
    extra: int
    dpl: int
    threshold: int


class CardStayed(Facts, frozen=True, tag="card-stays"):
    """A locked card takes effect again (no hoard step); `extra` as above."""

    deck: str
    card: str
    extra: int
    dpl: int


class DeckRenewed(Facts, frozen=True, tag="deck-renewed"):
    """`game-master`: only what nobody has seen was shuffled, after a roll back; the discards stay
    where they are.
    """

    deck: str
    cause: Literal["empty", "black-swan", "game-master"]


class CardsLocked(Facts, frozen=True, tag="cards-locked"):
    """The End is Nigh!: these stay in play until the game ends."""

    cards: tuple[str, ...]


class PlagueStruck(Facts, frozen=True, tag="plague"):
    """One unit lost in each of these provinces: (province, player)."""

    losses: tuple[tuple[int, int], ...]


# ------------------------------------------------------------------------------------------ windows
class WindowOpened(Facts, frozen=True, tag="window"):
    """A question is open: its kind, who is asked, for how many hours by default."""

    phase: str
    asked: tuple[int, ...]
    hours: int


class OrdersMissed(Facts, frozen=True, tag="missed"):
    """Nobody answered for this player; `instead` is what the rules order for them."""

    player: int
    phase: str
    instead: tuple[Order, ...]


# ---------------------------------------------------------------------------------------- execution
class OrdersRevealed(Facts, frozen=True, tag="orders"):
    """All orders at once, by player; `holding` the provinces with units that hold without an
    order.
    """

    orders: tuple[tuple[int, tuple[Order, ...]], ...]
    holding: tuple[int, ...] = ()


class MoneySent(Facts, frozen=True, tag="money-sent"):
    sender: int
    to: int
    amount: int


class CostPaid(Facts, frozen=True, tag="cost"):
    player: int
    what: Literal["ferry", "palantir", "ashes"]
    province: int
    amount: int


class OrderFailed(Facts, frozen=True, tag="order-failed"):
    """An order without effect, and why: `not-in-force`, it no longer held at the close;
    `no-battle`, support for a player who fought nothing there; `all-committed`, a Work order all of
    whose units went against the Dragon.
    """

    player: int
    order: Order
    reason: Literal[
        "cannot-pay", "units-lost", "not-in-force", "plank", "no-battle", "all-committed"
    ]


class PlankWalked(Facts, frozen=True, tag="plank"):
    """One unit lost in `province` (None: 75 $Realm instead, owed at Consolidation)."""

    player: int
    province: int | None
    strength: int


class SnitchesRevealed(Facts, frozen=True, tag="pirates"):
    """`named`: (who, whom or 0); `walkers` walk the plank, `debts` are due after production."""

    named: tuple[tuple[int, int], ...]
    different: int
    walkers: tuple[int, ...]
    debts: tuple[tuple[int, int], ...]
    all_on: int | None


class MarchMade(Facts, frozen=True, tag="march"):
    player: int
    origin: int
    target: int
    ordered: int
    units: int
    golden: bool
    delayed: bool
    sea: Literal["", "ferry", "seafarers"] = ""
    crusade: bool = False


class SupportCut(Facts, frozen=True, tag="support-cut"):
    """Support from `province` is cancelled: another player's units entered."""

    player: int
    province: int
    by: tuple[int, ...]


class BattleFought(Facts, frozen=True, tag="battle"):
    """One fight of two sides. In a battle of more than two players each fight is an event of its
    own, in order.
    """

    province: int
    stage: Literal["march", "delayed"]
    winner: Side
    loser: Side
    tie: bool
    left: int


# ------------------------------------------------------------------------------------ consolidation
class UnitsOverLimit(Facts, frozen=True, tag="supply"):
    province: int
    player: int
    lost: int
    limit: int


class ProvinceTaken(Facts, frozen=True, tag="taken"):
    province: int
    by: int
    before: int | None
    burnt: bool


class PlayerEliminated(Facts, frozen=True, tag="eliminated"):
    """`by`: the captors (0 = the Dragon; none of a player who has given up); `spoils` (captor,
    $Realm); `lost` $Realm that nobody gets.
    """

    player: int
    by: tuple[int, ...]
    cause: Literal["captured", "no-quarter", "no-green", "strike", "resigned"]
    spoils: tuple[tuple[int, int], ...]
    lost: int
    ownerless: tuple[int, ...] = ()


class ProvinceIncome(msgspec.Struct, frozen=True):
    province: int
    amount: int
    source: Literal["level", "work"]


class RealmProduced(Facts, frozen=True, tag="production"):
    """Audience: the player alone (holdings are secret, PR-1.9)."""

    player: int
    income: tuple[ProvinceIncome, ...]
    total: int


class WorkDone(Facts, frozen=True, tag="work-done"):
    province: int
    player: int
    golden: bool


class PiratesPaid(Facts, frozen=True, tag="pirates-paid"):
    player: int
    owed: int
    paid: int


class CapitolNamed(Facts, frozen=True, tag="capitol"):
    player: int
    province: int
    dropped: tuple[int, ...]


class LevelRaised(Facts, frozen=True, tag="upgraded"):
    province: int
    player: int
    level: int
    cost: int


class UnitsBought(Facts, frozen=True, tag="bought"):
    """What was bought where, in the order of buying; public, since the board shows it."""

    player: int
    bought: tuple[tuple[int, int], ...]
    cost: int
    by_default: bool


class PurchaseCut(Facts, frozen=True, tag="purchase-cut"):
    """A purchase that the purse or the supply limit cut; for the buyer alone."""

    player: int
    province: int
    wanted: int
    got: int
    reason: Literal["cannot-afford", "supply-limit"]


# --------------------------------------------------------------------------------------- the Dragon
Scale = Literal["Wyrmling", "Wurm", "Great Wurm", "Dragon", "Ancient Dragon", "Worldeater"]


class DragonCame(Facts, frozen=True, tag="dragon-comes"):
    """An attack is announced; `minimum` is each active player's min.US, `attacks` how many are due
    in a row.
    """

    dpl: int
    threshold: int
    cause: Literal["threshold", "card", "staying-card"]
    attacks: int
    scale: Scale
    minimum: tuple[tuple[int, int], ...]


class Pledge(msgspec.Struct, frozen=True):
    """Units committed from one province; `work` what its Work order takes; `lost` of the units do
    not return.
    """

    province: int
    units: int
    work: int
    lost: int


class Share(msgspec.Struct, frozen=True):
    """One player's part in a Dragon Attack, with everything that followed from it.

    `vp` are all tokens gained, the champion's 3 included; a `Pledge` tells its Work order's loss as
    a negative number.
    """

    player: int
    rank: int
    pledges: tuple[Pledge, ...]
    terms: tuple[Term, ...]
    strength: int
    minimum: int
    met: bool
    above: int
    reward: int = 0
    bonus: int = 0
    vp: int = 0
    burnt: tuple[int, ...] = ()
    realm_lost: int = 0
    fate: Literal["", "champion", "dropped", "no-quarter", "grand-protector-dropped"] = ""


class DragonAttacked(Facts, frozen=True, tag="dragon-attack"):
    """An attack fought: the sum against the DPL, each player's share, and what the DPL is
    afterwards.
    """

    dpl: int
    total: int
    won: bool
    scale: Scale
    worldeater: bool
    shares: tuple[Share, ...]
    champion: int | None
    dpl_after: int
    threshold_after: int
    hidden: tuple[int, ...] = ()


Score = tuple[int, int, int, int, int, int, int, int]
"""Player, VP tokens, provinces' VP, the Island's VP, total, units, $Realm, rank."""


class GameWon(Facts, frozen=True, tag="game-over"):
    """`winners` empty: the Dragon, or a draw. `scores` the best first.

    `teams`, the best first: (team, VP, units, $Realm, rank of the best ranked member).
    """

    how: Literal["last-standing", "dragon", "times-up", "draw", "conceded"]
    winners: tuple[int, ...]
    scores: tuple[Score, ...]
    prize: int
    burnt: int
    eliminated_by_dragon: int
    teams: tuple[tuple[str, int, int, int, int], ...] = ()
