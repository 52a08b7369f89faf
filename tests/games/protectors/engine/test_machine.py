"""Whole games of random legal play: what must hold after every window, whatever everybody does."""

import os
from collections import Counter
from random import Random

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from msgspec.structs import replace

from engine.chance import Chance
from engine.protectors import orders as o
from engine.protectors.cards import BLACK_SWAN, THERE_BE_DRAGONS, standard_deck
from engine.protectors.colours import COLOURS
from engine.protectors.numbers import provinces_of, supply_limit
from engine.protectors.orders import Bid, Cancel, Commit, Final, Order, Send
from engine.protectors.ruleset import PROTECTORS
from engine.protectors.state import DECKS, Deck, Played, Province, State
from engine.ruleset import Event, Seat, Standing
from pbem.conformance.rules import knows_alike
from tests.games.protectors.engine.gamemaster import random_correction
from tests.games.protectors.engine.ledger import Ledger, all_cards_of
from tests.rings import at_length

LAST_TURN = 12
"""Of the three End cards the last comes in turn 12 at the latest."""

TURNS = st.sampled_from((1, 1, 4, 8))


SPECIAL = (
    o.UseBank,
    o.UseFaith,
    o.HireKing,
    o.Hide,
    o.Fire,
    o.Forecast,
    o.ReadDragonDeck,
    o.PutAtBottom,
    o.PlaceDragon,
    o.Palantir,
    o.Take,
    o.Refresh,
    o.Use,
)
"""What abilities, the Sanctum and team-mates are good for."""


OPTIONS = st.fixed_dictionaries(
    {
        "factions": st.sampled_from(("none", "choice", "chance", "choice")),
        "island": st.booleans(),
        "teams": st.booleans(),
    }
)


def random_orders(state: State, rng: Random) -> dict[int, tuple[Order, ...]]:
    """Legal orders of some of those asked, in a few messages each.

    Most buy units and most fight the Dragon in earnest, or few games would last; abilities are used
    whenever there is a mind to.
    """
    orders: dict[int, tuple[Order, ...]] = {}
    for player in PROTECTORS.phase(state).asked:
        if rng.random() < (0.5 if state.stage == "consolidation" else 0.08):
            continue
        if state.attack is not None and rng.random() < 0.8:
            orders[player] = tuple(
                Commit(state.board[i].units, i)
                for i in provinces_of(state, player)
                if state.board[i].units
            )
            continue
        offered = [
            order
            for order in PROTECTORS.legal(state, player)
            if not isinstance(order, Cancel | Final)
        ]
        likely = [order for order in offered if not isinstance(order, Bid | Send)]
        standing = Standing[Order]()
        special = [order for order in offered if isinstance(order, SPECIAL) and rng.random() < 0.4]
        for order in (
            special
            + rng.sample(likely, min(len(likely), rng.randint(1, 8)))
            + rng.sample(offered, min(len(offered), 1))
        ):
            standing = PROTECTORS.check(state, player, standing, [order]).standing
        orders[player] = standing.orders
    return orders


def unchecked_orders(state: State, rng: Random) -> dict[int, tuple[Order, ...]]:
    """Orders that are legal one by one and were never judged together."""
    asked = {
        player: list(PROTECTORS.legal(state, player)) for player in PROTECTORS.phase(state).asked
    }
    return {
        player: tuple(rng.choices(offered, k=10)) for player, offered in asked.items() if offered
    }


def _with_staying_cards(state: State, rng: Random) -> State:
    """Some cards of each kind but the last taken from their decks, as The End is Nigh! locks them
    (PR-4.20).
    """
    locked: list[Played] = []
    decks: dict[str, Deck] = {}
    for deck in DECKS[:3]:
        pile: Deck = getattr(state, deck)
        draw = list(pile.draw)
        for card in rng.sample([card for card in draw if card != BLACK_SWAN], rng.randint(0, 3)):
            draw.remove(card)
            locked.append(Played(deck, card))
        decks[deck] = replace(pile, draw=tuple(draw))
    return replace(state, locked=tuple(locked), **decks)


class Game(RuleBasedStateMachine):
    """Some games begin late, so that the Sea and the end come into play."""

    @initialize(
        players=st.integers(2, 8),
        grand=st.booleans(),
        seed=st.integers(0, 2**32),
        turn=TURNS,
        options=OPTIONS,
    )
    def set_up(
        self, players: int, grand: bool, seed: int, turn: int, options: dict[str, object]
    ) -> None:
        self._deal(players, grand, seed, turn, options)

    @precondition(lambda self: self.state.stage == "over")
    @rule(
        players=st.integers(2, 8),
        grand=st.booleans(),
        seed=st.integers(0, 2**32),
        turn=TURNS,
        options=OPTIONS,
    )
    def play_another(
        self, players: int, grand: bool, seed: int, turn: int, options: dict[str, object]
    ) -> None:
        self._deal(players, grand, seed, turn, options)

    def _deal(
        self, players: int, grand: bool, seed: int, turn: int, options: dict[str, object]
    ) -> None:
        """A new table; late ones find somebody on the Island, a burnt province, and the latest any
        set of staying cards.
        """
        self.seed = seed.to_bytes(8, "big")
        self.place = 0
        seats = [
            Seat(number, f"Player {number}", COLOURS[number]) for number in range(1, players + 1)
        ]
        stream = Chance(self.seed)
        teams = 2 if options["teams"] and players in (4, 6, 8) else 0
        outcome = PROTECTORS.setup(
            {**options, "teams": teams, "version": "grand" if grand else "normal"}, seats, stream
        )
        board = list(outcome.state.board)
        if turn > 1 and options["island"]:
            board[0] = Province(owner=1 + seed % players, units=1)
        if turn > 1 and players > 2:
            burnt = outcome.state.players[seed % players].start
            board[burnt] = replace(board[burnt], burnt=True)
        state = replace(outcome.state, turn=turn, board=tuple(board))
        self.state, self.place = (
            _with_staying_cards(state, Random(seed)) if turn > 4 else state,
            stream.place,
        )
        self.was: State | None = None
        self.events: tuple[Event, ...] = outcome.events

    def is_open(self) -> bool:
        return self.state.stage != "over"

    @precondition(is_open)
    @rule(seed=st.integers(0, 2**32))
    def close(self, seed: int) -> None:
        self._close(random_orders(self.state, Random(seed)))

    @precondition(is_open)
    @rule(seed=st.integers(0, 2**32))
    def close_on_whatever_was_said(self, seed: int) -> None:
        self._close(unchecked_orders(self.state, Random(seed)))

    def _close(self, orders: dict[int, tuple[Order, ...]]) -> None:
        stream = Chance(self.seed, self.place)
        before = PROTECTORS.encode_state(self.state)
        outcome = PROTECTORS.adjudicate(self.state, orders, stream)
        assert PROTECTORS.encode_state(self.state) == before, "the old state is left as it was"
        self._replays(before, orders, outcome.state, outcome.events)
        self.was, self.state, self.events, self.place = (
            self.state,
            outcome.state,
            outcome.events,
            stream.place,
        )

    @precondition(lambda self: self.state.stage == "orders")
    @rule(which=st.integers(0, 200))
    def peek(self, which: int) -> None:
        """Whoever may look at a card does, at once."""
        for player in self.state.ranking:
            acts = [
                act
                for order in PROTECTORS.legal(self.state, player)
                if (act := PROTECTORS.act_of(order)) is not None
            ]
            if acts:
                stream = Chance(self.seed, self.place)
                outcome = PROTECTORS.act(self.state, player, acts[which % len(acts)], stream)
                assert all(
                    event.audience == (player,) or event.kind in ("deck-renewed", "ability-used")
                    for event in outcome.events
                )
                self.was, self.state, self.events, self.place = (
                    self.state,
                    outcome.state,
                    outcome.events,
                    stream.place,
                )
                return

    @precondition(lambda self: self.is_open() and self.state.turn > 2)
    @rule(which=st.integers(0, 200))
    def strike(self, which: int) -> None:
        if which < len(self.state.ranking) and len(self.state.ranking) > 3:
            stream = Chance(self.seed, self.place)
            outcome = PROTECTORS.act(
                self.state, "gm", {"act": "strike", "player": self.state.ranking[which]}, stream
            )
            self.was, self.state, self.events, self.place = (
                self.state,
                outcome.state,
                outcome.events,
                stream.place,
            )

    @precondition(lambda self: self.is_open() and self.state.turn > 1)
    @rule(seed=st.integers(0, 2**32))
    def correct(self, seed: int) -> None:
        """The game master sets something right, twice from the same bytes with the same outcome,
        and the old state is left as it was.
        """
        told = random_correction(self.state, Random(seed))
        if told is None:
            return
        before = PROTECTORS.encode_state(self.state)
        outcome, again = (
            PROTECTORS.act(
                PROTECTORS.decode_state(before), "gm", told, Chance(self.seed, self.place)
            )
            for _ in range(2)
        )
        assert again == outcome
        assert {event.kind for event in outcome.events} <= {"corrected"}
        assert all(getattr(event.facts, "reason", "") == told["reason"] for event in outcome.events)
        assert PROTECTORS.phase(outcome.state).kind == PROTECTORS.phase(self.state).kind, (
            "a correction opens and closes nothing"
        )
        self.was, self.state, self.events = self.state, outcome.state, outcome.events

    def _replays(
        self,
        before: bytes,
        orders: dict[int, tuple[Order, ...]],
        state: State,
        events: tuple[Event, ...],
    ) -> None:
        """The same again from bytes, as `verify` does it: state and events, byte for byte."""
        told = {
            player: PROTECTORS.decode_orders(PROTECTORS.encode_orders(theirs))
            for player, theirs in orders.items()
        }
        again = PROTECTORS.adjudicate(
            PROTECTORS.decode_state(before), told, Chance(self.seed, self.place)
        )
        assert PROTECTORS.encode_state(again.state) == PROTECTORS.encode_state(state)
        assert [PROTECTORS.encode_event(event) for event in again.events] == [
            PROTECTORS.encode_event(event) for event in events
        ]

    @invariant()
    def comes_back_from_its_bytes(self) -> None:
        """Decoding checks: no negative money, one owner a province, the ranking a permutation of
        the active, and more.
        """
        assert PROTECTORS.decode_state(PROTECTORS.encode_state(self.state)) == self.state

    @invariant()
    def every_change_is_told(self) -> None:
        assert all(event.rules or event.kind == "corrected" for event in self.events)
        assert [
            PROTECTORS.decode_event(PROTECTORS.encode_event(event)) for event in self.events
        ] == list(self.events)
        if self.was is not None:
            books = Ledger(self.was)
            books.enter(self.events)
            books.agrees_with(self.state)

    @invariant()
    def what_a_player_may_assume_looks_and_answers_alike(self) -> None:
        assert not list(knows_alike(PROTECTORS, self.state, Random(self.place)))

    @invariant()
    def no_province_feeds_more_than_its_limit(self) -> None:
        if self.state.stage == "consolidation":
            assert all(
                province.units <= supply_limit(self.state, i)
                for i, province in enumerate(self.state.board)
            )
        most = {
            owner: 3 + ("faith" in dict(self.state.players[owner - 1].effects))
            for owner in self.state.ranking
        }
        assert all(
            province.units <= most[province.owner]
            for province in self.state.board
            if province.owner is not None
        )

    @invariant()
    def no_card_comes_or_goes(self) -> None:
        """But for the There be Dragons! that ash-readers put in the place of what they take out of
        the game (PR-11.3).
        """
        placed = Counter({THERE_BE_DRAGONS: len(self.state.dragons.removed)})
        wanted = {
            deck: Counter(standard_deck(deck)) + (placed if deck == "dragons" else Counter())
            for deck in DECKS
        }
        assert all_cards_of(self.state) == wanted

    @invariant()
    def the_end_comes(self) -> None:
        assert self.state.turn <= LAST_TURN
        phase = PROTECTORS.phase(self.state)
        assert (phase.over is not None) == (not phase.asked)
        assert [event.kind for event in self.events][-1:] == (
            ["game-over"] if phase.over else ["window"]
        ) or self.acted()

    def acted(self) -> bool:
        """A strike, a peek or a correction changes the table within a window and opens none."""
        return any(
            event.kind in ("eliminated", "card-seen", "card-moved", "cost", "corrected")
            for event in self.events
        )


TestGame = Game.TestCase
TestGame.settings = settings(
    max_examples=int(os.environ.get("PBEM_GAMES", at_length(5, 15))), stateful_step_count=45
)


def test_a_game_nobody_answers_ends_all_the_same() -> None:
    for players in (2, 5, 7):
        stream = Chance(bytes([players]))
        seats = [
            Seat(number, f"Player {number}", COLOURS[number]) for number in range(1, players + 1)
        ]
        state = PROTECTORS.setup({}, seats, stream).state
        windows = 0
        while state.stage != "over":
            state = PROTECTORS.adjudicate(state, {}, stream).state
            windows += 1
        assert windows < 60
