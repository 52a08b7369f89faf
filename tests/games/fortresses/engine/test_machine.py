"""Whole games of random legal play: what must hold after every window, whatever everybody does
(FW-8.16, FW-3.5, FW-1.7, FW-1.8).
"""

import os
from collections import Counter
from random import Random

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from engine.chance import Chance
from engine.fortresses.atlas import (
    KINGDOMS,
    Kingdom,
    alliance_of,
    facts_of,
    fortresses,
    lands,
    zones,
)
from engine.fortresses.event_kinds import DefaultPurchase, RoundLost, UnitsBought
from engine.fortresses.event_kinds import PassengerDrowned as Drowned
from engine.fortresses.orders import (
    Attack,
    Buy,
    Carry,
    Concede,
    Done,
    Draw,
    Move,
    Order,
    Resign,
    Then,
    parse_order,
)
from engine.fortresses.positions.position import parse_position
from engine.fortresses.positions.position_out import format_position
from engine.fortresses.ruleset import FORTRESSES
from engine.fortresses.state import State
from engine.fortresses.units import CODES, NONE, UnitCode, Units, one, parse_units
from engine.ruleset import Event, Standing, encode_sound_state
from pbem.conformance.rules import knows_alike
from tests.games.fortresses.engine.playing import seats
from tests.rings import at_length

LIMIT = 6


def random_orders(state: State, rng: Random) -> dict[int, tuple[Order, ...]]:
    """Of whoever is asked some of what is legal, judged together; sometimes nothing."""
    player = FORTRESSES.phase(state).asked[0]
    if rng.random() < 0.15:
        return {}
    offered = [
        order for order in FORTRESSES.legal(state, player) if FORTRESSES.act_of(order) is None
    ]
    bold = [order for order in offered if isinstance(order, Attack | Carry | Buy | Move)]
    chosen = rng.sample(offered, min(len(offered), rng.randint(1, 5))) + rng.sample(
        bold, min(len(bold), rng.randint(0, 8))
    )
    if state.stage == "attack" and rng.random() < 0.3:
        chosen += [Then(Buy(Units(L=1), land)) for land in rng.sample(fortresses(), 2)] + [
            Then(Done())
        ]
    standing = Standing[Order]()
    for order in chosen:
        standing = FORTRESSES.check(state, player, standing, [order]).standing
    return {player: standing.orders}


def on_board(state: State) -> Counter[tuple[Kingdom, UnitCode]]:
    found: Counter[tuple[Kingdom, UnitCode]] = Counter()
    for garrison in state.garrisons:
        found.update({(garrison.kingdom, code): count for code, count in garrison.units.pairs()})
    return found


def balance(events: tuple[Event, ...]) -> Counter[tuple[Kingdom, UnitCode]]:
    """What came to the board less what left it."""
    found: Counter[tuple[Kingdom, UnitCode]] = Counter()
    gains: list[tuple[str, Units, int]] = []
    for event in events:
        match event.facts:
            case UnitsBought(kingdom, _, units) | DefaultPurchase(kingdom, _, units):
                gains.append((kingdom, parse_units(units), 1))
            case RoundLost(_, _, lost):
                gains += [(loss.kingdom, parse_units(loss.units), -1) for loss in lost]
            case Drowned(_, unit, _, kingdom):
                gains += [(kingdom, one(code), -1) for code in CODES if code == unit]
    for name, lot, sign in gains:
        for code, count in lot.pairs():
            found[next(kingdom for kingdom in KINGDOMS if kingdom == name), code] += sign * count
    return found


class Game(RuleBasedStateMachine):
    @initialize(players=st.integers(2, 4), seed=st.integers(0, 2**32))
    def set_up(self, players: int, seed: int) -> None:
        self._deal(players, seed)

    @precondition(lambda self: self.state.stage == "over")
    @rule(players=st.integers(2, 4), seed=st.integers(0, 2**32))
    def play_another(self, players: int, seed: int) -> None:
        self._deal(players, seed)

    def _deal(self, players: int, seed: int) -> None:
        self.seed, self.place = seed.to_bytes(8, "big"), 0
        stream = Chance(self.seed)
        outcome = FORTRESSES.setup({"year_limit": LIMIT}, seats(players), stream)
        self._take(outcome.state, outcome.events, stream)

    def _take(self, state: State, events: tuple[Event, ...], stream: Chance) -> None:
        self.state, self.events, self.place = state, events, stream.place

    def is_open(self) -> bool:
        return self.state.stage != "over"

    @precondition(is_open)
    @rule(seed=st.integers(0, 2**32))
    def close(self, seed: int) -> None:
        orders = random_orders(self.state, Random(seed))
        before = FORTRESSES.encode_state(self.state)
        stream = Chance(self.seed, self.place)
        outcome = FORTRESSES.adjudicate(self.state, orders, stream)
        assert FORTRESSES.encode_state(self.state) == before, "the old state is left as it was"
        told = {
            player: FORTRESSES.decode_orders(FORTRESSES.encode_orders(theirs))
            for player, theirs in orders.items()
        }
        again = FORTRESSES.adjudicate(
            FORTRESSES.decode_state(before), told, Chance(self.seed, self.place)
        )
        assert FORTRESSES.encode_state(again.state) == FORTRESSES.encode_state(outcome.state)
        assert again.events == outcome.events
        after = on_board(self.state)
        after.update(balance(outcome.events))
        assert +after == +on_board(outcome.state), (
            "units come from purchases and go by losses alone"
        )
        self._take(outcome.state, outcome.events, stream)

    @precondition(is_open)
    @rule(
        who=st.integers(0, 3),
        what=st.sampled_from((Draw(), Concede(), Resign())),
        is_meant=st.integers(0, 9),
    )
    def somebody_gives_up(self, who: int, what: Order, is_meant: int) -> None:
        players = FORTRESSES.active(self.state)
        told = FORTRESSES.act_of(what)
        if is_meant or told is None or self.state.winner is not None:
            return
        stream = Chance(self.seed, self.place)
        outcome = FORTRESSES.act(self.state, players[who % len(players)], told, stream)
        assert outcome.state.stage == self.state.stage
        self._take(outcome.state, outcome.events, stream)

    @invariant()
    def comes_back_from_its_bytes(self) -> None:
        encode_sound_state(FORTRESSES, self.state)
        assert [
            FORTRESSES.decode_event(FORTRESSES.encode_event(event)) for event in self.events
        ] == list(self.events)
        assert all(event.rules and event.audience is None for event in self.events)

    @invariant()
    def the_board_is_sound(self) -> None:
        """FW-8.16, and the supply."""
        state = self.state
        assert len(state.owners) == len(lands())
        for (kingdom, code), count in on_board(state).items():
            assert 0 < count <= facts_of(code).supply, kingdom
        if state.stage != "attack":
            return
        sides: dict[str, set[str]] = {}
        for garrison in state.garrisons:
            sides.setdefault(garrison.zone, set()).add(alliance_of(garrison.kingdom))
            is_land = zones()[garrison.zone].is_land
            assert not (garrison.units.G if is_land else garrison.units.land + garrison.units.D)
            assert garrison.moved == NONE or garrison.moved.total > 0
            if garrison.units.D:
                assert alliance_of(state.owners[lands().index(garrison.zone)]) == alliance_of(
                    garrison.kingdom
                )
        assert all(len(side) == 1 for side in sides.values())

    @invariant()
    def everybody_sees_the_same(self) -> None:
        """FW-1.8."""
        public = FORTRESSES.view(self.state, None)
        for player in self.state.players:
            seen = FORTRESSES.view(self.state, player.number)
            assert getattr(seen, "zones", None) == getattr(public, "zones", 0)

    @invariant()
    def what_a_player_may_assume_looks_and_answers_alike(self) -> None:
        assert not list(knows_alike(FORTRESSES, self.state, Random(self.place)))

    @invariant()
    def what_is_offered_can_be_said_and_stands(self) -> None:
        for player in FORTRESSES.phase(self.state).asked:
            for order in list(FORTRESSES.legal(self.state, player))[::29]:
                assert parse_order(FORTRESSES.format_order(self.state, order)) == order
                checked = FORTRESSES.check(self.state, player, Standing(), [order])
                assert checked.problems == ()
                assert checked.accepted == (order,)

    @invariant()
    def a_position_written_out_reads_back(self) -> None:
        if self.state.winner is not None and self.state.stage != "over":
            return
        written = format_position(self.state)
        options = {"year_limit": self.state.options.year_limit}
        assert format_position(parse_position(written, options, "again")) == written

    @invariant()
    def somebody_is_asked_until_it_is_over(self) -> None:
        phase = FORTRESSES.phase(self.state)
        assert (phase.over is not None) == (not phase.asked)
        if phase.over is not None:
            placings = FORTRESSES.placings(self.state)
            assert (
                tuple(placing.player for placing in placings if placing.won) == phase.over.winners
            )
            return
        asked = phase.asked[0]
        lines = FORTRESSES.defaults(self.state, asked, Standing())
        assert (
            FORTRESSES.check(
                self.state,
                asked,
                Standing(),
                [order for order in lines if order not in self.state.held],
            ).problems
            == ()
        )


TestGame = Game.TestCase
TestGame.settings = settings(
    max_examples=int(os.environ.get("PBEM_GAMES", at_length(3, 4))),
    stateful_step_count=30,
    deadline=None,
)


def test_a_game_nobody_answers_ends_all_the_same() -> None:
    """FW-4.9, FW-4.12, FW-8.15, FW-9.2."""
    for players in (2, 3, 4):
        stream = Chance(bytes([players]))
        state = FORTRESSES.setup({"year_limit": 5}, seats(players), stream).state
        windows = 0
        while state.stage != "over":
            state = FORTRESSES.adjudicate(state, {}, stream).state
            windows += 1
        assert windows == 5 * 4 * 2 - 1
        assert (state.winner, state.how) == ("draw", "year-limit")
        assert len(FORTRESSES.view(state, None).absent) == players  # type: ignore[attr-defined]
