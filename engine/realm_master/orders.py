"""What a player can tell: the lines of a plan (RM-10.1), answers to open questions, and deeds that
take effect at once (RM-11.2).

Every order has one canonical text, which reads back to it.
"""

from collections.abc import Mapping
from typing import Literal

from engine.realm_master.cards import Token
from engine.realm_master.conditions import ALWAYS, Face, Told, When

Key = Literal[
    "hero",
    "reroll",
    "second",
    "faces",
    "attack",
    "hit",
    "smoke",
    "ultimatum",
    "tribute",
    "enter",
    "realm",
    "buy",
    "play",
    "reveal",
    "life",
    "loot",
]
PERSISTENT: frozenset[Key] = frozenset(
    {"reroll", "second", "faces", "attack", "hit", "ultimatum", "tribute", "smoke", "loot"}
)
"""Lines under these keys stay until changed; the others hold for the next own turn only (RM-10.1).
"""

BEST, CHEAPEST, NOWHERE = "richest", "cheapest", "none"
"""Where a land would stand: the land with most tokens, with the least gold cost, or none at all
(RM-10.6).
"""

FIVE = "five"
"""Where a face would stand: all R become the face that makes five (RM-10.7)."""


class Choice(Told, frozen=True, omit_defaults=True):
    """A word, and when it counts; of several the first that counts."""

    form = "{word:word}[ if {when:when}]"
    word: str
    when: When = ALWAYS


class DieRule(Told, frozen=True, omit_defaults=True):
    """What is done with a die showing `what`: a face, `lone` for the rightmost half banner of an
    odd number, or a die's place `1`..`5`.
    """

    form = "{reroll:verb} {what:die}[ if {when:when}]"
    what: str
    reroll: bool
    when: When = ALWAYS


class FaceRule(Told, frozen=True, omit_defaults=True):
    """What R become: a face, or FIVE; `count` of them at most (None: all)."""

    form = "[{count:count} as ]{face:becomes}[ if {when:when}]"
    face: str
    count: int | None = None
    when: When = ALWAYS


class Wish(Told, frozen=True, omit_defaults=True):
    """A card to buy; `hoped`: it need not be on offer yet."""

    form = "{hoped?hope for }{card:card}[ if {when:when}]"
    card: str
    hoped: bool = False
    when: When = ALWAYS


# ---------------------------------------------------------------------------------- lines of a plan
class PickHero(Told, frozen=True, omit_defaults=True, tag="hero"):
    """Heroes wanted, the dearest first (RM-1.6)."""

    form = "Hero: {heroes:heroes}"
    heroes: tuple[str, ...]


class Reroll(Told, frozen=True, omit_defaults=True, tag="reroll"):
    """Per die the first rule that speaks of it; `rest`: blanks are rerolled, all kept, or all but R
    rerolled (RM-10.2, RM-10.3).
    """

    form = "{second:again}: {rules,rest:dice}{always? (always)}"
    rules: tuple[DieRule, ...] = ()
    rest: Literal["blanks", "keep", "reroll"] = "blanks"
    second: bool = False
    always: bool = False


class Faces(Told, frozen=True, omit_defaults=True, tag="faces"):
    form = "R: {rules:faces}{always? (always)}"
    rules: tuple[FaceRule, ...]
    always: bool = False


class Choose(Told, frozen=True, omit_defaults=True, tag="choose"):
    """Attack (yes, no), hit (stay, leave), smoke (yes, no), ultimatum (leave, lose)."""

    form = "{key:decision}: {choices:choices}{always? (always)}"
    key: Literal["attack", "hit", "smoke", "ultimatum"]
    choices: tuple[Choice, ...]
    always: bool = False


class AttackOne(Told, frozen=True, omit_defaults=True, tag="attack-one"):
    """What cannot be: an attack on one hero alone (RM-4.2)."""

    form = "Attack only the {hero:hero}"
    hero: str


class PayTribute(Told, frozen=True, omit_defaults=True, tag="tribute"):
    """Lands for the tokens to pay; of several for one token the next for the next, the last for the
    rest.
    """

    form = "Tribute: {ways:ways}{always? (always)}"
    ways: tuple[tuple[Token, str], ...]
    always: bool = False


class Enter(Told, frozen=True, omit_defaults=True, tag="enter"):
    """Lands in the order wanted; BEST, CHEAPEST or NOWHERE may stand for one."""

    form = "Enter: {choices:places}{always? (always)}"
    choices: tuple[Choice, ...]
    always: bool = False


class Realm(Told, frozen=True, omit_defaults=True, tag="realm"):
    """`stay`, `leave`, or a land to move to, in the order wanted."""

    form = "In the Realm: {choices:stances}{always? (always)}"
    choices: tuple[Choice, ...]
    always: bool = False


class Buy(Told, frozen=True, omit_defaults=True, tag="buy"):
    """Cards in the order wanted; `keep` gold is not spent before the end of the turn (RM-10.8)."""

    form = "Buy: {wishes,early,keep:bought}{always? (always)}"
    wishes: tuple[Wish, ...]
    early: bool = False
    keep: int = 0
    always: bool = False


class Play(Told, frozen=True, omit_defaults=True, tag="play"):
    """A discard card to play: on a hero, on a land, or on a die (its place or face) to show `face`.
    `now`: at once.
    """

    form = (
        "Play {card:card}{hero,land,die,face:target} {now:now}",
        (
            "Play: {card:card}{hero,land,die,face:target}{early?, before rolling}[ if {when:when}]"
            "{always? (always)}"
        ),
    )
    card: str
    hero: str | None = None
    land: str | None = None
    die: str | None = None
    face: Face | None = None
    early: bool = False
    when: When = ALWAYS
    always: bool = False
    now: bool = False


class Reveal(Told, frozen=True, omit_defaults=True, tag="reveal"):
    """Turn up to `times` cards for 1 gold each; buy one of these or of at most that cost, else
    cover (RM-10.9).
    """

    form = (
        "Reveal: up to {times:count}[, at most {most:count} gold][, {cards:shown}]"
        "[, cover {cover:card}][ if {when:when}]{always? (always)}"
    )
    times: int = 1
    most: int | None = None
    cards: tuple[str, ...] = ()
    cover: str | None = None
    when: When = ALWAYS
    always: bool = False


class Life(Told, frozen=True, omit_defaults=True, tag="life"):
    """Hearts to buy for 1 gold each while the exchange holds (RM-8.8)."""

    form = (
        "Trade {amount:count} gold for life {now:now}",
        "Life: {amount:count}[ if {when:when}]{always? (always)}",
    )
    amount: int
    when: When = ALWAYS
    always: bool = False
    now: bool = False


class Loot(Told, frozen=True, omit_defaults=True, tag="loot"):
    """Cards to take from a player who is killed, the dearest first."""

    form = "Loot: {cards:cards}{always? (always)}"
    cards: tuple[str, ...]
    always: bool = False


class Drop(Told, frozen=True, omit_defaults=True, tag="drop"):
    """Forget the lines under a key (None: the whole plan)."""

    form = "Forget {key:key}"
    key: Key | None = None


class Auto(Told, frozen=True, omit_defaults=True, tag="auto"):
    """Whether the whole plan persists and is answered from without asking."""

    form = "Auto {on:on}"
    on: bool


class Wait(Told, frozen=True, omit_defaults=True, tag="wait"):
    """The window is to stay open until its end (RM-11.4)."""

    form = "Wait"


# -------------------------------------------------------------------------------- answers and deeds
class PlaceCard(Told, frozen=True, omit_defaults=True, tag="place"):
    """What becomes of a revealed card: bought, or put on this card of the row."""

    form = "{cover:revealed}"
    cover: str | None


class GoOn(Told, frozen=True, omit_defaults=True, tag="go-on"):
    """Nothing more."""

    form = "Go on"


class BuyNow(Told, frozen=True, omit_defaults=True, tag="buy-now"):
    form = "Buy {card:card} now"
    card: str


class RevealNow(Told, frozen=True, omit_defaults=True, tag="reveal-now"):
    """Pay 1 gold for the top card of the deck."""

    form = "Reveal a card now"


class Concede(Told, frozen=True, omit_defaults=True, tag="concede"):
    """Die without a killer at the end of the current turn (RM-7.9)."""

    form = "Concede"


class Objection(Told, frozen=True, omit_defaults=True, tag="objection"):
    """A question about the rules in a turn that was played (RM-11.9)."""

    form = "Object to turn {turn:count}: {reason:reason}"
    turn: int
    reason: str


Line = (
    PickHero
    | Reroll
    | Faces
    | Choose
    | PayTribute
    | Enter
    | Realm
    | Buy
    | Play
    | Reveal
    | Life
    | Loot
)
Order = (
    Line
    | AttackOne
    | Drop
    | Auto
    | Wait
    | PlaceCard
    | GoOn
    | BuyNow
    | RevealNow
    | Concede
    | Objection
)

KEY_WORDS: Mapping[Key, str] = {
    "hero": "Hero",
    "reroll": "Reroll",
    "second": "Second reroll",
    "faces": "R",
    "attack": "Attack",
    "hit": "When hit",
    "smoke": "Smoke Pot",
    "ultimatum": "Ultimatum",
    "tribute": "Tribute",
    "enter": "Enter",
    "realm": "In the Realm",
    "buy": "Buy",
    "play": "Play",
    "reveal": "Reveal",
    "life": "Life",
    "loot": "Loot",
}
_KEYS: Mapping[type[Order], Key] = {
    PickHero: "hero",
    Reroll: "reroll",
    Faces: "faces",
    PayTribute: "tribute",
    Enter: "enter",
    Realm: "realm",
    Buy: "buy",
    Play: "play",
    Reveal: "reveal",
    Life: "life",
    Loot: "loot",
}
WORDS: Mapping[str, tuple[str, ...]] = {
    "attack": ("yes", "no"),
    "hit": ("stay", "leave"),
    "smoke": ("yes", "no"),
    "ultimatum": ("leave", "lose"),
}


def key_of(order: Order) -> Key | None:
    """Under which key of a plan an order stands; None for what is no line of a plan."""
    match order:
        case Choose(key=key):
            return key
        case Reroll(second=True):
            return "second"
        case Play(now=True) | Life(now=True):
            return None
    return _KEYS.get(type(order))


def is_always(order: Order) -> bool:
    """Whether the player has said that a line counts from now on, and without asking."""
    return bool(getattr(order, "always", False))


def is_same_line(one: Order, other: Order) -> bool:
    """Whether two lines speak of the same thing: the key, and for cards to play the card."""
    key = key_of(one)
    if key is None or key != key_of(other):
        return False
    return not isinstance(one, Play) or not isinstance(other, Play) or one.card == other.card
