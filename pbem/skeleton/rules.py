"""The rules: pure functions over frozen values. IDs are those of `rules.yaml`."""

from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar, Literal

import msgspec
from msgspec.structs import replace

from engine.chance import Chance
from engine.codec import Codec
from engine.forms import Forms, digits
from engine.ruleset import Event, Facts, Outcome, Over, Phase, Placing, Problem, Seat, Standing
from engine.usual import OneOrderRules, RulingGiven

MOST = 100
ROUNDS = 8


class Player(msgspec.Struct, frozen=True):
    """`off` is by how much the last guess was wrong (None: there was none)."""

    number: int
    name: str
    colour: str
    off: int | None = None
    gone: bool = False


class State(msgspec.Struct, frozen=True):
    """`secret` is the number to guess (0 in what a player may assume); `how` the game ended."""

    players: tuple[Player, ...]
    secret: int
    round: int = 1
    winners: tuple[int, ...] = ()
    how: str = ""


class Guess(msgspec.Struct, frozen=True, tag="guess"):
    """The one order there is; `form` is the template of its text."""

    form: ClassVar[str] = "Guess {number:count}"
    number: int


class GameSetUp(Facts, frozen=True, tag="game-set-up"):
    most: int


class Guessed(Facts, frozen=True, tag="guessed"):
    """`side` says where the secret number lies: above the guess, below it, or there."""

    player: int
    number: int
    side: Literal["above", "below", "there"]


class PlayerLeft(Facts, frozen=True, tag="left"):
    player: int


class GameOver(Facts, frozen=True, tag="game-over"):
    winners: tuple[int, ...]
    secret: int


class View(msgspec.Struct, frozen=True):
    """What everybody may know; the secret number only when the game is over, 0 before."""

    stage: Literal["guess", "over"]
    turn: int
    asked: tuple[int, ...]
    winners: tuple[int, ...]
    how: str
    players: tuple[Player, ...]
    secret: int


def faults_of(state: State) -> Iterator[str]:
    """What no game can come to."""
    if not 0 <= state.secret <= MOST:
        yield f"the secret number {state.secret}"


class Rules(OneOrderRules[State, Guess]):
    """Fulfils `Ruleset`; what is not here is as in most games."""

    id = "skeleton"
    version = "1"
    windows: Mapping[str, int] = {"guess": 24}
    players = (2, 6)
    codec: Codec[State, Guess] = Codec(
        State, Guess, GameSetUp | Guessed | PlayerLeft | GameOver | RulingGiven, faults_of
    )
    forms: Forms[Guess] = Forms("a guess", (Guess,), {"count": digits()})

    def setup(
        self, options: Mapping[str, object], seats: Sequence[Seat], chance: Chance
    ) -> Outcome[State]:
        self.check_options(options)
        self.check_players(options, len(seats))
        players = tuple(Player(seat.number, seat.name, seat.colour) for seat in seats)
        state = State(players, chance.die("secret", MOST))
        return Outcome(state, (Event(GameSetUp(MOST), ("GU-1.1", "GU-1.2")),))

    def phase(self, state: State) -> Phase:
        if state.how:
            return Phase("over", state.round, (), 0, over=Over(state.winners, state.how))
        return Phase("guess", state.round, self.active(state), self.windows["guess"], ("GU-2.1",))

    def active(self, state: State) -> tuple[int, ...]:
        return tuple(player.number for player in state.players if not player.gone)

    def placings(self, state: State) -> tuple[Placing, ...]:
        return tuple(
            Placing(number, 1 + (not won), won, 0, state.how)
            for number, won in (
                (player.number, player.number in state.winners) for player in state.players
            )
        )

    def legal(self, state: State, player: int) -> Iterator[Guess]:
        if player in self.phase(state).asked:
            yield from map(Guess, range(1, MOST + 1))

    def judge(self, state: State, player: int, order: Guess) -> Problem | None:
        if 1 <= order.number <= MOST:
            return None
        return Problem("out-of-range", ("GU-2.1",), {"number": order.number, "most": MOST})

    def defaults(self, state: State, player: int, standing: Standing[Guess]) -> tuple[Guess, ...]:
        return standing.orders

    def adjudicate(
        self, state: State, orders: Mapping[int, Sequence[Guess]], chance: Chance
    ) -> Outcome[State]:
        """Tell of every guess where the secret lies, and end the game or open the next round."""
        guesses = {player: given[-1].number for player, given in orders.items() if given}
        events = [
            Event(Guessed(player, number, _side(number, state.secret)), ("GU-2.2",))
            for player, number in sorted(guesses.items())
        ]
        players = tuple(
            replace(player, off=abs(guesses[player.number] - state.secret))
            if player.number in guesses
            else replace(player, off=None)
            for player in state.players
        )
        after = replace(state, players=players)
        if state.secret not in guesses.values() and state.round < ROUNDS:
            return Outcome(replace(after, round=state.round + 1), tuple(events))
        ended = self._over(after, "guessed" if state.secret in guesses.values() else "rounds")
        return Outcome(ended.state, (*events, *ended.events))

    def view(self, state: State, player: int | None) -> View:
        phase = self.phase(state)
        players = state.players if state.how else _without_distance(state.players)
        return View(
            stage="over" if state.how else "guess",
            turn=state.round,
            asked=phase.asked,
            winners=state.winners,
            how=state.how,
            players=players,
            secret=state.secret if state.how else 0,
        )

    def assume(self, view: View) -> State:
        return State(view.players, view.secret, view.turn, view.winners, view.how)

    def end(self, state: State, winners: tuple[int, ...], chance: Chance) -> Outcome[State]:
        return self._over(state, "agreement", winners)

    def remove(self, state: State, player: int, chance: Chance) -> Outcome[State]:
        players = tuple(
            replace(one, gone=True) if one.number == player else one for one in state.players
        )
        after, left = replace(state, players=players), Event(PlayerLeft(player), ("GU-3.3",))
        if len(self.active(after)) > 1:
            return Outcome(after, (left,))
        ended = self._over(after, "alone")
        return Outcome(ended.state, (left, *ended.events))

    def _over(self, state: State, how: str, winners: tuple[int, ...] = ()) -> Outcome[State]:
        """Those who are nearest win, if nobody has agreed on something else."""
        ranks = {
            player.number: MOST if player.off is None else player.off
            for player in state.players
            if not player.gone
        }
        best = min(ranks.values())
        winners = winners or tuple(number for number, off in ranks.items() if off == best)
        over = Event(GameOver(winners, state.secret), ("GU-3.1", "GU-3.2"))
        return Outcome(replace(state, winners=winners, how=how), (over,))


def _side(number: int, secret: int) -> Literal["above", "below", "there"]:
    return "there" if number == secret else "above" if secret > number else "below"


def _without_distance(players: tuple[Player, ...]) -> tuple[Player, ...]:
    """How near a guess was is as good as the secret number."""
    return tuple(replace(player, off=None) for player in players)


RULES = Rules()
