"""What stands on a charter besides totals and support: buildings, what a kingdom is good at by its
technologies, what it may build by them, and what lasts for the year.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from engine.sovereigns.codes import COSTS, effects_of
from engine.sovereigns.seasons.rolls import DICE_CAP, FLAT_CAP, SECURITY_BONUS
from pbem.games.sovereigns.board.scene import Kingdom
from pbem.games.sovereigns.board.words import say

Frame = Literal["building", "lasting", "plan", "skill", "year"]


@dataclass(frozen=True, slots=True)
class Emblem:
    """`sign` is a shape of the template, `inside` a small one in it, `says` what stands behind."""

    frame: Frame
    sign: str
    inside: str = ""
    says: str = ""


def emblems_of(kingdom: Kingdom) -> tuple[Emblem, ...]:
    """Buildings, skills, the year's, plans: what does not fit is cut from the end."""
    effects = [effect for _, code in kingdom.tech for effect in effects_of(code)]
    return (
        *(
            Emblem("lasting" if held.lasting else "building", *_building(held.code))
            for held in kingdom.buildings
        ),
        *_skills(effects),
        *_of_year(kingdom),
        *_plans(kingdom, effects),
    )


def _building(code: str) -> tuple[str, str]:
    """The sign of a building, and what stands in it."""
    name, _, attribute = code.removeprefix("BLD-").partition(" ")
    return name, attribute


def _skills(effects: list[str]) -> Iterator[Emblem]:
    """Those of one kind in sum, as far as they count on one roll (SS-3.10)."""
    for effect, count in Counter(effects).items():
        kind, _, of = effect.partition(" ")
        match kind:
            case "STAT-ROLL":
                yield Emblem("skill", of, says=say("plus", min(count, FLAT_CAP)))
            case "STAT-ACT":
                yield Emblem("skill", of, says=say("plus", min(2 * count, FLAT_CAP)))
            case "STAT-DEF":
                yield Emblem("skill", "defence", of, say("plus", min(2 * count, FLAT_CAP)))
            case "STAT-YEAR":
                yield Emblem("skill", "year", says=say("plus", min(count, FLAT_CAP)))
            case "STAT-CALM" | "STAT-DEPL":
                yield Emblem("skill", kind.removeprefix("STAT-"))
            case "ANA-DIE":
                yield Emblem("skill", of, says=say("dice", min(count, DICE_CAP)))
            case _:
                pass


def _of_year(kingdom: Kingdom) -> Iterator[Emblem]:
    if kingdom.security:
        more = say("and_die", SECURITY_BONUS) if kingdom.security > 1 else ""
        yield Emblem("year", "Security", says=more or say("plus", SECURITY_BONUS))
    if kingdom.flat:
        yield Emblem("year", "hourglass", says=say("plus", kingdom.flat))
    if kingdom.dice:
        yield Emblem("year", "hourglass", says=say("dice", kingdom.dice))


def _plans(kingdom: Kingdom, effects: list[str]) -> Iterator[Emblem]:
    """Buildings it could construct, and discoveries that wait for a proposal."""
    built = {held.code for held in kingdom.buildings}
    allowed = {effect.removeprefix("ANA-CHEAP ") for effect in effects} - built
    for code in COSTS:
        if code in allowed:
            yield Emblem("plan", *_building(code))
    if kingdom.open_discoveries:
        yield Emblem(
            "plan",
            "Try",
            says="" if kingdom.open_discoveries == 1 else say("times", kingdom.open_discoveries),
        )
