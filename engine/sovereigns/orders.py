"""What a ruler may say, as data (section 13 of the rules). Kingdoms are players' numbers; 0 is a
kingdom nobody knows.

Names of technologies and codes are kept as written: judging them is `checking`'s work.
"""

from typing import Literal

import msgspec

from engine.sovereigns.codes import ActionKind, Attribute

Subject = Literal["lives", "fallen", "more", "least", "most"]
Stretch = Literal["permanent", "year", "seasons"]

OFFER_HOURS = 48
"""How long an offer stands at most, and unless told otherwise (SS-5.5)."""


class Condition(msgspec.Struct, frozen=True, omit_defaults=True):
    """One condition on public facts (SS-9.4): of `kingdom`; `more` compares with `other`, `least`
    and `most` with `number`.
    """

    subject: Subject
    kingdom: int
    attribute: Attribute | None = None
    other: int | None = None
    number: int = 0


class Proposal(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a discovery is to become (SS-7.2); `origin` is the technology it grows from (SS-7.8)."""

    name: str
    code: str
    origin: str = ""


class Action(msgspec.Struct, frozen=True, omit_defaults=True):
    """A rolled action. `points` None: all that are free when it resolves; `depleted` are Resources
    expended a second time.

    `burn` is a building's code, `nothing` to spare them all, empty if unnamed. `effect` and `words`
    are those of a free-form action.
    """

    kind: ActionKind
    attribute: Attribute
    points: int | None
    depleted: int = 0
    target: int | None = None
    raises: Attribute | None = None
    proposal: Proposal | None = None
    burn: str = ""
    seek: str = ""
    effect: str = ""
    words: str = ""
    boon: bool = False
    works: bool = False


class Do(msgspec.Struct, frozen=True, omit_defaults=True, tag="do"):
    """The action of a season, up to two alternatives behind it, and a condition on the first
    (SS-9.4).
    """

    ways: tuple[Action, ...]
    condition: Condition | None = None

    @property
    def tried(self) -> Action | None:
        """The first free-form action in it (SS-8.1)."""
        return next((way for way in self.ways if way.kind == "Try"), None)


class Build(msgspec.Struct, frozen=True, tag="build"):
    building: str


class Camp(msgspec.Struct, frozen=True, tag="camp"):
    """Use BLD-CAMP."""


class Pass(msgspec.Struct, frozen=True, tag="pass"):
    """No rolled action, no standing one either."""


class Done(msgspec.Struct, frozen=True, tag="done"):
    """All is said; changes nothing."""


class CancelAll(msgspec.Struct, frozen=True, tag="cancel-all"):
    """Takes back what was ordered in this phase."""


class Item(msgspec.Struct, frozen=True, omit_defaults=True):
    """What is traded: points with a term, a technology, or (to be refused) a building."""

    points: int = 0
    attribute: Attribute | None = None
    stretch: Stretch = "year"
    seasons: int = 0
    expended: bool = False
    technology: str = ""
    building: str = ""


class Offer(msgspec.Struct, frozen=True, omit_defaults=True, tag="offer"):
    """`hours` until it expires."""

    to: int
    gives: tuple[Item, ...]
    wants: tuple[Item, ...]
    hours: int = OFFER_HOURS


class Answer(msgspec.Struct, frozen=True, tag="answer"):
    """What becomes of an offer, which is told by the number that its ruler calls it by."""

    verb: Literal["Accept", "Decline", "Withdraw"]
    offer: int


class Way(msgspec.Struct, frozen=True, omit_defaults=True):
    """An answer at year start (SS-4): `points` None: all, but for `but`. Of `rebellion` and `coup`
    None is the default (SS-12.9).
    """

    fear: bool = False
    sure: bool = False
    points: int | None = None
    but: int = 0
    works: bool = False
    rebellion: int | None = None
    rebellion_works: bool = False
    coup: int | None = None
    coup_works: bool = False


class Year(msgspec.Struct, frozen=True, omit_defaults=True, tag="year"):
    ways: tuple[Way, ...]
    condition: Condition | None = None


class Split(msgspec.Struct, frozen=True, omit_defaults=True, tag="split"):
    resources: int
    military: int
    harmony: int
    name: str = ""


class Propose(msgspec.Struct, frozen=True, tag="propose"):
    proposal: Proposal


class Claim(msgspec.Struct, frozen=True, tag="claim"):
    """Claim victory (SS-11.5)."""


class Vote(msgspec.Struct, frozen=True, tag="vote"):
    yes: bool
    claimant: int


class Object(msgspec.Struct, frozen=True, tag="object"):
    action: int
    why: str


class Redo(msgspec.Struct, frozen=True, tag="redo"):
    """Another order for an action that was rolled back."""

    order: Do | Pass


class Abdicate(msgspec.Struct, frozen=True, tag="abdicate"):
    """Falls at the next resolution (SS-11.9)."""


class Every(msgspec.Struct, frozen=True, tag="every"):
    """A standing order, for every year or every season (SS-12.8)."""

    order: Year | Do


class Forget(msgspec.Struct, frozen=True, tag="forget"):
    what: Literal["year", "season"]


Order = (
    Do
    | Build
    | Camp
    | Pass
    | Done
    | CancelAll
    | Offer
    | Answer
    | Year
    | Split
    | Propose
    | Claim
    | Vote
    | Object
    | Redo
    | Abdicate
    | Every
    | Forget
)

Deed = Offer | Answer | Propose | Claim | Vote | Object | Redo | Abdicate | Every | Forget
"""Orders that take effect at once."""
