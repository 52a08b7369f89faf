"""Every mail of a demonstration as a file, with what it was: who wrote to whom, and what the
service made of it.
"""

import hashlib
import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Literal

from pbem.demo.gallery.counts import read_inbox
from pbem.demo.received import Received
from pbem.demo.stage import GM_ADDRESS, SERVICE_ADDRESS, Stage


@dataclass(frozen=True, slots=True)
class Filed:
    """A mail, its file, and its kind: for one sent by the service the letter's kind, for one that
    came in its outcome.

    `person` is who the service wrote to, or under whose name it was written to.
    """

    number: int
    at: datetime
    direction: Literal["in", "out"]
    person: str
    address: str
    kind: str
    subject: str
    path: Path
    raw: bytes

    @property
    def is_genuine(self) -> bool:
        """False for a mail that only claims to be this person's."""
        return self.direction == "out" or not self.kind.startswith(("unproven", "stranger"))


async def file_mails(stage: Stage, names: Mapping[str, str], folder: Path) -> list[Filed]:
    """Write all mails into this folder; `names` are people by address."""
    outcomes = {
        row.message_key.rpartition("|")[2]: row.outcome or row.state
        for row in await read_inbox(stage)
    }
    filed = []
    for mail in stage.recorder.mails:
        letter = Received(mail.raw)
        came_in = mail.mailbox == SERVICE_ADDRESS
        address = letter.from_address if came_in else mail.mailbox
        if came_in:
            kind = outcomes.get(hashlib.sha256(mail.raw).hexdigest(), "unknown")
        else:
            kind = await _letter_kind(stage, letter.message_id)
        person = names.get(
            address, "the game master" if address == GM_ADDRESS else letter.from_name or address
        )
        direction: Literal["in", "out"] = "in" if came_in else "out"
        path = folder / f"{mail.number:04d}-{direction}-{_plain(person)}-{_plain(kind)}.eml"
        filed.append(
            Filed(
                mail.number,
                mail.at,
                direction,
                person,
                address,
                kind,
                letter.subject,
                path,
                mail.raw,
            )
        )
    _write(filed, folder)
    return filed


def _write(filed: Sequence[Filed], folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for mail in filed:
        mail.path.write_bytes(mail.raw)


async def _letter_kind(stage: Stage, message_id: str) -> str:
    async with stage.services.database.read() as work:
        row = await work.outbox.find_by_message_id(message_id)
    return row.kind if row is not None else "report"


def _plain(name: str) -> str:
    """Fit for a file's name everywhere."""
    ascii_only = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    return re.sub(r"[^A-Za-z0-9]+", "-", ascii_only).strip("-") or "mail"
