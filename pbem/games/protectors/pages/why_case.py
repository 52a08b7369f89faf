"""A question put to the turn that answers it, and what a builder of answers makes of it."""

from collections.abc import Sequence
from dataclasses import dataclass

from engine.protectors.questions import Question
from engine.protectors.view import TableView
from engine.ruleset import Event
from pbem.games.protectors.pages.cast import Cast
from pbem.games.protectors.pages.why_rows import Matter, WhyRow, heading
from pbem.games.protectors.pages.why_story import Happening, Story
from pbem.pages.rendering import Twin


@dataclass(frozen=True, slots=True)
class WhyCase:
    """A question in its turn; `story` is everything, `told` what is about it in that turn, `events`
    all of that turn.
    """

    view: TableView
    cast: Cast
    question: Question
    story: Story
    turn: int
    told: tuple[Happening, ...]

    @property
    def happenings(self) -> tuple[Happening, ...]:
        return self.story.of_turn(self.turn)

    @property
    def events(self) -> tuple[Event, ...]:
        return tuple(happening.event for happening in self.happenings)

    @property
    def is_open(self) -> bool:
        return self.turn == self.view.turn and self.view.stage != "over"

    @property
    def about(self) -> int | None:
        """Whom it is about: the player in the question, else the reader."""
        return self.question.player if self.question.player is not None else self.cast.you or None


Found = tuple[tuple[Matter, ...], Twin | None, tuple[str, ...]]
"""The matters, a sentence that answers in short if there is one, and its rules."""


def matter_of(key: str, rows: Sequence[WhyRow], place: str = "") -> tuple[Matter, ...]:
    return (Matter(heading(key, place), tuple(rows)),) if rows else ()
