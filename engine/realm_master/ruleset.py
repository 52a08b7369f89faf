"""Realm-Master as a game of this house: the object the registry holds."""

from collections.abc import Iterator, Mapping, Sequence

from engine.chance import Chance
from engine.realm_master import acts, defaults, flow, placings, setup
from engine.realm_master.checking import gaps, legal
from engine.realm_master.checking import messages as checking
from engine.realm_master.codec import CODEC
from engine.realm_master.known import known_state
from engine.realm_master.orders import Order
from engine.realm_master.state import State
from engine.realm_master.view import TableView
from engine.realm_master.view_of import view_of
from engine.realm_master.wording import format_order
from engine.ruleset import (
    Actor,
    Ballot,
    Checked,
    Fact,
    Outcome,
    Phase,
    Placing,
    PlayerNumber,
    Ruleset,
    Seat,
    Standing,
)
from engine.usual import UsualRules


class RealmMaster(UsualRules[State, Order]):
    """Implements `Ruleset`. It holds no state; the other modules of this package have the
    functions.
    """

    id = "realm-master"
    version = "3"
    codec = CODEC
    windows: Mapping[str, int] = {str(stage): hours for stage, hours in flow.WINDOWS.items()}
    players = (setup.FEWEST_PLAYERS, setup.MOST_PLAYERS)
    questions = setup.QUESTIONS

    def settle_votes(
        self, questions: Sequence[str], votes: Sequence[Mapping[str, str]], chance: Chance
    ) -> Ballot:
        return setup.settle_votes(questions, votes, chance)

    def options_voted(self, answers: Mapping[str, str]) -> Mapping[str, Fact]:
        return setup.options_voted(answers)

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
        return tuple(player.number for player in state.players if player.alive)

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
        return gaps.lacking(state, player, standing)

    def is_ready(self, state: State, player: PlayerNumber, standing: Standing[Order]) -> bool:
        """Who has answered, or whose kept plan is on `auto` and who has sent nothing else
        (RM-11.4).
        """
        return standing.final or (not standing.orders and checking.is_complete(state, player, ()))

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

    def act_of(self, order: Order) -> Mapping[str, object] | None:
        return acts.act_of(order)

    def view(self, state: State, player: PlayerNumber | None) -> TableView:
        return view_of(state, player)

    def assume(self, view: TableView) -> State:
        return known_state(view)

    def format_order(self, state: State, order: Order) -> str:
        return format_order(order)


REALM_MASTER: Ruleset[State, Order] = RealmMaster()
