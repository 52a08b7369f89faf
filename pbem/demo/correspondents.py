"""The players of a demonstration who play by mail: they read their own mails and answer in their
own words.
"""

import hashlib
from dataclasses import dataclass
from datetime import datetime, timedelta

from pbem.demo.cast import sender_of, small_talk, style_of_mail
from pbem.demo.mind import Mind
from pbem.demo.quirks import Intent, correction
from pbem.demo.received import Received
from pbem.demo.styles import compose_answer, new_message
from pbem.play import Person


@dataclass(frozen=True, slots=True, order=True)
class Planned:
    """A mail that will be sent at a moment."""

    at: datetime
    recipient: str
    raw: bytes


class Correspondent:
    """One player. `read` takes a mail in; `take_due` hands out the mails due by then."""

    def __init__(self, mind: Mind) -> None:
        self.mind = mind
        self.person = mind.person
        self.number = mind.number
        self.quirk = mind.quirk
        self._planned: list[Planned] = []
        self._wanted: dict[str, tuple[str, ...]] = {}
        self._looks: set[str] = set()
        self._written = 0

    @property
    def address(self) -> str:
        return self.person.address

    def next_at(self) -> datetime | None:
        """When the next mail is due."""
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
                for intent in await self.mind.consider(letter.deadline, now):
                    self._plan(intent, letter)
            case "answer":
                wanted = self._wanted.pop(letter.in_reply_to, ())
                if wanted:
                    self._plan(
                        Intent(now + timedelta(minutes=25), correction(letter.text, wanted)), letter
                    )
                if letter.in_reply_to in self._looks:
                    self._looks.discard(letter.in_reply_to)
                    for intent in await self.mind.consider_look(now):
                        self._plan(intent, letter)
            case "confirmation":
                self._plan(Intent(now + timedelta(minutes=15), small_talk().denied), letter)
            case "news":
                if answer := self.mind.answer_press(letter.text):
                    self._plan(Intent(now + timedelta(minutes=40), answer), letter)

    def _plan(self, intent: Intent, letter: Received) -> None:
        sender, at = sender_of(self.person), intent.at.replace(microsecond=0)
        self._written += 1
        serial = hashlib.sha256(f"{sender.address}/{self._written}".encode()).hexdigest()[:20]
        message_id = f"<{serial}@{sender.address.partition('@')[2]}>"
        if intent.automatic:
            raw = _automatic_reply(self.person, letter, intent.text, at, message_id)
        else:
            raw = compose_answer(
                style_of_mail(self.person, self._written),
                sender,
                intent.text,
                letter,
                at,
                message_id,
            )
        if intent.wanted:
            self._wanted[message_id] = intent.wanted
        if intent.looks:
            self._looks.add(message_id)
        self._planned += [
            Planned(at + timedelta(minutes=copy), letter.reply_to, raw)
            for copy in range(intent.copies)
        ]


def _automatic_reply(
    person: Person, letter: Received, text: str, at: datetime, message_id: str
) -> bytes:
    """As a vacation program writes it (RFC 3834)."""
    message = new_message(
        sender_of(person),
        letter.reply_to,
        small_talk().away.subject.format(subject=letter.subject),
        at,
        message_id,
    )
    message["In-Reply-To"] = letter.message_id
    message["References"] = letter.message_id
    message["Auto-Submitted"] = "auto-replied"
    message["Precedence"] = "bulk"
    message["X-Autoreply"] = "yes"
    message.set_content(text)
    return message.as_bytes()
