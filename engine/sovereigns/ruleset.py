"""States & Sovereigns as a game of this house: the object the registry holds."""

from collections.abc import Iterator, Mapping, Sequence

from engine.chance import Chance
from engine.ruleset import (
    Actor,
    Checked,
    Outcome,
    Phase,
    Placing,
    PlayerNumber,
    Ruleset,
    RulingRequest,
    Seat,
    Standing,
    Supposed,
)
from engine.sovereigns import acts, defaults, flow, legal, placings, requests, setup, suppositions
from engine.sovereigns.checking import messages as checking
from engine.sovereigns.codec import CODEC
from engine.sovereigns.known import known_state
from engine.sovereigns.orders import Order
from engine.sovereigns.seasons.running_phase import WINDOWS, next_hour
from engine.sovereigns.state import State
from engine.sovereigns.view import TableView, view_of
from engine.sovereigns.wording import format_order
from engine.usual import UsualRules


class Sovereigns(UsualRules[State, Order]):
    """Implements `Ruleset`. It holds no state; the other modules of this package have the
    functions.
    """

    id = "sovereigns"
    version = "2"
    codec = CODEC
    windows: Mapping[str, int] = WINDOWS
    players = (setup.FEWEST_PLAYERS, setup.MOST_PLAYERS)

    def setup(
        self, options: Mapping[str, object], seats: Sequence[Seat], chance: Chance
    ) -> Outcome[State]:
        return setup.set_up(options, seats, chance)

    def check_options(self, options: Mapping[str, object]) -> None:
        setup.check_options(options)

    def check_players(self, options: Mapping[str, object], players: int) -> None:
        setup.check_players(options, players)

    def phase(self, state: State) -> Phase:
        return flow.phase(state)

    def active(self, state: State) -> tuple[PlayerNumber, ...]:
        return tuple(sorted(state.living))

    def placings(self, state: State) -> tuple[Placing, ...]:
        return placings.placings(state)

    def legal(self, state: State, player: PlayerNumber) -> Iterator[Order]:
        return legal.legal(state, player)

    def check(
        self, state: State, player: PlayerNumber, standing: Standing[Order], orders: Sequence[Order]
    ) -> Checked[Order]:
        return checking.check(state, player, standing, orders)

    def lacking(
        self, state: State, player: PlayerNumber, standing: Standing[Order]
    ) -> tuple[str, ...]:
        return defaults.lacking(state, player, standing)

    def is_ready(self, state: State, player: PlayerNumber, standing: Standing[Order]) -> bool:
        return defaults.is_ready(state, player, standing)

    def defaults(
        self, state: State, player: PlayerNumber, standing: Standing[Order]
    ) -> tuple[Order, ...]:
        return defaults.defaults(state, player, standing)

    def adjudicate(
        self, state: State, orders: Mapping[PlayerNumber, Sequence[Order]], chance: Chance
    ) -> Outcome[State]:
        return flow.adjudicate(state, orders, chance)

    def act(
        self, state: State, actor: Actor, act: Mapping[str, object], chance: Chance
    ) -> Outcome[State]:
        return acts.act(state, actor, act, chance)

    def suppose(
        self, state: State, player: PlayerNumber, orders: Mapping[PlayerNumber, Sequence[Order]]
    ) -> Supposed[State]:
        return suppositions.suppose(state, player, orders)

    def act_of(self, order: Order) -> Mapping[str, object] | None:
        return acts.act_of(order)

    def next_hour(self, state: State) -> int | None:
        return next_hour(state)

    def act_of_hour(self, state: State, hour: int) -> Mapping[str, object] | None:
        return acts.act_of_hour(state, hour)

    def ruling_requests(
        self, state: State, standings: Mapping[PlayerNumber, Standing[Order]]
    ) -> tuple[RulingRequest, ...]:
        return requests.ruling_requests(state, standings)

    def view(self, state: State, player: PlayerNumber | None) -> TableView:
        return view_of(state, player)

    def assume(self, view: TableView) -> State:
        return known_state(view)

    def format_order(self, state: State, order: Order) -> str:
        return format_order(state, order)


SOVEREIGNS: Ruleset[State, Order] = Sovereigns()
