"""What most games answer alike: a base for rulesets, of which a game overrides what is different in
it.
"""

from collections.abc import Mapping, Sequence

from engine.chance import Chance
from engine.codec import Codec
from engine.ruleset import (
    Ballot,
    Choices,
    Event,
    Fact,
    NotSupposable,
    OrderT,
    PlayerNumber,
    Ruleset,
    Standing,
    StateT,
    Supposed,
)


class UsualRules(Ruleset[StateT, OrderT]):
    """A game without votes, choices and options before the start, in which one order answers what
    is asked, nothing is done at once, and nothing can be supposed.

    To be said by every game: `id`, `version`, `windows`, `players`, `codec`, and the functions that
    are not here.
    """

    codec: Codec[StateT, OrderT]
    questions: Mapping[str, tuple[str, ...]] = {}

    # ----------------------------------------------------------------------------- before the start
    def settle_votes(
        self, questions: Sequence[str], votes: Sequence[Mapping[str, str]], chance: Chance
    ) -> Ballot:
        if questions or any(votes):
            raise ValueError("nothing is voted on in this game")
        return Ballot({}, ())

    def options_voted(self, answers: Mapping[str, str]) -> Mapping[str, Fact]:
        return {}

    def choices(self, options: Mapping[str, object], questions: Sequence[str] = ()) -> Choices:
        self.check_options(options)
        return Choices()

    def check_options(self, options: Mapping[str, object]) -> None:
        """Whether a phase closes when all have answered is the one option of every game."""
        for name, value in options.items():
            if name != "early_close" or value not in (True, False):
                raise ValueError(f"{name} = {value!r}: the one option is early_close, yes or no")

    def check_players(self, options: Mapping[str, object], players: int) -> None:
        fewest, most = self.players
        if not fewest <= players <= most:
            raise ValueError(f"{fewest} to {most} can play, not {players}")

    # -------------------------------------------------------------------------------- an open phase
    def lacking(
        self, state: StateT, player: PlayerNumber, standing: Standing[OrderT]
    ) -> tuple[str, ...]:
        phase = self.phase(state)
        return (phase.kind,) if player in phase.asked and not standing.orders else ()

    def is_ready(self, state: StateT, player: PlayerNumber, standing: Standing[OrderT]) -> bool:
        return standing.final or not self.lacking(state, player, standing)

    def suppose(
        self, state: StateT, player: PlayerNumber, orders: Mapping[PlayerNumber, Sequence[OrderT]]
    ) -> Supposed[StateT]:
        raise NotSupposable("by-chance", phase=self.phase(state).kind, when=())

    def act_of(self, order: OrderT) -> Mapping[str, object] | None:
        return None

    # ------------------------------------------------------------------------------------- as bytes
    def encode_state(self, state: StateT) -> bytes:
        return self.codec.encode_state(state)

    def decode_state(self, raw: bytes) -> StateT:
        return self.codec.decode_state(raw)

    def encode_orders(self, orders: Sequence[OrderT]) -> bytes:
        return self.codec.encode_orders(orders)

    def decode_orders(self, raw: bytes) -> tuple[OrderT, ...]:
        return self.codec.decode_orders(raw)

    def encode_event(self, event: Event) -> bytes:
        return self.codec.encode_event(event)

    def decode_event(self, raw: bytes) -> Event:
        return self.codec.decode_event(raw)
