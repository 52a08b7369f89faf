"""Refusals and warnings about factions, the Island, teams and finality."""

from engine.protectors import orders as o
from tests.games.protectors.engine.checks import codes, only, send, texts, with_factions
from tests.games.protectors.engine.tabletop import position

RING = "1 Ann 2, 2 Ann 3, 3 Ben 2, 4 Ben 0, 5 Cid 1, 6 Dot 1, 7 Eve 1"


def test_the_abilities_of_a_dragon_attack() -> None:
    cards = ["Calms of Summer", "There be Dragons!"]
    seats: dict[str, dict[str, object]] = {
        "Ann": {"faction": "Cenarion"},
        "Ben": {"faction": "Kalu'Ak"},
        "Cid": {"faction": "Lannuvár"},
        "Dot": {"faction": "Kalu'Ak", "used": ["nothing"]},
        "Eve": {"faction": "Kalu'Ak", "used": ["nothing"], "realm": 44},
    }
    lands = "1 Ann 1, 2 Ben 1, 3 Cid 1, 4 Dot 1, 5 Eve 1 burnt"
    fight = with_factions(lands, seats, phase="dragon", in_play=cards, attack={"during": "reveal"})
    assert codes(send(fight, "Ann", "Fight fire with fire: 3")) == ["cannot-afford"]
    assert only(send(fight, "Ann", "Fight fire with fire: 3")).warning
    assert codes(send(fight, "Ann", "Fight fire with fire: 10; Fight fire with fire: 0")) == [
        "out-of-range",
        "out-of-range",
    ]
    assert send(fight, "Ben", "Nothing to see here!").complete
    assert codes(send(fight, "Ben", "Nothing to see here!; Commit 1 from P2; Burn P2")) == [
        "second-order"
    ]
    hidden = send(fight, "Ben", "Nothing to see here!").standing
    assert texts(fight, send(fight, "Ben", "Commit 1 from P2", hidden).standing.orders) == [
        "Commit 1 from P2"
    ]
    assert send(fight, "Cid", "The Bank of Lannuvár").problems == ()
    assert codes(send(fight, "Dot", "Nothing to see here!")) == ["used-up"]
    assert codes(send(fight, "Eve", "Nothing to see here!")) == [
        "cannot-afford"
    ]  # 45 with ashes, not limited to once
    covered = with_factions(
        lands,
        {**seats, "Cid": {"faction": "Lannuvár", "used": ["bank"], "effects": {"bank": 3}}},
        phase="dragon",
        in_play=cards,
        attack={"during": "reveal"},
    )
    assert codes(
        send(covered, "Cid", "Commit 1 from P3; The Bank of Lannuvár; Commit nothing")
    ) == ["not-now", "used-up", "not-now"]
    fire = with_factions(
        lands,
        {**seats, "Ben": {"faction": "Kalu'Ak", "extra": ["fire"]}},
        phase="dragon",
        in_play=cards,
        attack={"during": "reveal"},
    )
    assert codes(send(fire, "Ben", "Fight fire with fire: 1; Nothing to see here!")) == [
        "second-order"
    ]
    poor = with_factions(
        lands,
        {**seats, "Cid": {"faction": "Lannuvár", "realm": 32}},
        phase="dragon",
        in_play=cards,
        attack={"during": "reveal"},
    )
    assert codes(send(poor, "Cid", "The Bank of Lannuvár")) == ["cannot-afford"]


def test_the_abilities_of_the_buying_step() -> None:
    seats: dict[str, dict[str, object]] = {
        "Ann": {"faction": "Iron Light", "realm": 6},
        "Ben": {"faction": "Hodir"},
        "Cid": {"faction": "Lannuvár", "realm": 50},
        "Dot": {"faction": "Hodir", "used": ["king"]},
    }
    shop = with_factions("1 Ann 3, 2 Ben 1 III, 3 Cid 1, 4 Dot 1 III", seats, phase="consolidation")
    assert codes(send(shop, "Ann", "Faith alone sustains us")) == ["cannot-afford"]
    assert send(shop, "Ben", "Hire the Mountain King; Bid 50").problems == ()
    assert codes(send(shop, "Ben", "Hire the Mountain King; Bid 51")) == ["cannot-afford"]
    assert codes(send(shop, "Dot", "Hire the Mountain King")) == ["used-up"]
    assert codes(send(shop, "Cid", "The Bank of Lannuvár; Bid 3")) == ["second-order"]
    bank = send(shop, "Cid", "The Bank of Lannuvár").standing
    assert texts(shop, send(shop, "Cid", "Bid 3", bank).standing.orders) == ["Bid 3"]
    fed = with_factions(
        "1 Ann 3, 2 Ben 1",
        {"Ann": {"faction": "Iron Light"}, "Ben": {"faction": "Hodir"}},
        phase="consolidation",
    )
    assert send(fed, "Ann", "Faith alone sustains us; Buy 1 in P1").problems == ()
    assert codes(send(fed, "Ann", "Buy 1 in P1")) == ["supply-limit"]
    assert codes(send(fed, "Ben", "Hire the Mountain King")) == ["forbidden-this-turn"]


def test_a_bank_window_takes_the_late_bid_or_the_late_commitment() -> None:
    seats: dict[str, dict[str, object]] = {
        "Ann": {"faction": "Lannuvár", "used": ["bank"], "effects": {"bank": 4}},
        "Ben": {"faction": "Hodir"},
    }
    late = with_factions("1 Ann 1, 2 Ben 1", seats, phase="bank", bids={"Ben": 17})
    assert send(late, "Ann", "Bid 3").complete
    assert codes(send(late, "Ben", "Bid 3")) == ["not-now"]
    assert codes(send(late, "Ann", "Commit 1 from P1")) == ["not-now"]
    fight = with_factions("1 Ann 1, 2 Ben 1", seats, phase="bank", attack={"during": "reveal"})
    assert send(fight, "Ann", "Commit 1 from P1; Final").complete
    assert codes(send(fight, "Ann", "Bid 3")) == ["not-now"]
    shop = with_factions("1 Ann 1, 2 Ben 1", seats, phase="consolidation")
    assert codes(send(shop, "Ann", "Bid 3")) == ["not-now"]
    assert send(shop, "Ann", "Buy 1 in P1").complete


def test_who_is_not_asked_in_a_window_is_told_whom_it_is_for() -> None:
    lands, cards = "1 Ann 1, 2 Ben 1, 3 Cid 1", ["Calms of Summer", "There be Dragons!"]
    seats: dict[str, dict[str, object]] = {
        "Ann": {"faction": "Lannuvár", "used": ["bank"], "effects": {"bank": 4}},
        "Ben": {},
        "Cid": {},
    }
    fight = with_factions(lands, seats, phase="dragon", in_play=cards, attack={"during": "reveal"})
    for text in (
        *("Commit 1 from P1", "Commit nothing", "Burn P1", "Fight fire with fire: 1"),
        "Nothing to see here!",
    ):
        (problem,) = send(fight, "Ann", text).problems
        if problem.code == "not-now":
            assert (problem.rules, problem.facts) == (("PR-6.19", "PR-11.7"), {"phase": "dragon"})
        else:
            assert problem.code == "no-such-ability"
    tied = position(lands, phase="rebid", ties=[["Ben", "Cid"]], turn=1)
    (problem,) = send(tied, "Ann", "Bid 3").problems
    assert (problem.code, problem.facts) == ("not-now", {"phase": "rebid", "asked": ("Ben", "Cid")})
    assert send(tied, "Ben", "Bid 3").problems == ()


def test_a_look_beside_a_cancel_is_answered_and_a_card_is_not_moved() -> None:
    lands, seats = "1 Ann 1 burnt, 2 Ben 1", {"Ann": {"faction": "Kalu'Ak", "realm": 20}, "Ben": {}}
    state = with_factions(lands, seats)
    hold = send(state, "Ann", "Hold P1").standing
    for text in ("Weather forecast; Cancel all", "Cancel all; Weather forecast"):
        checked = send(state, "Ann", text, hold)
        assert "Weather forecast" in texts(state, checked.accepted)
        assert texts(state, checked.standing.orders) == ["Weather forecast"]
    checked = send(
        state, "Ann", "Read the dragon deck; Place the Dragon on top; Cancel all; Final", hold
    )
    assert codes(checked) == ["not-now", "final-held"]
    assert texts(state, checked.accepted) == ["Read the dragon deck", "Cancel all"]


def test_a_fare_is_held_against_what_a_look_of_the_same_message_leaves() -> None:
    lands = "0 Ann 1, 1 Ann 1, 2 Ben 1, 3 Ben 0"
    state = with_factions(
        lands,
        {"Ann": {"realm": 20}, "Ben": {}},
        in_play=["Calms of Summer", "The Misty Mountains Cold", "Ferry!"],
    )
    problem = only(send(state, "Ann", "March! 1 from the Island to P3; Palantír: Sea"))
    assert (problem.code, problem.facts["cost"], problem.facts["held"]) == ("cannot-afford", 25, 5)


def test_peeks_and_ashes() -> None:
    seats: dict[str, dict[str, object]] = {
        "Ann": {"faction": "Kalu'Ak", "realm": 20},
        "Ben": {"faction": "Kalu'Ak", "used": ["ash-reading"]},
        "Cid": {"faction": "Hodir", "realm": 14},
    }
    state = with_factions("0 Cid 1, 1 Ann 1, 2 Ann 1 burnt, 3 Ben 1", seats, provinces=3)
    assert (
        send(
            state,
            "Ann",
            "Weather forecast; Put the card at the bottom; Read the dragon deck; Place the Dragon on top",
        ).problems
        == ()
    )
    assert codes(send(state, "Ann", "Put the card at the bottom; Place the Dragon on top")) == [
        "not-now",
        "not-now",
    ]
    assert codes(send(state, "Ann", "Read the dragon deck; Send 6 to Ben")) == ["cannot-afford"]
    assert codes(send(state, "Ben", "Read the dragon deck; Place the Dragon on top")) == [
        "used-up",
        "no-such-ability",
    ]
    assert codes(send(state, "Cid", "Palantír: Sea")) == ["cannot-afford"]


def test_the_island_takes_marches_alone() -> None:
    cards = ["Calms of Summer", "The Misty Mountains Cold", "Seafarers!"]
    seats: dict[str, dict[str, object]] = {
        "Ann": {"faction": "Iron Light"},
        "Ben": {"faction": "Hodir", "used": ["king"]},
    }
    state = with_factions("0 Ben 1, 1 Ann 2, 2 Ben 1", seats, in_play=cards, turn=5, provinces=2)
    assert send(state, "Ann", "Golden March! 1 from P1 to the Island").problems == ()
    assert (
        send(state, "Ben", "March! 1 from the Island to P1; Hold P2; Cancel the Island").problems
        == ()
    )
    assert codes(send(state, "Ben", "Work, work! the Island")) == ["forbidden-this-turn"]
    assert codes(send(state, "Ben", "Support! Ben in P2 from the Island")) == [
        "forbidden-this-turn"
    ]
    assert codes(send(state, "Ben", "Support! Ann in the Island from P2")) == ["not-neighbours"]
    calm = with_factions("0 Ben 1, 1 Ann 2, 2 Ben 1", seats, provinces=2)
    assert codes(send(calm, "Ann", "March! 1 from P1 to the Island")) == ["not-neighbours"]
    assert codes(send(calm, "Ben", "March! 1 from the Island to P1")) == ["not-neighbours"]
    shop = with_factions("0 Ben 1, 1 Ann 2, 2 Ben 1", seats, provinces=2, phase="consolidation")
    assert send(shop, "Ben", "Refresh The Mountain King").problems == ()
    assert codes(send(shop, "Ben", "Take Crusade; Refresh The Mountain King")) == ["second-order"]
    assert (
        codes(
            send(
                shop,
                "Ben",
                "Take Merchants of the gods; Refresh Faith alone sustains us; Take Wings",
            )
        )
        == ["no-such-ability"] * 3
    )
    fight = with_factions(
        "0 Ben 1, 1 Ann 2, 2 Ben 1",
        seats,
        provinces=2,
        phase="dragon",
        in_play=cards,
        attack={"during": "reveal"},
    )
    assert codes(send(fight, "Ben", "Commit 1 from the Island; Burn the Island")) == [
        "forbidden-this-turn",
        "not-your-province",
    ]


def test_a_crusade_is_one_golden_march_beside_the_brackets() -> None:
    seats: dict[str, dict[str, object]] = {
        "Ann": {"faction": "Iron Light"},
        "Ben": {"faction": "Iron Light"},
        "Cid": {"faction": "Hodir"},
    }
    state = with_factions("1 Ann 1, 2 Ann 1, 3 Ann 1, 4 Ben 1, 5 Ben 1, 6 Cid 1", seats)
    three = "Golden March! 1 from P1 to P2; Golden March! 1 from P2 to P3; Golden March! 1 from P3 to P4"
    assert codes(send(state, "Ann", three)) == ["second-golden"]
    assert codes(
        send(state, "Ben", "Golden March! 1 from P4 to P5; Golden March! 1 from P5 to P6")
    ) == ["second-golden"]
    assert codes(send(state, "Cid", "Golden March! 1 from P6 to P1")) == ["no-gold-in-bracket"]
    first = send(state, "Ann", three).standing
    later = send(state, "Ann", "Golden March! 1 from P3 to P4", first)
    assert texts(state, later.standing.orders) == [
        "March! 1 from P1 to P2",
        "Golden March! 1 from P2 to P3",
        "Golden March! 1 from P3 to P4",
    ]


def test_money_of_team_mates_is_asked_for_but_never_looked_at() -> None:
    players = {
        "Ann": {"team": "A", "realm": 30},
        "Ben": {"team": "A", "realm": 1},
        "Cid": {"team": "B"},
        "Dot": {"team": "B"},
    }
    shop = position("1 Ann 1, 2 Ben 1, 3 Cid 1, 4 Dot 1", phase="consolidation", players=players)
    assert send(shop, "Ann", "Buy 1 in P1; Bid 25; Use 110 from Ben").problems == ()
    assert codes(
        send(shop, "Ann", "Use 5 from Cid; Use 0 from Ben; Use 5 from Ben; Use 6 from Ben")
    ) == ["unknown-player", "out-of-range", "second-order"]


def test_the_bank_and_an_answer_to_the_dragon_take_each_others_place() -> None:
    seats = {"Lena": {"faction": "Lannuvár"}, "Ben": {}}
    told: dict[str, object] = {
        "phase": "dragon",
        "attack": {"during": "reveal"},
        "in_play": ["Calms of Summer", "There be Dragons!"],
    }
    state = with_factions("1 Lena 2, 2 Ben 1", seats, **told)
    bank = send(state, "Lena", "The Bank of Lannuvár")
    assert bank.complete
    commits = send(state, "Lena", "Commit 1 from P1; Burn P1", bank.standing)
    assert texts(state, commits.standing.orders) == ["Commit 1 from P1", "Burn P1"]
    again = send(state, "Lena", "The Bank of Lannuvár", commits.standing)
    assert texts(state, again.standing.orders) == ["The Bank of Lannuvár"]
    assert texts(state, again.replaced) == ["Commit 1 from P1", "Burn P1"]


def test_hiding_and_magisters_take_each_others_place() -> None:
    told: dict[str, object] = {
        "phase": "dragon",
        "attack": {"during": "reveal"},
        "in_play": ["Calms of Summer", "There be Dragons!"],
    }
    state = with_factions(
        "1 Kai 2, 2 Ben 1, 0 Kai 1",
        {"Kai": {"faction": "Kalu'Ak", "extra": ["Fight fire with fire"]}, "Ben": {}},
        **told,
    )
    fire = send(state, "Kai", "Fight fire with fire: 1; Nothing to see here!")
    assert codes(fire) == ["second-order"]
    hide = send(state, "Kai", "Nothing to see here!", fire.standing)
    assert texts(state, hide.standing.orders) == ["Nothing to see here!"]


def test_a_march_onto_a_team_mate_is_warned_of() -> None:
    players = {
        "Ann": {"team": "A"},
        "Ben": {"team": "A"},
        "Cid": {"team": "B"},
        "Dot": {"team": "B"},
    }
    state = position("1 Ann 2, 2 Ben 1, 3 Cid 1, 4 Dot 0", players=players)
    problem = only(send(state, "Ann", "March! 1 from P1 to P2"))
    assert (problem.code, problem.warning, problem.rules, problem.facts) == (
        "fights-team-mate",
        True,
        ("PR-13.4",),
        {"province": 2, "player": "Ben"},
    )
    assert send(state, "Ann", "March! 1 from P1 to P4").problems == ()


def test_the_buying_step_is_answered_when_the_sanctum_is_too() -> None:
    state = with_factions(
        "1 Ann 3, 2 Ben 3, 0 Ann 1",
        {"Ann": {"faction": "Hodir", "realm": 0}, "Ben": {"realm": 0}},
        phase="consolidation",
    )
    assert not send(state, "Ann", "Bid 0").complete
    assert send(state, "Ann", "Bid 0; Take Crusade").complete
    assert send(state, "Ben", "Bid 0").complete
    assert codes(send(state, "Ann", "Take Crusade; Take Weather forecast")) == ["second-order"]


def test_the_bank_is_not_opened_when_no_bid_follows() -> None:
    state = with_factions(
        "1 Lena 1, 2 Ben 1",
        {"Lena": {"faction": "Lannuvár"}, "Ben": {}},
        phase="consolidation",
        turn=12,
        in_play=["Calms of Summer", "Bloodlust!", "Ferry!", "Time's Up!"],
    )
    assert codes(send(state, "Lena", "The Bank of Lannuvár")) == ["not-now"]


def test_final_beside_a_refused_order_is_held_back() -> None:
    state = position(RING)
    checked = send(state, "Ann", "Final; Fortify! P1; Fortify! P3")
    assert codes(checked) == ["not-your-province", "final-held"]
    assert checked.problems[1].order == 0
    assert checked.accepted == (o.Fortify(1),)
    assert not checked.standing.final
    assert send(state, "Ann", "Fortify! P1; Final").standing.final
