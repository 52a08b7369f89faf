"""What a kind of game gives to its demonstration: how its players think and word their orders, and
the facts of a table.

A demonstration knows a game only by `Game` and by its field `play`. Orders pass through as they
are: only the play looks into them.
"""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, ClassVar, Literal

import msgspec

from engine.ruleset import Event
from pbem.pages.gallery import PlayerCard
from pbem.pages.kit.step_menu import StepMenu
from pbem.pages.kit.usual import UsualPages

Layout = Literal["lines", "list", "numbered", "flow"]


@dataclass(frozen=True, slots=True)
class Temper:
    """What kind of player somebody is, each from 0 to 1: ready to attack, to outbid others, to
    stand by a neighbour.
    """

    boldness: float = 0.5
    ambition: float = 0.5
    loyalty: float = 0.5


class Person(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One correspondent, as the demonstration's data file has it."""

    name: str
    address: str
    zone: str
    programs: tuple[str, ...]
    layout: Layout
    talk: float
    boldness: float
    ambition: float
    loyalty: float
    has_phone: bool = False
    """Plays by Telegram where some do."""

    @property
    def temper(self) -> Temper:
        return Temper(self.boldness, self.ambition, self.loyalty)


@dataclass(frozen=True, slots=True)
class Seen:
    """All that a player can see: the own view, what may be ordered now, and what became public in
    the last phases.
    """

    number: int
    view: Any
    legal: tuple[Any, ...]
    events: tuple[Event, ...] = ()
    names: Mapping[int, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ScriptedQuestion:
    """A turn as somebody reads it: `ordinal` counts all questions to this person from 1, `of_stage`
    those of this kind.
    """

    person: Person
    seen: Seen
    stage: str
    ordinal: int
    of_stage: int
    now: datetime
    deadline: datetime

    @property
    def window(self) -> timedelta:
        """How long there still is."""
        return self.deadline - self.now


@dataclass(frozen=True, slots=True)
class Slip:
    """Orders with a mistake in one of them: `faulty` is how it is worded instead, `wanted` what it
    should have been.
    """

    faulty: str
    wanted: Any
    rest: tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Figure:
    """Something counted in a game: the words after the number in a line, and under it in the
    gallery.
    """

    count: str
    words: str
    label: str


def counted(count: int, one: str, many: str = "") -> str:
    """`1 attack`, `2 attacks`."""
    return f"{count} {one if count == 1 else many or one + 's'}"


class Play:
    """The scripted players of a kind of game. Every draw of luck comes from the `rng` given, so
    that a seed plays the same game. To be said by every game: `pages`, `usual_players`,
    `said_in_group`, `main_stages`, `plan` and `word_exactly`; the rest is what most answer.

    The view has a `stage`, a `turn`, and the numbers of the `asked`.
    """

    pages: UsualPages
    usual_players: int
    """How many play where nobody says how many."""
    said_in_group: str
    """An order written where everybody reads along, as happens to people."""
    menu: StepMenu | None = None
    """The menu that players tap through, if there is one."""
    phases: ClassVar[Mapping[str, str]] = {}
    """What is done in a phase, by its kind; where there are none, the pages name them."""
    by_phone: ClassVar[Mapping[str, tuple[tuple[int, str], ...]]] = {
        "Anna": ((2, "/map"), (3, "/status"))
    }
    """What somebody asks by phone, at which of their questions."""

    @property
    def turn_word(self) -> str:
        """What the game calls the thing that `turn_of` counts: a turn, a round."""
        return self.pages.turn_word

    @property
    def main_stages(self) -> frozenset[str]:
        """The stages in which people err, travel, come late and ask: the ones that matter."""
        raise NotImplementedError

    def stage_of(self, view: Any) -> str:
        """What is asked, as a word."""
        return str(view.stage)

    def is_asked(self, seen: Seen) -> bool:
        """Whether this player has something to order now."""
        return seen.number in seen.view.asked

    def plan(self, question: ScriptedQuestion, rng: random.Random) -> tuple[Any, ...]:
        """The orders of this player; each is legal, and they fit together."""
        raise NotImplementedError

    def plan_looks(self, question: ScriptedQuestion, rng: random.Random) -> tuple[Any, ...]:
        """What is ordered before, since it is answered at once; often nothing."""
        return ()

    def plan_after_look(self, seen: Seen, rng: random.Random) -> tuple[Any, ...]:
        """What is made of such an answer; often nothing."""
        return ()

    def word(self, seen: Seen, orders: Sequence[Any], rng: random.Random) -> list[str]:
        """Orders as a person words them, a line each."""
        return self.word_exactly(seen, orders)

    def word_exactly(self, seen: Seen, orders: Sequence[Any]) -> list[str]:
        """Orders in their canonical texts."""
        raise NotImplementedError

    def word_final(self, seen: Seen, rng: random.Random) -> str:
        """That this is final; empty where the game knows no such thing."""
        return ""

    def is_settled_early(self, stage: str) -> bool:
        """Whether everybody is quick to say that it is final."""
        return False

    def taps(self, seen: Seen, order: Any) -> tuple[str, ...]:
        """The words of the buttons that lead to this order, one after the other; () where it is
        sooner written.
        """
        (text,) = self.word_exactly(seen, (order,))
        return self.menu.way_to(text, seen.view, seen.legal) if self.menu is not None else ()

    def slip(
        self, question: ScriptedQuestion, orders: Sequence[Any], rng: random.Random
    ) -> Slip | None:
        """A mistake somebody might make with these orders."""
        return None

    def questions(self, question: ScriptedQuestion, orders: Sequence[Any]) -> tuple[str, ...]:
        """What somebody with many questions asks about this turn, a line each."""
        asked = ("help", "map", f"why last {self.turn_word}", "status", "history")
        return (asked[(question.ordinal - 1) % len(asked)],)

    def questions_by_phone(self, name: str) -> tuple[tuple[int, str], ...]:
        """What this person asks by phone, each with the number of the question to them at which it
        is asked.
        """
        return self.by_phone.get(name, ())

    def phase_words(self, kind: str) -> str:
        """What a phase asks for, in words."""
        return self.phases.get(kind, kind) if self.phases else self.pages.phase_name(kind)

    def danger_words(self, view: Any) -> tuple[str, str]:
        """The one thing to watch besides the ranking: what it is, and where it stands."""
        return self.turn_word.capitalize(), str(view.turn)

    def ranking_words(self, view: Any) -> tuple[str, ...]:
        """The players in their order, each with how they stand, in a few characters."""
        return tuple(f"{card.name} {card.fate}" for card in self.pages.players(view))

    def turn_of(self, view: Any) -> int:
        return int(view.turn)

    def outcome(self, view: Any) -> str:
        """Who won, and how."""
        return self.pages.outcome(view)

    def standing(self, view: Any) -> str:
        """How it stands, without the full stop."""
        return self.pages.outcome(view).rstrip(".")

    def fallen(self, view: Any) -> frozenset[int]:
        """The players who are out."""
        return frozenset()

    def cards(self, view: Any) -> tuple[PlayerCard, ...]:
        """What became of everybody, the winners first."""
        return tuple(self.pages.players(view))

    def figures(self, events: Sequence[Event]) -> tuple[Figure, ...]:
        """What is counted of a whole game."""
        return ()
