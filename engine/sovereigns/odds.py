"""Exact chances of a ruler's rolls, from what that ruler knows: their own sheet and what is public
(SS-1.9).

Nothing is drawn. Sums of dice are counted by convolution; dice and modifiers are those that the
rolls themselves would take. A target's free points are hidden, so a contest has chances for every
possible number of them.
"""

from fractions import Fraction
from functools import lru_cache
from itertools import accumulate
from math import comb

import msgspec

from engine.chance import Chance
from engine.sovereigns.codes import ActionKind, Attribute
from engine.sovereigns.events import Reason, Term
from engine.sovereigns.known import known_state
from engine.sovereigns.orders import Action, Do, Way, Year
from engine.sovereigns.seasons.actions import (
    MARGIN,
    difficulty_of,
    met_by,
    ruling_for,
    spent,
    void,
    worst_die,
)
from engine.sovereigns.seasons.rolls import SIDES, Asked, counts_of, flat_of, terms_of, use_up
from engine.sovereigns.seasons.year import (
    CHART,
    COUP_DIFFICULTY,
    REBELLION_DIFFICULTY,
    REBELLION_POINTS,
    chosen,
    end_year,
)
from engine.sovereigns.state import Ruling, Support
from engine.sovereigns.table import Table
from engine.sovereigns.view import TableView

MOST_DICE = 60
"""Of more dice on a side no chances are reckoned; no game comes near."""


class Shares(msgspec.Struct, frozen=True):
    """How likely each result of a roll is; together they are 1."""

    great: Fraction
    success: Fraction
    failure: Fraction
    disaster: Fraction

    @property
    def passed(self) -> Fraction:
        return self.great + self.success


class OddsCase(msgspec.Struct, frozen=True):
    """The shares if the target has this many points free, and so rolls this many dice."""

    free: int
    dice: int
    shares: Shares


class ActionOdds(msgspec.Struct, frozen=True):
    """The chances of a rolled action with these points. Against a number (`difficulty`) there is
    one case; in a contest there is one for each number of points that the target may have free,
    from none to its total. `losses[i]`: how likely i depleted points are lost (SS-3.17).
    """

    kingdom: int
    action: ActionKind
    attribute: Attribute
    target: int | None
    points: int
    depleted: int
    dice: int
    terms: tuple[Term, ...]
    defence_terms: tuple[Term, ...]
    difficulty: int | None
    cases: tuple[OddsCase, ...]
    losses: tuple[Fraction, ...]

    @property
    def best(self) -> Shares:
        return self.cases[0].shares

    @property
    def worst(self) -> Shares:
        return self.cases[-1].shares


class YearOdds(msgspec.Struct, frozen=True):
    """The chances of a year-start roll: of each row of the chart (SS-4.4), and that the rolls after
    Rebellion and Coup, if they happen, hold with this much Military (SS-4.5, SS-4.6).
    """

    kingdom: int
    points: int
    dice: int
    terms: tuple[Term, ...]
    rows: tuple[tuple[Support, Fraction], ...]
    rebellion: Fraction
    rebellion_points: int
    coup: Fraction
    coup_points: int

    def share(self, *supports: Support) -> Fraction:
        """How likely it is one of these."""
        return sum((share for support, share in self.rows if support in supports), Fraction())


# ------------------------------------------------------------------------------------ sums of dice
@lru_cache(maxsize=MOST_DICE + 1)
def sums(dice: int) -> tuple[int, ...]:
    """In how many ways this many dice show each sum, from 0 on; all together 6 ** dice."""
    if dice < 1:
        return (1,)
    before = (0, *accumulate(sums(dice - 1)))
    last = len(before) - 1
    return tuple(
        before[min(at, last)] - before[min(max(at - SIDES, 0), last)]
        for at in range(SIDES * dice + 1)
    )


def totals(dice: int, flat: int) -> tuple[int, ...]:
    """The same of totals: with what is added to the sum, and never below 0 (SS-3.6)."""
    found = sums(dice)
    if flat >= 0:
        return (0,) * flat + found
    return (sum(found[: 1 - flat]), *found[1 - flat :])


@lru_cache(maxsize=4096)
def at_least(dice: int, flat: int, number: int) -> Fraction:
    """How likely a total reaches a number."""
    return Fraction(sum(totals(dice, flat)[max(number, 0) :]), SIDES**dice)


@lru_cache(maxsize=4096)
def shares(dice: int, flat: int, dice_against: int, flat_against: int) -> Shares:
    """Of one total against another; against a number, this is the total of no dice (SS-3.2,
    SS-3.4, SS-3.14).
    """
    theirs = (0, *accumulate(totals(dice_against, flat_against)))
    ways, last = theirs[-1], len(theirs) - 1

    def up_to(number: int) -> int:
        return theirs[min(max(number + 1, 0), last)]

    great = passed = disaster = 0
    for total, count in enumerate(totals(dice, flat)):
        great += count * up_to(total - MARGIN)
        passed += count * up_to(total)
        disaster += count * (ways - up_to(total + MARGIN - 1))
    whole = ways * SIDES**dice
    return Shares(
        Fraction(great, whole),
        Fraction(passed - great, whole),
        Fraction(whole - passed - disaster, whole),
        Fraction(disaster, whole),
    )


# --------------------------------------------------------------------------------- rolled actions
def known_table(view: TableView) -> Table:
    """A table of what the reader of the view knows, on which nothing can be drawn."""
    return Table(known_state(view), Chance(b""))


def odds_of_order(table: Table, player: int, order: Do) -> ActionOdds | Reason | None:
    """Of the alternative that would be taken as all lies now, with the points that it would use;
    a reason if none would be (SS-9.3), None of too many dice.
    """
    reason: Reason = "condition"
    for i, way in enumerate(order.ways):
        found = void(table, player, order, i)
        if found is None:
            ruling = ruling_for(table.state, player, order)
            points, depleted = spent(table.of(player), way, met_by(way, ruling).attribute)
            return odds_of_way(table, player, way, ruling, points, depleted)
        reason = found
    return reason


def odds_of_way(
    table: Table,
    player: int,
    way: Action,
    ruling: Ruling,
    points: int,
    depleted: int,
    knower: int | None = None,
) -> ActionOdds | None:
    """With exactly these points, whatever is free; None of too many dice. A target that is the
    `knower` has no secret of its own free points.
    """
    met = met_by(way, ruling)
    asked = Asked(player, met.attribute, "action", way.kind, way.target, way.boon, way.works)
    terms = terms_of(table, asked)
    counts = counts_of(terms, points, depleted)
    dice, flat = sum(counts), flat_of(terms)
    difficulty: int | None = None
    defence_terms: tuple[Term, ...] = ()
    if met.contested and way.target is not None:
        defence_terms = terms_of(table, Asked(way.target, met.attribute, "defence", against=player))
        target = table.of(way.target)
        own = (max(0, target.free(met.attribute)),)
        hidden = range(max(0, target.total.of(met.attribute)) + 1)
        against = [
            (free, sum(counts_of(defence_terms, free, 0)), flat_of(defence_terms))
            for free in (own if way.target == knower else hidden)
        ]
    else:
        difficulty = difficulty_of(table, player, way, met)
        against = [(0, 0, difficulty)]
    if max(dice, *(foes for _, foes, _ in against)) > MOST_DICE:
        return None
    return ActionOdds(
        player,
        way.kind,
        met.attribute,
        way.target,
        points,
        depleted,
        dice,
        terms,
        defence_terms,
        difficulty,
        tuple(OddsCase(free, foes, shares(dice, flat, foes, more)) for free, foes, more in against),
        _losses(counts[2], worst_die(table, player)),
    )


def _losses(dice: int, worst: int) -> tuple[Fraction, ...]:
    """How likely each number of these depletion dice shows at most `worst`."""
    return tuple(
        Fraction(comb(dice, lost) * worst**lost * (SIDES - worst) ** (dice - lost), SIDES**dice)
        for lost in range(dice + 1)
    )


# ---------------------------------------------------------------------------------- the year start
def odds_of_year(table: Table, player: int, order: Year | None) -> YearOdds | None:
    """Of the answer that would be taken; None of too many dice, of Rule by Fear, which draws
    nothing, and where no year will start. In a season it is the start of the next year, as if
    nothing happened until then.
    """
    if table.state.stage == "season":
        table = Table(table.state, table.chance)
        end_year(table)
    if table.is_over or not table.of(player).alive:
        return None
    way = chosen(table, player, order)
    return None if way.fear else odds_of_answer(table, player, way)


def odds_of_answer(table: Table, player: int, way: Way) -> YearOdds | None:
    table = Table(table.state, table.chance)
    asked = Asked(player, "H", "year-start", works=way.works)
    kingdom = table.of(player)
    free = kingdom.free("H")
    points = min(max(1, free - way.but) if way.points is None else way.points, free)
    terms = terms_of(table, asked) if kingdom.total.H > 0 else ()
    points = points if kingdom.total.H > 0 else 0
    dice = sum(counts_of(terms, points, 0))
    use_up(table, asked)
    arms = max(0, kingdom.free("M"))
    rebels = min(REBELLION_POINTS if way.rebellion is None else way.rebellion, arms)
    guards = arms if way.coup is None else min(way.coup, arms)
    rebellion = _rising(table, player, rebels, works=way.rebellion_works)
    coup = _rising(table, player, guards, works=way.coup_works)
    if max(dice, rebellion[0], coup[0]) > MOST_DICE:
        return None
    reached = [at_least(dice, flat_of(terms), least) for least, _ in CHART]
    rows = [
        (support, here - above)
        for (_, support), here, above in zip(CHART, reached, [Fraction(), *reached], strict=False)
    ]
    return YearOdds(
        player,
        points,
        dice,
        terms,
        tuple(rows),
        at_least(*rebellion, REBELLION_DIFFICULTY),
        rebels,
        at_least(*coup, COUP_DIFFICULTY),
        guards,
    )


def _rising(table: Table, player: int, points: int, *, works: bool) -> tuple[int, int]:
    """Dice of a rebellion or coup roll, and what is added to them (SS-4.5, SS-4.6)."""
    terms = terms_of(table, Asked(player, "M", "rising", works=works))
    return sum(counts_of(terms, points, 0)), flat_of(terms)


def permille(chance: Fraction) -> int:
    """A chance that is neither impossible nor certain is not rounded to either."""
    return round(chance) * 1000 if chance in (0, 1) else min(999, max(1, round(chance * 1000)))
