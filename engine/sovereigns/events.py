"""What can happen: one struct a kind, its tag being the kind (SF-8). Kingdoms are players' numbers;
rule IDs stand on the event.
"""

from typing import Literal

import msgspec

from engine.ruleset import Facts
from engine.sovereigns.codes import Attribute
from engine.sovereigns.orders import OfferItem
from engine.sovereigns.state import Support

Result = Literal["great", "success", "failure", "disaster"]
Numbers = tuple[int, int] | msgspec.UnsetType
"""What the giver and the taker of an offer each call it by; unset: both by its id."""
Reason = Literal["condition", "target-fallen", "no-points", "faith", "pass", "actor-fallen"]


class Term(msgspec.Struct, frozen=True):
    """A modifier of a roll: where it comes from, and what it adds to the sum or to the number of
    dice.
    """

    source: str
    amount: int
    die: bool = False


class GameSetUp(Facts, frozen=True, tag="game-set-up"):
    seating: tuple[int, ...]


class SplitMade(Facts, frozen=True, omit_defaults=True, tag="split"):
    """`wanted` is a name that somebody else has."""

    kingdom: int
    resources: int
    military: int
    harmony: int
    name: str
    chosen: bool
    wanted: str = ""


class WindowOpened(Facts, frozen=True, tag="window"):
    stage: str
    hours: int


class ActionResolved(Facts, frozen=True, tag="action"):
    """`points` and `depleted` as expended; `dice` and `defence` as drawn; `difficulty` is the
    defender's total in a contest.
    """

    n: int
    kingdom: int
    action: str
    attribute: Attribute
    target: int | None
    points: int
    depleted: int
    dice: tuple[int, ...]
    defence: tuple[int, ...]
    terms: tuple[Term, ...]
    defence_terms: tuple[Term, ...]
    total: int
    difficulty: int
    margin: int
    result: Result
    words: str = ""
    raises: Attribute | None = None


class ActionVoid(Facts, frozen=True, tag="void"):
    n: int
    kingdom: int
    reason: Reason


class SupportRolled(Facts, frozen=True, tag="support"):
    kingdom: int
    points: int
    dice: tuple[int, ...]
    terms: tuple[Term, ...]
    total: int
    support: Support


class RebellionRolled(Facts, frozen=True, tag="rebellion"):
    kingdom: int
    points: int
    dice: tuple[int, ...]
    terms: tuple[Term, ...]
    total: int
    result: Literal["success", "failure"]


class CoupRolled(Facts, frozen=True, tag="coup"):
    kingdom: int
    points: int
    dice: tuple[int, ...]
    terms: tuple[Term, ...]
    total: int
    result: Literal["success", "failure"]


class FearRuled(Facts, frozen=True, tag="fear"):
    kingdom: int


class PointLost(Facts, frozen=True, tag="lost"):
    kingdom: int
    attribute: Attribute


class PointSaved(Facts, frozen=True, tag="saved"):
    kingdom: int
    attribute: Attribute
    building: str


class PointsGained(Facts, frozen=True, tag="gained"):
    kingdom: int
    attribute: Attribute
    points: int


class Captured(Facts, frozen=True, tag="captured"):
    from_: int = msgspec.field(name="from")
    to: int
    forever: bool


class Destroyed(Facts, frozen=True, tag="destroyed"):
    kingdom: int
    building: str


class Built(Facts, frozen=True, tag="built"):
    kingdom: int
    building: str


class BuildVoid(Facts, frozen=True, tag="build-void"):
    kingdom: int
    building: str


class CampUsed(Facts, frozen=True, tag="camp"):
    kingdom: int


class CampVoid(Facts, frozen=True, tag="camp-void"):
    """A use was due, but there is no longer anything to free, or to pay with."""

    kingdom: int


class Discovered(Facts, frozen=True, tag="discovery"):
    kingdom: int
    great: bool


class ProposalMade(Facts, frozen=True, tag="proposal"):
    kingdom: int
    technology: str
    code: str


class ProposalRefused(Facts, frozen=True, omit_defaults=True, tag="proposal-refused"):
    """By the game master, or (`by_rules`) because the success or the origin does not allow it."""

    kingdom: int
    technology: str
    by_rules: bool = False


class TechnologyGot(Facts, frozen=True, tag="technology"):
    kingdom: int
    technology: str
    code: str


class TechnologyChanged(Facts, frozen=True, tag="technology-changed"):
    """The game master's later word; an empty code: nobody has it any more."""

    technology: str
    code: str


class Reported(Facts, frozen=True, tag="report"):
    """What spies saw: free points, open loans as (lender, borrower, points, attribute, due),
    once-a-year effects left.
    """

    kingdom: int
    target: int
    resources: int
    military: int
    harmony: int
    loans: tuple[tuple[int, int, int, str, int], ...]
    charges: tuple[str, ...]


class Exposed(Facts, frozen=True, tag="exposed"):
    kingdom: int
    target: int


class SecurityRaised(Facts, frozen=True, tag="security"):
    kingdom: int
    dice: bool


class FaithFounded(Facts, frozen=True, tag="faith"):
    kingdom: int


class Converted(Facts, frozen=True, tag="converted"):
    kingdom: int
    by: int


class BoonGranted(Facts, frozen=True, tag="boon"):
    kingdom: int
    boon: str


class Affected(Facts, frozen=True, tag="affected"):
    """A modifier for later: for the rest of the year, or of the next roll of a sort."""

    kingdom: int
    sort: str
    amount: int


class OfferMade(Facts, frozen=True, tag="offer"):
    id: int
    kingdom: int
    target: int
    gives: tuple[OfferItem, ...] = ()
    wants: tuple[OfferItem, ...] = ()
    numbers: Numbers = msgspec.UNSET


class OfferExpired(Facts, frozen=True, tag="offer-expired"):
    id: int
    kingdom: int
    target: int
    numbers: Numbers = msgspec.UNSET


class OfferClosed(Facts, frozen=True, tag="offer-closed"):
    """Declined or withdrawn."""

    id: int
    by: int
    kingdom: int
    target: int
    numbers: Numbers = msgspec.UNSET


class Traded(Facts, frozen=True, tag="trade"):
    """`gives` is what `kingdom`, who had made the offer, has given."""

    id: int
    kingdom: int
    target: int
    gives: tuple[OfferItem, ...] = ()
    wants: tuple[OfferItem, ...] = ()
    numbers: Numbers = msgspec.UNSET


class TradeFailed(Facts, frozen=True, tag="trade-failed"):
    id: int
    kingdom: int
    target: int
    numbers: Numbers = msgspec.UNSET


class LoanReturned(Facts, frozen=True, tag="loan-returned"):
    lender: int
    borrower: int
    attribute: Attribute
    points: int


class RulingGiven(Facts, frozen=True, tag="ruling"):
    kingdom: int
    difficulty: int | None
    contest: bool
    attribute: Attribute | None
    effect: str | None
    repercussion: str | None


class Ruled(Facts, frozen=True, tag="ruled"):
    """A game master's word on the rules, which changes nothing."""

    text: str


class BallotOpened(Facts, frozen=True, tag="ballot"):
    claimant: int


class BallotClosed(Facts, frozen=True, tag="ballot-closed"):
    claimant: int
    ayes: tuple[int, ...]
    result: Literal["passed", "failed"]


class ObjectionMade(Facts, frozen=True, tag="objection"):
    n: int
    action: int
    by: int
    why: str


class VerdictGiven(Facts, frozen=True, tag="verdict"):
    n: int
    action: int
    upheld: bool


class RolledBack(Facts, frozen=True, tag="rolled-back"):
    action: int
    kingdom: int


class ReResolved(Facts, frozen=True, tag="re-resolved"):
    action: int


class Abdicated(Facts, frozen=True, tag="abdicated"):
    kingdom: int


class Fallen(Facts, frozen=True, tag="fallen"):
    kingdom: int
    how: str


class YearBegan(Facts, frozen=True, tag="year"):
    year: int


class Corrected(Facts, frozen=True, tag="corrected"):
    """A game master's `set`, `mod` or `give`."""

    kingdom: int
    what: str


class ReplacementWanted(Facts, frozen=True, tag="replacement-wanted"):
    """Four seasons without a word: the game master is asked (SS-11.9)."""

    kingdom: int
    seasons: int


class GameOver(Facts, frozen=True, tag="game-over"):
    winner: tuple[int, ...]
    how: str


class OddsTold(Facts, frozen=True, tag="odds"):
    """The chances of a rolled action, in permille: a supposition, nothing has happened. One entry
    each for every number of points that the target may have `free`, with the dice it would roll;
    against a number (`difficulty`) there is one entry. `losses[i]`: of losing i depleted points.
    """

    kingdom: int
    action: str
    attribute: Attribute
    target: int | None
    points: int
    depleted: int
    dice: int
    terms: tuple[Term, ...]
    defence_terms: tuple[Term, ...]
    difficulty: int | None
    free: tuple[int, ...]
    defence: tuple[int, ...]
    great: tuple[int, ...]
    success: tuple[int, ...]
    failure: tuple[int, ...]
    disaster: tuple[int, ...]
    losses: tuple[int, ...]


class ChartTold(Facts, frozen=True, tag="chart"):
    """The chances of a year-start roll, in permille: a supposition. `rows` are those of the support
    chart from Full Support down to Coup; `rebellion` and `coup` are the chances that those rolls,
    if they happen, hold with this much Military.
    """

    kingdom: int
    points: int
    dice: int
    terms: tuple[Term, ...]
    rows: tuple[int, ...]
    rebellion: int
    rebellion_points: int
    coup: int
    coup_points: int


OfferFacts = OfferMade | OfferExpired | OfferClosed | Traded | TradeFailed
"""What becomes of an offer."""


def number_of_offer(facts: OfferFacts, reader: int) -> int:
    """What this reader calls the offer by (SS-5.4): its id is a secret of the table."""
    if isinstance(facts.numbers, msgspec.UnsetType):
        return facts.id
    return facts.numbers[0 if reader == facts.kingdom else 1]


AnyFacts = (
    GameSetUp
    | SplitMade
    | WindowOpened
    | ActionResolved
    | ActionVoid
    | SupportRolled
    | RebellionRolled
    | CoupRolled
    | FearRuled
    | PointLost
    | PointSaved
    | PointsGained
    | Captured
    | Destroyed
    | Built
    | BuildVoid
    | CampUsed
    | CampVoid
    | Discovered
    | ProposalMade
    | ProposalRefused
    | TechnologyGot
    | TechnologyChanged
    | Reported
    | Exposed
    | SecurityRaised
    | FaithFounded
    | Converted
    | BoonGranted
    | Affected
    | OfferFacts
    | LoanReturned
    | RulingGiven
    | Ruled
    | BallotOpened
    | BallotClosed
    | ObjectionMade
    | VerdictGiven
    | RolledBack
    | ReResolved
    | Abdicated
    | Fallen
    | YearBegan
    | Corrected
    | ReplacementWanted
    | GameOver
    | OddsTold
    | ChartTold
)
"""All kinds there are, told apart by their tags: what the codec reads back."""
