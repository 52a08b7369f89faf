"""What a player may suppose of a window: the same as what would happen where all is known, and
nothing that the player cannot know.
"""

from collections.abc import Mapping
from random import Random
from typing import Literal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from engine.chance import Chance
from engine.protectors.ability_events import KingFought
from engine.protectors.cards import standard_deck
from engine.protectors.colours import COLOURS
from engine.protectors.events import (
    BattleFought,
    DragonCame,
    OrdersMissed,
    PlayerEliminated,
    ProvinceTaken,
    RealmProduced,
)
from engine.protectors.known import known_state
from engine.protectors.numbers import tier_of
from engine.protectors.orders import (
    Forecast,
    Fortify,
    Hold,
    March,
    Order,
    ProvinceOrder,
    Send,
    Snitch,
    ordered_province,
)
from engine.protectors.ruleset import PROTECTORS
from engine.protectors.state import DECKS, Deck, Peek, State
from engine.protectors.suppositions import checked_as
from engine.protectors.view_of import view_of
from engine.ruleset import Event, NotSupposable, Seat, Standing, Supposed
from tests.games.protectors.engine.tabletop import FactsT, orders_of, position
from tests.games.protectors.engine.test_machine import random_orders
from tests.rings import at_length

ANN, BEN, CID = 1, 2, 3


def supposed(state: State, told: Mapping[str, str], *, player: int = ANN) -> Supposed[State]:
    before = PROTECTORS.encode_state(state)
    outcome = PROTECTORS.suppose(state, player, orders_of(state, told))
    assert PROTECTORS.encode_state(state) == before
    return outcome


def told_of(outcome: Supposed[State], kind: type[FactsT]) -> list[FactsT]:
    return [event.facts for event in outcome.events if isinstance(event.facts, kind)]


def codes(outcome: Supposed[State]) -> list[str]:
    return [hang.code for hang in outcome.hangs]


# ------------------------------------------------------------------------------------ single things
def test_a_march_into_a_named_march_is_fought_as_it_would_be() -> None:
    # Ann 2 from P1 and Ben 3 from P3 both go to P2, which is nobody's: Ben 3 : 2 Ann; Ann loses 2,
    # Ben takes P2 with 3.
    state = position("1 Ann 2, 2 - 0, 3 Ben 3, 4 Cid 2")
    outcome = supposed(state, {"Ann": "March! 2 from P1 to P2", "Ben": "March! 3 from P3 to P2"})
    (battle,) = told_of(outcome, BattleFought)
    assert (battle.winner.player, battle.winner.total, battle.loser.total) == (BEN, 3, 2)
    assert [(taken.by, taken.province) for taken in told_of(outcome, ProvinceTaken)] == [(BEN, 2)]
    assert (
        outcome.state.board[1].units,
        outcome.state.board[2].units,
        outcome.state.board[2].owner,
    ) == (0, 3, BEN)
    assert outcome.state.stage == "consolidation"
    assert codes(outcome) == []


def test_who_is_not_named_holds_and_does_not_fortify() -> None:
    # Ann attacks Cid's P2 with 3 against 2 that hold: 3 : 2. With the default Fortify of a silent
    # Cid it would be 3 : 4.
    state = position("1 Ann 3, 2 Cid 2, 3 Ben 1", ranking=["Cid", "Ann", "Ben"])
    outcome = supposed(state, {"Ann": "March! 3 from P1 to P2"})
    (battle,) = told_of(outcome, BattleFought)
    assert (battle.winner.player, battle.winner.total, battle.loser.total) == (ANN, 3, 2)
    assert told_of(outcome, OrdersMissed) == []


def test_a_named_player_whose_transfer_alone_is_told_holds_too() -> None:
    state = position("1 Ann 3, 2 Cid 2, 3 Ben 1", ranking=["Cid", "Ann", "Ben"])
    outcome = supposed(state, {"Ann": "March! 3 from P1 to P2", "Cid": "Send 40 to Ann"})
    assert told_of(outcome, BattleFought)[0].loser.total == 2
    assert [(hang.code, hang.facts) for hang in outcome.hangs][:1] == [
        ("purse", {"player": 2, "amount": 40})
    ]
    # Ann's purse: 100 held, 40 from Cid, 50 for each of P1 and P2.
    assert outcome.state.players[ANN - 1].realm == 240


def test_ones_own_silence_gets_the_default_of_the_rules() -> None:
    state = position("1 Ann 2, 2 Ben 3, 3 Cid 1", ranking=["Ann", "Ben", "Cid"])
    outcome = supposed(state, {"Ben": "March! 3 from P2 to P1"})
    # Ann leads the ranking: her default is a golden Fortify, 2 + 2 : 3.
    assert told_of(outcome, OrdersMissed)[0].instead == (Fortify(1, golden=True),)
    assert told_of(outcome, BattleFought)[0].winner.total == 4


def test_only_ones_own_income_is_told_and_no_purse_shows_afterwards() -> None:
    state = position("1 Ann 1, 2 Ben 1, 3 Cid 1", purses={"Ben": 400})
    outcome = supposed(state, {})
    assert [income.player for income in told_of(outcome, RealmProduced)] == [ANN]
    assert [seat.realm for seat in outcome.state.players] == [150, 350, 0]
    assert view_of(outcome.state, None).tier == view_of(state, None).tier == 350


def test_a_fare_of_somebody_else_is_supposed_to_be_paid_and_said_to_hang_on_the_purse() -> None:
    state = position(
        "1 Ann 1, 2 Ben 2, 3 Cid 0, 4 Cid 1",
        in_play=["Calms of Summer", "The Misty Mountains Cold", "Ferry!"],
        turn=5,
    )
    outcome = supposed(state, {"Ben": "March! 2 from P2 to P4", "Ann": "Hold P1"})
    assert told_of(outcome, BattleFought)[0].winner.player == BEN
    assert [(hang.code, hang.facts) for hang in outcome.hangs] == [
        ("purse", {"player": BEN, "amount": 25})
    ]
    helped = supposed(state, {"Ben": "March! 2 from P2 to P4", "Ann": "Hold P1; Send 30 to Ben"})
    assert codes(helped) == []


def test_ones_own_fare_that_cannot_be_paid_falls_away() -> None:
    cards = ["Calms of Summer", "The Misty Mountains Cold", "Ferry!"]
    state = position(
        "1 Ann 2, 2 Ben 2, 3 Cid 0, 4 Cid 1", in_play=cards, turn=5, purses={"Ann": 24}
    )
    assert told_of(supposed(state, {"Ann": "March! 2 from P1 to P3"}), ProvinceTaken) == []
    assert (
        told_of(
            supposed(state, {"Ann": "March! 2 from P1 to P3", "Ben": "Send 1 to Ann"}),
            ProvinceTaken,
        )
        != []
    )


def test_the_spoils_of_somebody_eliminated_are_not_guessed() -> None:
    state = position("1 Ann 3, 2 Ben 1, 3 Cid 1, 4 Cid 1", purses={"Ben": 333})
    outcome = supposed(state, {"Ann": "March! 3 from P1 to P2"})
    (fallen,) = told_of(outcome, PlayerEliminated)
    assert (fallen.player, fallen.spoils, fallen.lost) == (BEN, ((ANN, 0),), 0)
    assert [(hang.code, hang.facts) for hang in outcome.hangs] == [
        ("spoils", {"player": BEN, "captors": (ANN,)})
    ]


def test_the_mountain_king_of_somebody_else_counts_at_his_least_and_is_said_to_hang() -> None:
    # Ben holds 500: his King would come with 4 and beat Ann's 3. Ann cannot know; at his least, 1,
    # he loses to 3.
    state = position(
        "1 Ann 3, 2 Ben 1, 3 Cid 1, 4 Cid 1", options={"factions": "choice"}, purses={"Ben": 500}
    )
    state = replace(
        state,
        players=tuple(
            replace(seat, faction="Hodir" if seat.number == BEN else "Cenarion")
            for seat in state.players
        ),
    )
    outcome = supposed(state, {"Ann": "March! 3 from P1 to P2"})
    assert [(king.strength, king.won) for king in told_of(outcome, KingFought)] == [(1, False)]
    assert codes(outcome) == ["king", "spoils"]


def test_a_dragon_that_would_come_is_told_and_nothing_after_it() -> None:
    state = position("1 Ann 3, 2 Ben 1, 3 Cid 1, 4 Cid 1", dpl=7)
    outcome = supposed(state, {"Ann": "March! 3 from P1 to P2"})  # threshold 2 * (4 - 1) = 6
    assert told_of(outcome, DragonCame)[0].dpl == 7
    assert told_of(outcome, RealmProduced) == []
    assert (outcome.state.stage, codes(outcome)) == ("dragon", ["spoils", "dragon"])


def test_what_the_pirates_want_hangs_on_who_is_not_named() -> None:
    state = position(
        "1 Ann 1, 2 Ben 1, 3 Cid 1",
        in_play=["Calms of Summer", "The Misty Mountains Cold", "Pirates!"],
        turn=5,
    )
    outcome = supposed(state, {"Ann": "Snitch on Ben", "Ben": "Snitch on Ann"})
    assert [(hang.code, hang.facts) for hang in outcome.hangs] == [
        ("snitches", {"players": (CID,)})
    ]
    assert codes(supposed(state, {"Ben": "Snitch on Ann", "Cid": "Snitch on Ann"})) == []


def test_a_look_at_a_card_is_not_supposed() -> None:
    state = position("1 Ann 1, 2 Ben 1", options={"factions": "choice"})
    state = replace(
        state, players=tuple(replace(seat, faction="Kalu'Ak") for seat in state.players)
    )
    outcome = PROTECTORS.suppose(state, ANN, {ANN: (Forecast(), Hold(1))})
    assert "card-seen" not in {event.kind for event in outcome.events}


@pytest.mark.parametrize("phase", ["bidding", "consolidation"])
def test_nothing_is_supposed_of_another_window(phase: Literal["bidding", "consolidation"]) -> None:
    state = replace(position("1 Ann 1, 2 Ben 1"), stage=phase)
    with pytest.raises(NotSupposable) as refused:
        PROTECTORS.suppose(state, ANN, {})
    assert (refused.value.code, refused.value.facts) == (
        "not-now",
        {"phase": phase, "when": ("orders",)},
    )


def test_nobody_supposes_who_is_out_of_the_game() -> None:
    state = position("1 Ann 1, 2 Ben 1, 3 Cid 1", eliminated={"Dan": "Ann"})
    with pytest.raises(NotSupposable) as refused:
        PROTECTORS.suppose(state, 4, {})
    assert refused.value.code == "not-asked"


def test_somebody_elses_orders_are_checked_against_no_purse() -> None:
    state = position("1 Ann 1, 2 Ben 1, 3 Cid 1", purses={"Ben": 3})
    seen = checked_as(known_state(view_of(state, ANN)), ANN, BEN)
    assert PROTECTORS.check(seen, BEN, Standing(), [Send(5000, ANN)]).accepted == (Send(5000, ANN),)
    own = checked_as(known_state(view_of(state, ANN)), ANN, ANN)
    assert PROTECTORS.check(own, ANN, Standing(), [Send(101, BEN)]).accepted == ()


# -------------------------------------------------------------------------------------- whole games
def windows_of(seed: int, options: dict[str, object], least: int) -> State | None:
    """An orders window of a random game, at least so many turns old if it lasts that long."""
    rng, players = Random(seed), 2 + seed % 7
    seats = [Seat(number, f"Player {number}", COLOURS[number]) for number in range(1, players + 1)]
    stream = Chance(seed.to_bytes(8, "big"))
    told = {
        **options,
        "teams": 2 if options["teams"] and players in (4, 6, 8) else 0,
        "version": "grand" if seed % 3 == 0 else "normal",
    }
    state = PROTECTORS.setup(told, seats, stream).state
    found = None
    for _ in range(60):
        if state.stage == "over":
            break
        if state.stage == "orders":
            found = state
            if state.turn >= least:
                break
        state = PROTECTORS.adjudicate(state, random_orders(state, rng), stream).state
    return found


OPTIONS = st.fixed_dictionaries(
    {
        "factions": st.sampled_from(("none", "choice", "chance")),
        "island": st.booleans(),
        "teams": st.booleans(),
    }
)
GAMES = st.builds(windows_of, st.integers(0, 2**32), OPTIONS, st.integers(1, 8))


def hidden_otherwise(state: State, player: int, rng: Random) -> State:
    """Another state that this player cannot tell from it: other purses within the public tier,
    other decks, other looks.
    """
    own, tier = state.players[player - 1].realm, view_of(state, None).tier
    others = [number for number in state.ranking if number != player]
    ceiling = {0: 249, 250: 349, 350: 2000}[tier]
    purses = {number: rng.randint(0, ceiling) for number in others}
    if others and tier_of(own) < tier:
        purses[rng.choice(others)] = rng.randint(tier, ceiling)
    return replace(
        state,
        players=tuple(
            replace(seat, realm=purses.get(seat.number, seat.realm)) for seat in state.players
        ),
        peeks=(
            *(peek for peek in state.peeks if peek.player == player),
            *(Peek(number, "event", "Deep Snow") for number in others),
        ),
        **{deck: Deck(tuple(rng.sample(standard_deck(deck), 2))) for deck in DECKS},
    )


def whole(state: State, orders: dict[int, tuple[Order, ...]]) -> dict[int, tuple[Order, ...]]:
    """These orders, and Hold wherever units have none: then no default and no want of knowledge
    changes anything.
    """
    told: dict[int, tuple[Order, ...]] = {}
    for number in state.ranking:
        given = tuple(order for order in orders.get(number, ()) if isinstance(order, ProvinceOrder))
        ordered = {ordered_province(order) for order in given}
        manned = [i for i, held in enumerate(state.board) if held.owner == number and held.units]
        told[number] = (*given, *(Hold(i) for i in manned if i not in ordered))
    return told


@settings(max_examples=at_length(13, 40))
@given(GAMES, st.integers(0, 2**32), st.integers(0, 7))
def test_what_a_player_knows_has_the_same_view_and_nothing_behind_it(
    state: State | None, seed: int, who: int
) -> None:
    if state is None:
        return
    player = state.ranking[who % len(state.ranking)]
    known = known_state(view_of(state, player))
    assert view_of(known, player) == view_of(state, player)
    other = hidden_otherwise(state, player, Random(seed))
    assert view_of(other, player) == view_of(state, player), (
        "the comparison is of states that look alike"
    )
    assert PROTECTORS.encode_state(known_state(view_of(other, player))) == PROTECTORS.encode_state(
        known
    )
    assert all(seat.realm in (0, 250, 350) for seat in known.players if seat.number != player)


@settings(max_examples=at_length(13, 40))
@given(GAMES, st.integers(0, 2**32), st.integers(0, 7))
def test_two_states_that_look_alike_give_the_same_supposition_byte_for_byte(
    state: State | None, seed: int, who: int
) -> None:
    if state is None:
        return
    player, rng = state.ranking[who % len(state.ranking)], Random(seed)
    orders = {
        number: given
        for number, given in random_orders(state, rng).items()
        if number == player or rng.random() < 0.7
    }
    one = PROTECTORS.suppose(state, player, orders)
    two = PROTECTORS.suppose(hidden_otherwise(state, player, rng), player, orders)
    assert PROTECTORS.encode_state(one.state) == PROTECTORS.encode_state(two.state)
    assert [PROTECTORS.encode_event(event) for event in one.events] == [
        PROTECTORS.encode_event(event) for event in two.events
    ]
    assert one.hangs == two.hangs
    assert all(event.is_for(player) for event in one.events)
    assert view_of(one.state, player) == view_of(two.state, player)


@settings(max_examples=at_length(20, 60))
@given(GAMES, st.integers(0, 2**32), st.integers(0, 7))
def test_where_everything_is_known_it_is_what_the_close_brings(
    state: State | None, seed: int, who: int
) -> None:
    if state is None:
        return
    player = state.ranking[who % len(state.ranking)]
    orders = whole(state, random_orders(state, Random(seed)))
    outcome = PROTECTORS.suppose(state, player, orders)
    if any(hang.code != "dragon" for hang in outcome.hangs):
        return
    close = PROTECTORS.adjudicate(state, orders, Chance(b"another seed"))

    def shown(events: tuple[Event, ...]) -> list[bytes]:
        """Without the next window, the purses of a score, and the news that somebody without units
        has sent nothing.
        """
        seen = [
            event
            for event in events
            if event.is_for(player) and event.kind not in ("window", "game-over")
        ]
        return [
            PROTECTORS.encode_event(event)
            for event in seen
            if getattr(event.facts, "player", player) == player or event.kind != "missed"
        ]

    assert shown(outcome.events) == shown(close.events)
    assert outcome.state.board == close.state.board
    assert outcome.state.stage == close.state.stage
    assert outcome.state.players[player - 1] == close.state.players[player - 1]


def test_the_comparisons_above_look_at_something() -> None:
    """Marches, snitches and transfers occur in the random orders, and most suppositions hang on
    nothing.
    """
    seen: set[type] = set()
    free = 0
    for seed in range(12):
        state = windows_of(seed, {"factions": "choice", "island": True, "teams": False}, 5)
        assert state is not None
        orders = random_orders(state, Random(seed))
        seen |= {type(order) for theirs in orders.values() for order in theirs}
        free += not PROTECTORS.suppose(state, state.ranking[0], whole(state, orders)).hangs
    assert {March, Fortify} <= seen
    assert Send in seen or Snitch in seen
    assert free >= 6
