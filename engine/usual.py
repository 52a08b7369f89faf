"""What most games answer alike: a base for rulesets, of which a game overrides what is different in
it.
"""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from engine.chance import Chance
from engine.codec import Codec
from engine.forms import Forms
from engine.ruleset import (
    Actor,
    Ballot,
    Checked,
    Choices,
    Event,
    Fact,
    Facts,
    Lapse,
    NotSupposable,
    OrderT,
    Outcome,
    PlayerNumber,
    Problem,
    Ruleset,
    RulingRequest,
    Standing,
    StateT,
    Supposed,
    format_numbers,
)

MOST_TEXT = 2000
"""Characters of a ruling."""


class RulingGiven(Facts, frozen=True, tag="ruling"):
    """A game master's word on the rules, which changes nothing."""

    text: str


class UsualRules(Ruleset[StateT, OrderT]):
    """A game without choices before the start, and with no options but its `questions`, in which
    one order answers what is asked, and nothing can be supposed.

    To be said by every game: `id`, `version`, `windows`, `players`, `codec`, `forms` (or
    `format_order`), and the functions that are not here.
    """

    codec: Codec[StateT, OrderT]
    forms: Forms[OrderT]
    questions: Mapping[str, tuple[str, ...]] = {}
    final_locks = False

    # ----------------------------------------------------------------------------- before the start
    def settle_votes(
        self, questions: Sequence[str], votes: Sequence[Mapping[str, str]], chance: Chance
    ) -> Ballot:
        """Most votes win; chance parts a tie."""
        for question, answer in (entry for vote in votes for entry in vote.items()):
            if question not in questions or answer not in self.questions.get(question, ()):
                raise ValueError(f"{answer!r} is no answer to {question!r}")
        if unknown := set(questions) - set(self.questions):
            raise ValueError(f"nobody votes on {', '.join(sorted(unknown))} in this game")
        answers: dict[str, str] = {}
        events: list[Event] = []
        for question in questions:
            cast = [vote[question] for vote in votes if question in vote]
            counts = {answer: cast.count(answer) for answer in self.questions[question]}
            best = [answer for answer, count in counts.items() if count == max(counts.values())]
            tied = len(best) > 1
            answers[question] = chance.choice(f"vote: {question}", best) if tied else best[0]
            events += self.vote_told(question, answers[question], counts, by_chance=tied)
        return Ballot(self.options_voted(answers), tuple(events))

    def vote_told(
        self, question: str, answer: str, counts: Mapping[str, int], *, by_chance: bool
    ) -> Sequence[Event]:
        """The events that tell how a vote came out; usually the set-up tells the option."""
        return ()

    def options_voted(self, answers: Mapping[str, str]) -> Mapping[str, Fact]:
        return {
            question: answer for question, answer in answers.items() if question in self.questions
        }

    def choices(self, options: Mapping[str, object], questions: Sequence[str] = ()) -> Choices:
        self.check_options(options)
        return Choices()

    def check_options(self, options: Mapping[str, object]) -> None:
        """An option is the answer to a question; whether a phase closes when all have answered is
        one of every game.
        """
        for name, value in options.items():
            if name in self.questions:
                if str(value) not in self.questions[name]:
                    raise ValueError(
                        f"{name} is {' or '.join(self.questions[name])}, not {value!r}"
                    )
            elif name != "early_close" or value not in (True, False):
                known = ", ".join(("early_close, yes or no", *self.questions))
                raise ValueError(f"{name} = {value!r}: the options are {known}")

    def check_players(self, options: Mapping[str, object], players: int) -> None:
        fewest, most = self.players
        if not fewest <= players <= most:
            raise ValueError(f"{format_numbers(fewest, most)} can play, not {players}")

    # -------------------------------------------------------------------------------- an open phase
    def lacking(
        self, state: StateT, player: PlayerNumber, standing: Standing[OrderT]
    ) -> tuple[str, ...]:
        phase = self.phase(state)
        return (phase.kind,) if player in phase.asked and not standing.orders else ()

    def is_ready(self, state: StateT, player: PlayerNumber, standing: Standing[OrderT]) -> bool:
        return standing.final

    def suppose(
        self, state: StateT, player: PlayerNumber, orders: Mapping[PlayerNumber, Sequence[OrderT]]
    ) -> Supposed[StateT]:
        raise NotSupposable("by-chance", phase=self.phase(state).kind, when=())

    def act_of(self, order: OrderT) -> Mapping[str, object] | None:
        return None

    def act_of_message(
        self, state: StateT, player: PlayerNumber, *, stands: bool
    ) -> Mapping[str, object] | None:
        return None

    def lapsing(self, state: StateT) -> tuple[Lapse, ...]:
        return ()

    def next_hour(self, state: StateT) -> int | None:
        return None

    def act_of_hour(self, state: StateT, hour: int) -> Mapping[str, object] | None:
        return None

    def ruling_requests(
        self, state: StateT, standings: Mapping[PlayerNumber, Standing[OrderT]]
    ) -> tuple[RulingRequest, ...]:
        return ()

    # ------------------------------------------------------------------------------ what is known
    def view(self, state: StateT, player: PlayerNumber | None) -> Any:
        """Nothing is hidden."""
        return state

    def assume(self, view: Any) -> StateT:
        """For a game that hides nothing; one with a view of its own has its own."""
        state: StateT = view
        return state

    # ------------------------------------------------------------------------ as texts and as bytes
    def format_order(self, state: StateT, order: OrderT) -> str:
        return self.forms.format(order, state)

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


class OneOrderRules(UsualRules[StateT, OrderT]):
    """The same with the check of orders one by one, and the acts that every game knows of."""

    # -------------------------------------------------------------------------------- an open phase
    @abstractmethod
    def judge(self, state: StateT, player: PlayerNumber, order: OrderT) -> Problem | None:
        """The first reason against an order, for itself, or None."""

    def replaces(self, order: OrderT, old: OrderT) -> bool:
        """Whether an order takes the place of one that came before it."""
        return True

    def check(
        self,
        state: StateT,
        player: PlayerNumber,
        standing: Standing[OrderT],
        orders: Sequence[OrderT],
    ) -> Checked[OrderT]:
        """The last word counts, also within a message; who has answered may still change it."""
        phase = self.phase(state)
        stands: list[tuple[int, OrderT]] = [(-1, order) for order in standing.orders]
        problems: list[Problem] = []
        replaced: list[OrderT] = []
        for i, order in enumerate(orders):
            if player not in phase.asked:
                refusal: Problem | None = Problem("not-now", facts={"phase": phase.kind})
            else:
                refusal = self.judge(state, player, order)
            if refusal is not None:
                problems.append(msgspec.structs.replace(refusal, order=i))
                continue
            fallen = [entry for entry in stands if self.replaces(order, entry[1])]
            replaced += [old for j, old in fallen if j < 0]
            problems += [Problem("overtaken", order=j) for j, _ in fallen if j >= 0]
            stands = [*(entry for entry in stands if entry not in fallen), (i, order)]
        after = Standing(tuple(order for _, order in stands))
        complete = not self.lacking(state, player, after)
        return Checked(
            accepted=tuple(order for i, order in stands if i >= 0),
            standing=msgspec.structs.replace(after, final=complete and bool(stands)),
            problems=tuple(problems),
            replaced=tuple(replaced),
            complete=complete,
        )

    # -------------------------------------------------------------------------------- at once
    def act(
        self, state: StateT, actor: Actor, act: Mapping[str, object], chance: Chance
    ) -> Outcome[StateT]:
        """What every game knows of: `agree` and `end`, `remove` (also by three strikes), `rule` and
        `reshuffle`; anything else is a correction of the game's own. A `reason` changes nothing.
        """
        if actor != "gm":
            raise ValueError("only the game master acts outside a close")
        if self.phase(state).over is not None:
            raise ValueError("the game is over")
        active = self.active(state)
        match {key: value for key, value in act.items() if key != "reason"}:
            case {"act": "agree", "winners": list(winners) | tuple(winners), **more} if (
                not more and set(winners) <= set(active)
            ):
                return self.end(state, tuple(winners) or active, chance)
            case {"act": "end", "winner": winner, **more} if not more and (
                winner is None or winner in active
            ):
                return self.end(state, active if not isinstance(winner, int) else (winner,), chance)
            case {"act": "remove" | "strike" | "kill", "player": int(player), **more} if (
                not more and player in active
            ):
                return self.remove(state, player, chance)
            case {"act": "rule", "text": str(text), **more} if (
                not more and 0 < len(text.strip()) <= MOST_TEXT
            ):
                return Outcome(state, (Event(RulingGiven(text.strip()), ()),))
            case {"act": "reshuffle", **more} if not more:
                return self.reshuffle(state, chance)
            case told:
                return self.correct(state, told, chance)

    @abstractmethod
    def end(
        self, state: StateT, winners: tuple[PlayerNumber, ...], chance: Chance
    ) -> Outcome[StateT]:
        """The game ends by agreement or by the game master's word, and these have won."""

    @abstractmethod
    def remove(self, state: StateT, player: PlayerNumber, chance: Chance) -> Outcome[StateT]:
        """Who has given up leaves the game for good."""

    def reshuffle(self, state: StateT, chance: Chance) -> Outcome[StateT]:
        """What nobody has seen yet comes in a new order; nothing, in a game without decks."""
        return Outcome(state, ())

    def correct(self, state: StateT, act: Mapping[str, object], chance: Chance) -> Outcome[StateT]:
        """What a game master sets right. ValueError if it is unknown or impossible."""
        raise ValueError(f"no such act: {dict(act)!r}")


class WhichTurn(msgspec.Struct, frozen=True):
    """A question about the past: why a turn came out as it did (None: the last one)."""

    turn: int | None = None
