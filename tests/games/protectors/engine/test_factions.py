"""What no case can show of the factions: peeks answered at once, who may know, what is still
usable, and strikes in between.
"""

from collections.abc import Mapping

import msgspec
import pytest
from msgspec import UNSET

from engine.chance import Chance
from engine.protectors.ability_events import (
    AbilityUsed,
    AnswersShown,
    CardSeen,
    KingFought,
    KingPaid,
    PlayerSaved,
)
from engine.protectors.checking.usable import usable
from engine.protectors.events import (
    BattleFought,
    BidsRevealed,
    DragonAttacked,
    OrderFailed,
    WindowOpened,
)
from engine.protectors.factions.king import king_strength
from engine.protectors.orders import (
    Forecast,
    Fortify,
    Hide,
    Hold,
    Order,
    Palantir,
    PutAtBottom,
    ReadDragonDeck,
)
from engine.protectors.ruleset import PROTECTORS
from engine.protectors.state import Peek, State
from engine.protectors.view_of import view_of
from engine.ruleset import Outcome, Standing
from tests.games.protectors.engine.tabletop import SEED, close, orders_of, position
from tests.rows import each_row

Seats = Mapping[str, Mapping[str, object]]


def table(lands: str, seats: Seats, **told: object) -> State:
    players = {name: {"realm": 100, **seat} for name, seat in seats.items()}
    island = any(entry.split()[0] == "0" for entry in lands.split(","))
    return position(
        lands, options={"factions": "choice", "island": island}, players=players, **told
    )


def ashes(**told: object) -> State:
    return table(
        "1 Kai 1 burnt, 2 Ben 1, 3 Kim 1 burnt",
        {"Kai": {"faction": "Kalu'Ak"}, "Ben": {}, "Kim": {"faction": "Kalu'Ak"}},
        decks={"event": ["Deep Snow", "Flood!"], "dragons": ["Bloodlust!", "There be Dragons!"]},
        **told,
    )


def peek(state: State, player: int, words: str) -> Outcome[State]:
    return PROTECTORS.act(state, player, {"act": "peek", "order": words}, Chance(SEED))


# -------------------------------------------------------------------------------------------- peeks
def test_a_forecast_is_answered_at_once_and_to_nobody_else() -> None:
    state = ashes()
    seen = peek(state, 1, "Weather forecast")
    (event,) = seen.events
    assert (event.facts, event.audience) == (CardSeen(1, "event", "Deep Snow"), (1,))
    assert "PR-11.2" in event.rules
    # a player's view has its own part
    assert view_of(seen.state, 1).you.seen == (Peek(1, "event", "Deep Snow"),)  # type: ignore[union-attr]
    for other in (None, 2, 3):
        assert view_of(seen.state, other) == view_of(state, other)


def test_the_acts_of_a_player_are_the_peeks_and_nothing_else() -> None:
    assert PROTECTORS.act_of(Forecast()) == {"act": "peek", "order": "Weather forecast"}
    assert PROTECTORS.act_of(Palantir("end")) == {"act": "peek", "order": "Palantír: The End"}
    assert PROTECTORS.act_of(Fortify(1)) is None
    for actor, told in (
        (1, {"act": "peek", "order": "Hold P1"}),
        (1, {"act": "peek", "order": "gibberish"}),
        (1, {"act": "peek"}),
        ("gm", {"act": "peek", "order": "Weather forecast"}),
        (2, {"act": "peek", "order": "Weather forecast"}),
        (1, {"act": "peek", "order": "Palantír: Sea"}),
    ):
        with pytest.raises(ValueError):
            # the union of both kinds of actors
            PROTECTORS.act(ashes(), actor, told, Chance(SEED))  # type: ignore[arg-type]


def test_a_forecast_is_one_a_turn_and_what_was_done_at_once_is_not_done_again_at_the_close() -> (
    None
):
    state = peek(ashes(), 1, "Weather forecast").state
    with pytest.raises(ValueError, match="used-up"):
        peek(state, 1, "Weather forecast")
    state = peek(state, 1, "Put the card at the bottom").state
    assert state.event.draw == ("Flood!", "Deep Snow")
    with pytest.raises(ValueError, match="not-now"):
        peek(state, 1, "Put the card at the bottom")
    closed = close(state, {"Kai": "Weather forecast; Put the card at the bottom; Hold P1"})
    assert closed.state.event.draw == ("Flood!", "Deep Snow")
    assert not {"card-seen", "card-moved", "order-failed"} & set(closed.kinds)
    assert closed.state.peeks == (), "next turn there is a new forecast"


def test_ash_reading_and_the_palantir_are_paid_and_done_once_even_if_the_order_still_stands() -> (
    None
):
    state = table(
        "1 Kai 1, 2 Ben 1, 3 Cid 1, 0 Kai 1", {"Kai": {"faction": "Kalu'Ak"}, "Ben": {}, "Cid": {}}
    )
    state = peek(state, 1, "Read the dragon deck").state
    state = peek(state, 1, "Palantír: Sea").state
    assert state.players[0].realm == 70
    closed = close(
        state, {"Kai": "Read the dragon deck; Palantír: Sea; Palantír: The End; Hold P1"}
    )
    assert closed.realm["Kai"] == 70 - 15 + 50, "only the End was still to be looked at"
    assert [seen.deck for seen in closed.told(CardSeen)] == ["end"]
    assert closed.state.players[0].used == ("ash-reading",)


def test_who_sent_the_money_away_cannot_look_for_it() -> None:
    state = table("1 Kai 1, 2 Ben 1", {"Kai": {"faction": "Kalu'Ak", "realm": 20}, "Ben": {}})
    sent = PROTECTORS.check(state, 1, Standing(), orders_of(state, {"Kai": "Send 10 to Ben"})[1])
    looked = PROTECTORS.check(state, 1, sent.standing, [ReadDragonDeck()])
    assert [problem.code for problem in looked.problems] == ["cannot-afford"]


def test_a_card_that_another_moved_is_there_no_more() -> None:
    state = peek(peek(ashes(), 1, "Weather forecast").state, 3, "Weather forecast").state
    state = peek(state, 3, "Put the card at the bottom").state
    with pytest.raises(ValueError, match="not-now"):
        peek(state, 1, "Put the card at the bottom")
    closed = close(state, {"Kai": "Put the card at the bottom; Hold P1"})
    assert closed.state.event.draw == ("Flood!", "Deep Snow")


def test_what_was_seen_cannot_be_moved_if_the_ashes_do_not_move_it() -> None:
    swan = table(
        "1 Kai 1 burnt, 2 Ben 1",
        {"Kai": {"faction": "Kalu'Ak"}, "Ben": {}},
        decks={"event": ["Power Overwhelming"]},
    )
    state = peek(swan, 1, "Weather forecast").state
    assert [
        problem.code for problem in PROTECTORS.check(state, 1, Standing(), [PutAtBottom()]).problems
    ] == ["forbidden-this-turn"]
    assert PutAtBottom() not in list(PROTECTORS.legal(state, 1))
    tried = peek(state, 1, "Put the card at the bottom")
    assert tried.state == state
    (event,) = tried.events
    assert (event.facts, event.audience) == (OrderFailed(1, PutAtBottom(), "not-in-force"), (1,)), (
        "who asked before seeing it is told so"
    )


def test_a_deck_without_any_card_shows_nothing() -> None:
    state = table(
        "1 Kai 1, 2 Ben 1",
        {"Kai": {"faction": "Kalu'Ak"}, "Ben": {}},
        decks={"event": []},
        discards={"event": []},
    )
    (event,) = peek(state, 1, "Weather forecast").events
    assert event.facts == CardSeen(1, "event", None)


def test_peeks_that_cannot_be_paid_or_are_not_had_come_to_nothing_at_the_close() -> None:
    state = table(
        "1 Kai 1, 2 Ben 1, 3 Cid 1, 0 Kai 1",
        {"Kai": {"faction": "Kalu'Ak", "realm": 14}, "Ben": {}, "Cid": {}},
    )
    closed = close(
        state,
        {
            "Kai": "Read the dragon deck; Palantír: Sea; Hold P1",
            "Ben": "Weather forecast; Palantír: Sea; Hold P2",
        },
    )
    failed = {(fact.player, fact.reason) for fact in closed.told(OrderFailed)}
    assert failed == {(1, "cannot-pay"), (2, "not-in-force")}
    assert all(
        event.audience is not None
        for event in closed.events
        if isinstance(event.facts, OrderFailed)
    )
    assert closed.told(CardSeen) == []


# ----------------------------------------------------------------------------- what is still usable
def words(state: State, player: int) -> dict[str, tuple[int, bool]]:
    return {entry.words: (entry.cost, entry.now) for entry in usable(state, player)}


def test_a_view_tells_what_abilities_are_still_good_for_in_exact_words() -> None:
    assert words(ashes(), 1) == {
        "Weather forecast": (0, True),
        "Read the dragon deck": (15, True),
        "Put the card at the bottom": (0, False),
        "Place the Dragon on top": (0, False),
        "Nothing to see here!": (45, False),
    }
    assert words(ashes(), 2) == {}
    buying = table(
        "1 Ann 1 III, 2 Ben 1, 3 Cid 1, 4 Dan 1, 0 Dan 1",
        {
            "Ann": {"faction": "Hodir"},
            "Ben": {"faction": "Iron Light", "used": ["faith"]},
            "Cid": {"faction": "Lannuvár", "realm": 10},
            "Dan": {"faction": "Cenarion", "used": ["fire"]},
        },
        phase="consolidation",
    )
    assert words(buying, 1) == {"Hire the Mountain King": (50, True)}
    assert words(buying, 2) == {}
    assert words(buying, 3) == {"The Bank of Lannuvár": (33, False)}, "33 of 10 cannot be paid"
    told = words(buying, 4)
    assert (told["Refresh Fight fire with fire"], told["Take Crusade"], told["Palantír: Sea"]) == (
        (0, True),
        (0, True),
        (15, False),
    )
    assert "Take Defenders of the Realm" not in told
    dragon = table(
        "1 Ann 1, 2 Ben 1",
        {"Ann": {"faction": "Cenarion", "realm": 80}, "Ben": {}},
        phase="dragon",
        attack={"during": "reveal"},
        in_play=["Calms of Summer", "There be Dragons!"],
    )
    assert words(dragon, 1) == {"Fight fire with fire: 2": (70, True)}


def test_what_the_ashes_cannot_move_any_more_is_not_offered() -> None:
    swan = msgspec.structs.replace(
        ashes(), peeks=(Peek(1, "event", "Black Swan"), Peek(1, "dragons", "There be Dragons!"))
    )
    assert not {"Put the card at the bottom", "Place the Dragon on top"} & words(swan, 1).keys()
    flood = msgspec.structs.replace(
        ashes(), peeks=(Peek(1, "event", "Flood!"), Peek(1, "dragons", "Bloodlust!"))
    )
    assert (
        words(flood, 1)["Put the card at the bottom"]
        == words(flood, 1)["Place the Dragon on top"]
        == (0, True)
    )
    moved = msgspec.structs.replace(ashes(), peeks=(Peek(1, "event", "Flood!", lies_there=False),))
    assert "Put the card at the bottom" not in words(moved, 1)
    seat = ashes().players[0]
    spent = msgspec.structs.replace(
        ashes(),
        players=(msgspec.structs.replace(seat, used=("ash-reading",)), *ashes().players[1:]),
    )
    assert "Place the Dragon on top" not in words(spent, 1)
    assert "Put the card at the bottom" in words(spent, 1)


def test_everybody_sees_what_everybody_has_and_has_used() -> None:
    state = table(
        "1 Ann 1, 2 Ben 1, 0 Ann 1",
        {
            "Ann": {
                "faction": "Lannuvár",
                "used": ["bank"],
                "effects": {"bank": 4},
                "extra": ["Crusade"],
            },
            "Ben": {},
        },
    )
    seen = {
        ability.key: (ability.borrowed, ability.spent, ability.until)
        for ability in view_of(state, None).player(1).abilities
    }
    assert seen == {
        "politics": (False, None, None),
        "bank": (False, True, 4),
        "crusade": (True, None, None),
    }
    assert view_of(state, 2).player(1).has_crusade


def test_the_eliminated_have_nothing_left_to_use() -> None:
    state = position("1 Ann 1, 2 Ann 1", eliminated={"Kai": "Ann"})
    assert usable(state, 2) == ()


# ------------------------------------------------------------------------------------------ battles
def test_terms_tell_defenders_and_crusades_apart_from_plain_gold() -> None:
    state = table(
        "1 Ida 1, 2 Ann 1, 3 Ida 1",
        {"Ida": {"faction": "Iron Light"}, "Ann": {"faction": "Cenarion"}},
        ranking=["Ida", "Ann"],
        provinces=4,
    )
    closed = close(
        state,
        {
            "Ida": "Golden March! 1 from P1 to P2; Golden March! 1 from P3 to P2",
            "Ann": "Golden Fortify! P2",
        },
    )
    battle = closed.one(BattleFought)
    assert [(term.source, term.amount, term.rule) for term in battle.winner.terms] == [
        ("units", 2, "PR-7.6"),
        ("golden-march", 1, "PR-6.6"),
        ("crusade", 1, "PR-11.6"),
    ]
    assert [(term.source, term.amount, term.rule) for term in battle.loser.terms][1:] == [
        ("golden-fortify", 2, "PR-6.4"),
        ("defenders", 1, "PR-11.1"),
    ]


@each_row(
    ("held", "strength"),
    [(0, 1), (50, 1), (51, 2), (150, 2), (151, 3), (300, 3), (301, 4), (9999, 4)],
)
def test_the_king_sends_what_the_purse_is_worth(held: int, strength: int) -> None:
    assert king_strength(held) == strength


def test_only_the_tribute_is_secret_of_what_the_king_does() -> None:
    state = table("1 Hana 0, 2 Ben 2", {"Hana": {"faction": "Hodir"}, "Ben": {}}, provinces=3)
    closed = close(state, {"Ben": "March! 1 from P2 to P1"})
    assert closed.one(KingPaid) == KingPaid(1, 100, 50)
    assert closed.one(PlayerSaved) == PlayerSaved(1, (1,), guarded=False)
    assert [
        event.audience
        for event in closed.events
        if isinstance(event.facts, KingPaid | KingFought | PlayerSaved)
    ] == [None, (1,), None]


# ----------------------------------------------------------------------------- attacks and the Bank
def attack(seats: Seats, **told: object) -> State:
    return table(
        "1 Ann 1, 2 Ben 1, 3 Cid 1, 4 Dan 1",
        seats,
        phase="dragon",
        in_play=["Calms of Summer", "There be Dragons!"],
        attack={"during": "reveal", "dpl": 9},
        **told,
    )


def test_who_cannot_pay_at_the_close_does_not_hide_or_take_the_bank() -> None:
    seats: Seats = {
        "Ann": {"faction": "Kalu'Ak", "realm": 24},
        "Ben": {"faction": "Lannuvár", "realm": 32},
        "Cid": {},
        "Dan": {},
    }
    closed = close(
        attack(seats),
        {
            "Ann": "Nothing to see here!",
            "Ben": "The Bank of Lannuvár",
            "Cid": "The Bank of Lannuvár",
        },
    )
    assert closed.one(DragonAttacked).hidden == ()
    failed = {(fact.player, fact.reason) for fact in closed.told(OrderFailed)}
    assert failed == {(1, "cannot-pay"), (2, "cannot-pay"), (3, "not-in-force")}
    assert closed.told(AbilityUsed) == []


def test_who_has_no_hiding_place_left_is_there() -> None:
    seats: Seats = {
        "Ann": {"faction": "Kalu'Ak", "used": ["nothing"]},
        "Ben": {},
        "Cid": {},
        "Dan": {},
    }
    closed = close(attack(seats), {"Ann": "Nothing to see here!"})
    assert closed.told(OrderFailed) == [OrderFailed(1, Hide(), "not-in-force")]


def test_the_bank_is_not_asked_with_the_others_and_sees_their_answers() -> None:
    seats: Seats = {
        "Ann": {"faction": "Lannuvár", "used": ["bank"], "effects": {"bank": 3}},
        "Ben": {},
        "Cid": {},
        "Dan": {},
    }
    state = attack(seats)
    assert PROTECTORS.phase(state).asked == (2, 3, 4)
    closed = close(state, {"Ben": "Commit 1 from P2", "Dan": "Commit nothing"})
    assert closed.one(AnswersShown).answers == tuple(
        sorted(
            (
                *orders_of(state, {"Ben": "Commit 1 from P2", "Dan": "Commit nothing"}).items(),
                (3, ()),
            )
        )
    )
    assert (PROTECTORS.phase(closed.state).asked, PROTECTORS.phase(closed.state).hours) == (
        (1,),
        12,
    )
    shown = view_of(closed.state, None).attack
    assert shown is not None
    assert dict(shown.answers).keys() == {2, 3, 4}


def test_when_all_have_the_bank_they_are_asked_at_once() -> None:
    banker = {"faction": "Lannuvár", "used": ["bank"], "effects": {"bank": 3}}
    state = table(
        "1 Ann 1, 2 Ben 1",
        {"Ann": banker, "Ben": banker},
        phase="dragon",
        attack={"during": "reveal", "more": 1, "dpl": 1},
        in_play=["Calms of Summer", "There be Dragons!"],
    )
    closed = close(close(state).state, {"Ann": "Commit 1 from P1", "Ben": "Commit 1 from P2"})
    assert closed.state.stage == "bank", "the second attack of the After Burner has no other window"
    assert closed.state.attack is not None


def strike(state: State, player: int) -> Outcome[State]:
    return PROTECTORS.act(state, "gm", {"act": "strike", "player": player}, Chance(SEED))


def test_a_strike_against_the_only_one_who_is_waited_for_plays_on() -> None:
    banker = {"faction": "Lannuvár", "used": ["bank"], "effects": {"bank": 4}}
    seats: Seats = {"Ann": banker, "Ben": {}, "Cid": {}, "Dan": {}, "Eve": {}}
    lands = "1 Ann 1, 2 Ben 1, 3 Cid 1, 4 Dan 1, 5 Eve 1"
    bids = table(lands, seats, phase="bank", bids={"Ben": 3, "Cid": 9, "Dan": 0, "Eve": 4})
    after = strike(bids, 1)
    assert (after.state.stage, after.state.turn) != ("bank", 3)
    assert after.state.ranking[:3] == (3, 5, 2) or after.state.stage == "dragon"
    fought = table(
        lands,
        seats,
        phase="bank",
        attack={"during": "reveal", "dpl": 3},
        answers={"Ben": ["Commit 1 from P2"]},
        in_play=["Calms of Summer", "There be Dragons!"],
    )
    assert any(isinstance(event.facts, DragonAttacked) for event in strike(fought, 1).events)
    asked = table(
        lands,
        seats,
        phase="dragon",
        attack={"during": "reveal", "dpl": 3},
        in_play=["Calms of Summer", "There be Dragons!"],
    )
    assert strike(asked, 2).state.stage == "dragon", "others are still asked"
    two = table(
        "1 Ann 1, 2 Ben 1, 3 Cid 1, 4 Dan 1, 5 Dan 1, 6 Dan 1",
        {"Ann": banker, "Ben": {}, "Cid": banker, "Dan": banker},
        phase="dragon",
        attack={"during": "reveal", "dpl": 3},
        in_play=["Calms of Summer", "There be Dragons!"],
    )
    opened = strike(two, 2)
    assert opened.state.stage == "bank"
    assert opened.events[-1].facts == WindowOpened("bank", (1, 3, 4), 12)


def test_bids_counted_higher_are_told_with_what_they_cost() -> None:
    state = table(
        "1 Ann 1, 2 Ann 1, 3 Ben 1",
        {"Ann": {"faction": "Lannuvár", "realm": 10}, "Ben": {}},
        phase="consolidation",
    )
    closed = close(state, {"Ann": "Bid 99", "Ben": "Bid 7"})
    assert closed.one(BidsRevealed).bids == ((1, 40, 99, 10), (2, 7, 7, 7))
    assert {"PR-3.6", "PR-11.7"} <= closed.rules(BidsRevealed)


def test_after_a_reshuffle_the_card_that_was_seen_cannot_be_moved() -> None:
    state = peek(ashes(), 1, "Weather forecast").state
    state = PROTECTORS.act(state, "gm", {"act": "reshuffle"}, Chance(SEED)).state
    with pytest.raises(ValueError, match="not-now"):
        peek(state, 1, "Put the card at the bottom")


# ------------------------------------------------------------------------ what a look leaves behind
def test_a_deck_that_a_look_makes_anew_is_told_to_everybody_only_when_a_card_is_drawn() -> None:
    state = table(
        "1 Kai 1, 2 Ben 1, 3 Cid 1",
        {"Kai": {"faction": "Kalu'Ak"}, "Ben": {}, "Cid": {}},
        decks={"event": []},
        discards={"event": ["Deep Snow", "Calms of Summer"]},
    )
    looked = peek(state, 1, "Weather forecast")
    assert [(event.kind, event.audience) for event in looked.events] == [
        ("deck-renewed", (1,)),
        ("card-seen", (1,)),
    ]
    assert (state.event.renewed, looked.state.event.renewed) == (UNSET, True)
    assert PROTECTORS.decode_state(PROTECTORS.encode_state(looked.state)) == looked.state
    for other in (None, 2, 3):
        assert view_of(looked.state, other) == view_of(state, other)
    for begun in (state, looked.state):
        ordered = close(begun, {})
        revealed = close(ordered.state, {})
        told = [
            event for event in (*ordered.events, *revealed.events) if event.kind == "deck-renewed"
        ]
        # of this kind
        assert [(event.facts.deck, event.audience) for event in told] == [("event", None)]  # type: ignore[attr-defined]
        assert revealed.state.event.renewed is UNSET


def test_a_look_is_answered_after_final_and_what_stands_stays_final() -> None:
    state = ashes()
    final: Standing[Order] = Standing((Hold(1),), final=True)
    looked = PROTECTORS.check(state, 1, final, [Forecast(), Fortify(1), PutAtBottom()])
    assert looked.accepted == (Forecast(), PutAtBottom())
    assert looked.standing == final
    assert [(problem.code, problem.order) for problem in looked.problems] == [("already-final", 1)]
    assert [
        problem.code for problem in PROTECTORS.check(state, 2, final, [Forecast()]).problems
    ] == ["no-such-ability"]
