"""`Game`: the one value that a kind of game hands to the house.

A game names it in the entry-point group `pbem.games` of its distribution, under the id of its
ruleset: `takeaway = "takeaway.game:GAME"`. All that the house needs of a game is here or reached
from here; there is no second registry.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import msgspec

from engine.chance import SEED_BYTES, Chance
from engine.maps import Map
from engine.positions import PositionPart
from engine.ruleset import Checked, Event, Problem, Ruleset, Seat, Standing, known_state
from engine.usual_position import UsualPositions
from pbem.board.board import Board
from pbem.grammar.house.reading import ReadOrders, read_orders
from pbem.grammar.house.statements import Said
from pbem.grammar.kit.reading import Correction, Supposition
from pbem.grammar.kit.vocabulary import Vocabulary
from pbem.later import Later, resolve
from pbem.pages.kit.rules import Book
from pbem.pages.kit.usual import UsualPages
from pbem.pages.menu import MenuPages
from pbem.play import Play

CONTRACT_VERSION = 7
"""Goes up with every change that a game written before would not survive."""
CONTRACT_CHANGES: Mapping[int, str] = {
    7: "`Ruleset.assume` makes of a view the state that its player may assume",
    6: "an order has its text once, as the template `form` of its struct",
    5: "pages say their news, areas and plots",
    4: "`Ruleset` has `act_of_hour`, `next_hour` and `ruling_requests`",
    3: "`Ruleset` has `act_of_message` and `lapsing`",
}
"""What each version asks of a game that the one before did not."""


def format_contract(version: int) -> str:
    """Why a game of another version does not run: what changed since, the newest first."""
    changes = (
        f"{later}: {CONTRACT_CHANGES.get(later, 'see the changelog')}"
        for later in range(CONTRACT_VERSION, max(version, 1), -1)
    )
    return "; ".join((f"it says {version}, and this house takes {CONTRACT_VERSION}", *changes))


class ReadClause(Protocol):
    """A clause of a message; `quote`: in its writer's words."""

    @property
    def quote(self) -> str: ...

    @property
    def problems(self) -> Sequence[Problem]: ...


class ReadMessage(Protocol):
    """What the grammar makes of a message: `checked` is the engine's word on its orders (None:
    there were none).
    """

    @property
    def items(self) -> Sequence[ReadClause]: ...

    @property
    def checked(self) -> Checked[Any] | None: ...


def refuse_command(
    _state: Any, _standings: Mapping[int, Standing[Any]], text: str
) -> Mapping[str, object]:
    """For a game whose cases have no game master. ValueError."""
    raise ValueError(f"no game master rules in cases of this game: {text!r}")


def tell_event(event: Event, _state: Any) -> dict[str, object]:
    """An event as plain data: its kind, the rules applied, its facts, and who may know of it if not
    everyone.
    """
    facts: dict[str, object] = msgspec.json.decode(msgspec.json.encode(event.facts))
    told: dict[str, object] = {"kind": event.kind, "rules": list(event.rules)}
    told |= {key: value for key, value in facts.items() if key != "kind"}
    return told if event.audience is None else told | {"audience": list(event.audience)}


@dataclass(frozen=True, slots=True)
class Cases:
    """How worked cases of a game are read (`docs/case-format.md`). States and orders are its own;
    the runner never looks inside them.

    `parse_position(position, options, case id)`, `parse_standings(position, state)` and
    `parse_expectation(part, state, further keys)` raise PositionError; `unordered` are keys whose
    lists have no order. `read_command(state, standings, text)` is a game master's act; ValueError
    for any other text (with a `code` where the rules refuse it). `tell_event(event, state)` is an
    event as cases write it.
    """

    read: Callable[[Any, int, Standing[Any], Said], ReadMessage]
    parse_position: Callable[[object, object, str], Any]
    parse_standings: Callable[[object, Any], Mapping[int, Standing[Any]]]
    format_position: Callable[[Any, Mapping[int, Standing[Any]]], dict[str, object]]
    parse_expectation: Callable[[PositionPart, Any, tuple[str, ...]], dict[str, object]]
    names_of: Callable[[Any], Mapping[str, int]]
    unordered: frozenset[str] = frozenset()
    read_command: Callable[[Any, Mapping[int, Standing[Any]], str], Mapping[str, object]] = (
        refuse_command
    )
    whole_problems: bool = False
    """Whether all problems are told in a case that tells any, warnings too."""
    tell_event: Callable[[Event, Any], dict[str, object]] = tell_event

    @classmethod
    def of_struct(
        cls,
        read: Callable[[Any, int, Standing[Any], Said], ReadMessage],
        rules: Ruleset[Any, Any],
        state: type[Any],
    ) -> "Cases":
        """Of a game whose positions are the fields of its state (`engine.usual_position`)."""
        usual = UsualPositions[Any, Any](rules, state)
        return cls(
            read,
            usual.parse_position,
            usual.parse_standings,
            usual.format_position,
            usual.parse_expectation,
            usual.names_of,
        )


def refuse_map(text: str) -> Mapping[str, object]:
    """For a game without maps. ValueError."""
    raise ValueError("this game is not played on a map of one's own")


@dataclass(frozen=True, slots=True, kw_only=True)
class Game:
    """One kind of game with everything the service needs of it. All of it is immutable and may be
    used from several threads.
    """

    contract_version: int
    """The `CONTRACT_VERSION` that the game was written for."""
    ruleset: Ruleset[Any, Any]
    read: ReadOrders
    """Words to orders: reads the part of this player's message that the house has left, next to the
    orders that stand. All that reads players' words does so in the state that the player may assume
    (`Ruleset.assume`); what reads a game master's has the real one.
    """
    read_canonical: Callable[[Any, Any], Any]
    """An order's canonical text back to the order, in a state. ValueError for any other text."""
    read_correction: Callable[[Any, str], Correction]
    """What a game master sets right, at a table in this state. The grammar's Unread if the words
    say nothing that can be.
    """
    pages: UsualPages
    board: Board
    book: Book
    colours: tuple[str, ...]
    reserved_words: tuple[str, ...]
    """Words that no player may be called by, for they say something in orders."""
    vocabulary: Callable[[], Vocabulary] | None = None
    """All words that its orders are read with: none of them names a table. None: it says no more
    than the reserved words.
    """
    play: Play | None = None
    """How its scripted players think, for demonstrations. None: there are none."""
    cases: Cases | None = None
    read_map: Callable[[str], Mapping[str, object]] = refuse_map
    """A GM's own map file as the table option `land`. ValueError, saying what is wrong and where.
    """
    read_question: Callable[[Any, int | None, str], Any] | None = None
    """What somebody with this view (and this number, None: the public) asks about the past; what is
    unclear is told as a problem. None: nothing can be asked of this game.
    """
    read_supposition: Callable[[Any, int, Standing[Any], str], Supposition] | None = None
    """What a player of this number supposes, in addition to their orders that stand. None: this
    game has no suppositions.
    """
    read_ruling: Callable[[Any, Mapping[int, Standing[Any]], str], Correction] | None = None
    """What a game master answers to what waits for their word (`Ruleset.ruling_requests`), at a
    table in this state with these orders standing. The grammar's Unread if the words are no answer.
    None: this game asks for no rulings.
    """
    ruling_words: frozenset[str] = frozenset()
    """How such answers begin, in small letters: who answers too late is told so."""
    menu: MenuPages | None = None
    """The menu of orders, for players who prefer to tap. None: orders are written."""
    pictured: int = 4
    """Of how many phases back a picture tells; those that make one span count as one."""
    team_mates: Callable[[Any, int], tuple[int, ...]] | None = None
    """Those who play with the player of this number, whose view it is. None: this game knows no
    teams.
    """
    called: Callable[[Any, int], tuple[str, ...]] | None = None
    """What the player of this number is called besides their own name, in the public's view: what
    they rule, say. None: nothing.
    """
    map: Map[Any] | None = None
    """The map that all its tables are played on, for the check of games. None: there is none, or
    each table has its own.
    """
    place: int = 100
    """Where it stands in the list of games, small numbers first. The first one is played where
    nobody says which.
    """

    @property
    def title(self) -> str:
        return self.pages.title

    @property
    def few_seats(self) -> tuple[Seat, ...]:
        """As few players as can play, to try something with."""
        return tuple(
            Seat(number, f"Player {number}", self.colours[number - 1])
            for number in range(1, self.ruleset.players[0] + 1)
        )

    def load_readers(self) -> None:
        """Import all that reads words, and read a message at a table that has just been dealt: a
        service does so before it serves, so that no message waits for words and grammar to load.
        Whatever is wrong with them is raised as the game's own code raises it.
        """
        for read in (
            self.read,
            self.read_canonical,
            self.read_correction,
            self.read_ruling,
            self.read_question,
            self.read_supposition,
        ):
            if isinstance(read, Later):
                resolve(read)
        if self.vocabulary is not None:
            self.vocabulary()
        state = self.ruleset.setup({}, self.few_seats, Chance(bytes(SEED_BYTES))).state
        for number in self.ruleset.phase(state).asked:
            known = known_state(self.ruleset, state, number)
            read_orders(self.read, known, number, Standing(), Said("A word, then another: 1."))


Games = Mapping[str, Game]
"""The games of a house by the ids of their rulesets, in the order of their list."""
