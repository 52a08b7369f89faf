"""Games of random legal play, kept as the desk keeps them: what happened, phase by phase, and what
every player held after each.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random

from engine.chance import Chance
from engine.protectors.colours import COLOURS
from engine.protectors.orders import Order
from engine.protectors.ruleset import PROTECTORS
from engine.protectors.state import State
from engine.ruleset import Event, Seat
from pbem.pages.page import PhaseEvents
from tests.games.protectors.engine.test_machine import random_orders

NAMES = ("Anna", "Bartek", "Chloé", "Dmytro", "Emil", "Fenna", "Goran", "Mei")


@dataclass
class Played:
    """A game so far; phase 0 is the start."""

    state: State
    phases: list[tuple[int, int, str, tuple[Event, ...]]] = field(default_factory=list)

    def past(self, player: int | None) -> tuple[PhaseEvents, ...]:
        """What this player (None: the public) may know of it."""
        return tuple(
            PhaseEvents(
                number, turn, kind, tuple(event for event in events if event.is_for(player))
            )
            for number, turn, kind, events in self.phases
        )

    @property
    def events(self) -> tuple[Event, ...]:
        return tuple(event for *_, events in self.phases for event in events)


def play(seed: int, players: int = 4, **options: object) -> Iterator[Played]:
    """A game, told after its start and after each close until it is over."""
    rng, chance = Random(seed), Chance(seed.to_bytes(32, "big"))
    seats = [Seat(i, NAMES[i - 1], COLOURS[i - 1]) for i in range(1, players + 1)]
    outcome = PROTECTORS.setup(options, seats, chance)
    game = Played(outcome.state, [(0, 0, "start", outcome.events)])
    yield game
    while game.state.stage != "over":
        orders: dict[int, tuple[Order, ...]] = random_orders(game.state, rng)
        turn, kind = game.state.turn, game.state.stage
        outcome = PROTECTORS.adjudicate(game.state, orders, chance)
        game = Played(outcome.state, [*game.phases, (len(game.phases), turn, kind, outcome.events)])
        yield game
