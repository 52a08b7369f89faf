"""The players of a demonstration who play by mail: they read their own mails and answer in their
own words.
"""

from datetime import datetime, timedelta

from pbem.demo.agenda import Planned, Writer
from pbem.demo.cast import sender_of, small_talk, style_of_mail
from pbem.demo.mind import Mind
from pbem.demo.quirks import Intent, correction
from pbem.demo.received import Received
from pbem.demo.styles import compose_answer, new_message
from pbem.play import Person


class Correspondent(Writer):
    """One player."""

    def __init__(self, mind: Mind) -> None:
        super().__init__(sender_of(mind.person))
        self.mind = mind
        self.person = mind.person
        self.number = mind.number
        self._wanted: dict[str, tuple[str, ...]] = {}
        self._looks: set[str] = set()

    async def read(self, raw: bytes, now: datetime) -> None:
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
        at, message_id = intent.at.replace(microsecond=0), self.next_id()
        if intent.automatic:
            raw = _automatic_reply(self.person, letter, intent.text, at, message_id)
        else:
            style = style_of_mail(self.person, self._written)
            raw = compose_answer(style, self.sender, intent.text, letter, at, message_id)
        if intent.wanted:
            self._wanted[message_id] = intent.wanted
        if intent.looks:
            self._looks.add(message_id)
        self.planned += [
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
