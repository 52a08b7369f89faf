"""Somebody who does not play and tries to order for those who do: under an own address, with a
guessed code, in a player's name.
"""

import hashlib
import random
from collections.abc import Sequence
from datetime import datetime, timedelta

from pbem.demo.agenda import Planned, Writer
from pbem.demo.cast import small_talk
from pbem.demo.styles import Sender, new_message
from pbem.play import Person

ADDRESS = "marsh@nowhere.example"
_LETTERS = "abcdefghijklmnopqrstuvwxyz234567"


class Stranger(Writer):
    """Writes three mails, half a day to two days after the start, and gets no answer."""

    def __init__(
        self, seed: int, victims: Sequence[Person], service_address: str, start: datetime
    ) -> None:
        luck = random.Random(f"{seed}/stranger")
        victim, other = victims[0], victims[-1]
        local, _, host = service_address.partition("@")
        guessed = f"{local}+o1-1-{''.join(luck.choices(_LETTERS, k=26))}@{host}"
        own = Sender("J. Marsh", ADDRESS, "UTC")
        forged = Sender(victim.name, victim.address, "UTC")
        super().__init__(own)
        self.planned = [
            self._letter(
                index,
                start + timedelta(hours=hours, minutes=luck.randrange(60)),
                sender,
                to,
                victim,
                other,
            )
            for index, (hours, sender, to) in enumerate(
                ((9, own, service_address), (13, own, guessed), (30, forged, service_address))
            )
        ]

    def _letter(
        self, index: int, at: datetime, sender: Sender, to: str, victim: Person, other: Person
    ) -> Planned:
        talk = small_talk().stranger
        serial = hashlib.sha256(f"{index}/{to}/{at}".encode()).hexdigest()[:20]
        message = new_message(sender, to, talk.subject, at, f"<{serial}@nowhere.example>")
        message.set_content(talk.bodies[index].format(name=victim.name, other=other.name, p="P1"))
        return Planned(at, to, message.as_bytes())
