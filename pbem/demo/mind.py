"""How a scripted player decides, by whatever way the question came: from the own view alone, at an
hour of one's own.

Whatever they decide comes from the seed, their name and the number of the question, so that the
order in which messages happen to arrive changes nothing.
"""

import random
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from pbem.demo.cast import small_talk
from pbem.demo.quirks import QUIRKS, Considered, Intent, corrects, says_final
from pbem.demo.writing import Write
from pbem.play import Person, Play, ScriptedQuestion, Seen

Look = Callable[[int], Awaitable[Seen]]
"""What the seat of this number can see now: its own view and its legal orders."""


@dataclass(slots=True)
class Mind:
    """One player's plans. `consider` makes of a question the messages that will be written about
    it. With `slips` the first so many that may be are faulty, whatever the quirk.
    """

    person: Person
    number: int
    seed: int
    play: Play
    look: Look
    quirk: str | None
    write: Write
    slips: int = 0
    seen: Seen | None = None
    """What was seen when the last question was considered."""
    _questions: list[str] = field(default_factory=list)
    _answered: set[str] = field(default_factory=set)

    @property
    def asked(self) -> int:
        """How many questions there have been."""
        return len(self._questions)

    async def is_asked(self) -> bool:
        """Whether there is something to order now."""
        return self.play.is_asked(await self.look(self.number))

    async def consider(self, deadline: datetime | None, now: datetime) -> list[Intent]:
        """What to write about the question that is open now."""
        seen = self.seen = await self.look(self.number)
        stage = self.play.stage_of(seen.view)
        self._questions.append(stage)
        ends = deadline or now + timedelta(hours=24)
        question = ScriptedQuestion(
            self.person, seen, stage, len(self._questions), self._questions.count(stage), now, ends
        )
        orders = self.play.plan(question, self.luck("plan"))
        intents = self._intents(question, orders)
        looks = self.play.plan_looks(question, self.luck("look")) if intents else ()
        if looks:
            text = self._write_orders(seen, looks, self.luck("look words"))
            before = min(question.window / 40, (intents[0].at - now) / 2)
            intents.insert(0, Intent(now + before, text, looks=True))
        return [*self._press(question), *intents]

    async def consider_look(self, now: datetime) -> list[Intent]:
        """A card was looked at: something may be made of it."""
        seen = await self.look(self.number)
        orders = self.play.plan_after_look(seen, self.luck("ashes"))
        return (
            [
                Intent(
                    now + timedelta(minutes=10),
                    self._write_orders(seen, orders, self.luck("ashes words")),
                )
            ]
            if orders
            else []
        )

    def rest_of(self, orders: Sequence[Any]) -> str:
        """What is still to be written when the other orders have been tapped; empty when nothing
        is.
        """
        if self.seen is None:
            return ""
        rng, stage = self.luck("rest"), self.play.stage_of(self.seen.view)
        is_final = says_final(self.quirk, self.play, stage)
        return (
            self._write_orders(self.seen, orders, rng, is_final=is_final)
            if orders or is_final
            else ""
        )

    def taps_to(self, order: Any) -> tuple[str, ...]:
        """The way to an order through the menu of a chat."""
        return self.play.taps(self.seen, order) if self.seen is not None else ()

    def answer_press(self, text: str) -> str:
        """What is written back to press that has come; mostly nothing."""
        flat = " ".join(text.split())
        for said in small_talk().press:
            if (
                said.to == self.person.name
                and said.answer
                and said.answer not in self._answered
                and said.text in flat
            ):
                self._answered.add(said.answer)
                return said.answer
        return ""

    def _press(self, question: ScriptedQuestion) -> list[Intent]:
        """What is said to others in this turn, to those who still play."""
        if question.stage not in self.play.main_stages:
            return []
        seen = question.seen
        playing = {
            name for number, name in seen.names.items() if number not in self.play.fallen(seen.view)
        }
        mine = [
            said
            for said in small_talk().press
            if (said.by, said.turn) == (self.person.name, question.of_stage)
        ]
        at = question.now + question.window / 6
        return [
            Intent(at, f"press to {said.to}: {said.text}")
            for said in mine
            if said.to == "all" or said.to in playing
        ]

    def luck(self, about: str) -> random.Random:
        """The same for the same question."""
        return random.Random(f"{self.seed}/{self.person.name}/{len(self._questions)}/{about}")

    def _intents(self, question: ScriptedQuestion, orders: tuple[Any, ...]) -> list[Intent]:
        pace, words = self.luck("pace"), self.luck("words")
        share = pace.betavariate(1.3, 2.2) * 0.9
        at = (question.now + max(timedelta(minutes=4), question.window * share)).replace(
            microsecond=0
        )
        is_final = says_final(self.quirk, self.play, question.stage)
        intents = []
        if orders:
            intents = [
                Intent(
                    at,
                    self._write_orders(question.seen, orders, words, is_final=is_final),
                    orders=orders,
                )
            ]
        case = Considered(
            self.play, question, orders, tuple(intents), self.write, self.luck("quirk")
        )
        if self.slips and (slipped := corrects(case)) != intents:
            self.slips -= 1
            return slipped
        return QUIRKS[self.quirk](case) if self.quirk is not None else intents

    def _write_orders(
        self, seen: Seen, orders: Sequence[Any], rng: random.Random, *, is_final: bool = False
    ) -> str:
        lines = self.play.word(seen, orders, rng)
        final = self.play.word_final(seen, rng) if is_final else ""
        return self.write(self.person, [*lines, final] if final else lines, rng, "")
