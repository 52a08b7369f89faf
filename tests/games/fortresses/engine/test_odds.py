"""The chances of battles: against sums of fractions, and against battles that are fought."""

from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from itertools import product
from math import comb

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.chance import Chance
from engine.fortresses.atlas import facts_of
from engine.fortresses.event_kinds import ChancesTold
from engine.fortresses.odds import Chances, Fight, Odds, chances
from engine.fortresses.orders import INSTRUCTIONS, Lose, Order, parse_order
from engine.fortresses.phases.instructions import Advice
from engine.fortresses.ruleset import FORTRESSES
from engine.fortresses.state import State
from engine.fortresses.suppositions import Line, odds_of, suppose
from engine.fortresses.units import CODES, LAND_CODES, NONE, UnitCode, Units, one, parse_units
from engine.fortresses.view import view_of
from engine.ruleset import Event, NotSupposable, Problem, Standing
from tests.games.fortresses.engine.playing import orders_of, table
from tests.rows import each_row

ENDS = ("won", "held", "nobody", "no_effect")
LATE = 3
"""No policy told here looks at more completed rounds."""
POLICIES = (
    *("Retreat dragons never", "Retreat dragons when outnumbered"),
    "Retreat dragons when alone or at first loss",
    "Retreat dragons after 2 rounds or when alone and when outnumbered",
    *("Retreat dragons after 3 rounds and at first loss", "Lose D then K", "Lose W"),
    "Keep a conqueror",
)


def advice(zone: str, *texts: str) -> Advice:
    lines = [order for order in map(parse_order, texts) if isinstance(order, INSTRUCTIONS)]
    return Advice(zone, lines, ())


def by_hand(fight: Fight, told: Advice) -> tuple[list[Fraction], Fraction, Fraction]:
    """Chances of the ends, and what is lost on average by both sides, in gold."""
    started = fight.attackers

    @cache
    def hits(units: Units) -> Mapping[int, Fraction]:
        found = {0: Fraction(1)}
        for code, count in units.pairs():
            hit = Fraction(facts_of(code).die - 5, facts_of(code).die)
            more = {n: comb(count, n) * hit**n * (1 - hit) ** (count - n) for n in range(count + 1)}
            after: dict[int, Fraction] = {}
            for (n, first), (m, second) in product(found.items(), more.items()):
                after[n + m] = after.get(n + m, Fraction(0)) + first * second
            found = after
        return found

    def struck(defenders: Units, points: int, count: int) -> tuple[Units, int]:
        for _ in range(count):
            if points:
                points -= 1
            elif defenders.total:
                defenders -= one(next(code for code, _ in defenders.pairs()))
        return defenders, points

    @cache
    def ends(board: Units, defenders: Units, points: int, number: int, away: int) -> list[Fraction]:
        """won, held, nobody, no effect, gold lost, gold killed from here on."""
        is_land = fight.zone != "Black Sea"
        if (
            board.total
            and defenders.total
            and board.D
            and told.retreats(board, started, defenders.total + points, number)
        ):
            return ends(board - Units(D=board.D), defenders, points, number, away + board.D)
        if not board.total or not defenders.total:
            takes = board.land if is_land else board.total
            at = 1 if defenders.total else 2 if not board.total else 0 if takes else 3
            return [Fraction(at == i) for i in range(4)] + [Fraction(0)] * 2
        found, stays = [Fraction(0)] * 6, Fraction(0)
        for (n, first), (m, second) in product(hits(board).items(), hits(defenders).items()):
            left, soaked = struck(defenders, points, n)
            dead = told.losses(board, m)
            if not n and not m and number >= LATE:
                stays += first * second
                continue
            after = ends(board - dead, left, soaked, min(LATE, number + 1), away)
            more = [Fraction(0)] * 4 + [Fraction(cost(dead)), Fraction(cost(defenders - left))]
            found = [
                old + first * second * (part + extra)
                for old, part, extra in zip(found, after, more, strict=True)
            ]
        return [part / (1 - stays) for part in found]

    *chance, lost, killed = ends(fight.attackers, fight.defenders, fight.points, 0, 0)
    return chance, lost, killed


def cost(units: Units) -> int:
    return sum(facts_of(code).cost * count for code, count in units.pairs())


def of(found: Chances) -> list[float]:
    return [getattr(found, end) for end in ENDS]


def gold(units: tuple[float, ...]) -> float:
    return sum(facts_of(code).cost * part for code, part in zip(CODES, units, strict=True))


def some(codes: tuple[UnitCode, ...]) -> st.SearchStrategy[Units]:
    return st.lists(st.sampled_from(codes), min_size=1, max_size=4).map(
        lambda found: sum(map(one, found), NONE)
    )


@given(
    some((*LAND_CODES, "D")),
    some((*LAND_CODES, "D")),
    st.sampled_from((0, 1, 5)),
    st.lists(st.sampled_from(POLICIES), max_size=3),
)
@settings(max_examples=120, deadline=None)
def test_chances_are_the_sums_of_fractions(
    attackers: Units, defenders: Units, points: int, told: list[str]
) -> None:
    """FW-7.3 to FW-7.16, FW-10.1 to FW-10.6: no sampling, and nothing is left over."""
    fight, advised = Fight("Kiev", attackers, defenders, points), advice("Kiev", *told)
    found, (ends, lost, killed) = chances(fight, advised), by_hand(fight, advised)
    assert of(found) == pytest.approx([float(part) for part in ends], abs=1e-12)
    assert sum(of(found)) == pytest.approx(1, abs=1e-12)
    assert gold(found.lost) == pytest.approx(float(lost), abs=1e-9)
    assert gold(found.killed) == pytest.approx(float(killed), abs=1e-9)


@given(some(("G", "D")), some(("G",)), st.sampled_from(POLICIES))
@settings(max_examples=40, deadline=None)
def test_chances_at_sea(attackers: Units, defenders: Units, told: str) -> None:
    fight, advised = Fight("Black Sea", attackers, defenders), advice("Black Sea", told)
    ends = by_hand(fight, advised)[0]
    assert of(chances(fight, advised)) == pytest.approx([float(part) for part in ends], abs=1e-12)


@pytest.mark.parametrize(
    ("zone", "attackers", "defenders", "points", "percent"),
    [("Black Sea", "1G", "1G", 0, 29), ("Black Sea", "2G", "1G", 0, 92), ("Black Sea", "1D", "1G", 0, 35)],
)  # fmt: skip
def test_the_balance_checks_of_the_rules(
    zone: str, attackers: str, defenders: str, points: int, percent: int
) -> None:
    """FW-3.9."""
    found = chances(
        Fight(zone, parse_units(attackers), parse_units(defenders), points), advice(zone)
    )
    assert round(found.won * 100) == percent


def test_a_whole_war_is_summed_up() -> None:
    """All that three kingdoms may have, in a Fortress: the sums hold (FW-3.5)."""
    found = chances(
        Fight("Kiev", parse_units("24L 12K 10W 4D"), parse_units("48L 24K 20W 8D"), 5),
        advice("Kiev", "Retreat dragons after 999 rounds"),
    )
    assert sum(of(found)) == pytest.approx(1, abs=1e-9)


# ------------------------------------------------------------------------------- as the engine fights
@pytest.mark.parametrize(
    "lines",
    [
        ("Attack Kiev with 6L 2K 1W 1D from Cumania",),
        ("Attack Kiev with 3L 2K 1W 2D from Cumania", "Lose D then K", "Retreat dragons after 1 round"),
        ("Attack Kiev with 1L 3K 2D from Cumania", "Keep a conqueror in Kiev"),
    ],
)  # fmt: skip
def test_battles_come_out_as_often(lines: tuple[str, ...]) -> None:
    """Four hundred battles of allies in a Fortress: within five standard deviations (FW-7.11)."""
    state = table(
        "attack",
        "gold",
        owners={"Cumania": "gold"},
        units={"Cumania": "gold 6L 3K 1W 2D", "Kiev": "red 1L 1K, blue 2L 1D"},
    )
    orders = {FORTRESSES.phase(state).asked[0]: orders_of(lines)}
    told = only(state, *orders_of(lines))
    count, ends = 400, {"conquered": 0, "held": 0, "nobody left": 0, "no effect": 0}
    for number in range(count):
        chance = Chance(number.to_bytes(32, "big"))
        for event in FORTRESSES.adjudicate(state, orders, chance).events:
            if event.kind == "battle":
                ends[event.facts.result] += 1  # type: ignore[attr-defined]
    for permille, fought in zip((told.won, told.held, told.nobody, told.no_effect), ends.values(), strict=True):  # fmt: skip
        share = permille / 1000
        assert abs(fought - count * share) <= 5 * (count * max(share * (1 - share), 0.001)) ** 0.5


# ----------------------------------------------------------------------------------------- supposing
def supposed(state: State, player: int, *lines: Line) -> list[ChancesTold]:
    found = suppose(state, player, {player: lines}).events
    return [event.facts for event in found if isinstance(event.facts, ChancesTold)]


def only(state: State, *lines: Order) -> ChancesTold:
    (told,) = supposed(state, FORTRESSES.phase(state).asked[0], *lines)
    return told


ATTACK = table("attack", "red", units={"Egypt": "red 3L 1K", "Syria": "gold 1L, silver 1L"})
SYRIA = parse_order("Attack Syria with 2L 1K from Egypt")


def test_attacks_are_supposed_without_dice() -> None:
    """The state is as if the lines were given; the sums tell of each battle."""
    outcome = suppose(ATTACK, 2, {2: (SYRIA,)})
    (event,) = outcome.events
    told = event.facts
    assert isinstance(told, ChancesTold)
    assert (told.zone, told.kingdom, told.of, told.points) == ("Syria", "red", "gold", 1)
    assert (told.attackers, told.defenders) == ("2L 1K", "silver 1L, gold 1L")
    assert told.won + told.held + told.nobody + told.no_effect in range(998, 1003)
    assert outcome.state.stage == "battle"
    assert FORTRESSES.decode_state(FORTRESSES.encode_state(outcome.state)) == outcome.state
    assert {"FW-7.5", "FW-7.9"} <= set(event.rules)


def test_instructions_count() -> None:
    """FW-10.1: who loses Knights first wins less often."""
    assert only(ATTACK, SYRIA, Lose(("K",))).won < only(ATTACK, SYRIA).won


def test_nothing_attacked_is_nothing_to_tell() -> None:
    assert suppose(ATTACK, 2, {}).state == ATTACK
    assert not supposed(ATTACK, 2)


def test_an_empty_land_falls_for_certain() -> None:
    """FW-7.4: and nobody is lost."""
    state = table("attack", "red", units={"Egypt": "red 3L 1K"})
    told = only(state, parse_order("Attack Syria with 1L from Egypt"))
    assert (told.won, told.lose, told.held) == (1000, 0, 0)


def test_a_passenger_at_risk_is_told() -> None:
    """FW-6.15: its battle is told as if its ship came through, and that it may not."""
    state = table(
        "attack",
        "gold",
        units={
            "Aegean Sea": "gold 1G",
            "Crete": "gold 1L",
            "Levantine Sea": "red 1G",
            "Egypt": "red 1L",
        },
    )
    line = parse_order("Galleon in Aegean Sea carries 1L from Crete via Levantine Sea to Egypt")
    (gold,) = FORTRESSES.phase(state).asked
    outcome = suppose(state, gold, {gold: (line,)})
    assert [getattr(event.facts, "zone", "") for event in outcome.events] == [
        "Levantine Sea",
        "Egypt",
    ]
    assert [(hang.code, hang.facts["land"]) for hang in outcome.hangs] == [
        ("passenger-at-risk", "Egypt")
    ]


BATTLE = table(
    "battle",
    "red",
    owners={"Syria": "gold"},
    units={"Syria": "red 2L 1D, gold 2L 1K"},
    instructions=["Interactive in Syria"],
    battles=[{"zone": "Syria", "attackers": "2L 1D", "started": "3L 1D", "round": 1, "hits": 1}],
)


def test_odds_of_going_on_from_here() -> None:
    """FW-10.7: the answer is for the losses and the retreat of now; what dies now is lost."""
    here = only(BATTLE)
    assert here == only(BATTLE, parse_order("Lose 1L"), parse_order("Stay"))
    assert here.lose >= 10
    worse = only(BATTLE, parse_order("Lose 1D"))
    gone = only(BATTLE, parse_order("Retreat dragons"))
    assert max(worse.won, gone.won) < here.won
    assert gone.no_effect == 0 < here.no_effect


@pytest.mark.parametrize("stage", ["attack", "reinforce", "battle"])
def test_anybody_asks_at_any_stage(stage: str) -> None:
    """Of units that need not be there; nothing changes, and it is no order."""
    state = {"attack": ATTACK, "battle": BATTLE, "reinforce": table("reinforce", "red")}[stage]
    asked = Odds("Syria", parse_units("9L"), "red")
    for player in (1, 2):
        outcome = suppose(state, player, {player: (asked,)})
        assert outcome.state == state
        assert len(outcome.events) == 1
        assert [problem.code for problem in FORTRESSES.check(state, player, Standing(), (asked,)).problems]  # type: ignore[arg-type]  # fmt: skip
        assert not FORTRESSES.check(state, player, Standing(), (asked,)).accepted  # type: ignore[arg-type]
    assert not suppose(state, 1, {}).events or stage == "reinforce"


def test_nothing_is_supposed_of_a_game_that_is_over() -> None:
    state = table("over", "red", winner="red_blue", by="fortresses")
    with pytest.raises(NotSupposable, match="not-now"):
        suppose(state, 1, {})


@each_row(
    ("asked", "code"),
    [
        (Odds("Syria", Units(L=2), "gold"), "friendly"),
        (Odds("Syria", Units(G=2)), "wrong-element"),
        (Odds("Syria", Units(L=25)), "supply-limit"),
        (Odds("Syria", Units(L=2), origin="Tunis"), "too-far"),
        (Odds("Syria", Units(K=1), against=Units(L=49)), "supply-limit"),
        (Odds("Black Sea", Units(L=1), against=Units(G=1)), "wrong-element"),
        (Odds("Black Sea", Units(G=1)), "no-battle"),
        (Odds("Greece", Units(D=1)), "air-empty"),
    ],
)
def test_what_can_never_fight_has_no_odds(asked: Odds, code: str) -> None:
    problem = odds_of(view_of(ATTACK, 2), asked)
    assert isinstance(problem, Problem)
    assert problem.code == code
    assert not supposed(ATTACK, 2, asked)


@pytest.mark.parametrize(
    ("player", "target", "kingdom"),
    [(2, "Syria", "red"), (1, "Syria", "red"), (1, "Saxony", "silver"), (None, "Syria", "red"), (None, "Tunis", "gold")],
)  # fmt: skip
def test_who_attacks_if_nobody_is_named(player: int | None, target: str, kingdom: str) -> None:
    """Who asks of a Land of their own is asked for the enemy who plays next."""
    event = odds_of(view_of(ATTACK, player), Odds(target, Units(L=2)))
    assert isinstance(event, Event)
    assert isinstance(event.facts, ChancesTold)
    assert event.facts.kingdom == kingdom


def test_the_canonical_text() -> None:
    asked = Odds("Syria", parse_units("2L 1K"), "red", "Egypt", Units(L=2))
    assert FORTRESSES.format_order(ATTACK, asked) == (  # type: ignore[arg-type]
        "Odds of Red taking Syria with 2L 1K from Egypt against 2L"
    )


def test_presets_count_for_whose_turn_it_is_not() -> None:
    """FW-10.8: they are public."""
    units = {"Syria": "gold 2L"}
    without = table("attack", "red", units=units)
    preset = table("attack", "red", units=units, presets={"blue": ["Retreat dragons never"]})
    asked = Odds("Syria", Units(L=1, D=1), "blue")
    assert supposed(without, 1, asked) != supposed(preset, 1, asked)
