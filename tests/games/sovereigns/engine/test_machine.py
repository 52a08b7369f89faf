"""Whole games of random legal play: what must hold after every act and every close, whatever
everybody does.
"""

import os
from random import Random

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from msgspec.structs import replace

from engine.chance import Chance
from engine.ruleset import Event, Outcome, Standing
from engine.sovereigns import orders as o
from engine.sovereigns.codes import ATTRIBUTES
from engine.sovereigns.events import LoanReturned, Traded
from engine.sovereigns.positions.position import parse_position
from engine.sovereigns.positions.position_out import format_position
from engine.sovereigns.refusals import Refused
from engine.sovereigns.ruleset import SOVEREIGNS
from engine.sovereigns.seasons.rolls import DICE_CAP, FLAT_CAP
from engine.sovereigns.state import State
from engine.sovereigns.suppositions import STAGES
from engine.sovereigns.wording import parse_order
from pbem.conformance.rules import knows_alike
from tests.games.sovereigns.engine.playing import seats
from tests.rings import at_length

PRIVATE = (
    *("offer", "offer-expired", "offer-closed", "trade", "trade-failed", "loan-returned", "report"),
    "camp",
)
ROLLED = {"action", "support", "rebellion", "coup"}
CODES = (
    *("STAT-ROLL M", "STAT-DEF M", "STAT-ACT Attack", "BLD-HOSPITAL", "BLD-WONDER", "BLD-CAMP"),
    *("STAT-DEPL", "BLD-WORKS R"),
)


def whole(state: State) -> tuple[int, int]:
    return sum(kingdom.total.R for kingdom in state.kingdoms), sum(
        kingdom.total.M for kingdom in state.kingdoms
    )


class Game(RuleBasedStateMachine):
    @initialize(
        players=st.integers(2, 6), seed=st.integers(0, 2**32), years=st.sampled_from((None, 3))
    )
    def set_up(self, players: int, seed: int, years: int | None) -> None:
        self._deal(players, seed, years)

    @precondition(lambda self: SOVEREIGNS.phase(self.state).over is not None)
    @rule(players=st.integers(2, 6), seed=st.integers(0, 2**32), years=st.sampled_from((None, 3)))
    def play_another(self, players: int, seed: int, years: int | None) -> None:
        self._deal(players, seed, years)

    def _deal(self, players: int, seed: int, years: int | None) -> None:
        self.seed, self.place = seed.to_bytes(8, "big"), 0
        self.standing: dict[int, Standing[o.Order]] = {}
        stream = Chance(self.seed)
        outcome = SOVEREIGNS.setup({"max_years": years}, seats(players), stream)
        self._take(outcome, stream)

    def _take(self, outcome: Outcome[State], stream: Chance) -> None:
        self.state, self.place = outcome.state, stream.place
        self.events: tuple[Event, ...] = outcome.events

    def is_open(self) -> bool:
        return SOVEREIGNS.phase(self.state).over is None

    def _stream(self) -> Chance:
        return Chance(self.seed, self.place)

    def _act(self, actor: int, told: dict[str, object]) -> None:
        stream = self._stream()
        try:
            outcome = SOVEREIGNS.act(self.state, actor or "gm", told, stream)
        except Refused:
            return
        question = self.state.question
        self._take(outcome, stream)
        if self.state.question != question:
            self.standing = {}

    @precondition(is_open)
    @rule(seed=st.integers(0, 2**32))
    def rulers_order(self, seed: int) -> None:
        rng = Random(seed)
        for player in SOVEREIGNS.active(self.state):
            offered = [
                order
                for order in SOVEREIGNS.legal(self.state, player)
                if SOVEREIGNS.act_of(order) is None
            ]
            told = rng.sample(offered, min(len(offered), rng.randint(0, 4)))
            checked = SOVEREIGNS.check(
                self.state, player, self.standing.get(player, Standing()), told
            )
            assert {problem.code for problem in checked.problems if not problem.warning} <= {
                *("one-action", "already-owned", "not-enough", "used-up"),
            }
            self.standing[player] = checked.standing

    @precondition(is_open)
    @rule(seed=st.integers(0, 2**32))
    def a_ruler_does_something_at_once(self, seed: int) -> None:
        rng = Random(seed)
        player = rng.choice(SOVEREIGNS.active(self.state))
        deeds = [
            order
            for order in SOVEREIGNS.legal(self.state, player)
            if SOVEREIGNS.act_of(order) is not None
        ]
        if rng.random() < 0.95:
            deeds = [order for order in deeds if not isinstance(order, o.Abdicate | o.Claim)]
        if deeds:
            before = whole(self.state)
            told = SOVEREIGNS.act_of(rng.choice(deeds))
            assert told is not None
            stream = self._stream()
            outcome = SOVEREIGNS.act(self.state, player, told, stream)
            if any(isinstance(event.facts, Traded) for event in outcome.events) and not any(
                e.kind == "re-resolved" for e in outcome.events
            ):
                assert whole(outcome.state) == before, "a trade moves points, and makes none"
            self._take(outcome, stream)

    @precondition(lambda self: self.state.stage == "season")
    @rule(seed=st.integers(0, 2**32))
    def somebody_offers(self, seed: int) -> None:
        rng = Random(seed)
        giver, taker = rng.sample(SOVEREIGNS.active(self.state), 2)
        stretch: o.Stretch = rng.choice(("permanent", "year", "seasons"))
        gives = o.OfferItem(
            rng.randint(1, 3),
            rng.choice(("R", "M")),
            stretch,
            2 if stretch == "seasons" else 0,
            rng.random() < 0.5,
        )
        wants = (o.OfferItem(1, rng.choice(("R", "M"))),) if rng.random() < 0.4 else ()
        told = SOVEREIGNS.act_of(o.Offer(taker, (gives,), wants))
        assert told is not None
        self._act(giver, dict(told))
        before = whole(self.state)
        told = SOVEREIGNS.act_of(o.Answer("Accept", self.state.offered))
        assert told is not None
        self._act(taker, dict(told))
        assert whole(self.state) == before

    @precondition(is_open)
    @rule(hours=st.integers(1, 30))
    def hours_pass(self, hours: int) -> None:
        self._act(0, {"act": "clock", "hour": self.state.hour + hours})

    @precondition(is_open)
    @rule(seed=st.integers(0, 2**32))
    def the_game_master_speaks(self, seed: int) -> None:
        rng = Random(seed)
        player = rng.choice(SOVEREIGNS.active(self.state))
        if self.state.objections:
            self._act(
                0,
                {
                    "act": "verdict",
                    "objection": self.state.objections[0].number,
                    "upheld": rng.random() < 0.7,
                },
            )
        elif self.state.played and self.state.undone is None and rng.random() < 0.5:
            self._act(0, {"act": "rollback", "action": rng.choice(self.state.played).number})
        elif self.state.stage in ("season", "year-start") and rng.random() < 0.7:
            name = f"t{len(self.state.technologies)}"
            kingdom = self.state.kingdom(player)
            grown = replace(kingdom, tech=(*kingdom.tech, name))
            self.state = replace(
                self.state,
                technologies={**self.state.technologies, name: rng.choice(CODES)},
                kingdoms=tuple(
                    grown if other.number == player else other for other in self.state.kingdoms
                ),
            )
        else:
            self._act(
                0, {"act": "mod", "player": player, "until": "year", "die": rng.choice((-1, 1))}
            )

    @precondition(is_open)
    @rule()
    def the_phase_closes(self) -> None:
        before = SOVEREIGNS.encode_state(self.state)
        orders = {player: standing.orders for player, standing in self.standing.items()}
        stream = self._stream()
        outcome = SOVEREIGNS.adjudicate(self.state, orders, stream)
        assert SOVEREIGNS.encode_state(self.state) == before, "the old state is left as it was"
        told = {
            player: SOVEREIGNS.decode_orders(SOVEREIGNS.encode_orders(theirs))
            for player, theirs in orders.items()
        }
        again = SOVEREIGNS.adjudicate(SOVEREIGNS.decode_state(before), told, self._stream())
        assert SOVEREIGNS.encode_state(again.state) == SOVEREIGNS.encode_state(outcome.state)
        assert again.events == outcome.events
        assert outcome.state.question != self.state.question
        self.standing = {}
        self._take(outcome, stream)

    @invariant()
    def comes_back_from_its_bytes(self) -> None:
        """Decoding checks: nobody alive below zero, expended within total, loans and offers between
        the living, and more.
        """
        assert SOVEREIGNS.decode_state(SOVEREIGNS.encode_state(self.state)) == self.state
        assert [
            SOVEREIGNS.decode_event(SOVEREIGNS.encode_event(event)) for event in self.events
        ] == list(self.events)
        assert all(event.rules for event in self.events)

    @invariant()
    def caps_are_kept_and_rolls_add_up(self) -> None:
        for event in self.events:
            if event.kind == "action":
                facts = event.facts
                for terms in (getattr(facts, "terms", ()), getattr(facts, "defence_terms", ())):
                    assert (
                        sum(
                            term.amount
                            for term in terms
                            if term.source == "technology" and not term.die
                        )
                        <= FLAT_CAP
                    )
                    assert (
                        sum(
                            term.amount
                            for term in terms
                            if term.source == "technology" and term.die
                        )
                        <= DICE_CAP
                    )
                flat = sum(term.amount for term in getattr(facts, "terms", ()) if not term.die)
                assert getattr(facts, "total", 0) == max(0, sum(getattr(facts, "dice", ())) + flat)
        assert all(abs(kingdom.rest) <= 2 for kingdom in self.state.kingdoms)

    @invariant()
    def what_was_lent_can_be_there(self) -> None:
        for kingdom in self.state.kingdoms:
            assert all(
                kingdom.ex.of(attribute) <= kingdom.total.of(attribute) for attribute in ATTRIBUTES
            )
        assert all(event.audience is not None for event in self.events if event.kind in PRIVATE)
        assert all(event.audience is None for event in self.events if event.kind not in PRIVATE)
        assert all(
            isinstance(event.facts, LoanReturned)
            for event in self.events
            if event.kind == "loan-returned"
        )

    @invariant()
    def nobody_sees_what_is_hidden(self) -> None:
        """SS-1.9: with the others' expended points, boons, loans among themselves and standing
        orders changed, a view is the same.
        """
        for player in (None, *SOVEREIGNS.active(self.state)[:1]):
            others = tuple(
                kingdom
                if kingdom.number == player or not kingdom.alive
                else replace(
                    kingdom,
                    ex=kingdom.total,
                    depleted=0,
                    boons=("dice",),
                    used=(),
                    every_season=None,
                    every_year=None,
                    missed=1,
                )
                for kingdom in self.state.kingdoms
            )
            mine = tuple(
                loan for loan in self.state.loans if player in (loan.lender, loan.borrower)
            )
            other = replace(self.state, kingdoms=others, loans=mine, winter={}, log=())
            assert SOVEREIGNS.view(other, player) == SOVEREIGNS.view(self.state, player)
            if player is not None and self.is_open():
                offered = list(SOVEREIGNS.legal(self.state, player))
                assert list(SOVEREIGNS.legal(other, player)) == offered
                if self.state.stage in STAGES:
                    told = {player: offered[self.place % 7 :: 7]}
                    supposed = SOVEREIGNS.suppose(self.state, player, told)
                    assert SOVEREIGNS.suppose(other, player, told) == supposed
                    assert not {event.kind for event in supposed.events} & ROLLED
                    decoded = SOVEREIGNS.decode_state(SOVEREIGNS.encode_state(supposed.state))
                    assert decoded == supposed.state

    @invariant()
    def what_a_player_may_assume_looks_and_answers_alike(self) -> None:
        assert not list(knows_alike(SOVEREIGNS, self.state, Random(self.place)))

    @invariant()
    def what_is_offered_can_be_said(self) -> None:
        for player in SOVEREIGNS.active(self.state)[-1:]:
            for order in list(SOVEREIGNS.legal(self.state, player))[:: 1 + self.place % 4]:
                assert parse_order(self.state, SOVEREIGNS.format_order(self.state, order)) == order
            for order in SOVEREIGNS.defaults(self.state, player, Standing()):
                assert parse_order(self.state, SOVEREIGNS.format_order(self.state, order)) == order

    @invariant()
    def a_position_written_out_reads_back(self) -> None:
        if self.state.stage == "setup":
            return
        written = format_position(self.state, {})
        assert format_position(parse_position(written, {}, "again"), {}) == written

    @invariant()
    def somebody_is_asked_until_it_is_over(self) -> None:
        phase = SOVEREIGNS.phase(self.state)
        assert (phase.over is not None) == (not phase.asked)
        if phase.over is not None:
            placings = SOVEREIGNS.placings(self.state)
            assert (
                tuple(placing.player for placing in placings if placing.won) == phase.over.winners
            )
            assert {placing.place for placing in placings if placing.won} <= {1}


TestGame = Game.TestCase
TestGame.settings = settings(
    max_examples=int(os.environ.get("PBEM_GAMES", at_length(3, 8))),
    stateful_step_count=40,
    deadline=None,
)


def test_a_game_nobody_answers_ends_with_its_years() -> None:
    for players in (2, 7, 12):
        stream = Chance(bytes([players]))
        state = SOVEREIGNS.setup({"max_years": 4}, seats(players), stream).state
        closes = 0
        while SOVEREIGNS.phase(state).over is None:
            state = SOVEREIGNS.adjudicate(state, {}, stream).state
            closes += 1
        assert closes <= 1 + 4 * 5
