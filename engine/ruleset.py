"""The contract every game fulfils.

A game is a value (its state: frozen, serialisable) and a few pure functions over it. The service
above never looks inside a state; it asks for the open phase, hands over orders, and passes views
and events on to the pages. Everything a player may know leaves through `view`, and through events
whose audience names them.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Generic, Literal, Protocol, TypeVar

import msgspec

from engine.chance import Chance

PlayerNumber = int
"""A player's number at the table, counted from 1 in the order of joining; it never changes during a
game.
"""

Fact = str | int | bool | tuple[str, ...] | tuple[int, ...]
"""What a problem may carry: plain data from which a page makes words."""


class Seat(msgspec.Struct, frozen=True):
    """Who sits down at set-up: the rest of a person stays outside the engine.

    `place` is the place chosen within the team, counted from 1; `faction` one chosen beforehand.
    """

    number: PlayerNumber
    name: str
    colour: str
    team: str | None = None
    faction: str | None = None
    place: int | None = None


class Problem(msgspec.Struct, frozen=True):
    """A refusal, or a warning that leaves the order standing: a code with data, no prose.

    `order` is the index of the order concerned in the sequence that was checked (None: the message
    as a whole).
    """

    code: str
    rules: tuple[str, ...] = ()
    facts: Mapping[str, Fact] = {}
    warning: bool = False
    order: int | None = None


class Facts(msgspec.Struct, frozen=True, tag_field="kind"):
    """Base of what an event tells; each game derives one struct per kind, its tag being the
    kind.
    """


class Event(msgspec.Struct, frozen=True):
    """What happened: its facts, the rule IDs that were applied, and who may know (None:
    everyone).
    """

    facts: Facts
    rules: tuple[str, ...]
    audience: tuple[PlayerNumber, ...] | None = None

    @property
    def kind(self) -> str:
        return str(self.facts.__struct_config__.tag)

    def is_for(self, player: PlayerNumber | None) -> bool:
        """Whether this player (None: the public) may know of it."""
        return self.audience is None or (player is not None and player in self.audience)


class Over(msgspec.Struct, frozen=True):
    """How the game ended: the winning players (several: a team), or none of them (the Dragon,
    say).
    """

    winners: tuple[PlayerNumber, ...]
    how: str


class Placing(msgspec.Struct, frozen=True):
    """How one player finished a game, for accounts across games.

    `place` counts from 1, and players who are level share one; `prize` is in the game's own money;
    `how` is a code: how the game ended for its survivors, or what else became of the player
    (`eliminated`). `beside` are places that no player has: they count in the total.
    """

    player: PlayerNumber
    place: int
    won: bool
    prize: int
    how: str
    beside: int = 0


class Span(msgspec.Struct, frozen=True):
    """Several questions in a row that make one whole, such as a turn played decision by decision.

    Together they last at most this many hours. The table hears of them once, when the next question
    belongs to another span.
    """

    key: str
    hours: int


class Phase(msgspec.Struct, frozen=True):
    """The one open question: what kind, who is asked, for how many hours by default.

    `question` tells questions apart that are of one kind and turn. Where an act changes `hours`
    the deadline moves by as much. Who is missing is reminded when
    these shares of the window are over (`reminders`, each between 0 and 1); none: as the service
    does.
    """

    kind: str
    turn: int
    asked: tuple[PlayerNumber, ...]
    hours: int
    rules: tuple[str, ...] = ()
    early: bool = True
    over: Over | None = None
    question: int = 0
    span: Span | None = None
    reminders: tuple[float, ...] = ()


StateT = TypeVar("StateT")
OrderT = TypeVar("OrderT")


class Outcome(msgspec.Struct, Generic[StateT], frozen=True):
    """A new state and what happened on the way to it."""

    state: StateT
    events: tuple[Event, ...]


class Supposed(Outcome[StateT], Generic[StateT], frozen=True):
    """What one player may suppose that a phase would come to, and what of it hangs on something
    that player does not know.

    `hangs` are codes with data, like warnings.
    """

    hangs: tuple[Problem, ...] = ()


class NotSupposable(ValueError):
    """Nothing can be supposed now; `code` says why (`not-now`, `not-asked`), `facts` in which
    phases it can.
    """

    def __init__(self, code: str, **facts: Fact) -> None:
        super().__init__(code)
        self.code, self.facts = code, facts


class Standing(msgspec.Struct, Generic[OrderT], frozen=True):
    """What counts of a player's orders as of now, and whether the player has said that it is
    final.
    """

    orders: tuple[OrderT, ...] = ()
    final: bool = False


class Checked(msgspec.Struct, Generic[OrderT], frozen=True):
    """What became of new orders next to those that stood before.

    `accepted` are the new orders that stand (with warnings or without), in the order given;
    `standing` is the whole set afterwards; `replaced` are earlier orders that fell because the new
    ones name the same thing; `complete` tells whether the player has answered everything that this
    phase asks of them.
    """

    accepted: tuple[OrderT, ...]
    standing: Standing[OrderT]
    problems: tuple[Problem, ...] = ()
    replaced: tuple[OrderT, ...] = ()
    complete: bool = False


class Ballot(msgspec.Struct, frozen=True):
    """The result of the votes before the start: table options to play with, and facts for
    the page.
    """

    options: Mapping[str, Fact]
    events: tuple[Event, ...]


class Choices(msgspec.Struct, frozen=True):
    """What players may choose for themselves before the start.

    `teams` is how many teams there are (0: none), within which places are chosen; `factions` are
    those to choose from: `factions_shared`, several may play the same, `factions_later`, they may
    also be chosen in the game, in secret. `..._voted`: only if the vote goes that way.
    """

    teams: int = 0
    factions: tuple[str, ...] = ()
    factions_shared: bool = False
    factions_later: bool = False
    teams_voted: bool = False
    factions_voted: bool = False


Actor = PlayerNumber | Literal["gm"]


class Lapse(msgspec.Struct, frozen=True):
    """An act that comes by itself, this many `hours` after a player last did the act `of`: an `act`
    of the game master's, such as that a proposal is over.
    """

    act: Mapping[str, object]
    of: Mapping[str, object]
    hours: int


class RulingRequest(msgspec.Struct, frozen=True):
    """What waits for a game master's word: one question with data, no prose.

    `key` tells those of a game apart, one that was made again too; `kind` and `facts` are for the
    page that asks; after `hours` from now (0: when the open phase closes) the rules' default is
    taken. `answers` are those of one word or a few, as the game master may write or tap them.
    """

    key: str
    kind: str
    facts: Mapping[str, Fact] = {}
    hours: int = 0
    answers: tuple[str, ...] = ()


class Ruleset(Protocol[StateT, OrderT]):
    """The functions of a game. All are pure; the same arguments give the same answer, byte for
    byte.
    """

    @property
    def id(self) -> str:
        """The game's id, as in the registry and in cases, in small letters and hyphens."""
        ...

    @property
    def version(self) -> str:
        """Changes whenever the same orders could come out otherwise; kept with every state."""
        ...

    @property
    def windows(self) -> Mapping[str, int]:
        """The kinds of phases that ask something, with the rules' own length of each in hours."""
        ...

    @property
    def players(self) -> tuple[int, int]:
        """How few and how many can play at all; `check_players` tells whether this many can with
        certain options.
        """
        ...

    @property
    def questions(self) -> Mapping[str, tuple[str, ...]]:
        """What a table may put to the vote before the start, and the answers to each."""
        ...

    @property
    def final_locks(self) -> bool:
        """Whether `check` refuses what a player changes after `final`. Otherwise a later message
        replaces it, until the phase closes.
        """
        ...

    def settle_votes(
        self, questions: Sequence[str], votes: Sequence[Mapping[str, str]], chance: Chance
    ) -> Ballot:
        """Count the votes on these questions, one mapping of answers a player (empty for a player
        who abstains); drawn before the set-up.

        ValueError for a question or an answer there is none of.
        """
        ...

    def options_voted(self, answers: Mapping[str, str]) -> Mapping[str, Fact]:
        """The table options that these answers mean, by question."""
        ...

    def choices(self, options: Mapping[str, object], questions: Sequence[str] = ()) -> Choices:
        """What players choose before the start at a table of these options, with these questions
        put to the vote.
        """
        ...

    def setup(
        self, options: Mapping[str, object], seats: Sequence[Seat], chance: Chance
    ) -> Outcome[StateT]:
        """Deal a new game. ValueError if options or seats do not fit the rules."""
        ...

    def check_options(self, options: Mapping[str, object]) -> None:
        """ValueError, saying what, if a table cannot be opened with these options."""
        ...

    def check_players(self, options: Mapping[str, object], players: int) -> None:
        """ValueError, saying what, if this many cannot play with these options."""
        ...

    def phase(self, state: StateT) -> Phase: ...

    def active(self, state: StateT) -> tuple[PlayerNumber, ...]:
        """Who is still in the game, in order of number."""
        ...

    def placings(self, state: StateT) -> tuple[Placing, ...]:
        """How everybody came out of a game that is over, by number. ValueError if it is not."""
        ...

    def legal(self, state: StateT, player: PlayerNumber) -> Iterator[OrderT]:
        """Every single order this player may give now; derived from what the player may know."""
        ...

    def check(
        self,
        state: StateT,
        player: PlayerNumber,
        standing: Standing[OrderT],
        orders: Sequence[OrderT],
    ) -> Checked[OrderT]:
        """Check new orders against the standing ones. Refuse with codes; never raise for what a
        player wrote.
        """
        ...

    def lacking(
        self, state: StateT, player: PlayerNumber, standing: Standing[OrderT]
    ) -> tuple[str, ...]:
        """What the open phase still waits for from this player, in the words of orders: a province
        without one, a bid. Empty: nothing.
        """
        ...

    def is_ready(self, state: StateT, player: PlayerNumber, standing: Standing[OrderT]) -> bool:
        """Whether the open phase waits for nothing more from this player, so that it may close
        before its deadline.
        """
        ...

    def defaults(
        self, state: StateT, player: PlayerNumber, standing: Standing[OrderT]
    ) -> tuple[OrderT, ...]:
        """What would be done for this player if nothing more came: the standing orders, or the
        default of the phase.
        """
        ...

    def adjudicate(
        self, state: StateT, orders: Mapping[PlayerNumber, Sequence[OrderT]], chance: Chance
    ) -> Outcome[StateT]:
        """Close the open phase and play on to the next question. Players without orders get the
        phase's default.
        """
        ...

    def suppose(
        self, state: StateT, player: PlayerNumber, orders: Mapping[PlayerNumber, Sequence[OrderT]]
    ) -> Supposed[StateT]:
        """The outcome of the open phase as far as this player may know it, up to the next question:
        hidden things take no part, nothing is drawn, and the events are those that the player would
        get and could know.

        Two states with the same view of this player give the same, byte for byte. NotSupposable (a
        ValueError) for a phase without suppositions.
        """
        ...

    def act(
        self, state: StateT, actor: Actor, act: Mapping[str, object], chance: Chance
    ) -> Outcome[StateT]:
        """What takes effect at once instead of at the close. ValueError if the act is unknown or
        impossible.

        Every game knows how those who are still in it end it by agreement, `gm` acting for them:
        `{"act": "agree", "winners": [2]}` is a victory that was conceded, `{"act": "agree",
        "winners": []}` a draw among them all; and how a player who has given up leaves it for good:
        `{"act": "remove", "player": 3}`.
        """
        ...

    def act_of(self, order: OrderT) -> Mapping[str, object] | None:
        """The act that an accepted order is, if it takes effect at once; it is then no part of the
        standing orders. Else None.

        Where such an act would end the open phase, the order stands anyway, and the phase closes by
        the act at once instead of by `adjudicate`.
        """
        ...

    def act_of_message(
        self, state: StateT, player: PlayerNumber, *, stands: bool
    ) -> Mapping[str, object] | None:
        """The act that any message of this player is: that they are there. It is done before the
        message is read; and once more if something of it `stands` as an order. None: it changes
        nothing.
        """
        ...

    def lapsing(self, state: StateT) -> tuple[Lapse, ...]:
        """What waits for an answer and will be over by itself."""
        ...

    def next_hour(self, state: StateT) -> int | None:
        """The next whole hour since the open phase was opened at which something runs out by
        itself; None: nothing does.
        """
        ...

    def act_of_hour(self, state: StateT, hour: int) -> Mapping[str, object] | None:
        """The game master's act that tells the rules that the open phase has been open for this
        many whole hours: whatever has run out by then runs out. None: they know, or keep no hours.

        It is done when something runs out, before a player's act, and before a phase closes.
        """
        ...

    def ruling_requests(
        self, state: StateT, standings: Mapping[PlayerNumber, Standing[OrderT]]
    ) -> tuple[RulingRequest, ...]:
        """What waits for a game master's word, with these orders standing."""
        ...

    def view(self, state: StateT, player: PlayerNumber | None) -> object:
        """What that player (None: the public) may know; the only way from a state to words and
        pictures.
        """
        ...

    def assume(self, view: Any) -> StateT:
        """A state that a player with this view may take for the real one: it has the same view, and
        what the view does not show lies in it as if there were none of it. What a player says is
        read and checked in it, so that no answer tells what is hidden.
        """
        ...

    def format_order(self, state: StateT, order: OrderT) -> str:
        """The one canonical text of an order; the grammar reads it back to the same order."""
        ...

    def encode_state(self, state: StateT) -> bytes: ...

    def decode_state(self, raw: bytes) -> StateT:
        """ValueError if the bytes are no state, or one that breaks the game's invariants."""
        ...

    def encode_orders(self, orders: Sequence[OrderT]) -> bytes: ...

    def decode_orders(self, raw: bytes) -> tuple[OrderT, ...]: ...

    def encode_event(self, event: Event) -> bytes: ...

    def decode_event(self, raw: bytes) -> Event: ...


def format_numbers(least: int, most: int) -> str:
    """How many can play: `3 to 5`, or `4`."""
    return f"{least} to {most}" if least < most else f"{least}"


def known_state(rules: Ruleset[StateT, Any], state: StateT, player: PlayerNumber) -> StateT:
    """What this player may take a state for: all that a reader of their words gets of it."""
    return rules.assume(rules.view(state, player))


def encode_sound_state(rules: Ruleset[Any, Any], state: Any) -> bytes:
    """A state as bytes that come back as that state. ValueError if it breaks an invariant of its
    game: such a state is never kept.
    """
    raw = rules.encode_state(state)
    if rules.decode_state(raw) != state:
        raise ValueError("an impossible state: it does not come back from its own bytes")
    return raw
