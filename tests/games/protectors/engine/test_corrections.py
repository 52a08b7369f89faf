"""A game master sets the table right: what changes, who is told what, and what cannot be."""

import re

import pytest
from msgspec.structs import replace

from engine.chance import Chance
from engine.protectors.ability_events import Corrected
from engine.protectors.orders import Bid
from engine.protectors.ruleset import PROTECTORS
from engine.protectors.state import Peek, State
from engine.ruleset import Outcome
from tests.games.protectors.engine.tabletop import SEED, position
from tests.rows import each_row

STATE = position(
    "1 Ann 1, 2 Ben 2, 3 - 0, 4 Cid 1",
    eliminated={"Dan": "Ann"},
    decks={"event": ["Flood!", "Deep Snow"]},
    dpl=3,
)


def correct(state: State, **told: object) -> Outcome[State]:
    return PROTECTORS.act(state, "gm", told, Chance(SEED))


def test_units_owners_and_the_power_of_the_dragon_are_set_in_public() -> None:
    state = STATE
    for told, facts in (
        ({"act": "set-units", "province": 2, "units": 3}, Corrected("units", 2, None, 2, 3)),
        ({"act": "set-owner", "province": 2, "owner": 3}, Corrected("owner", 2, None, 2, 3)),
        ({"act": "set-owner", "province": 1, "owner": None}, Corrected("owner", 1, None, 1, None)),
        ({"act": "set-dpl", "dpl": 7}, Corrected("dpl", None, None, 3, 7)),
    ):
        outcome = correct(state, **told)
        (event,) = outcome.events
        assert (event.facts, event.audience) == (facts, None)
        assert PROTECTORS.decode_event(PROTECTORS.encode_event(event)) == event
        state = outcome.state
    assert [(p.owner, p.units) for p in state.board] == [
        (None, 0),
        (None, 0),
        (3, 3),
        (None, 0),
        (3, 1),
    ]
    assert state.dpl == 7
    assert state.ranking == (1, 2, 3), "who lost a province so is judged at the next Eliminate step"


def test_the_amount_of_money_is_for_its_holder_alone() -> None:
    outcome = correct(STATE, act="set-money", player=2, realm=40)
    assert outcome.state.players[1].realm == 40
    assert [(event.facts, event.audience) for event in outcome.events] == [
        (Corrected("money", None, 2, None, None), None),
        (Corrected("money", None, 2, 100, 40), (2,)),
    ]


def test_a_card_changes_places_with_the_one_in_play() -> None:
    outcome = correct(STATE, act="set-card", card="Deep Snow")
    assert [played.card for played in outcome.state.in_play] == [
        "Deep Snow",
        "The Misty Mountains Cold",
    ]
    assert outcome.state.event.draw == ("Flood!", "Calms of Summer")
    assert outcome.events[0].facts == Corrected("card", None, None, "Calms of Summer", "Deep Snow")


def test_who_looked_at_the_top_card_does_not_go_on_seeing_it_there_when_it_comes_into_play() -> (
    None
):
    seen = replace(STATE, peeks=(Peek(1, "event", "Flood!"), Peek(2, "sea", "Ferry!")))
    top, below = (
        correct(seen, act="set-card", card="Flood!").state,
        correct(seen, act="set-card", card="Deep Snow").state,
    )
    assert [peek.lies_there for peek in top.peeks] == [False, True]
    assert [peek.lies_there for peek in below.peeks] == [True, True]


def test_an_eliminated_player_comes_back() -> None:
    outcome = correct(STATE, act="restore", player=4, rank=2, provinces=[3])
    state = outcome.state
    assert state.ranking == (1, 4, 2, 3)
    assert state.players[3].is_active
    assert state.board[3].owner == 4
    assert [event.facts for event in outcome.events] == [
        Corrected("restored", None, 4, None, 2),
        Corrected("owner", 3, None, None, 4),
    ]
    assert correct(STATE, act="restore", player=4).state.ranking == (1, 2, 3, 4)


def test_an_eliminated_player_comes_back_with_units() -> None:
    outcome = correct(STATE, act="restore", player=4, provinces=[3], units=[2])
    assert (outcome.state.board[3].owner, outcome.state.board[3].units) == (4, 2)
    assert [event.facts for event in outcome.events] == [
        Corrected("restored", None, 4, None, 4),
        Corrected("owner", 3, None, None, 4),
        Corrected("units", 3, None, 0, 2),
    ]
    assert len(correct(STATE, act="restore", player=4, provinces=[3], units=[0]).events) == 2, (
        "nothing is told of what stays as it was"
    )


def test_a_reason_is_told_with_the_correction_and_changes_nothing() -> None:
    said, silent = (
        correct(STATE, act="set-dpl", dpl=7, reason="I mistyped the order"),
        correct(STATE, act="set-dpl", dpl=7),
    )
    assert said.state == silent.state
    assert [event.facts for event in said.events] == [
        Corrected("dpl", None, None, 3, 7, "I mistyped the order")
    ]


def test_what_cannot_be_is_told_in_words() -> None:
    for told, words in (
        (
            {"act": "set-units", "province": 3, "units": 1},
            "nobody owns P3, and units need an owner",
        ),
        ({"act": "set-owner", "province": 1, "owner": 4}, "Dan is out of the game"),
        ({"act": "set-owner", "province": 0, "owner": 1}, "there is no Island in this game"),
        ({"act": "restore", "player": 1}, "Ann is in the game"),
        ({"act": "restore", "player": 4, "provinces": [1]}, "P1 belongs to somebody"),
        (
            {"act": "set-card", "card": "Ferry!"},
            "no card of the sea deck is in play, so Ferry! can take the place of none",
        ),
        (
            {"act": "set-card", "card": "Calms of Summer"},
            "Calms of Summer does not lie in the event deck",
        ),
    ):
        with pytest.raises(ValueError, match=re.escape(words)):
            correct(STATE, **told)


@each_row(
    "told",
    [
        {"act": "set-units", "province": 9, "units": 1},
        {"act": "set-units", "province": 3, "units": 1},
        {"act": "set-units", "province": 1, "units": -1},
        {"act": "set-units", "province": 1, "units": 5000},
        {"act": "set-units", "province": 1},
        {"act": "set-units", "province": 1, "units": 1, "why": "for fun"},
        {"act": "set-owner", "province": 1, "owner": 4},
        {"act": "set-owner", "province": -1, "owner": 1},
        {"act": "set-money", "player": 4, "realm": 1},
        {"act": "set-money", "player": 1, "realm": -1},
        {"act": "set-dpl", "dpl": -1},
        {"act": "set-card", "card": "Ace of Spades"},
        {"act": "set-card", "card": "Ferry!"},
        {"act": "set-card", "card": "Calms of Summer"},
        {"act": "restore", "player": 1},
        {"act": "restore", "player": 9},
        {"act": "restore", "player": 4, "rank": 5},
        {"act": "restore", "player": 4, "provinces": [1]},
        {"act": "restore", "player": 4, "provinces": [3, 3]},
        {"act": "restore", "player": 4, "provinces": [3], "units": [1, 2]},
        {"act": "restore", "player": 4, "provinces": [3], "units": [-1]},
        {"act": "set-owner", "province": 1, "owner": 9},
        {"act": "set-dpl", "dpl": 1, "reason": 3},
    ],
)
def test_corrections_that_cannot_be_are_refused(told: dict[str, object]) -> None:
    with pytest.raises(ValueError):
        correct(STATE, **told)


def test_only_the_game_master_corrects_and_not_after_the_end() -> None:
    with pytest.raises(ValueError):
        PROTECTORS.act(STATE, 1, {"act": "set-dpl", "dpl": 1}, Chance(SEED))
    over = position("1 Ann 1, 2 Ben 1", phase="over", winner="Ann")
    with pytest.raises(ValueError):
        correct(over, act="set-dpl", dpl=1)


def test_f48_who_is_restored_while_the_bank_answers_has_bid_nothing() -> None:
    """PR-11.7: found by the machine of games; the close had no bid to rank."""
    asked = position(
        "1 Ann 1, 2 Ben 1, 3 Cid 1",
        options={"factions": "choice"},
        phase="bank",
        in_play=["Deep Snow", "Bloodlust!"],
        provinces=7,
        eliminated={"Dora": "Ann"},
        decks={"event": ["Calms of Summer"], "dragons": ["The Misty Mountains Cold"]},
    )
    players = (
        replace(asked.players[0], faction="Lannuvár", used=("bank",), effects=(("bank", 4),)),
        *asked.players[1:],
    )
    asked = replace(asked, players=players, bids=((2, 5), (3, 0)))
    back = correct(asked, act="restore", player=4, provinces=[4], units=[1]).state
    closed = PROTECTORS.adjudicate(back, {1: (Bid(0),)}, Chance(SEED)).state
    assert (closed.turn, closed.ranking) == (4, (1, 2, 3, 4)), (
        "Ann's 0 counts 15 for P1, Ben 5; Cid and Dora 0, as they were ranked"
    )
