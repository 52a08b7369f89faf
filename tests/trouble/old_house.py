"""A house as it was left by an older state of the program, and the mails that its people send it
afterwards.
"""

import json
import lzma
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from email.message import EmailMessage
from pathlib import Path

from tests.desk.harness import GM, Desk, address_of, parse, text_of

KEPT = Path(__file__).parents[1] / "fixtures" / "before_rearranging"
DATABASE = KEPT / "house.sqlite.xz"
AFTERWARDS = KEPT / "afterwards.json"


@dataclass(frozen=True, slots=True)
class Line:
    """Somebody writes; nobody: time passes.

    `answers` is which letter is answered: the newest `question`, the `last` one of all, `none`; or
    one from before the house was left, by its reply address, its subject and its Message-ID.
    """

    at: str
    name: str = ""
    text: str = ""
    answers: str | Sequence[str] = "question"
    proven: bool = True


def read_lines() -> Mapping[str, list[Line]]:
    """`arrears`: what was waited for when the house was left; `onwards`: some phases more;
    `endings`: no game runs on.
    """
    return {
        name: [Line(**line) for line in lines]
        for name, lines in json.loads(AFTERWARDS.read_bytes()).items()
    }


def write_lines(lines: Mapping[str, list[Line]]) -> None:
    told = {name: [asdict(line) for line in mine] for name, mine in lines.items()}
    parts = (
        f"{json.dumps(name)}: [\n"
        + ",\n".join(json.dumps(line, ensure_ascii=False) for line in lines)
        + "\n]"
        for name, lines in told.items()
    )
    AFTERWARDS.write_text("{\n" + ",\n".join(parts) + "\n}\n", encoding="utf-8")


async def carry_out(desk: Desk, line: Line) -> None:
    """The desk takes what is written and does all that is due by then."""
    desk.clock.instant = datetime.fromisoformat(line.at)
    if not line.name:
        await desk.work()
        return
    await desk.write(
        line.name,
        line.text,
        answering=_answered(desk, line),
        token=line.answers != "none",
        dmarc="pass" if line.proven else None,
        sender=GM if line.name == "GM" else None,
        message_id=f"<{line.at}.{line.name.encode().hex()}@players.example>",
    )


def _answered(desk: Desk, line: Line) -> EmailMessage | None:
    if line.answers == "last":
        return parse(desk.postbox.to(GM if line.name == "GM" else address_of(line.name))[-1])
    if isinstance(line.answers, str):
        return None
    before = EmailMessage()
    before["Reply-To"], before["Subject"], before["Message-ID"] = line.answers
    return before


def letters_sent(desk: Desk) -> list[list[str]]:
    """Recipient, subject and text of every letter that went out, in order."""
    return [
        [mail.recipient, str(letter["Subject"]), text_of(letter)]
        for mail in desk.postbox.mails
        for letter in (parse(mail.raw),)
    ]


def unpack(file: Path) -> bytes:
    return lzma.decompress(file.read_bytes())
