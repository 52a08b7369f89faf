"""Conditions of plans (RM-10.5): what may be asked of the moment of a decision, as values,
canonical texts, and answers.

A condition is a list of alternatives, each a list of questions that must all hold; no alternative
at all always holds.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

import msgspec

from engine.realm_master.cards import Token, all_buy_cards, all_heroes, all_lands, all_turn_cards

Bound = Literal["below", "at least", "exactly"]
BOUNDS: tuple[Bound, ...] = ("below", "at least", "exactly")
Own = Literal["hearts", "gold", "banners", "heroes", "damage"]
OWN: tuple[Own, ...] = ("hearts", "gold", "banners", "heroes", "damage")
Face = Literal["-", "b", "s", "c", "h", "R"]
FACES: tuple[Face, ...] = ("-", "b", "s", "c", "h", "R")
"""The faces of a die, by their numbers 1 to 6 (RM-0.2)."""
FACE_NAMES: Mapping[Face, str] = {
    "-": "blank",
    "b": "half banner",
    "s": "sword",
    "c": "coin",
    "h": "heart",
    "R": "R",
}


class Amount(msgspec.Struct, frozen=True, omit_defaults=True, tag="amount"):
    """The player's own hearts, gold or banners, the number of living heroes, or the damage
    taken.
    """

    of: Own
    bound: Bound
    number: int


class DiceShown(msgspec.Struct, frozen=True, omit_defaults=True, tag="dice"):
    """How many dice show a face."""

    face: Face
    bound: Bound
    number: int


class OnLand(msgspec.Struct, frozen=True, omit_defaults=True, tag="land"):
    """Tokens that lie on a land."""

    land: str
    token: Token
    bound: Bound
    number: int


class AttackedBy(msgspec.Struct, frozen=True, omit_defaults=True, tag="attacker"):
    hero: str
    negated: bool = False


class CardIs(msgspec.Struct, frozen=True, omit_defaults=True, tag="card"):
    """The turn card of this round."""

    card: str
    negated: bool = False


class LoneHalf(msgspec.Struct, frozen=True, omit_defaults=True, tag="lone"):
    """A half banner without its other half: their number is odd (RM-10.4)."""

    negated: bool = False


Question = Amount | DiceShown | OnLand | AttackedBy | CardIs | LoneHalf
When = tuple[tuple[Question, ...], ...]
ALWAYS: When = ()


@dataclass(frozen=True, slots=True)
class Sight:
    """What a decision can be made on, at its moment."""

    hearts: int
    gold: int
    banners: int
    heroes: int
    card: str | None
    lands: Mapping[str, Mapping[Token, int]]
    dice: tuple[Face, ...] = ()
    damage: int = 0
    attacker: str | None = None
    own: Mapping[Own, int] = field(init=False)

    def __post_init__(self) -> None:
        own = {
            "hearts": self.hearts,
            "gold": self.gold,
            "banners": self.banners,
            "heroes": self.heroes,
            "damage": self.damage,
        }
        object.__setattr__(self, "own", own)


def holds(when: When, sight: Sight) -> bool:
    return not when or any(all(_holds(question, sight) for question in every) for every in when)


def _holds(question: Question, sight: Sight) -> bool:
    match question:
        case Amount(of, bound, number):
            return _is_within(sight.own[of], bound, number)
        case DiceShown(face, bound, number):
            return _is_within(sight.dice.count(face), bound, number)
        case OnLand(land, token, bound, number):
            return _is_within(sight.lands[land][token] if land in sight.lands else 0, bound, number)
        case AttackedBy(hero, negated):
            return (sight.attacker == hero) != negated
        case CardIs(card, negated):
            return (sight.card == card) != negated
        case LoneHalf(negated):
            return (sight.dice.count("b") % 2 == 1) != negated


def _is_within(value: int, bound: Bound, number: int) -> bool:
    return (
        value < number
        if bound == "below"
        else value >= number
        if bound == "at least"
        else value == number
    )


def faults_of(when: When) -> str | None:
    """What in a condition names nothing of this game; None if all is well."""
    for question in (question for every in when for question in every):
        if isinstance(question, OnLand) and question.land not in all_lands():
            return question.land
        if isinstance(question, AttackedBy) and question.hero not in all_heroes():
            return question.hero
        if isinstance(question, CardIs) and question.card not in all_turn_cards():
            return question.card
    return "nothing" if any(not every for every in when) else None


# ---------------------------------------------------------------------------------- canonical texts
def format_when(when: When) -> str:
    """` if hearts below 5 and sword dice at least 2 or card T04`; nothing for what always holds."""
    return f" if {' or '.join(' and '.join(map(_format, every)) for every in when)}" if when else ""


def _format(question: Question) -> str:
    match question:
        case Amount(of, bound, number):
            return f"{of} {bound} {number}"
        case DiceShown(face, bound, number):
            return f"{FACE_NAMES[face]} dice {bound} {number}"
        case OnLand(land, token, bound, number):
            return f"{token} in {land_name(land)} {bound} {number}"
        case AttackedBy(hero, negated):
            return f"{'not ' if negated else ''}attacked by the {hero}"
        case CardIs(card, negated):
            return f"card {'not ' if negated else ''}{card}"
        case LoneHalf(negated):
            return "no lone half banner" if negated else "a lone half banner"


_BOUND = rf"({'|'.join(BOUNDS)}) (0|[1-9]\d{{0,8}})"
_FACE = "|".join(FACE_NAMES.values())


def parse_when(text: str) -> When:
    """What follows `if`. ValueError if it is no canonical text."""
    return tuple(
        tuple(_parse(question) for question in every.split(" and ")) for every in text.split(" or ")
    )


def _parse(text: str) -> Question:
    if found := re.fullmatch(rf"({'|'.join(OWN)}) {_BOUND}", text):
        return Amount(_own(found[1]), _bound(found[2]), int(found[3]))
    if found := re.fullmatch(rf"({_FACE}) dice {_BOUND}", text):
        return DiceShown(face_named(found[1]), _bound(found[2]), int(found[3]))
    if found := re.fullmatch(rf"(hearts|gold|banners) in (\w+) {_BOUND}", text):
        return OnLand(land_key(found[2]), token_named(found[1]), _bound(found[3]), int(found[4]))
    if found := re.fullmatch(r"(not )?attacked by the (\w+)", text):
        return AttackedBy(hero_key(found[2]), bool(found[1]))
    if found := re.fullmatch(r"card (not )?(T\d\d)", text):
        if found[2] not in all_turn_cards():
            raise ValueError(f"no turn card {found[2]!r}")
        return CardIs(found[2], bool(found[1]))
    if text in ("a lone half banner", "no lone half banner"):
        return LoneHalf(text.startswith("no "))
    raise ValueError(f"{text!r} is no canonical condition")


def _own(text: str) -> Own:
    return next(own for own in OWN if own == text)


def _bound(text: str) -> Bound:
    return next(bound for bound in BOUNDS if bound == text)


def token_named(text: str) -> Token:
    """`hearts`, or one of them: `heart`."""
    tokens: dict[str, Token] = {
        "hearts": "hearts",
        "heart": "hearts",
        "gold": "gold",
        "banners": "banners",
        "banner": "banners",
    }
    if text not in tokens:
        raise ValueError(f"no token {text!r}")
    return tokens[text]


def face_named(text: str) -> Face:
    for face, name in FACE_NAMES.items():
        if text in (name, f"{name}s"):
            return face
    raise ValueError(f"no face {text!r}")


def land_name(key: str) -> str:
    """The short name, or what was told if there is no such land."""
    land = all_lands().get(key)
    return key if land is None else land.short


def land_key(name: str) -> str:
    """ValueError if no land is called that."""
    for land in all_lands().values():
        if name == land.short:
            return land.key
    raise ValueError(f"no land {name!r}")


def hero_key(name: str) -> str:
    if name not in all_heroes():
        raise ValueError(f"no hero {name!r}")
    return name


def card_name(key: str) -> str:
    card = all_buy_cards().get(key)
    return key if card is None else card.name


def card_key(name: str) -> str:
    """ValueError if no buy card is called that."""
    for card in all_buy_cards().values():
        if name == card.name:
            return card.key
    raise ValueError(f"no card {name!r}")
