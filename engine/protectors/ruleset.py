"""Protectors of the Realm as a game of this house: the object the registry holds."""

from collections.abc import Iterator, Mapping, Sequence

from engine.chance import Chance
from engine.protectors import acts, defaults, flow, placings, setup, suppositions
from engine.protectors.checking import gaps, legal
from engine.protectors.checking import messages as checking
from engine.protectors.codec import CODEC
from engine.protectors.known import known_state
from engine.protectors.lands import MOST_PLAYERS
from engine.protectors.numbers import WINDOWS
from engine.protectors.orders import Order, format_order
from engine.protectors.state import State
from engine.protectors.view import TableView
from engine.protectors.view_of import view_of
from engine.ruleset import (
    Actor,
    Ballot,
    Checked,
    Choices,
    Fact,
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


class Protectors(UsualRules[State, Order]):
    """Implements `Ruleset`. It holds no state; the other modules of this package have the
    functions.
    """

    id = "protectors"
    version = "4"
    codec = CODEC
    windows = WINDOWS
    players = (2, MOST_PLAYERS)
    questions = setup.QUESTIONS
    final_locks = True

    def settle_votes(
        self, questions: Sequence[str], votes: Sequence[Mapping[str, str]], chance: Chance
    ) -> Ballot:
        return setup.settle_votes(questions, votes, chance)

    def options_voted(self, answers: Mapping[str, str]) -> Mapping[str, Fact]:
        return setup.options_voted(answers)

    def choices(self, options: Mapping[str, object], questions: Sequence[str] = ()) -> Choices:
        return setup.choices(options, questions)

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
        return tuple(sorted(state.ranking))

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
        return gaps.lacking(state, player, standing.orders)

    def is_ready(self, state: State, player: PlayerNumber, standing: Standing[Order]) -> bool:
        """Who has said that it is final, or has nothing to say (PR-2.3)."""
        return standing.final or not legal.can_say(state, player)

    def defaults(
        self, state: State, player: PlayerNumber, standing: Standing[Order]
    ) -> tuple[Order, ...]:
        return defaults.defaults(state, player, standing)

    def adjudicate(
        self, state: State, orders: Mapping[PlayerNumber, Sequence[Order]], chance: Chance
    ) -> Outcome[State]:
        return flow.adjudicate(state, orders, chance)

    def suppose(
        self, state: State, player: PlayerNumber, orders: Mapping[PlayerNumber, Sequence[Order]]
    ) -> Supposed[State]:
        return suppositions.suppose(state, player, orders)

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
        return format_order(order, {player.number: player.name for player in state.players})


PROTECTORS: Ruleset[State, Order] = Protectors()
