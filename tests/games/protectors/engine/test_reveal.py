"""Cards, the threshold and the Dragon in between (sections 4 and 5 of the rules). Quiet closes a
turn with no purchase.
"""

from typing import Any

import pytest

from engine.protectors.events import (
    CardRevealed,
    DragonCame,
    OrdersMissed,
    PlagueStruck,
    WindowOpened,
)
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


def test_a_deck_without_any_card_gives_none() -> None:
    state = before_turn(
        2, in_play=[MISTY], decks={"event": [], "dragons": [MISTY]}, discards={"event": []}
    )
    assert cards(play(state)) == [MISTY]


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


def test_under_flood_the_plague_finds_no_neighbours() -> None:
    state = before_turn(
        5,
        "1 Ann 1, 2 Ann 1, 3 Ben 1",
        decks={"event": ["Flood!"], "dragons": [MISTY], "sea": ["Plague!"]},
    )
    closed = play(state)
    assert closed.one(PlagueStruck).losses == ()
    assert closed.rules(PlagueStruck) == {"PR-4.19", "PR-4.15"}


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
