"""What goes wrong with people: each quirk changes the messages that somebody would write about a
question.

Quirks are dealt in a fixed order, one to each of the first seven players.
"""

import random
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from pbem.demo.cast import small_talk
from pbem.demo.writing import Write
from pbem.play import Play, ScriptedQuestion


@dataclass(frozen=True, slots=True)
class Intent:
    """A message somebody means to write at a moment; `wanted` is what a faulty one should have
    said, in canonical texts.
    """

    at: datetime
    text: str
    copies: int = 1
    automatic: bool = False
    wanted: tuple[str, ...] = ()
    looks: bool = False
    """It looks at a card, and the answer may want another word."""
    orders: tuple[Any, ...] = ()
    """What the text says, for those who would rather tap it."""


@dataclass(frozen=True, slots=True)
class Considered:
    """A question as somebody is about to answer it: the orders meant, and the messages intended."""

    play: Play
    question: ScriptedQuestion
    orders: tuple[Any, ...]
    intents: tuple[Intent, ...]
    write: Write
    rng: random.Random

    @property
    def is_main(self) -> bool:
        return self.question.stage in self.play.main_stages


Change = Callable[[Considered], list[Intent]]
"""From the orders meant and the messages intended to those that get written."""


def corrects(case: Considered) -> list[Intent]:
    """Slips of the pen."""
    question = case.question
    slip = case.play.slip(question, case.orders, case.rng) if case.intents else None
    if slip is None:
        return list(case.intents)
    lines = [slip.faulty, *case.play.word(question.seen, slip.rest, case.rng)]
    text = case.write(question.person, lines, case.rng, "")
    first = case.intents[0]
    early = question.now + min(first.at - question.now, question.window / 3)
    seen, final = question.seen, ""
    if case.play.is_settled_early(question.stage):
        final = case.play.word_final(seen, case.rng)
    wanted = (*case.play.word_exactly(seen, [slip.wanted]), *filter(None, (final,)))
    return [replace(first, at=early, text=text, wanted=wanted, orders=()), *case.intents[1:]]


def correction(receipt: str, wanted: Sequence[str]) -> str:
    """The answer to a receipt that took something else than was meant: `yes 1` if it offers just
    that, or the order again.
    """
    unquoted = " ".join(receipt.split())
    if (
        len(wanted) == 1
        and re.search(r"\byes 1\b|\byes\b", unquoted)
        and re.search(r"(?i)did you mean", unquoted)
        and wanted[0] in unquoted
    ):
        return "yes 1"
    return "\n".join((small_talk().mistaken, *wanted))


def _forgets(case: Considered) -> list[Intent]:
    """Every now and then no answer at all."""
    ordinal = case.question.ordinal
    return [] if ordinal == 3 or (ordinal > 3 and case.rng.random() < 0.25) else list(case.intents)


def _travels(case: Considered) -> list[Intent]:
    """The vacation program answers first."""
    question = case.question
    if not case.is_main or question.of_stage % 4 != 1:
        return list(case.intents)
    away = small_talk().away.body.format(name=question.person.name)
    return [Intent(question.now + timedelta(seconds=40), away, automatic=True), *case.intents]


def _late(case: Considered) -> list[Intent]:
    """A day after the deadline, when the next phase is open."""
    question = case.question
    if not case.is_main or question.of_stage % 4 != 1:
        return list(case.intents)
    lines = case.play.word(question.seen, case.orders, case.rng)
    text = case.write(question.person, lines, case.rng, small_talk().late)
    return [Intent(question.deadline + timedelta(hours=20, minutes=case.rng.randrange(90)), text)]


def _twice(case: Considered) -> list[Intent]:
    """The same mail two times: the program hung, and the button was pressed again."""
    if not case.is_main or case.question.of_stage % 3 != 1:
        return list(case.intents)
    return [replace(intent, copies=2) for intent in case.intents]


def _asks(case: Considered) -> list[Intent]:
    """Questions of all kinds and notes to the game master, in messages of their own; what the
    orders would come to once they are sent.
    """
    question = case.question
    at = question.now + question.window / 12
    asked = (
        [Intent(at, "\n\n".join(words))]
        if (words := case.play.questions(question, case.orders))
        else []
    )
    previews = (
        [Intent(case.intents[-1].at + timedelta(minutes=30), "preview")]
        if case.is_main and case.intents
        else []
    )
    return [*asked, *case.intents, *previews]


def _is_final(case: Considered) -> list[Intent]:
    """Always sure; `says_final` sees to it."""
    return list(case.intents)


QUIRKS: Mapping[str, Change] = {
    "corrects": corrects,
    "forgets": _forgets,
    "travels": _travels,
    "late": _late,
    "twice": _twice,
    "asks": _asks,
    "final": _is_final,
}


def quirk_of_seat(index: int) -> str | None:
    """The quirk of the n-th player, counted from 0; None after the seventh."""
    return list(QUIRKS)[index] if index < len(QUIRKS) else None


def says_final(quirk: str | None, play: Play, stage: str) -> bool:
    """One player always does; in some windows everybody is quick to settle."""
    return quirk == "final" or play.is_settled_early(stage)
