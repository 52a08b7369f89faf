"""Letters and bulletins as the gallery shows them, bound into a folder: a page for each of our
mails, each picture once.
"""

import hashlib
import re
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

from pbem.demo.gallery.filing import Filed
from pbem.demo.received import Received
from pbem.demo.stage import RULES_PAGE
from pbem.pages.gallery import LetterCard

_CID = re.compile(r"cid:([^\"')\s]+)")
_OUTCOMES: Mapping[str, str] = {
    "orders": "orders taken",
    "note": "passed on to the game master",
    "wrong-phase": "for a phase that was over",
    "copy": "the same mail again: nothing happened",
    "confirmation-refused": "the forged mail is thrown away",
    "eliminated": "from an eliminated player",
    "game-over": "after the end",
    "empty": "nothing new in it",
}
_KINDS: Mapping[str, str] = {
    "turn": "turn mail",
    "what-if": "what if",
    "confirm": "confirmation",
    "ending": "the end",
}


def kind_words(mail: Filed) -> str:
    """What a mail was, in words."""
    if mail.direction == "out":
        return _KINDS.get(mail.kind, mail.kind)
    head = mail.kind.partition(":")[0]
    return {
        "unproven": "written by somebody else: the player is told; it is void",
        "stranger": "by a stranger: logged, never answered",
        "automatic": "automatic: logged, never answered",
    }.get(head) or _OUTCOMES.get(head, head)


def keep_picture(folder: Path, png: bytes) -> Path:
    """The file of a picture in a gallery's folder; the same picture has the same."""
    path = folder / "pictures" / f"{hashlib.sha256(png).hexdigest()[:16]}.png"
    if not path.exists():
        path.write_bytes(png)
    return path


def link_rules(html: str, url: str) -> str:
    """A letter of ours, to lie in a folder of the gallery: its links to the rules lead to the page
    of the archive.
    """
    return html.replace(f'"{url}#', f'"../../{RULES_PAGE}#')


class Binder:
    """Writes letters and pictures into the gallery's folder, each picture once."""

    def __init__(self, folder: Path, zone: ZoneInfo, rules_url: str) -> None:
        self._folder = folder
        self._zone = zone
        self._rules_url = rules_url
        for name in ("letters", "pictures"):
            (folder / name).mkdir(parents=True, exist_ok=True)

    def at(self, instant: datetime) -> str:
        return instant.astimezone(self._zone).strftime("%a %-d %b, %H:%M")

    def letter(self, mail: Filed, new_text: str) -> LetterCard:
        received = Received(mail.raw)
        ours = mail.direction == "out"
        return LetterCard(
            number=mail.number,
            ours=ours,
            genuine=mail.is_genuine,
            when=self.at(mail.at),
            subject=received.subject,
            kind=kind_words(mail),
            new_text=new_text,
            whole_text=received.text,
            letter=self._keep_letter(mail, received, self._keep_pictures(received)) if ours else "",
            eml=self._link(mail.path),
        )

    def _keep_pictures(self, received: Received) -> dict[str, str]:
        return {
            cid: self._link(keep_picture(self._folder, png))
            for cid, png in received.pictures.items()
        }

    def _keep_letter(self, mail: Filed, received: Received, pictures: Mapping[str, str]) -> str:
        path = self._folder / "letters" / f"{mail.number:04d}.html"
        html = _CID.sub(
            lambda found: f"../{pictures[found[1]]}" if found[1] in pictures else found[0],
            received.html,
        )
        path.write_text(link_rules(html, self._rules_url), encoding="utf-8")
        return self._link(path)

    def _link(self, path: Path) -> str:
        return path.relative_to(self._folder).as_posix()
