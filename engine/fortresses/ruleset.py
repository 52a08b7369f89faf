"""Fortresses as a game of this house: the object the registry holds."""

from collections.abc import Iterator, Mapping, Sequence

from engine.chance import Chance
from engine.fortresses import acts, checks, defaults, flow, legal, placings, setup, suppositions
from engine.fortresses.atlas import KINGDOMS
from engine.fortresses.codec import CODEC
from engine.fortresses.odds import Odds
from engine.fortresses.orders import Order, format_order
from engine.fortresses.state import State
from engine.fortresses.suppositions import Line
from engine.fortresses.view import TableView, state_of, view_of
from engine.ruleset import (
    Actor,
    Checked,
    Choices,
    Lapse,
    Outcome,
    Phase,
    Placing,
    PlayerNumber,
    Ruleset,
    Seat,
    Standing,
    Supposed,
)
from engine.usual import UsualRules


class Fortresses(UsualRules[State, Order]):
    """Implements `Ruleset`. It holds no state; the other modules of this package have the
    functions.
    """

    id = "fortresses"
    version = "2"
    codec = CODEC
    windows: Mapping[str, int] = {str(stage): hours for stage, hours in flow.WINDOWS.items()}
    players = (setup.FEWEST_PLAYERS, setup.MOST_PLAYERS)

    def choices(self, options: Mapping[str, object], questions: Sequence[str] = ()) -> Choices:
        """A kingdom may be chosen; open seats are dealt (FW-1.3)."""
        setup.check_options(options)
        return Choices(factions=KINGDOMS)

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
        return tuple(player.number for player in state.players if not player.gone)

    def placings(self, state: State) -> tuple[Placing, ...]:
        return placings.placings(state)

    def legal(self, state: State, player: PlayerNumber) -> Iterator[Order]:
        return legal.legal(state, player)

    def check(
        self, state: State, player: PlayerNumber, standing: Standing[Order], orders: Sequence[Order]
    ) -> Checked[Order]:
        return checks.check(state, player, standing, orders)

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

    def suppose(
        self, state: State, player: PlayerNumber, orders: Mapping[PlayerNumber, Sequence[Line]]
    ) -> Supposed[State]:
        return suppositions.suppose(state, player, orders)

    def act(
        self, state: State, actor: Actor, act: Mapping[str, object], chance: Chance
    ) -> Outcome[State]:
        return acts.act(state, actor, act, chance)

    def act_of(self, order: Order) -> Mapping[str, object] | None:
        return acts.act_of(order)

    def act_of_message(
        self, state: State, player: PlayerNumber, *, stands: bool
    ) -> Mapping[str, object] | None:
        return acts.act_of_message(state, player, stands=stands)

    def lapsing(self, state: State) -> tuple[Lapse, ...]:
        return acts.lapsing(state)

    def view(self, state: State, player: PlayerNumber | None) -> TableView:
        return view_of(state, player)

    def assume(self, view: TableView) -> State:
        return state_of(view)

    def format_order(self, state: State, order: Line) -> str:
        return order.text if isinstance(order, Odds) else format_order(order)


FORTRESSES: Ruleset[State, Order] = Fortresses()
