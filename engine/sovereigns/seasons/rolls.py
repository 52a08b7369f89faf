"""Rolls: which dice are drawn and what is added (SS-3). A roll draws ordinary dice, then bonus
dice, then depletion dice (SS-0.2).
"""

from collections.abc import Mapping, Sequence
from typing import Literal

import msgspec
from msgspec.structs import replace

from engine.sovereigns.codes import Attribute, effects_of
from engine.sovereigns.events import Term
from engine.sovereigns.state import Kingdom, Next
from engine.sovereigns.table import Table

SIDES = 6
FLAT_CAP, DICE_CAP = 3, 2
"""The most that technologies and buildings add to one roll (SS-3.10)."""
BOON_BONUS, BOON_DICE = 3, 2
SECURITY_BONUS = 2

Purpose = Literal["action", "defence", "year-start", "rising"]
"""What a roll is for; `rising` are rebellion and coup rolls."""

_SUPPORT: Mapping[str, Term] = {
    "full-support": Term("full-support", 1, die=True),
    "support": Term("support", 1),
    "protest": Term("protest", -1),
    "strike": Term("strike", -1, die=True),
    "rebellion": Term("rebellion", -1, die=True),
    "coup": Term("coup", -1, die=True),
}


class Stock(msgspec.Struct):
    """Dice that fell before for the same roll, by sort: they are taken first (SS-10.6)."""

    ordinary: list[int] = []
    bonus: list[int] = []
    depletion: list[int] = []


class Rolled(msgspec.Struct, frozen=True):
    """A roll as it fell. `total` is never below 0 (SS-3.6)."""

    ordinary: tuple[int, ...]
    bonus: tuple[int, ...]
    depletion: tuple[int, ...]
    terms: tuple[Term, ...]
    total: int

    @property
    def dice(self) -> tuple[int, ...]:
        return self.ordinary + self.bonus + self.depletion


class Asked(msgspec.Struct, frozen=True):
    """What a roll is: whose, of what, for what. `action` is the catalogue's name of an action
    (empty: none), `against` the other kingdom: of a contest, or the target of an action that the
    game master gave a number; `boon` and `works` tell what the order named.
    """

    kingdom: int
    attribute: Attribute
    purpose: Purpose
    action: str = ""
    against: int | None = None
    boon: bool = False
    works: bool = False


def effects(table: Table, kingdom: Kingdom) -> list[str]:
    """The constant effects of all technologies that a kingdom owns."""
    return [
        effect for name in kingdom.tech for effect in effects_of(table.state.technologies[name])
    ]


def roll(
    table: Table, asked: Asked, points: int, depleted: int, label: str, stock: Stock | None = None
) -> Rolled:
    """Draw the dice of a roll and add it up; what counts once is used up by it."""
    terms = terms_of(table, asked)
    use_up(table, asked)
    return draw(table, terms, points, depleted, label, stock or Stock())


def empty_roll(table: Table, asked: Asked) -> Rolled:
    """The year-start roll of a kingdom without Harmony: no dice, nothing added, its `next` effects
    used up, and works that were named for it not (SS-4.3, SF-9.5).
    """
    use_up(table, replace(asked, works=False))
    return Rolled((), (), (), (), 0)


def draw(
    table: Table, terms: Sequence[Term], points: int, depleted: int, label: str, stock: Stock
) -> Rolled:
    counts = counts_of(terms, points, depleted)
    ordinary = _dice(table, stock.ordinary, counts[0], label)
    bonus = _dice(table, stock.bonus, counts[1], label)
    depletion = _dice(table, stock.depletion, counts[2], label)
    fell = sum(ordinary) + sum(bonus) + sum(depletion)
    return Rolled(ordinary, bonus, depletion, tuple(terms), max(0, fell + flat_of(terms)))


def counts_of(terms: Sequence[Term], points: int, depleted: int) -> tuple[int, int, int]:
    """How many ordinary, bonus and depletion dice are drawn. A lost die is an ordinary one first,
    then a bonus die, then a depletion die (SS-3.20).
    """
    less = -sum(term.amount for term in terms if term.die and term.amount < 0)
    counts = [points, sum(term.amount for term in terms if term.die and term.amount > 0), depleted]
    for sort in range(3):
        gone = min(less, counts[sort])
        counts[sort] -= gone
        less -= gone
    return counts[0], counts[1], counts[2]


def flat_of(terms: Sequence[Term]) -> int:
    """What is added to the sum of the dice."""
    return sum(term.amount for term in terms if not term.die)


def _dice(table: Table, kept: list[int], count: int, label: str) -> tuple[int, ...]:
    return tuple(kept.pop(0) if kept else table.chance.die(label, SIDES) for _ in range(count))


def terms_of(table: Table, asked: Asked) -> tuple[Term, ...]:
    """All that is added to a roll, to its sum or to its dice (SS-3.5, SS-3.9, SS-3.10)."""
    kingdom = table.of(asked.kingdom)
    owned = effects(table, kingdom)
    terms: list[Term] = []
    if asked.purpose in ("action", "defence"):
        calm = kingdom.support == "protest" and "STAT-CALM" in owned
        if kingdom.support in _SUPPORT and not calm:
            terms.append(_SUPPORT[kingdom.support])
    terms.append(Term("rest", kingdom.rest))
    for mod in kingdom.mods:
        terms += [Term("mod", mod.flat), Term("mod", mod.die, die=True)]
    terms += _of_technology(kingdom, owned, asked)
    if asked.purpose == "defence" and kingdom.security:
        terms += [
            Term("security", SECURITY_BONUS),
            Term("security", int(kingdom.security > 1), die=True),
        ]
    if asked.purpose == "year-start":
        terms.append(Term("faith", kingdom.faith))
    if (
        asked.attribute == "H"
        and asked.against is not None
        and asked.kingdom in table.of(asked.against).converted_by
    ):
        terms.append(Term("conversion", 1))
    coming = kingdom.next
    terms += [Term("next roll", coming.roll), Term("next roll", getattr(coming, asked.attribute))]
    if asked.action == "Research":
        terms.append(Term("next roll", coming.research))
    if asked.purpose == "year-start":
        terms.append(Term("next roll", coming.year_start))
    if asked.purpose == "defence" and asked.against is not None:
        terms.append(Term("next roll", coming.defence.get(asked.against, 0)))
    if asked.boon and kingdom.boons:
        terms.append(
            Term("boon", BOON_BONUS)
            if kingdom.boons[0] == "bonus"
            else Term("boon", BOON_DICE, die=True)
        )
    return tuple(term for term in terms if term.amount)


def _of_technology(kingdom: Kingdom, owned: Sequence[str], asked: Asked) -> list[Term]:
    """Technologies and buildings, within their caps (SS-3.10)."""
    flat = owned.count(f"STAT-ROLL {asked.attribute}")
    if asked.purpose == "defence":
        flat += 2 * owned.count(f"STAT-DEF {asked.attribute}")
    elif asked.purpose == "year-start":
        flat += owned.count("STAT-YEAR")
    elif asked.action:
        flat += 2 * owned.count(f"STAT-ACT {asked.action}")
    dice = owned.count(f"ANA-DIE {asked.attribute}")
    if asked.purpose == "defence" and asked.attribute == "M" and kingdom.has_building("BLD-WALL"):
        dice += 1
    if asked.works and has_works(kingdom, asked.attribute):
        dice += 1
    return [
        Term("technology", min(flat, FLAT_CAP)),
        Term("technology", min(dice, DICE_CAP), die=True),
    ]


def has_works(kingdom: Kingdom, attribute: Attribute) -> bool:
    """Whether BLD-WORKS of this attribute stands and is not used yet this year."""
    code = f"BLD-WORKS {attribute}"
    return kingdom.has_building(code) and code not in kingdom.used


def use_up(table: Table, asked: Asked) -> None:
    """What counts once does not count again."""
    kingdom = table.of(asked.kingdom)
    coming = replace(kingdom.next, roll=0, **{asked.attribute: 0})
    if asked.action == "Research":
        coming = replace(coming, research=0)
    if asked.purpose == "year-start":
        coming = replace(coming, year_start=0)
    if asked.purpose == "defence":
        coming = _without_defence(coming, asked.against)
    used = (
        (*kingdom.used, f"BLD-WORKS {asked.attribute}")
        if asked.works and has_works(kingdom, asked.attribute)
        else kingdom.used
    )
    table.change(
        asked.kingdom,
        next=coming,
        used=used,
        boons=kingdom.boons[1:] if asked.boon else kingdom.boons,
    )


def _without_defence(coming: Next, against: int | None) -> Next:
    return replace(
        coming,
        defence={other: amount for other, amount in coming.defence.items() if other != against},
    )
