"""Cards, the threshold and the Dragon in between (sections 4 and 5 of the rules). Quiet closes a
turn with no purchase.
"""

from typing import Any

import pytest

from engine.protectors.events import (
    CardRevealed,
    CardsLocked,
    CardStayed,
    DeckRenewed,
    DragonCame,
    OrdersMissed,
    PlagueStruck,
    WindowOpened,
)
from engine.protectors.numbers import threshold
from engine.protectors.state import Played, State
from tests.games.protectors.engine.tabletop import Closed, close, position
from tests.rows import each_row

MISTY = "The Misty Mountains Cold"
CALMS = "Calms of Summer"
SIX = "1 Ann 1, 2 Ben 1, 3 Cid 1, 4 Dan 1, 5 Eve 1, 6 Fay 1"
"""Six players on six provinces: the threshold is 12, a card adds 1."""


def before_turn(turn: int, lands: str = SIX, **told: Any) -> State:
    """The buying step of the turn before, nobody rich."""
    told.setdefault("purses", dict.fromkeys(("Ann", "Ben", "Cid", "Dan", "Eve", "Fay"), 0))
    return position(lands, turn=turn - 1, phase="consolidation", **told)


def play(state: State, **told: str) -> Closed:
    """Everybody bids nothing and buys nothing."""
    bids = {player.name: "Bid 0" for player in state.players if player.is_active}
    return close(state, bids | told)


def cards(closed: Closed) -> list[str]:
    return [card.card for card in closed.told(CardRevealed)]


@pytest.mark.parametrize(("turn", "drawn"), [(2, 2), (4, 2), (5, 3), (9, 3), (10, 4)])
def test_a_sea_card_comes_from_turn_5_and_the_end_from_turn_10(turn: int, drawn: int) -> None:
    decks = {
        "event": ["Deep Snow"],
        "dragons": [MISTY],
        "sea": ["Crab Infestation!"],
        "end": ["The End is Nigh!"],
    }
    closed = play(before_turn(turn, decks=decks))
    assert cards(closed) == ["Deep Snow", MISTY, "Crab Infestation!", "The End is Nigh!"][:drawn]
    assert closed.state.dpl == drawn
    assert closed.state.stage == "orders"
    assert closed.one(WindowOpened).phase == "orders"
    assert {"PR-2.2", "PR-2.3", "PR-2.4"} <= closed.rules(WindowOpened)


@each_row(
    ("purse", "provinces", "step"),
    [(249, 6, 1), (250, 6, 2), (349, 6, 2), (350, 6, 3), (350, 14, 6), (0, 27, 3), (250, 52, 8)],
)
def test_the_richest_purse_feeds_the_dragon(purse: int, provinces: int, step: int) -> None:
    state = before_turn(
        2,
        provinces=provinces,
        purses={"Ann": purse},
        decks={"event": [CALMS], "dragons": [MISTY]},
        options={"version": "grand"} if provinces > 6 else None,
        starting_players=6,
    )
    purses = [player.realm for player in state.players]
    assert max(purses) == max(purse, 100), "the others hold 100"
    closed = play(state)
    assert [card.step for card in closed.told(CardRevealed)] == [step, step]


def test_what_was_bid_away_is_no_hoard_any_more() -> None:
    state = before_turn(2, purses={"Ann": 360}, decks={"event": [CALMS], "dragons": [MISTY]})
    assert [card.step for card in play(state, Ann="Bid 200").told(CardRevealed)] == [1, 1]


def test_the_cards_of_a_turn_are_put_away_and_an_empty_deck_is_made_anew() -> None:
    state = before_turn(
        2,
        in_play=["Deep Snow", MISTY],
        decks={"event": [], "dragons": ["Bloodlust!"]},
        discards={"event": [CALMS]},
    )
    closed = close(
        state,
        dict.fromkeys(("Ann", "Ben", "Cid", "Dan", "Eve", "Fay"), "Bid 0"),
        chance=[("Deep Snow", CALMS)],
    )
    assert closed.one(DeckRenewed) == DeckRenewed("event", "empty")
    assert closed.rules(DeckRenewed) == {"PR-4.4"}
    assert cards(closed) == ["Deep Snow", "Bloodlust!"]
    assert closed.state.event.draw == (CALMS,)
    assert MISTY in closed.state.dragons.discard


def test_a_deck_without_any_card_gives_none() -> None:
    state = before_turn(
        2, in_play=[MISTY], decks={"event": [], "dragons": [MISTY]}, discards={"event": []}
    )
    assert cards(play(state)) == [MISTY]


def test_black_swan_shuffles_all_event_cards_but_the_locked_and_another_is_played() -> None:
    # In play and discarded: Deep Snow, Flood!; locked: Winter Storms. 2 steps for the Swan and the
    # new card, 1 for Misty.
    state = before_turn(
        3,
        in_play=["Deep Snow", MISTY],
        locked=["Winter Storms"],
        decks={"event": ["Black Swan", CALMS], "dragons": [MISTY]},
        discards={"event": ["Flood!"]},
    )
    bids = dict.fromkeys(("Ann", "Ben", "Cid", "Dan", "Eve", "Fay"), "Bid 0")
    closed = close(state, bids, chance=[(CALMS, "Black Swan", "Deep Snow", "Flood!")])
    assert cards(closed) == ["Black Swan", CALMS, MISTY]
    assert [card.dpl for card in closed.told(CardRevealed)] == [1, 2, 3]
    assert closed.state.event.draw == ("Black Swan", "Deep Snow", "Flood!")
    assert closed.state.event.discard == ()
    assert [card.card for card in closed.told(CardStayed)] == ["Winter Storms"]
    assert [played.card for played in closed.state.in_play] == [CALMS, MISTY]


def test_a_second_black_swan_is_played_like_the_first() -> None:
    state = before_turn(
        2,
        in_play=[MISTY],
        decks={"event": ["Black Swan"], "dragons": [MISTY]},
        discards={"event": [CALMS]},
    )
    bids = dict.fromkeys(("Ann", "Ben", "Cid", "Dan", "Eve", "Fay"), "Bid 0")
    closed = close(state, bids, chance=[("Black Swan", CALMS), (CALMS, "Black Swan")])
    assert cards(closed) == ["Black Swan", "Black Swan", CALMS, MISTY]


def test_black_swan_that_brings_the_dragon_leaves_its_new_card_for_afterwards() -> None:
    state = before_turn(
        3,
        dpl=11,
        decks={"event": ["Black Swan"], "dragons": [MISTY]},
        discards={"event": []},
        locked=["Power Overwhelming"],
    )
    bids = dict.fromkeys(("Ann", "Ben", "Cid", "Dan", "Eve", "Fay"), "Bid 0")
    closed = close(state, bids, chance=[(CALMS, "Black Swan")])
    assert cards(closed) == ["Black Swan"]
    assert closed.state.stage == "dragon"
    assert closed.state.attack is not None
    assert (closed.state.attack.dpl, closed.state.attack.waiting) == (12, ())
    # Six commit one each: 6 against 12, the Dragon wins, DPL 6. Then the new card (7), the staying
    # Power (13), Misty (14): again.
    after = close(
        closed.state,
        {
            name: f"Commit 1 from P{i}"
            for i, name in enumerate(("Ann", "Ben", "Cid", "Dan", "Eve", "Fay"), 1)
        },
    )
    assert cards(after) == [CALMS, MISTY]
    assert [(stay.card, stay.extra, stay.dpl) for stay in after.told(CardStayed)] == [
        ("Power Overwhelming", 6, 13)
    ]
    assert after.state.stage == "dragon"
    assert after.state.dpl == 14


def test_power_overwhelming_adds_the_provinces_with_its_step_in_one_raise() -> None:
    closed = play(
        before_turn(2, dpl=5, decks={"event": ["Power Overwhelming"], "dragons": [MISTY]})
    )
    (card,) = closed.told(CardRevealed)
    assert (card.step, card.extra, card.dpl, card.threshold) == (1, 6, 12, 12)
    assert closed.one(DragonCame).attacks == 1
    assert {"PR-4.6", "PR-5.1", "PR-5.2", "PR-9.1", "PR-9.4", "PR-9.17"} <= closed.rules(DragonCame)
    assert closed.state.stage == "dragon"


@pytest.mark.parametrize(
    ("dpl", "attacks"), [(9, 1), (10, 2)]
)  # two steps before the card's own effect: 11, 12
def test_there_be_dragons_at_the_threshold_is_an_after_burner(dpl: int, attacks: int) -> None:
    closed = play(
        before_turn(2, dpl=dpl, decks={"event": [CALMS], "dragons": ["There be Dragons!"]})
    )
    came = closed.one(DragonCame)
    assert (came.cause, came.attacks, came.dpl) == ("card", attacks, dpl + 2)
    assert ("PR-5.3" in closed.rules(DragonCame)) == (attacks == 2)


def test_the_end_is_nigh_locks_the_other_cards_of_its_turn() -> None:
    decks = {
        "event": ["Deep Snow", CALMS],
        "dragons": ["Bloodlust!", MISTY],
        "sea": ["Ferry!", "Plague!"],
        "end": ["The End is Nigh!", "The End is Nigh!"],
    }
    first = play(before_turn(10, in_play=[CALMS, MISTY], decks=decks))
    assert first.one(CardsLocked).cards == ("Deep Snow", "Bloodlust!", "Ferry!")
    orders = close(
        first.state,
        {
            name: f"Hold P{i}"
            for i, name in enumerate(("Ann", "Ben", "Cid", "Dan", "Eve", "Fay"), 1)
        },
    )
    second = play(orders.state)
    assert [played.card for played in second.state.locked] == ["Deep Snow", "Bloodlust!", "Ferry!"]
    assert "The End is Nigh!" in second.state.end.discard
    assert not {"Deep Snow", "Ferry!"} & {*second.state.event.discard, *second.state.sea.discard}
    assert second.state.dragons.discard.count("Bloodlust!") == 1, "the other one"
    staying = [
        (event.facts.card, event.kind)
        for event in second.events
        if isinstance(event.facts, CardRevealed | CardStayed)
    ]
    assert staying == [
        (CALMS, "card"),
        ("Deep Snow", "card-stays"),
        (MISTY, "card"),
        ("Bloodlust!", "card-stays"),
        ("Plague!", "card"),
        ("Ferry!", "card-stays"),
        ("The End is Nigh!", "card"),
    ]
    assert second.one(CardsLocked).cards == (CALMS, MISTY, "Plague!")


def test_staying_cards_go_on_after_the_attack_that_interrupted_them() -> None:
    # Locked: two dragon cards in this order. A new Misty; the first staying card attacks, the
    # second one too, then the Sea card.
    locked = ["There be Dragons!", "There be Dragons!"]
    state = before_turn(
        6,
        SIX.replace(" 1,", " 2,"),
        locked=locked,
        decks={"event": [CALMS], "dragons": [MISTY], "sea": ["Crab Infestation!"]},
    )
    first = play(state)
    assert cards(first) == [CALMS, MISTY]
    assert first.one(DragonCame).cause == "staying-card"
    assert first.state.attack is not None
    assert first.state.attack.waiting == ("There be Dragons!",)
    # DPL 2: six units win, each loses one. Then an attack with 1: five are enough; Fay has no unit
    # left.
    commits = {
        name: f"Commit 1 from P{i}"
        for i, name in enumerate(("Ann", "Ben", "Cid", "Dan", "Eve", "Fay"), 1)
    }
    second = close(first.state, commits)
    assert second.state.dpl == 0
    came = second.one(DragonCame)
    assert (came.cause, came.dpl) == ("staying-card", 1)
    assert "PR-5.3" in second.rules(DragonCame), "never below 1"
    third = close(second.state, {name: text for name, text in commits.items() if name != "Fay"})
    assert "Crab Infestation!" in cards(third)


def test_a_staying_power_adds_the_provinces_but_is_checked_with_the_next_card_only() -> None:
    # 4: Calms 5 (12 not reached), staying Power 11, Misty 12: the Dragon comes with that card.
    state = before_turn(
        4, dpl=4, locked=["Power Overwhelming"], decks={"event": [CALMS], "dragons": [MISTY]}
    )
    closed = play(state)
    assert cards(closed) == [CALMS, MISTY]
    assert closed.state.stage == "dragon"
    # 5: Calms 6, staying Power 12: at the threshold, yet no card was revealed; There be Dragons!
    # 13: an After Burner.
    state = before_turn(
        4,
        dpl=5,
        locked=["Power Overwhelming"],
        decks={"event": [CALMS], "dragons": ["There be Dragons!"]},
    )
    assert play(state).one(DragonCame).attacks == 2


def test_the_plague_counts_province_by_province() -> None:
    # Ann in P1 to P4: P1 has P2 beside it: loses 1 (0 left). P2: P3 beside it: loses its last. P3:
    # P4 beside it: 2 - 1. P4: P3 has 1: 1 - 1.
    lands = "1 Ann 1, 2 Ann 1, 3 Ann 2, 4 Ann 1, 5 Ben 1, 6 Ben 0, 7 Cid 3"
    state = before_turn(5, lands, decks={"event": [CALMS], "dragons": [MISTY], "sea": ["Plague!"]})
    closed = play(state)
    assert closed.one(PlagueStruck).losses == ((1, 1), (2, 1), (3, 1), (4, 1))
    assert [closed.land(i)[1] for i in range(1, 8)] == [0, 0, 1, 0, 1, 0, 3]


def test_under_flood_the_plague_finds_no_neighbours() -> None:
    state = before_turn(
        5,
        "1 Ann 1, 2 Ann 1, 3 Ben 1",
        decks={"event": ["Flood!"], "dragons": [MISTY], "sea": ["Plague!"]},
    )
    closed = play(state)
    assert closed.one(PlagueStruck).losses == ()
    assert closed.rules(PlagueStruck) == {"PR-4.19", "PR-4.15"}


def test_bloodlust_lowers_the_threshold_by_the_players_for_this_turn_only() -> None:
    # 8 started on 16 provinces; 3 out, 1 of them this turn: 2 * (16 - 2) - 8 = 20; without
    # Bloodlust! 2 * 13 = 26.
    told: dict[str, Any] = {
        "provinces": 16,
        "starting_players": 8,
        "options": {"version": "grand"},
        "eliminated": {"Xia": "dragon", "Yan": "dragon", "Zoe": "dragon"},
    }
    lands = "1 Ann 1, 2 Ben 1, 3 Cid 1, 4 Dan 1, 5 Eve 1"
    state = position(lands, in_play=[CALMS, "Bloodlust!"], eliminated_this_turn=["Zoe"], **told)
    assert threshold(state) == 20
    assert threshold(position(lands, in_play=[CALMS, "Bloodlust!"], **told)) == 26
    assert (
        threshold(position(lands, in_play=[CALMS, MISTY], eliminated_this_turn=["Zoe"], **told))
        == 26
    )


def test_turn_1_always_plays_the_calms_and_the_mists() -> None:
    state = position(
        "1 Ann 1, 2 Ben 1",
        turn=1,
        phase="bidding",
        purses={"Ann": 50, "Ben": 50},
        decks={"event": ["Deep Snow", CALMS], "dragons": ["There be Dragons!", MISTY, MISTY]},
    )
    closed = close(state, {"Ann": "Bid 2", "Ben": "Bid 1"})
    assert cards(closed) == [CALMS, MISTY]
    assert "PR-4.3" in closed.rules(CardRevealed)
    assert closed.state.event.draw == ("Deep Snow",)
    assert closed.state.dragons.draw == ("There be Dragons!", MISTY)
    assert closed.state.in_play == (Played("event", CALMS), Played("dragons", MISTY))
    assert "missed" not in closed.kinds
    assert closed.rules(OrdersMissed) == set()


def test_turn_1_plays_the_calms_even_from_a_deck_that_lacks_them() -> None:
    state = position(
        "1 Ann 1, 2 Ben 1",
        turn=1,
        phase="bidding",
        decks={"event": ["Deep Snow"], "dragons": ["Bloodlust!"]},
    )
    closed = close(state, {"Ann": "Bid 2", "Ben": "Bid 1"})
    assert cards(closed) == [CALMS, MISTY]
    assert closed.state.event.draw == ("Deep Snow",)


def test_under_bloodlust_one_elimination_can_bring_the_dragon() -> None:
    # P = S = 7: 14; Gil falls to Ann: 14 - 7 = 7 under Bloodlust!, 12 without it. The DPL is 7.
    lands = "1 Ann 2, 2 Ben 1, 3 Cid 1, 4 Dan 1, 5 Eve 1, 6 Fay 1, 7 Gil 0"
    told = {"Ann": "March! 2 from P1 to P7"}
    wild = close(position(lands, dpl=7, in_play=[CALMS, "Bloodlust!"]), told)
    assert (wild.one(DragonCame).threshold, wild.state.stage) == (7, "dragon")
    assert "PR-5.5" in wild.rules(DragonCame)
    calm = close(position(lands, dpl=7, in_play=[CALMS, MISTY]), told)
    assert calm.state.stage == "consolidation"
