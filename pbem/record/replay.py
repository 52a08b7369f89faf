"""Playing a game again from what was given: seed, options, seats, votes, acts and orders. Pure; the
same story gives the same game.

A phase ends by its close, by an act, or by a roll back. A roll back opens the next phase as an
earlier one was opened: the decks return as they lay, and draws continue from where the stream of
chance stands; with a reshuffle, what nobody has seen lies in a new order.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Literal

from engine.chance import Chance, Draw
from engine.ruleset import Actor, Event, Outcome, Ruleset, Seat, Standing
from engine.ruleset import Phase as OpenPhase
from pbem.record.record import Ending, Record, Votes

GM: Literal["gm"] = "gm"
"""The actor of a game master's acts, as the rules know it."""

RESHUFFLE: Mapping[str, object] = {"act": "reshuffle"}
"""The act of a roll back that shuffles."""

_IMPOSSIBLE = (ValueError, LookupError, TypeError, AttributeError, ArithmeticError, AssertionError)
"""What rules raise that are handed something they would never have accepted: a story may come from
a file that anybody wrote.
"""


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules a story is played by; `read` makes an order of what a story holds of it (a text,
    say). ValueError if it cannot.
    """

    ruleset: Ruleset[Any, Any]
    read: Callable[[Any, Any], Any]


@dataclass(frozen=True, slots=True)
class GivenAct:
    """An act; `act` is None if its kept text cannot be read."""

    actor: Actor
    act: Mapping[str, Any] | None


@dataclass(frozen=True, slots=True)
class GivenPhase:
    """What was given in a phase. `to` (with `reshuffle`) is set where a roll back ended it."""

    acts: Sequence[GivenAct] = ()
    orders: Mapping[int, Sequence[Any]] = field(default_factory=dict)
    to: int | None = None
    reshuffle: bool = False


@dataclass(frozen=True, slots=True)
class Story:
    """All that was given in a game; the first phase is number 1. The last one is not closed."""

    seed: bytes
    options: Mapping[str, Any]
    seats: Sequence[Seat]
    votes: Votes | None
    phases: Sequence[GivenPhase]


@dataclass(frozen=True, slots=True)
class Refused:
    """An order of the story that did not count: it cannot be read (`code` is ""), or the rules
    refuse it with a code.
    """

    player: int
    order: Any
    code: str


@dataclass(frozen=True, slots=True)
class PlayedAct:
    """The result of an act: the encoded state after it, and where the stream stood then."""

    actor: Actor
    act: Mapping[str, Any]
    state: bytes
    place: int


@dataclass(frozen=True, slots=True)
class Played:
    """A phase played again; number 0 is the start, of kind `start`, without a state.

    `asked` were asked when it was closed, `orders` are the canonical texts of what counted then
    (None: it was not closed). `stuck` says why nothing more can be played; then the phase is the
    last one that comes.
    """

    number: int
    kind: str
    turn: int
    state: bytes
    place: int
    acts: tuple[PlayedAct, ...]
    ended: Ending
    to: int | None
    reshuffle: bool
    asked: tuple[int, ...]
    orders: Mapping[int, tuple[str, ...]] | None
    refused: tuple[Refused, ...]
    draws: tuple[Draw, ...]
    events: tuple[bytes, ...]
    end_place: int
    stuck: str = ""


def story_of(record: Record) -> Story:
    """What was given in a recorded game, orders as texts."""
    return Story(
        seed=record.seed_bytes,
        options=record.options,
        seats=[
            Seat(one.number, one.name, one.colour, one.team, one.faction, one.place)
            for one in record.players
        ],
        votes=record.votes,
        phases=[
            GivenPhase(
                tuple(GivenAct(act.actor, act.act) for act in phase.acts),
                {orders.player: orders.orders for orders in phase.orders if orders.orders},
                phase.to,
                phase.reshuffle,
            )
            for phase in record.phases
        ],
    )


def is_another_phase(before: OpenPhase, after: OpenPhase) -> bool:
    """Whether an act has ended the open phase: something else is asked now, or nothing."""
    return (before.kind, before.turn, before.question, before.over) != (
        after.kind,
        after.turn,
        after.question,
        after.over,
    )


def replay(story: Story, rules: Rules, *, judging: bool = False) -> Iterator[Played]:
    """Play it again, phase by phase, as far as it can be played.

    `judging`: orders that the rules would refuse are left out and named, as is wanted of a story
    that anybody may have written.
    """
    yield from _Replay(story, rules, judging=judging).play()


class _Stuck(Exception):
    """The story cannot be played any further."""


@contextmanager
def _replaying(what: str) -> Iterator[None]:
    """A step of the rules: where they raise, the story is stuck."""
    try:
        yield
    except _IMPOSSIBLE as error:
        raise _Stuck(f"{what} cannot be replayed: {_why(error)}") from error


class _Replay:
    """The game as it stands: its state, the place of the stream, and what the phase at hand has
    come to so far.
    """

    def __init__(self, story: Story, rules: Rules, *, judging: bool) -> None:
        self._story = story
        self._rules = rules.ruleset
        self._read = rules.read
        self._judging = judging
        self._state: Any = None
        self._place = 0
        self._opened: dict[int, Any] = {}
        self._ahead: tuple[Event, ...] = ()
        self._clear(0)

    def _clear(self, number: int) -> None:
        self._number = number
        self._events: list[Event] = list(self._ahead)
        self._ahead = ()
        self._draws: list[Draw] = []
        self._acts: list[PlayedAct] = []
        self._refused: list[Refused] = []
        self._orders: dict[int, tuple[str, ...]] | None = None
        self._asked: tuple[int, ...] = ()
        self._within: list[Any] = []

    def play(self) -> Iterator[Played]:
        try:
            self._start()
        except _Stuck as stuck:
            yield self._played("close", 0, None, str(stuck))
            return
        yield self._played("close", 0, None)
        for number, given in enumerate(self._story.phases, start=1):
            opening, place = self._state, self._place
            self._clear(number)
            self._opened[number] = opening
            self._within = [opening]
            try:
                ended = self._play_phase(given, is_last=number == len(self._story.phases))
            except _Stuck as stuck:
                yield self._played("close", place, opening, str(stuck))
                return
            yield self._played(ended, place, opening, given=given)

    def _played(
        self,
        ended: Ending,
        place: int,
        opening: Any,
        stuck: str = "",
        given: GivenPhase | None = None,
    ) -> Played:
        phase = self._rules.phase(opening) if opening is not None else OpenPhase("start", 0, (), 0)
        rolled_back = given is not None and ended == "roll back"
        return Played(
            number=self._number,
            kind=phase.kind,
            turn=phase.turn,
            state=self._rules.encode_state(opening) if opening is not None else b"",
            place=place,
            acts=tuple(self._acts),
            ended=ended,
            to=given.to if given is not None and rolled_back else None,
            reshuffle=given.reshuffle if given is not None and rolled_back else False,
            asked=self._asked,
            orders=self._orders,
            refused=tuple(self._refused),
            draws=tuple(self._draws),
            events=tuple(self._rules.encode_event(event) for event in self._events),
            end_place=self._place,
            stuck=stuck,
        )

    def _start(self) -> None:
        options, votes = dict(self._story.options), self._story.votes
        chance = Chance(self._story.seed)
        with _replaying("the start"):
            if votes is not None:
                ballot = self._rules.settle_votes(votes.questions, votes.votes, chance)
                options |= ballot.options
                self._events += ballot.events
            outcome: Outcome[Any] = self._rules.setup(options, list(self._story.seats), chance)
        self._took(outcome, chance)

    def _play_phase(self, given: GivenPhase, *, is_last: bool) -> Ending:
        for index, act in enumerate(given.acts):
            if self._act(index, act):
                if given.to is not None:
                    raise _Stuck(
                        f"phase {self._number}: an act has ended it, and it is rolled back all the"
                        " same"
                    )
                return "act"
        if given.to is not None:
            self._roll_back(given.to, reshuffle=given.reshuffle)
            return "roll back"
        if is_last:
            return "over" if self._rules.phase(self._state).over is not None else "broken off"
        self._close(given.orders)
        return "close"

    def _act(self, index: int, given: GivenAct) -> bool:
        """Whether it has ended the phase."""
        where = f"phase {self._number}: act {index}"
        if given.act is None:
            raise _Stuck(f"{where} cannot be read")
        before, chance = self._rules.phase(self._state), Chance(self._story.seed, self._place)
        with _replaying(f"{where} ({given.act.get('act')})"):
            outcome = self._rules.act(self._state, given.actor, dict(given.act), chance)
        self._took(outcome, chance)
        self._acts.append(
            PlayedAct(given.actor, given.act, self._rules.encode_state(self._state), self._place)
        )
        self._within.append(self._state)
        return is_another_phase(before, self._rules.phase(self._state))

    def _roll_back(self, to: int, *, reshuffle: bool) -> None:
        """The next phase opens as an earlier one did; what a reshuffle tells belongs to it
        already.
        """
        chance = Chance(self._story.seed, self._place)
        with _replaying(f"phase {self._number}: the roll back"):
            if to not in self._opened:
                raise ValueError(f"there was no phase {to} yet")
            outcome = Outcome(self._opened[to], ())
            if reshuffle:
                outcome = self._rules.act(outcome.state, "gm", RESHUFFLE, chance)
        self._took(Outcome(outcome.state, ()), chance)
        self._ahead = outcome.events

    def _close(self, given: Mapping[int, Sequence[Any]]) -> None:
        open_phase = self._rules.phase(self._state)
        if open_phase.over is not None:
            raise _Stuck(f"phase {self._number}: the game is over by then")
        orders = {
            player: read
            for player, told in sorted(given.items())
            if (read := self._orders_of(player, told))
        }
        chance = Chance(self._story.seed, self._place)
        with _replaying(f"phase {self._number}: its close"):
            texts = {
                player: tuple(self._rules.format_order(self._state, order) for order in theirs)
                for player, theirs in orders.items()
            }
            outcome = self._rules.adjudicate(self._state, orders, chance)
        self._asked, self._orders = open_phase.asked, texts
        self._took(outcome, chance)

    def _orders_of(self, player: int, given: Sequence[Any]) -> tuple[Any, ...]:
        """What counts of a player's orders; what does not is noted."""
        orders: list[Any] = []
        if player not in self._rules.active(self._state):
            self._refused += [Refused(player, told, "not-active") for told in given]
            return ()
        for told in given:
            try:
                orders.append(self._read(self._state, told))
            except _IMPOSSIBLE:
                self._refused.append(Refused(player, told, ""))
        if not self._judging:
            return tuple(orders)
        refused = self._refusals(player, orders)
        self._refused += [
            Refused(player, self._text(orders[index]), code) for index, code in refused.items()
        ]
        return tuple(order for index, order in enumerate(orders) if index not in refused)

    def _refusals(self, player: int, orders: Sequence[Any]) -> dict[int, str]:
        """Orders that the rules refuse however they were sent (all at once, or each by itself) and
        however the table lay then: acts may have changed it after they were given.
        """
        refused: dict[int, str] | None = None
        for state in self._within:
            together = self._refused_of(state, player, orders)
            alone = {
                index: code
                for index, code in together.items()
                if self._refused_of(state, player, [orders[index]])
            }
            refused = (
                alone
                if refused is None
                else {index: code for index, code in refused.items() if index in alone}
            )
            if not refused:
                break
        return refused or {}

    def _refused_of(self, state: Any, player: int, orders: Sequence[Any]) -> dict[int, str]:
        try:
            problems = self._rules.check(state, player, Standing(), orders).problems
        except _IMPOSSIBLE as error:
            return dict.fromkeys(range(len(orders)), _why(error))
        return {
            problem.order: problem.code
            for problem in problems
            if not problem.warning and problem.order is not None
        }

    def _text(self, order: Any) -> str:
        try:
            return self._rules.format_order(self._state, order)
        except _IMPOSSIBLE:
            return repr(order)

    def _took(self, outcome: Outcome[Any], chance: Chance) -> None:
        self._state, self._place = outcome.state, chance.place
        self._events += outcome.events
        self._draws += chance.draws


def _why(error: Exception) -> str:
    return str(error) if isinstance(error, ValueError) else f"{type(error).__name__}: {error}"
