"""Conditions of plans (RM-10.5): what may be asked of the moment of a decision, as values,
canonical texts, and answers.

A condition is a list of alternatives, each a list of questions that must all hold; no alternative
at all always holds.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar, Literal, get_args

import msgspec

from engine.forms import ANY, Forms, Slot, choice, digits, listed
from engine.realm_master.cards import (
    TOKENS,
    Token,
    all_buy_cards,
    all_heroes,
    all_lands,
    all_turn_cards,
)

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


class Told(msgspec.Struct, frozen=True):
    """A part of an order's text; `form` has the template or templates of its canonical text
    (`engine.forms`).
    """

    form: ClassVar[str | tuple[str, ...]] = ""


class Amount(Told, frozen=True, omit_defaults=True, tag="amount"):
    """The player's own hearts, gold or banners, the number of living heroes, or the damage
    taken.
    """

    form = "{of:own} {bound:bound} {number:count}"
    of: Own
    bound: Bound
    number: int


class DiceShown(Told, frozen=True, omit_defaults=True, tag="dice"):
    """How many dice show a face."""

    form = "{face:face} dice {bound:bound} {number:count}"
    face: Face
    bound: Bound
    number: int


class OnLand(Told, frozen=True, omit_defaults=True, tag="land"):
    """Tokens that lie on a land."""

    form = "{token:token} in {land:land} {bound:bound} {number:count}"
    land: str
    token: Token
    bound: Bound
    number: int


class AttackedBy(Told, frozen=True, omit_defaults=True, tag="attacker"):
    form = "{negated?not }attacked by the {hero:hero}"
    hero: str
    negated: bool = False


class CardIs(Told, frozen=True, omit_defaults=True, tag="card"):
    """The turn card of this round."""

    form = "card {negated?not }{card:turn}"
    card: str
    negated: bool = False


class LoneHalf(Told, frozen=True, omit_defaults=True, tag="lone"):
    """A half banner without its other half: their number is odd (RM-10.4)."""

    form = "{negated:none} lone half banner"
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
    """The first name in a condition that this game does not know; None if there is none."""
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
    return f" if {SLOTS['when'].show(when, None)}" if when else ""


def parse_when(text: str) -> When:
    """What follows `if`. ValueError if it is no canonical text."""
    when: When = SLOTS["when"].read(text, None)
    return when


def land_name(key: str, names: object = None) -> str:
    """The land's short name, or the given word if there is no such land."""
    land = all_lands().get(key)
    return key if land is None else land.short


def land_key(name: str, names: object = None) -> str:
    """ValueError if no land is called that."""
    for land in all_lands().values():
        if name == land.short:
            return land.key
    raise ValueError(f"no land {name!r}")


def hero_key(name: str, names: object = None) -> str:
    if name not in all_heroes():
        raise ValueError(f"no hero {name!r}")
    return name


def card_name(key: str, names: object = None) -> str:
    card = all_buy_cards().get(key)
    return key if card is None else card.name


def card_key(name: str, names: object = None) -> str:
    """ValueError if no buy card is called that."""
    for card in all_buy_cards().values():
        if name == card.name:
            return card.key
    raise ValueError(f"no card {name!r}")


def _turn_card(key: str, names: object) -> str:
    if key not in all_turn_cards():
        raise ValueError(f"no turn card {key!r}")
    return key


SLOTS = {
    "own": choice({own: own for own in OWN}),
    "bound": choice({bound: bound for bound in BOUNDS}),
    "count": digits(r"(?:0|[1-9]\d{0,8})"),
    "face": choice({name: face for face, name in FACE_NAMES.items()}),
    "token": choice({token: token for token in TOKENS}),
    "none": choice({"a": False, "no": True}),
    "land": Slot(r"\w+", land_key, land_name),
    "hero": Slot(r"\w+", hero_key),
    "turn": Slot(r"T\d\d", _turn_card),
    "card": Slot(ANY, card_key, card_name),
}
SLOTS["when"] = listed(
    listed(Forms("a condition", get_args(Question), SLOTS).slot(), " and "), " or "
)
"""The types of slots, of conditions and of orders."""
