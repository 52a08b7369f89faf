"""The players of a demonstration: they read their own mails, look at their own view, and answer in their own words.

Whatever they decide comes from the seed, their name and the number of the question, so that the order in which mails
happen to arrive changes nothing.
"""

import hashlib
import random
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from engine.protectors import orders as o
from pbem.demo.abilities import look_first, use_ashes
from pbem.demo.cast import Person, small_talk
from pbem.demo.phrasing import Named
from pbem.demo.quirks import QUIRKS, Intent, Question, correction, says_final
from pbem.demo.received import Received
from pbem.demo.sight import Sight
from pbem.demo.strategy import plan
from pbem.demo.styles import compose_answer, new_message
from pbem.demo.writing import write_letter

Look = Callable[[int], Awaitable[Sight]]
"""What the seat of this number can see now: its own view and its legal orders."""


@dataclass(frozen=True, slots=True, order=True)
class Planned:
    """A mail that will be sent at a moment."""

    at: datetime
    recipient: str
    raw: bytes


class Correspondent:
    """One player. `read` takes a mail in; `take_due` hands out what is to be sent by then."""

    def __init__(self, person: Person, number: int, seed: int, look: Look, quirk: str | None = None) -> None:
        self.person = person
        self.number = number
        self.quirk = quirk
        self._seed = seed
        self._look = look
        self._planned: list[Planned] = []
        self._questions: list[str] = []
        self._wanted: dict[str, tuple[o.Order, ...]] = {}
        self._looks: set[str] = set()
        self._names: dict[int, Named] = {}
        self._written = 0

    @property
    def address(self) -> str:
        return self.person.address

    def next_at(self) -> datetime | None:
        """When the next mail is to be sent."""
        return min((planned.at for planned in self._planned), default=None)

    def take_due(self, now: datetime) -> list[Planned]:
        """The mails whose time has come, in order; they are off the list."""
        due = sorted(planned for planned in self._planned if planned.at <= now)
        self._planned = [planned for planned in self._planned if planned.at > now]
        return due

    async def read(self, raw: bytes, now: datetime) -> None:
        """Read a mail that has come, and think of an answer if it wants one."""
        letter = Received(raw)
        match letter.sort:
            case "question":
                await self._consider(letter, now)
            case "answer":
                wanted = self._wanted.pop(letter.in_reply_to, ())
                if wanted:
                    self._plan(Intent(now + timedelta(minutes=25), correction(letter, wanted, self._names)), letter)
                if letter.in_reply_to in self._looks:
                    self._looks.discard(letter.in_reply_to)
                    await self._consider_card(letter, now)
            case "confirmation":
                self._plan(Intent(now + timedelta(minutes=15), small_talk().denied), letter)
            case "news":
                pass

    async def _consider(self, letter: Received, now: datetime) -> None:
        sight = await self._look(self.number)
        stage = sight.view.stage
        self._questions.append(stage)
        self._names = {player.number: Named(player.number, player.name, player.colour) for player in sight.view.players}
        deadline = letter.deadline or now + timedelta(hours=24)
        question = Question(
            self.person, letter, sight, stage, len(self._questions), self._questions.count(stage), now, deadline, self._names
        )
        orders = plan(sight, self.person.temper, self._luck("plan"))
        intents = self._intents(question, orders)
        looks = look_first(sight, self._luck("look")) if stage == "orders" and intents else ()
        if looks:
            text = write_letter(self.person, looks, self._names, self._luck("look words"))
            before = min((deadline - now) / 40, (intents[0].at - now) / 2)
            intents.insert(0, Intent(now + before, text, looks=True))
        for intent in intents:
            self._plan(intent, letter)

    async def _consider_card(self, letter: Received, now: datetime) -> None:
        """A card that was looked at: something may be made of it."""
        orders = use_ashes(await self._look(self.number), self._luck("ashes"))
        if orders:
            text = write_letter(self.person, orders, self._names, self._luck("ashes words"))
            self._plan(Intent(now + timedelta(minutes=10), text), letter)

    def _intents(self, question: Question, orders: Sequence[o.Order]) -> list[Intent]:
        pace, words = self._luck("pace"), self._luck("words")
        share = pace.betavariate(1.3, 2.2) * 0.9
        at = (question.now + max(timedelta(minutes=4), (question.deadline - question.now) * share)).replace(microsecond=0)
        said = [*orders, o.Final()] if says_final(self.quirk, question.stage) else list(orders)
        intents = [Intent(at, write_letter(self.person, said, question.names, words))] if orders else []
        return QUIRKS[self.quirk](question, orders, intents, self._luck("quirk")) if self.quirk is not None else intents

    def _luck(self, about: str) -> random.Random:
        return random.Random(f"{self._seed}/{self.person.name}/{len(self._questions)}/{about}")

    def _plan(self, intent: Intent, letter: Received) -> None:
        sender, at = self.person.sender, intent.at.replace(microsecond=0)
        self._written += 1
        serial = hashlib.sha256(f"{self._seed}/{sender.address}/{self._written}".encode()).hexdigest()[:20]
        message_id = f"<{serial}@{sender.address.partition('@')[2]}>"
        if intent.automatic:
            raw = _automatic_reply(self.person, letter, intent.text, at, message_id)
        else:
            raw = compose_answer(self.person.style_of_mail(self._written), sender, intent.text, letter, at, message_id)
        if intent.wanted:
            self._wanted[message_id] = intent.wanted
        if intent.looks:
            self._looks.add(message_id)
        self._planned += [Planned(at + timedelta(minutes=copy), letter.reply_to, raw) for copy in range(intent.copies)]


def _automatic_reply(person: Person, letter: Received, text: str, at: datetime, message_id: str) -> bytes:
    """As a vacation program writes it (RFC 3834)."""
    message = new_message(person.sender, letter.reply_to, small_talk().away.subject.format(subject=letter.subject), at, message_id)
    message["In-Reply-To"] = letter.message_id
    message["References"] = letter.message_id
    message["Auto-Submitted"] = "auto-replied"
    message["Precedence"] = "bulk"
    message["X-Autoreply"] = "yes"
    message.set_content(text)
    return message.as_bytes()
