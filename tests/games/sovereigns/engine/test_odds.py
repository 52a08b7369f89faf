"""Chances: against every throw that can fall, and against the engine that throws it."""

from collections import Counter
from collections.abc import Iterable, Mapping
from fractions import Fraction
from itertools import product
from typing import Any

from hypothesis import assume, given, settings
from hypothesis import strategies as st
from msgspec import convert
from msgspec.structs import replace

from engine.chance import Chance
from engine.sovereigns.codes import ActionKind, Attribute
from engine.sovereigns.events import ActionResolved, CoupRolled, RebellionRolled, SupportRolled
from engine.sovereigns.odds import (
    MOST_DICE,
    ActionOdds,
    Shares,
    YearOdds,
    at_least,
    known_table,
    odds_of_order,
    odds_of_year,
    permille,
    shares,
    sums,
    totals,
)
from engine.sovereigns.orders import Action, Do, Way, Year
from engine.sovereigns.seasons.actions import resolve
from engine.sovereigns.seasons.year import CHART, answer, support_of
from engine.sovereigns.state import (
    SUPPORTS,
    Building,
    Dice,
    Kingdom,
    Mod,
    Next,
    Points,
    Ruling,
    State,
)
from engine.sovereigns.table import Table
from engine.sovereigns.view import view_of
from engine.sovereigns.wording import parse_order
from tests.games.sovereigns.engine.playing import SEED, table
from tests.rows import each_row

FEW = 4
"""Dice of a roll that is thrown in every way: 1296 of them."""
CODES = (
    *("STAT-ROLL M", "STAT-ROLL H", "STAT-DEF M", "STAT-ACT Attack", "STAT-DEPL", "STAT-CALM"),
    *("STAT-YEAR", "ANA-DIE R", "ANA-DIE H", "ANA-DOUBLE STAT-ROLL R + STAT-ACT Research"),
)


def action(state: State, text: str) -> ActionOdds:
    order = parse_order(state, text)
    assert isinstance(order, Do)
    found = odds_of_order(known_table(view_of(state, 1)), 1, order)
    assert isinstance(found, ActionOdds)
    return found


def year(state: State, text: str) -> YearOdds | None:
    order = parse_order(state, text)
    assert isinstance(order, Year)
    return odds_of_year(known_table(view_of(state, 1)), 1, order)


# ------------------------------------------------------------------------------------ sums of dice
@each_row("dice", range(6))
def test_sums_are_those_of_every_throw(dice: int) -> None:
    """SS-3.1."""
    counted = Counter(sum(throw) for throw in product(range(1, 7), repeat=dice))
    assert sums(dice) == tuple(counted[at] for at in range(6 * dice + 1))


def test_sums_of_many_dice() -> None:
    assert sum(sums(MOST_DICE)) == 6**MOST_DICE
    assert sums(30)[30:] == sums(30)[30:][::-1]


@given(st.integers(0, 3), st.integers(-8, 8), st.integers(0, 2), st.integers(-8, 8))
def test_shares_are_those_of_every_pair_of_throws(
    dice: int, flat: int, dice_against: int, flat_against: int
) -> None:
    """SS-3.2, SS-3.4, SS-3.6, SS-3.14."""
    counted: Counter[str] = Counter()
    for mine in product(range(1, 7), repeat=dice):
        for theirs in product(range(1, 7), repeat=dice_against):
            margin = max(0, sum(mine) + flat) - max(0, sum(theirs) + flat_against)
            great = "great" if margin >= 7 else "success"
            counted[great if margin >= 0 else "disaster" if margin <= -7 else "failure"] += 1
    assert shares(dice, flat, dice_against, flat_against) == as_shares(counted)


@given(st.integers(0, 4), st.integers(-8, 8), st.integers(-3, 30))
def test_a_number_is_reached_as_often_as_it_is_thrown(dice: int, flat: int, number: int) -> None:
    throws = [max(0, sum(throw) + flat) for throw in product(range(1, 7), repeat=dice)]
    assert at_least(dice, flat, number) == Fraction(sum(t >= number for t in throws), len(throws))
    assert sum(totals(dice, flat)) == len(throws)


def as_shares(counted: Mapping[str, int]) -> Shares:
    whole = sum(counted.values())
    return Shares(
        *(
            Fraction(counted.get(result, 0), whole)
            for result in ("great", "success", "failure", "disaster")
        )
    )


# --------------------------------------------------------------------------------- worked examples
AB: dict[str, Any] = {"A": {"R": 3, "M": 4, "H": 2}, "B": {"R": 2, "M": 4, "H": 3}}


def test_against_a_number() -> None:
    """SS-3.3, SS-6.1, SS-6.2, SS-6.8, SS-6.14: two dice reach 7 in 21 of 36 throws."""
    state = table(AB, expeditions=2)
    research = action(state, "Research: 2R")
    assert (research.difficulty, research.dice, research.best.passed) == (7, 2, Fraction(21, 36))
    assert action(state, "Increase M: 3R").difficulty == 11
    assert action(state, "Expedition: 2M").difficulty == 9
    assert action(state, "Contact: 2H").best.passed == Fraction(10, 36)
    assert action(state, "Research: 9R").points == 3, "SS-3.8"
    assert action(state, "Research: all R").points == 3


def test_against_a_target_whose_free_points_are_hidden() -> None:
    """SS-1.9, SS-3.13: from no die to one for every point of its total, in each its own chance."""
    odds = action(table(AB), "Attack B: 3M")
    assert odds.difficulty is None
    assert [(case.free, case.dice) for case in odds.cases] == [(n, n) for n in range(5)]
    assert odds.best == shares(3, 0, 0, 0)
    assert odds.worst == shares(3, 0, 4, 0)
    assert odds.best.passed == 1
    # what B has expended is none of A's business
    spent = table({**AB, "B": {**AB["B"], "ex": {"M": 4}}})
    assert action(spent, "Attack B: 3M") == odds


def test_depletion_dice_may_lose_their_points() -> None:
    """SS-3.16, SS-3.17, SS-3.20, SS-7.6."""
    kingdoms: dict[str, Any] = {**AB, "A": {"R": 4, "M": 3, "H": 2, "ex": {"R": 3}}}
    odds = action(table(kingdoms), "Research: 1R + 2 depleted")
    assert (odds.points, odds.depleted, odds.dice) == (1, 2, 3)
    assert odds.losses == (Fraction(1, 4), Fraction(1, 2), Fraction(1, 4))
    kingdoms["A"] |= {"tech": ["care"], "mods": [{"die": -2, "until": "year"}]}
    odds = action(table(kingdoms, technologies={"care": "STAT-DEPL"}), "Research: 1R + 2 depleted")
    assert (odds.dice, odds.losses) == (1, (Fraction(2, 3), Fraction(1, 3)))


def test_the_alternative_that_would_be_taken() -> None:
    """SS-9.3: one whose condition does not hold, or whose target has fallen, is passed over."""
    state = table({**AB, "C": {"alive": False}})
    assert action(state, "Attack B: 1M if B has at most 2M else Research: 2R").action == "Research"
    assert action(state, "Attack C: 1M else Expedition: 2M").action == "Expedition"
    order = parse_order(state, "Spread B: 1H")
    assert isinstance(order, Do)
    assert odds_of_order(known_table(view_of(state, 1)), 1, order) == "faith"


def test_a_ruling_counts_for_its_own_order() -> None:
    """SS-8.3, SS-8.4: until it is ruled a free-form action is rolled by the rules' default."""
    state = table(AB)
    told = 'Try: 2R against B "dig a canal"'
    assert action(state, told).difficulty is None
    order = parse_order(state, told)
    assert isinstance(order, Do)
    ruled = replace(state, rulings=(Ruling(1, order, difficulty=5, attribute="M"),))
    odds = action(ruled, told)
    assert (odds.difficulty, odds.attribute) == (5, "M")
    other = replace(state, rulings=(Ruling(2, order, difficulty=5),))
    assert action(other, told) == action(state, told)


def test_the_chart_of_a_year() -> None:
    """SS-4.1, SS-4.2, SS-4.4 to SS-4.7, SS-12.9."""
    state = table({**AB, "A": {"R": 3, "M": 3, "H": 3}}, phase="year-start")
    odds = year(state, "Harmony: 1H, rebellion 1M")
    assert odds is not None
    assert [support for support, _ in odds.rows] == [support for _, support in CHART]
    assert odds.share("protest") == Fraction(1, 6)
    assert odds.share("rebellion") == Fraction(1, 3)
    assert odds.share("coup", "support") == 0
    assert (odds.rebellion, odds.rebellion_points) == (Fraction(1, 3), 1)
    assert (odds.coup, odds.coup_points) == (at_least(3, 0, 10), 3)
    assert year(state, "Rule by Fear") is None
    none_left = year(
        table({**AB, "A": {"R": 3, "M": 3, "H": 0}}, phase="year-start"), "Harmony: all"
    )
    assert none_left is not None
    assert none_left.share("coup") == 1, "SS-4.3"


def test_the_next_year_as_if_nothing_happened_until_then() -> None:
    """SS-2.7, SS-4.10, SS-6.12: all is free again, rest and modifiers are gone, a faith stays."""
    kingdom = {"R": 3, "M": 3, "H": 3, "ex": {"H": 3}, "rest": -2, "faith": 1, "support": "strike"}
    odds = year(table({**AB, "A": kingdom}, season="Winter"), "Harmony: 2H")
    assert odds is not None
    assert (odds.points, odds.dice) == (2, 2)
    assert [(term.source, term.amount) for term in odds.terms] == [("faith", 1)]
    last = table({**AB, "A": kingdom}, season="Winter", options={"max_years": 1})
    assert year(last, "Harmony: 2H") is None


def test_of_too_many_dice_nothing_is_told() -> None:
    state = table({**AB, "A": {"R": MOST_DICE + 1, "M": 3, "H": MOST_DICE + 1}})
    order = Do((Action("Research", "R", None),))
    assert odds_of_order(known_table(view_of(state, 1)), 1, order) is None
    assert year(state, "Harmony: all") is None
    assert action(state, f"Research: {MOST_DICE}R").dice == MOST_DICE


@given(st.fractions(0, 1))
def test_permille_tells_certain_from_likely(chance: Fraction) -> None:
    assert (permille(chance) == 0) == (chance == 0)
    assert (permille(chance) == 1000) == (chance == 1)
    assert abs(permille(chance) - 1000 * chance) <= 1


# --------------------------------------------------------------------------------- as the engine does
@st.composite
def kingdoms(draw: st.DrawFn, number: int) -> Kingdom:
    total = Points(*(draw(st.integers(1, 3)) for _ in range(3)))
    ex = Points(draw(st.integers(0, total.R)), *(draw(st.integers(0, 2)) for _ in range(2)))
    ex = Points(*(min(ex.of(a), total.of(a)) for a in ("R", "M", "H")))
    small = st.integers(-2, 2)
    buildings = draw(st.sampled_from(((), ("BLD-WALL",), ("BLD-WORKS R", "BLD-WORKS M"))))
    return Kingdom(
        number,
        "AB"[number - 1],
        total=total,
        ex=ex,
        depleted=draw(st.integers(0, min(1, ex.R))),
        support=draw(st.sampled_from(SUPPORTS)),
        rest=draw(small),
        mods=tuple(
            Mod(flat, die) for flat, die in draw(st.lists(st.tuples(small, small), max_size=1))
        ),
        tech=tuple(draw(st.lists(st.sampled_from(CODES), unique=True, max_size=3))),
        buildings=tuple(map(Building, buildings)),
        used=draw(st.sampled_from(((), ("BLD-WORKS M",)))),
        faith=draw(st.integers(0, 2)),
        converted_by=draw(st.sampled_from(((), (3 - number,)))),
        boons=draw(st.sampled_from(((), ("bonus",), ("dice",)))),
        security=draw(st.integers(0, 2)),
    )


@st.composite
def positions(draw: st.DrawFn) -> State:
    """Two kingdoms; what waits for the next roll of the second is hidden, so there is none."""
    mine, theirs = draw(kingdoms(1)), draw(kingdoms(2))
    some = st.integers(-1, 1)
    coming = {name: draw(some) for name in ("research", "year_start", "R", "M", "H", "roll")}
    mine = replace(mine, next=convert({**coming, "defence": {2: 1}}, Next))
    return replace(
        table({"A": {}, "B": {}}, expeditions=1),
        kingdoms=(mine, theirs),
        technologies={code: code for code in CODES},
    )


ACTIONS: tuple[tuple[ActionKind, Attribute], ...] = (
    ("Research", "R"),
    ("Increase", "R"),
    ("Attack", "M"),
    ("Expedition", "M"),
    ("Foment", "H"),
    ("Contact", "H"),
    ("Try", "R"),
)


@st.composite
def ways(draw: st.DrawFn) -> Action:
    kind, attribute = draw(st.sampled_from(ACTIONS))
    aimed = kind in ("Attack", "Foment") or (kind == "Try" and draw(st.booleans()))
    return Action(
        kind,
        attribute,
        draw(st.sampled_from((None, 1, 2, 3))),
        depleted=draw(st.integers(0, 2)) if attribute == "R" else 0,
        target=2 if aimed else None,
        raises="M" if kind == "Increase" else None,
        boon=draw(st.booleans()),
        works=draw(st.booleans()),
    )


def throws(dice: int) -> Iterable[tuple[int, ...]]:
    return product(range(1, 7), repeat=dice)


@settings(max_examples=60, deadline=None)
@given(positions(), ways())
def test_an_action_goes_as_often_as_it_is_told(state: State, way: Action) -> None:
    """Every throw that can fall is given to the engine: dice, modifiers, difficulty, results and
    lost points are those that were told.
    """
    order = Do((way,))
    odds = odds_of_order(known_table(view_of(state, 1)), 1, order)
    if not isinstance(odds, ActionOdds):
        _is_void(state, order, odds)
        return
    free = state.kingdom(2).free(odds.attribute) if odds.difficulty is None else 0
    case = odds.cases[free]
    assume(odds.dice + case.dice <= FEW)
    results: Counter[str] = Counter()
    lost: Counter[int] = Counter()
    for throw in throws(odds.dice + case.dice):
        stream = Chance(SEED, script=throw)
        board = Table(state, stream)
        resolve(board, 1, 1, order, Dice())
        assert not stream.unused
        facts = board.events[0].facts
        assert isinstance(facts, ActionResolved)
        assert len(stream.draws) == odds.dice + case.dice
        assert (facts.terms, facts.defence_terms) == (odds.terms, odds.defence_terms)
        assert (facts.points, facts.depleted) == (odds.points, odds.depleted)
        assert odds.difficulty in (None, facts.difficulty)
        results[facts.result] += 1
        lost[sum("SS-3.17" in event.rules for event in board.events)] += 1
    assert case.shares == as_shares(results)
    whole = sum(lost.values())
    assert odds.losses == tuple(Fraction(lost[n], whole) for n in range(max(lost) + 1))


def _is_void(state: State, order: Do, reason: object) -> None:
    board = Table(state, Chance(SEED))
    resolve(board, 1, 1, order, Dice())
    assert getattr(board.events[0].facts, "reason", None) == reason


@settings(max_examples=40, deadline=None)
@given(
    positions(),
    st.sampled_from((None, 1, 2)),
    st.booleans(),
    st.sampled_from((None, 0, 1)),
    st.sampled_from((None, 1)),
)
def test_a_year_starts_as_often_as_it_is_told(
    state: State, points: int | None, works: bool, rebellion: int | None, coup: int | None
) -> None:
    """SS-4.1 to SS-4.7: every throw of the Harmony action, and of the roll behind it."""
    fresh = replace(state.kingdom(1), support="none", ex=Points())
    state = replace(state, stage="year-start", kingdoms=(fresh, state.kingdom(2)))
    way = Way(points=points, works=works, rebellion=rebellion, coup=coup)
    odds = odds_of_year(known_table(view_of(state, 1)), 1, Year((way,)))
    assert odds is not None
    assume(odds.dice <= FEW)
    rows: Counter[str] = Counter()
    for throw in throws(odds.dice):
        board = Table(state, Chance(SEED, script=throw))
        answer(board, 1, way)
        facts = board.events[0].facts
        assert isinstance(facts, SupportRolled)
        assert (facts.points, facts.dice, facts.terms) == (odds.points, throw, odds.terms)
        assert facts.support == support_of(facts.total)
        rows[facts.support] += 1
        if facts.support in ("rebellion", "coup") and rows[facts.support] == 1:
            _rising(state, way, odds, throw)
    whole = sum(rows.values())
    assert dict(odds.rows) == {name: Fraction(rows[name], whole) for _, name in CHART}


def _rising(state: State, way: Way, odds: YearOdds, before: tuple[int, ...]) -> None:
    stream = Chance(SEED, script=before)
    answer(Table(state, stream), 1, way)
    more = len(stream.draws) - len(before)
    if more > FEW:
        return
    held: Counter[str] = Counter()
    for throw in throws(more):
        board = Table(state, Chance(SEED, script=(*before, *throw)))
        answer(board, 1, way)
        facts = board.events[1].facts
        assert isinstance(facts, RebellionRolled | CoupRolled)
        held[facts.result] += 1
    told = odds.rebellion if isinstance(facts, RebellionRolled) else odds.coup
    assert told == Fraction(held["success"], sum(held.values()))
