"""What a ruler may say, as data (section 13 of the rules). Kingdoms are players' numbers; 0 is a
kingdom nobody knows.

Names of technologies and codes are kept as written: judging them is `checking`'s work.
"""

from typing import ClassVar, Literal

import msgspec

from engine.sovereigns.codes import ActionKind, Attribute

Subject = Literal["lives", "fallen", "more", "least", "most"]
Stretch = Literal["permanent", "year", "seasons"]

OFFER_HOURS = 48
"""How long an offer stands at most, and unless told otherwise (SS-5.5)."""


class _Told(msgspec.Struct, frozen=True):
    """A part of an order's text; `form` has the template or templates of its canonical text
    (`engine.forms`).
    """

    form: ClassVar[str | tuple[str, ...]] = ""


class Condition(_Told, frozen=True, omit_defaults=True):
    """One condition on public facts (SS-9.4): of `kingdom`; `more` compares with `other`, `least`
    and `most` with `number`.
    """

    form = (
        "{kingdom:who} {subject:alive}",
        "{kingdom:who} has {subject:more} {attribute:attribute} than {other:who}",
        "{kingdom:who} has at {subject:bound} {number:count}{attribute:attribute}",
    )
    subject: Subject
    kingdom: int
    attribute: Attribute | None = None
    other: int | None = None
    number: int = 0


class Proposal(_Told, frozen=True, omit_defaults=True):
    """What a discovery is to become (SS-7.2); `origin` is the technology it grows from (SS-7.8)."""

    form = "{name:name} = {code:code}[ from {origin:text}]"
    name: str
    code: str
    origin: str = ""


class Action(_Told, frozen=True, omit_defaults=True):
    """A rolled action. `points` None: all that are free when it resolves; `depleted` are Resources
    expended a second time.

    `burn` is a building's code, `nothing` to spare them all, empty if unnamed. `effect` and `words`
    are those of a free-form action.
    """

    form = (
        (
            "{kind:try}: {points:points}{attribute:attribute}[ + {depleted:count} depleted]"
            "[ against {target:who}][ for {effect:effect}]"
            ' "{words:quote}"{boon?, boon}{works?, works}'
        ),
        (
            "{kind,raises,target:head}: {points:points}{attribute:attribute}"
            "[ + {depleted:count} depleted][, {proposal,burn,seek:extra}]"
            "{boon?, boon}{works?, works}"
        ),
    )
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


class Do(_Told, frozen=True, omit_defaults=True, tag="do"):
    """The action of a season, up to two alternatives behind it, and a condition on the first
    (SS-9.4).
    """

    form = "{ways,condition:actions}"
    ways: tuple[Action, ...]
    condition: Condition | None = None

    @property
    def tried(self) -> Action | None:
        """The first free-form action in it (SS-8.1)."""
        return next((way for way in self.ways if way.kind == "Try"), None)


class Build(_Told, frozen=True, tag="build"):
    form = "Build {building:building}"
    building: str


class Camp(_Told, frozen=True, tag="camp"):
    """Use BLD-CAMP."""

    form = "Camp"


class Pass(_Told, frozen=True, tag="pass"):
    """No rolled action, no standing one either."""

    form = "Pass"


class Done(_Told, frozen=True, tag="done"):
    """All is said; changes nothing."""

    form = "Done"


class CancelAll(_Told, frozen=True, tag="cancel-all"):
    """Takes back what was ordered in this phase."""

    form = "Cancel all"


class OfferItem(_Told, frozen=True, omit_defaults=True):
    """What is traded: points with a term, a technology, or (to be refused) a building."""

    form = (
        "tech {technology:tech}",
        "{building:house}",
        "{points:count}{attribute:attribute}{stretch,seasons:term}{expended? expended too}",
    )
    points: int = 0
    attribute: Attribute | None = None
    stretch: Stretch = "year"
    seasons: int = 0
    expended: bool = False
    technology: str = ""
    building: str = ""


class Offer(_Told, frozen=True, omit_defaults=True, tag="offer"):
    """`hours` until it expires."""

    form = "Offer {to:receiver}: {gives:given} against {wants:items}[ within {hours:count} hours]"
    to: int
    gives: tuple[OfferItem, ...]
    wants: tuple[OfferItem, ...]
    hours: int = OFFER_HOURS


class Answer(_Told, frozen=True, tag="answer"):
    """An answer to an offer, which has the number that this ruler knows it by."""

    form = "{verb:verb} offer {offer:count}"
    verb: Literal["Accept", "Decline", "Withdraw"]
    offer: int


class Way(_Told, frozen=True, omit_defaults=True):
    """An answer at year start (SS-4): `points` None: all except `but`. `rebellion` and `coup` None:
    the default (SS-12.9).
    """

    form = (
        "{fear:fear}{sure?, sure}",
        (
            "Harmony: {points,but:harmony}"
            "[, rebellion {rebellion:count}M{rebellion_works? with works}]"
            "[, coup {coup:count}M{coup_works? with works}]{works?, works}"
        ),
    )
    fear: bool = False
    sure: bool = False
    points: int | None = None
    but: int = 0
    works: bool = False
    rebellion: int | None = None
    rebellion_works: bool = False
    coup: int | None = None
    coup_works: bool = False


class Year(_Told, frozen=True, omit_defaults=True, tag="year"):
    form = "{ways,condition:answers}"
    ways: tuple[Way, ...]
    condition: Condition | None = None


class Split(_Told, frozen=True, omit_defaults=True, tag="split"):
    form = "Split {resources:count}/{military:count}/{harmony:count}[, {name:text}]"
    resources: int
    military: int
    harmony: int
    name: str = ""


class Propose(_Told, frozen=True, tag="propose"):
    form = "Propose {proposal:proposal}"
    proposal: Proposal


class Claim(_Told, frozen=True, tag="claim"):
    """Claim victory (SS-11.5)."""

    form = "Claim victory"


class Vote(_Told, frozen=True, tag="vote"):
    form = "Vote {yes:yes} on {claimant:who}"
    yes: bool
    claimant: int


class Object(_Told, frozen=True, tag="object"):
    form = "Object to action {action:count}:{why:why}"
    action: int
    why: str


class Redo(_Told, frozen=True, tag="redo"):
    """Another order for an action that was rolled back."""

    form = "Redo: {order:again}"
    order: Do | Pass


class Abdicate(_Told, frozen=True, tag="abdicate"):
    """Falls at the next resolution (SS-11.9)."""

    form = "Abdicate"


class Every(_Told, frozen=True, tag="every"):
    """A standing order, for every year or every season (SS-12.8)."""

    form = ("Every year: {order:year}", "Every season: {order:season}")
    order: Year | Do


class Forget(_Told, frozen=True, tag="forget"):
    form = "Forget every {what:what}"
    what: Literal["year", "season"]


Order = (
    Build
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
    | Do
)
"""Every text that is no other may be a `Do`, which stands last."""
Deed = Offer | Answer | Propose | Claim | Vote | Object | Redo | Abdicate | Every | Forget
"""Orders that take effect at once."""
