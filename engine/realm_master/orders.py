"""What a player can tell: the lines of a plan (RM-10.1), answers to open questions, and deeds that
take effect at once (RM-11.2).

Every order has one canonical text (`format_order`); `wording.parse_order` is its exact inverse.
"""

from collections.abc import Mapping
from typing import Literal

import msgspec

from engine.realm_master.cards import Token
from engine.realm_master.conditions import (
    ALWAYS,
    FACE_NAMES,
    Face,
    When,
    card_name,
    format_when,
    land_name,
)

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


class Choice(msgspec.Struct, frozen=True, omit_defaults=True):
    """A word, and when it counts; of several the first that counts."""

    word: str
    when: When = ALWAYS


class DieRule(msgspec.Struct, frozen=True, omit_defaults=True):
    """What is done with a die showing `what`: a face, `lone` for the rightmost half banner of an
    odd number, or a die's place `1`..`5`.
    """

    what: str
    reroll: bool
    when: When = ALWAYS


class FaceRule(msgspec.Struct, frozen=True, omit_defaults=True):
    """What R become: a face, or FIVE; `count` of them at most (None: all)."""

    face: str
    count: int | None = None
    when: When = ALWAYS


class Wish(msgspec.Struct, frozen=True, omit_defaults=True):
    """A card to buy; `hoped`: it need not be on offer yet."""

    card: str
    hoped: bool = False
    when: When = ALWAYS


# ---------------------------------------------------------------------------------- lines of a plan
class PickHero(msgspec.Struct, frozen=True, omit_defaults=True, tag="hero"):
    """Heroes wanted, the dearest first (RM-1.6)."""

    heroes: tuple[str, ...]


class Reroll(msgspec.Struct, frozen=True, omit_defaults=True, tag="reroll"):
    """Per die the first rule that speaks of it; `rest`: blanks are rerolled, all kept, or all but R
    rerolled (RM-10.2, RM-10.3).
    """

    rules: tuple[DieRule, ...] = ()
    rest: Literal["blanks", "keep", "reroll"] = "blanks"
    second: bool = False
    always: bool = False


class Faces(msgspec.Struct, frozen=True, omit_defaults=True, tag="faces"):
    rules: tuple[FaceRule, ...]
    always: bool = False


class Choose(msgspec.Struct, frozen=True, omit_defaults=True, tag="choose"):
    """Attack (yes, no), hit (stay, leave), smoke (yes, no), ultimatum (leave, lose)."""

    key: Literal["attack", "hit", "smoke", "ultimatum"]
    choices: tuple[Choice, ...]
    always: bool = False


class AttackOne(msgspec.Struct, frozen=True, omit_defaults=True, tag="attack-one"):
    """What cannot be: an attack on one hero alone (RM-4.2)."""

    hero: str


class PayTribute(msgspec.Struct, frozen=True, omit_defaults=True, tag="tribute"):
    """Lands for the tokens to pay; of several for one token the next for the next, the last for the
    rest.
    """

    ways: tuple[tuple[Token, str], ...]
    always: bool = False


class Enter(msgspec.Struct, frozen=True, omit_defaults=True, tag="enter"):
    """Lands in the order wanted; BEST, CHEAPEST or NOWHERE may stand for one."""

    choices: tuple[Choice, ...]
    always: bool = False


class Realm(msgspec.Struct, frozen=True, omit_defaults=True, tag="realm"):
    """`stay`, `leave`, or a land to move to, in the order wanted."""

    choices: tuple[Choice, ...]
    always: bool = False


class Buy(msgspec.Struct, frozen=True, omit_defaults=True, tag="buy"):
    """Cards in the order wanted; `keep` gold is not spent before the end of the turn (RM-10.8)."""

    wishes: tuple[Wish, ...]
    early: bool = False
    keep: int = 0
    always: bool = False


class Play(msgspec.Struct, frozen=True, omit_defaults=True, tag="play"):
    """A discard card to play: on a hero, on a land, or on a die (its place or face) to show `face`.
    `now`: at once.
    """

    card: str
    hero: str | None = None
    land: str | None = None
    die: str | None = None
    face: Face | None = None
    early: bool = False
    when: When = ALWAYS
    always: bool = False
    now: bool = False


class Reveal(msgspec.Struct, frozen=True, omit_defaults=True, tag="reveal"):
    """Turn up to `times` cards for 1 gold each; buy one of these or of at most that cost, else
    cover (RM-10.9).
    """

    times: int = 1
    most: int | None = None
    cards: tuple[str, ...] = ()
    cover: str | None = None
    when: When = ALWAYS
    always: bool = False


class Life(msgspec.Struct, frozen=True, omit_defaults=True, tag="life"):
    """Hearts to buy for 1 gold each while the exchange holds (RM-8.8)."""

    amount: int
    when: When = ALWAYS
    always: bool = False
    now: bool = False


class Loot(msgspec.Struct, frozen=True, omit_defaults=True, tag="loot"):
    """Cards to take from who is killed, the dearest first."""

    cards: tuple[str, ...]
    always: bool = False


class Drop(msgspec.Struct, frozen=True, omit_defaults=True, tag="drop"):
    """Forget the lines under a key (None: the whole plan)."""

    key: Key | None = None


class Auto(msgspec.Struct, frozen=True, omit_defaults=True, tag="auto"):
    """Whether the whole plan persists and is answered from without asking."""

    on: bool


class Wait(msgspec.Struct, frozen=True, omit_defaults=True, tag="wait"):
    """The window is to stay open until its end (RM-11.4)."""


# -------------------------------------------------------------------------------- answers and deeds
class PlaceCard(msgspec.Struct, frozen=True, omit_defaults=True, tag="place"):
    """What becomes of a revealed card: bought, or put on this card of the row."""

    cover: str | None


class GoOn(msgspec.Struct, frozen=True, omit_defaults=True, tag="go-on"):
    """Nothing more."""


class BuyNow(msgspec.Struct, frozen=True, omit_defaults=True, tag="buy-now"):
    card: str


class RevealNow(msgspec.Struct, frozen=True, omit_defaults=True, tag="reveal-now"):
    """Pay 1 gold for the top card of the deck."""


class Concede(msgspec.Struct, frozen=True, omit_defaults=True, tag="concede"):
    """Die without a killer at the end of the current turn (RM-7.9)."""


class Objection(msgspec.Struct, frozen=True, omit_defaults=True, tag="objection"):
    """A question about the rules in a turn that was played (RM-11.9)."""

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
    PickHero
    | Reroll
    | Faces
    | Choose
    | AttackOne
    | PayTribute
    | Enter
    | Realm
    | Buy
    | Play
    | Reveal
    | Life
    | Loot
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

PLAIN_TEXTS: Mapping[type[Order], str] = {
    Wait: "Wait",
    GoOn: "Go on",
    RevealNow: "Reveal a card now",
    Concede: "Concede",
}
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
REST_WORDS = {"keep": "keep the rest", "reroll": "reroll the rest"}
AS_USUAL = "as usual"
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


# ---------------------------------------------------------------------------------- canonical texts
def format_order(order: Order) -> str:
    plain = PLAIN_TEXTS.get(type(order))
    if plain is not None:
        return plain
    return f"{_format(order)}{' (always)' if is_always(order) else ''}"


def _format(order: Order) -> str:
    match order:
        case PickHero(heroes):
            return f"Hero: {', '.join(heroes)}"
        case Reroll(rules, rest, second):
            items = [_format_die_rule(rule) for rule in rules] + (
                [REST_WORDS[rest]] if rest != "blanks" else []
            )
            return f"{'Second reroll' if second else 'Reroll'}: {', '.join(items) or AS_USUAL}"
        case Faces(rules):
            return f"R: {', '.join(map(_format_face_rule, rules)) or AS_USUAL}"
        case Choose(key, choices):
            return f"{KEY_WORDS[key]}: {_format_choices(choices)}"
        case AttackOne(hero):
            return f"Attack only the {hero}"
        case PayTribute(ways):
            return f"Tribute: {', '.join(f'{token} to {land_name(land)}' for token, land in ways)}"
        case Enter(choices):
            return "Enter: " + ", ".join(
                _place(choice.word) + format_when(choice.when) for choice in choices
            )
        case Realm(choices):
            return "In the Realm: " + ", ".join(
                _stance(choice.word) + format_when(choice.when) for choice in choices
            )
        case Drop(key):
            return f"Forget {'everything' if key is None else KEY_WORDS[key]}"
        case Auto(on):
            return f"Auto {'on' if on else 'off'}"
        case PlaceCard(cover):
            return "Take the revealed card" if cover is None else f"Cover {card_name(cover)}"
        case Objection(turn, reason):
            return f"Object to turn {turn}: {reason}"
    return _format_trade(order)


def _format_trade(order: Order) -> str:
    """Buying, playing, revealing, loot."""
    match order:
        case Buy(wishes, early, keep):
            items = [
                f"{'hope for ' if wish.hoped else ''}{card_name(wish.card)}{format_when(wish.when)}"
                for wish in wishes
            ]
            items += (["before rolling"] if early else []) + ([f"keep {keep} gold"] if keep else [])
            return f"Buy: {', '.join(items) or 'nothing'}"
        case Play(now=True):
            return f"Play {card_name(order.card)}{_target(order)} now"
        case Play(early=early, when=when):
            return (
                "Play:"
                f" {card_name(order.card)}{_target(order)}"
                f"{', before rolling' if early else ''}{format_when(when)}"
            )
        case Reveal(times, most, cards, cover, when):
            items = (
                [f"up to {times}"]
                + ([f"at most {most} gold"] if most is not None else [])
                + [card_name(card) for card in cards]
            )
            items += [f"cover {card_name(cover)}"] if cover is not None else []
            return f"Reveal: {', '.join(items)}{format_when(when)}"
        case Life(amount, now=True):
            return f"Trade {amount} gold for life now"
        case Life(amount, when):
            return f"Life: {amount}{format_when(when)}"
        case Loot(cards):
            return f"Loot: {', '.join(map(card_name, cards))}"
        case BuyNow(card):
            return f"Buy {card_name(card)} now"
    raise ValueError(f"no text for {order!r}")


def _format_die_rule(rule: DieRule) -> str:
    return f"{'reroll' if rule.reroll else 'keep'} {_die_words(rule.what)}{format_when(rule.when)}"


def _die_words(what: str) -> str:
    if what == "lone":
        return "a lone half banner"
    named = {face: f"{name}s" for face, name in FACE_NAMES.items()}
    return next((words for face, words in named.items() if face == what), f"die {what}")


def _format_face_rule(rule: FaceRule) -> str:
    count = "" if rule.count is None else f"{rule.count} as "
    name = next((name for face, name in FACE_NAMES.items() if face == rule.face), "complete five")
    return f"{count}{name}{format_when(rule.when)}"


def _format_choices(choices: tuple[Choice, ...]) -> str:
    return ", ".join(choice.word + format_when(choice.when) for choice in choices)


def _place(word: str) -> str:
    return {BEST: "the richest land", CHEAPEST: "the cheapest land", NOWHERE: "nothing"}.get(
        word, land_name(word)
    )


def _stance(word: str) -> str:
    return word if word in ("stay", "leave") else f"move to {_place(word)}"


def _target(order: Play) -> str:
    if order.hero is not None:
        return f" on the {order.hero}"
    if order.land is not None:
        return f" on {land_name(order.land)}"
    if order.die is None or order.face is None:
        return ""
    where = next(
        (name for face, name in FACE_NAMES.items() if face == order.die), f"die {order.die}"
    )
    return f" on {where} for {FACE_NAMES[order.face]}"
