"""The year: its end after Winter, and its start with the Harmony actions (SS-2.7, SS-4)."""

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from engine.sovereigns import events as e
from engine.sovereigns.orders import Way, Year
from engine.sovereigns.seasons.actions import holds
from engine.sovereigns.seasons.rolls import Asked, empty_roll, roll
from engine.sovereigns.state import Points, Support
from engine.sovereigns.table import Table

REBELLION_DIFFICULTY, COUP_DIFFICULTY = 5, 10
REBELLION_POINTS = 2
"""What is expended on a rebellion roll unless told otherwise (SS-12.9)."""
CHART: Sequence[tuple[int, Support]] = (
    (16, "full-support"),
    (13, "support"),
    (9, "indifference"),
    (6, "protest"),
    (3, "strike"),
    (1, "rebellion"),
    (0, "coup"),
)
DEFAULT = Way()
"""All Harmony, never fear (SS-12.2)."""


def support_of(total: int) -> Support:
    """The row of the chart (SS-4.4)."""
    return next(support for least, support in CHART if total >= least)


def end_year(table: Table) -> None:
    """Once Winter has resolved: what is due goes home, and all becomes free again (SS-2.7)."""
    for loan in table.state.loans:
        if loan.due is None:
            table.return_loan(loan, "SS-2.7")
    limit = table.state.options.max_years
    if limit is not None and table.state.year >= limit:
        _end_by_years(table)
        return
    for number in table.state.living:
        table.change(
            number,
            ex=Points(),
            depleted=0,
            used=(),
            support="none",
            rest=0,
            mods=(),
            boons=(),
            security=0,
            claimed=False,
            next=replace(table.of(number).next, defence={}),
        )
    table.put(year=table.state.year + 1, stage="year-start")
    table.tell(e.YearBegan(table.state.year), ["SS-2.2", "SS-2.7"])


def _end_by_years(table: Table) -> None:
    """The highest sum, then Harmony, then Resources, then shared (SS-11.8)."""
    ranks = {number: rank_of(table.of(number).total) for number in table.state.living}
    best = max(ranks.values())
    table.end(tuple(number for number, rank in ranks.items() if rank == best), "years", ["SS-11.8"])


def rank_of(total: Points) -> tuple[int, int, int]:
    """How kingdoms compare when the years are over (SS-11.8)."""
    return total.R + total.M + total.H, total.H, total.R


def start_year(table: Table, orders: Mapping[int, Year]) -> None:
    """Harmony actions in shuffled order, each finished before the next; then Spring (SS-2.7)."""
    order = turn_order(table, table.state.living, "year-start order")
    for number in order:
        if not table.is_over and table.of(number).alive:
            answer(table, number, chosen(table, number, orders.get(number)))
    if not table.is_over:
        for number in table.state.living:
            table.change(number, year_order=None)
        table.put(stage="season", season="Spring")


def turn_order(table: Table, numbers: Sequence[int], label: str) -> tuple[int, ...]:
    """One shuffle of these kingdoms, listed in seat order; of fewer than two nothing is drawn
    (SS-0.3).
    """
    if len(numbers) < 2:
        return tuple(numbers)
    by_name = {table.of(number).ruler: number for number in numbers}
    return tuple(by_name[name] for name in table.chance.shuffle(label, tuple(by_name)))


def chosen(table: Table, number: int, order: Year | None) -> Way:
    """The order, else the one of Winter, else the standing one, else all Harmony (SF-9.15)."""
    kingdom = table.of(number)
    for told in (order, kingdom.year_order, kingdom.every_year):
        for i, way in enumerate(told.ways if told is not None else ()):
            if (
                i == 0
                and told is not None
                and told.condition is not None
                and not holds(table.state, told.condition)
            ):
                continue
            if fits(way, kingdom.total.H):
                return way
    return DEFAULT


def fits(way: Way, harmony: int) -> bool:
    """Whether this answer can be given with so much Harmony: fear without any takes a word that it
    is meant, and who has some expends some (SS-4.2, SS-4.9).
    """
    return (way.sure or harmony > 0) if way.fear else (way.points != 0 or harmony < 1)


def answer(table: Table, number: int, way: Way) -> None:
    """One kingdom's Harmony action, finished with its rebellion or coup roll (SS-4)."""
    kingdom = table.of(number)
    if way.fear:
        table.change(number, support="full-support")
        table.tell(e.FearRuled(number), ["SS-4.8", "SS-4.9", "SS-2.6"])
        table.drop(number, "H", ["SS-4.8"])
        return
    asked = Asked(number, "H", "year-start", works=way.works)
    points = 0
    if kingdom.total.H < 1:
        rolled = empty_roll(table, asked)
    else:
        free = kingdom.free("H")
        points = min(max(1, free - way.but) if way.points is None else way.points, free)
        table.expend(number, "H", points)
        rolled = roll(table, asked, points, 0, f"support of {kingdom.ruler}")
    support = support_of(rolled.total)
    table.change(number, support=support)
    rules = ["SS-4.1", "SS-4.2", "SS-4.4", "SS-0.4", *(["SS-4.3"] if kingdom.total.H < 1 else [])]
    table.tell(
        e.SupportRolled(number, points, rolled.dice, rolled.terms, rolled.total, support), rules
    )
    if support == "rebellion":
        _rebellion(table, number, way)
    elif support == "coup":
        _coup(table, number, way)


def _rebellion(table: Table, number: int, way: Way) -> None:
    free = max(0, table.of(number).free("M"))
    points = min(REBELLION_POINTS if way.rebellion is None else way.rebellion, free)
    table.expend(number, "M", points)
    asked = Asked(number, "M", "rising", works=way.rebellion_works)
    rolled = roll(table, asked, points, 0, f"rebellion against {table.of(number).ruler}")
    held = rolled.total >= REBELLION_DIFFICULTY
    facts = e.RebellionRolled(
        number, points, rolled.dice, rolled.terms, rolled.total, "success" if held else "failure"
    )
    table.tell(facts, ["SS-4.5", "SS-4.7", "SS-12.9"])
    if not held:
        table.lose(number, "H", "SS-4.5")


def _coup(table: Table, number: int, way: Way) -> None:
    free = max(0, table.of(number).free("M"))
    points = free if way.coup is None else min(way.coup, free)
    table.expend(number, "M", points)
    asked = Asked(number, "M", "rising", works=way.coup_works)
    rolled = roll(table, asked, points, 0, f"coup against {table.of(number).ruler}")
    held = rolled.total >= COUP_DIFFICULTY
    facts = e.CoupRolled(
        number, points, rolled.dice, rolled.terms, rolled.total, "success" if held else "failure"
    )
    table.tell(facts, ["SS-4.6", "SS-4.7", "SS-12.9"])
    if not held:
        table.fall(number, "coup", ["SS-4.6", "SS-11.2"])
