"""Refusals, warnings, and what a later message replaces."""

from engine.protectors import orders as o
from engine.protectors.checking.messages import MOST, check
from engine.ruleset import Standing
from tests.games.protectors.engine.checks import codes, only, send, texts
from tests.games.protectors.engine.tabletop import position
from tests.rows import each_row

RING = "1 Ann 2, 2 Ann 3, 3 Ben 2, 4 Ben 0, 5 Cid 1, 6 Dot 1, 7 Eve 1"


# ------------------------------------------------------------------------------------------ merging
def test_a_later_message_replaces_only_what_it_names() -> None:
    state = position(
        RING, in_play=["Calms of Summer", "The Misty Mountains Cold", "Pirates!"], turn=5
    )
    first = send(
        state, "Ann", "Fortify! P1; Work, work! P2; Send 30 to Ben; Send 10 to Cid; Snitch on Ben"
    )
    second = send(
        state, "Ann", "March! 1 from P2 to P3; Send 5 to Ben; Snitch on Cid", first.standing
    )
    assert texts(state, second.standing.orders) == [
        *("Fortify! P1", "Send 10 to Cid", "March! 1 from P2 to P3", "Send 5 to Ben"),
        "Snitch on Cid",
    ]
    assert texts(state, second.replaced) == ["Work, work! P2", "Send 30 to Ben", "Snitch on Ben"]
    assert second.problems == ()


def test_the_purchase_list_and_the_commitment_are_replaced_as_a_whole() -> None:
    shop = position("1 Ann 1, 2 Ann 1, 3 Ben 1", phase="consolidation", purses={"Ann": 400})
    first = send(shop, "Ann", "Buy 1 in P1; Buy 1 in P2; Bid 5")
    second = send(shop, "Ann", "Buy 2 in P2", first.standing)
    assert texts(shop, second.standing.orders) == ["Bid 5", "Buy 2 in P2"]
    fight = position(
        RING,
        phase="dragon",
        in_play=["Calms of Summer", "There be Dragons!"],
        attack={"during": "reveal"},
    )
    first = send(fight, "Ann", "Commit 1 from P1; Commit 2 from P2 (sac 1); Burn P2; Burn P1")
    second = send(fight, "Ann", "Commit 3 from P2", first.standing)
    assert texts(fight, second.standing.orders) == ["Burn P2", "Burn P1", "Commit 3 from P2"]
    third = send(fight, "Ann", "Burn P1; Commit nothing", second.standing)
    assert texts(fight, third.standing.orders) == ["Burn P1", "Commit nothing"]


def test_a_later_golden_order_takes_the_gold_from_the_earlier() -> None:
    state = position(RING)
    first = send(state, "Ann", "Golden Fortify! P1")
    second = send(state, "Ann", "Golden Fortify! P2", first.standing)
    assert second.problems == ()
    assert texts(state, second.standing.orders) == ["Fortify! P1", "Golden Fortify! P2"]
    assert texts(state, second.replaced) == ["Golden Fortify! P1"]


def test_an_extended_support_that_loses_its_gold_falls() -> None:
    state = position(RING)
    first = send(state, "Ann", "Golden Support! Cid in P6 from P1")
    second = send(state, "Ann", "Golden Support! Ben in P3 from P2", first.standing)
    assert texts(state, second.standing.orders) == ["Golden Support! Ben in P3 from P2"]
    assert texts(state, second.replaced) == ["Golden Support! Cid in P6 from P1"]


def test_a_golden_order_given_again_for_its_province_keeps_its_gold() -> None:
    state = position(RING)
    first = send(state, "Ann", "Golden March! 1 from P2 to P3; Work, work! P1")
    second = send(state, "Ann", "Delayed Golden March! 2 from P2 to P3", first.standing)
    assert texts(state, second.standing.orders) == [
        "Work, work! P1",
        "Delayed Golden March! 2 from P2 to P3",
    ]
    assert second.complete


def test_cancel_takes_back_one_province_or_everything() -> None:
    state = position(RING)
    first = send(state, "Ann", "Fortify! P1; Work, work! P2; Send 5 to Ben")
    second = send(state, "Ann", "Cancel P1", first.standing)
    assert texts(state, second.accepted) == ["Cancel P1"]
    assert texts(state, second.replaced) == ["Fortify! P1"]
    assert texts(state, second.standing.orders) == ["Work, work! P2", "Send 5 to Ben"]
    third = send(state, "Ann", "Cancel all; Hold P2", second.standing)
    assert texts(state, third.standing.orders) == ["Hold P2"]
    undone = send(state, "Ann", "Fortify! P1; Cancel P1; Work, work! P1")
    assert texts(state, undone.accepted) == ["Cancel P1", "Work, work! P1"]
    shop = position(
        "1 Ann 1, 2 Ann 1 golden-work, 3 Ben 1", phase="consolidation", purses={"Ann": 400}
    )
    first = send(shop, "Ann", "Buy 1 in P1; Buy 1 in P2; Upgrade P2; Bid 5")
    assert texts(shop, send(shop, "Ann", "Cancel P2", first.standing).standing.orders) == [
        "Buy 1 in P1",
        "Bid 5",
    ]


def test_cancel_of_what_is_not_ones_own_is_refused() -> None:
    state = position(RING)
    assert codes(send(state, "Ann", "Cancel P3; Cancel P9")) == [
        "not-your-province",
        "unknown-province",
    ]


def test_final_closes_the_sheet() -> None:
    state = position(RING)
    done = send(state, "Ann", "Final; Fortify! P1")
    assert done.standing == Standing(orders=(o.Fortify(1),), final=True)
    late = send(state, "Ann", "Work, work! P1; Final", done.standing)
    assert codes(late) == ["already-final", "already-final"]
    assert late.problems[0].rules == ("PR-6.19", "PR-1.10")
    assert (late.accepted, late.standing) == ((), done.standing)


def test_strict_finality_needs_a_complete_set_without_a_refusal() -> None:
    state = position(RING, options={"finality": "strict"})
    assert not send(state, "Ann", "Fortify! P1").standing.final
    assert not send(state, "Ann", "Fortify! P1; Hold P2; Fortify! P3").standing.final
    whole = send(state, "Ann", "Fortify! P1; March! 9 from P2 to P3")
    assert codes(whole) == ["too-few-units"]
    assert whole.standing.final
    assert not send(position(RING), "Ann", "Fortify! P1; Hold P2").standing.final


# -------------------------------------------------------------------------------- what a phase asks
def test_complete_means_that_all_is_answered() -> None:
    state = position(RING)
    assert not send(state, "Ann", "Fortify! P1").complete
    assert send(state, "Ann", "Fortify! P1; Hold P2").complete
    assert send(state, "Ben", "Fortify! P3").complete
    idle = position("1 Ann 1, 2 Ben 0, 3 Cid 1")
    assert not send(idle, "Ben", "").complete
    assert send(idle, "Ben", "Send 5 to Ann").complete
    fight = position(
        RING,
        phase="dragon",
        in_play=["Calms of Summer", "There be Dragons!"],
        attack={"during": "reveal"},
    )
    assert not send(fight, "Ann", "Burn P1").complete
    assert send(fight, "Ann", "Commit nothing").complete
    shop = position("1 Ann 1, 2 Ben 3, 3 Cid 1", phase="consolidation", purses={"Cid": 74})
    assert not send(shop, "Ann", "Bid 5").complete
    assert not send(shop, "Ann", "Buy 1 in P1").complete
    assert send(shop, "Ann", "Buy 1 in P1; Bid 5").complete
    assert send(shop, "Ben", "Bid 5").complete  # no room to buy
    assert send(shop, "Cid", "Bid 5").complete  # no money to buy
    first = position("1 Ann 1, 2 Ben 1", turn=1, phase="bidding", options={"factions": "choice"})
    assert not send(first, "Ann", "Bid 5").complete
    assert send(first, "Ann", "Bid 5; Faction Hodir").complete
    again = position("1 Ann 1, 2 Ben 1, 3 Cid 1", turn=1, phase="rebid", ties=[["Ann", "Ben"]])
    assert send(again, "Cid", "").complete
    assert send(again, "Ann", "Bid 1").complete


# ---------------------------------------------------------------------------------- single refusals
@each_row(
    ("text", "code", "rule"),
    [
        ("Fortify! P3", "not-your-province", "PR-6.1"),
        ("Fortify! P9", "unknown-province", "PR-1.5"),
        ("Fortify! the Island", "unknown-province", "PR-1.5"),
        ("March! 1 from P1 to P1", "not-neighbours", "PR-6.5"),
        ("March! 1 from P1 to P9", "unknown-province", "PR-1.5"),
        ("March! 0 from P1 to P2", "out-of-range", "PR-6.5"),
        ("Support! Ann in P1 from P1", "not-neighbours", "PR-6.9"),
        ("Support! Ann in P4 from P1", "not-neighbours", "PR-6.9"),
        ("Golden Support! Ann in P4 from P1", "not-neighbours", "PR-6.12"),
        ("Support! Zoe in P2 from P1", "unknown-player", "PR-6.9"),
        ("Send 5 to Ann", "unknown-player", "PR-6.16"),
        ("Send 5 to Zoe", "unknown-player", "PR-6.16"),
        ("Send 0 to Ben", "out-of-range", "PR-6.16"),
        ("Send 101 to Ben", "cannot-afford", "PR-6.16"),
        ("Snitch on Ben", "not-now", "PR-10.1"),
        ("Bid 5", "not-now", "PR-8.11"),
        ("Buy 1 in P1", "not-now", "PR-8.7"),
        ("Commit 1 from P1", "not-now", "PR-9.1"),
        ("Burn P1", "not-now", "PR-9.12"),
        ("Fight fire with fire: 3", "no-such-ability", "PR-11.1"),
        ("Nothing to see here!", "no-such-ability", "PR-11.2"),
        ("The Bank of Lannuvár", "no-such-ability", "PR-11.7"),
        ("Faith alone sustains us", "no-such-ability", "PR-11.6"),
        ("Hire the Mountain King", "no-such-ability", "PR-11.5"),
        ("Weather forecast", "no-such-ability", "PR-11.2"),
        ("Read the dragon deck", "no-such-ability", "PR-11.2"),
        ("Put the card at the bottom", "no-such-ability", "PR-11.3"),
        ("Palantír: Sea", "no-such-ability", "PR-12.4"),
        ("Refresh Fight fire with fire", "no-such-ability", "PR-12.3"),
        ("Take Crusade", "no-such-ability", "PR-12.3"),
        ("Faction Hodir", "no-such-ability", "PR-3.2"),
        ("Use 5 from Ben", "no-such-ability", "PR-13.2"),
    ],
)
def test_what_cannot_be_ordered_now_is_refused_with_its_rule(
    text: str, code: str, rule: str
) -> None:
    state = position(RING + ", 8 - 0", eliminated={"Zoe": "dragon"})
    problem = only(send(state, "Ann", text))
    assert (problem.code, problem.warning, problem.order) == (code, False, 0)
    assert problem.rules[0] == "PR-6.19"
    assert rule in problem.rules


def test_refusals_carry_the_facts_a_page_needs() -> None:
    state = position(RING)
    assert only(send(state, "Ann", "March! 1 from P2 to P5")).facts["neighbours"] == (1, 3)
    assert only(send(state, "Ann", "March! 9 from P2 to P3")).facts["units"] == 3
    assert only(send(state, "Cid", "Golden March! 1 from P5 to P6")).facts["bracket"] == 2
    assert only(send(state, "Ann", "Fortify! P1; Hold P1")).facts["stands"] == "Fortify! P1"
    assert only(send(state, "Ann", "Bid 3")).facts["when"] == ("bidding", "rebid", "consolidation")
    assert only(send(state, "Ann", "Fortify! P3")).facts["own"] == (1, 2)


def test_numbers_beyond_reason_are_out_of_range() -> None:
    state = position(RING)
    assert codes(check(state, 1, Standing(), [o.March(MOST + 1, 1, 2), o.Send(10**30, 2)])) == [
        "out-of-range",
        "out-of-range",
    ]
    assert codes(check(position(RING, phase="consolidation"), 1, Standing(), [o.Bid(-1)])) == [
        "out-of-range"
    ]


def test_nobody_orders_after_the_end_or_after_falling() -> None:
    assert (
        codes(send(position(RING, phase="over"), "Ann", "Fortify! P1; Final; Cancel all"))
        == ["not-now"] * 3
    )
    gone = position(RING + ", 8 - 0", eliminated={"Zoe": "dragon"})
    assert codes(send(gone, "Zoe", "Fortify! P1")) == ["not-now"]


# ----------------------------------------------------------------------------------------- warnings
def test_a_delayed_march_may_count_on_what_marches_in() -> None:
    state = position(RING)
    assert (
        send(state, "Ann", "March! 2 from P1 to P2; Delayed March! 5 from P2 to P3").problems == ()
    )
    assert codes(send(state, "Ann", "March! 9 from P1 to P2; Delayed March! 6 from P2 to P3")) == [
        "too-few-units",
        "too-few-units",
    ]


def test_a_fare_beyond_the_purse_is_only_warned_of() -> None:
    sea = position(
        RING,
        in_play=["Calms of Summer", "The Misty Mountains Cold", "Ferry!"],
        turn=5,
        purses={"Ann": 30},
    )
    first = send(sea, "Ann", "March! 1 from P1 to P4")
    assert first.problems == ()
    second = send(sea, "Ann", "March! 1 from P2 to P5", first.standing)
    problem = only(second)
    assert (problem.code, problem.warning, problem.order, problem.facts["cost"]) == (
        *("cannot-afford", True, 0, 50),
    )
    third = send(sea, "Ann", "Send 10 to Ben", first.standing)
    assert (only(third).order, only(third).warning) == (None, True)
    assert len(third.standing.orders) == 2


def test_transfers_add_up() -> None:
    state = position(RING)
    assert codes(send(state, "Ann", "Send 60 to Ben; Send 60 to Cid; Send 40 to Dot")) == [
        "cannot-afford"
    ]


def test_purchases_are_weighed_together() -> None:
    shop = position("1 Ann 2, 2 Ann 1, 3 Ben 1", phase="consolidation", purses={"Ann": 160})
    bought = send(shop, "Ann", "Buy 2 in P1; Buy 2 in P2; Bid 11")
    assert [(p.code, p.order) for p in bought.problems] == [
        ("supply-limit", 0),
        ("cannot-afford", 1),
        ("cannot-afford", 2),
    ]
    assert all(p.warning for p in bought.problems)
    assert len(bought.standing.orders) == 3
    assert send(shop, "Ann", "Buy 1 in P1; Bid 85").problems == ()
    assert codes(send(shop, "Ann", "Bid 86", send(shop, "Ann", "Buy 1 in P1").standing)) == [
        "cannot-afford"
    ]
    assert codes(send(shop, "Ann", "Buy 1 in the Island; Buy 0 in P1; Buy 1 in P9")) == [
        "unknown-province",
        "out-of-range",
        "unknown-province",
    ]


def test_upgrades_need_their_golden_work_and_the_money() -> None:
    lands = "1 Ann 1 golden-work, 2 Ann 1 II golden-work, 3 Ann 1 II golden-work, 4 Ann 1, 5 Ben 1, 6 Ann 1 burnt golden-work"
    shop = position(lands, phase="consolidation", purses={"Ann": 60})
    assert codes(send(shop, "Ann", "Upgrade P1; Upgrade P2; Upgrade P3")) == ["out-of-range"]
    assert codes(send(shop, "Ann", "Upgrade P4; Upgrade P5; Upgrade P6")) == [
        "not-now",
        "not-your-province",
        "out-of-range",
    ]
    poor = position(lands, phase="consolidation", purses={"Ann": 30})
    assert codes(send(poor, "Ann", "Upgrade P1; Upgrade P2")) == ["cannot-afford"]
    assert codes(send(poor, "Ann", "Capitol P1; Capitol P5")) == [
        "out-of-range",
        "not-your-province",
    ]


def test_in_the_last_turn_no_bid_is_taken() -> None:
    cards = ["Calms of Summer", "The Misty Mountains Cold", "Seafarers!", "Time's Up!"]
    shop = position(RING, phase="consolidation", turn=10, in_play=cards)
    problem = only(send(shop, "Ann", "Bid 5"))
    assert (problem.code, problem.rules) == ("not-now", ("PR-6.19", "PR-3.6", "PR-4.21"))
    assert send(shop, "Ann", "Buy 1 in P1").complete


def test_commitments_are_weighed() -> None:
    cards = ["Calms of Summer", "There be Dragons!"]
    fight = position(
        RING + ", 8 Ann 1 burnt", phase="dragon", in_play=cards, attack={"during": "reveal"}
    )
    told = send(
        fight,
        "Ann",
        "Commit 9 from P1; Commit 1 from P2 (sac 2); Commit 1 from P2; Commit 1 from P3; Commit 0 from P8",
    )
    assert [(p.code, p.order, p.warning) for p in told.problems] == [
        ("second-order", 2, False),
        ("not-your-province", 3, False),
        ("out-of-range", 4, False),
        ("too-few-units", 0, True),
        ("too-few-units", 1, True),
    ]
    assert codes(send(fight, "Ann", "Burn P1; Burn P1; Burn P8; Burn P3; Burn P99")) == [
        *("second-order", "out-of-range", "not-your-province", "unknown-province"),
    ]
    assert codes(send(fight, "Ann", "Commit nothing; Commit 1 from P1")) == ["second-order"]
    assert codes(send(fight, "Ben", "Commit 1 from P4; Commit 1 from P99")) == [
        "no-units",
        "unknown-province",
    ]
