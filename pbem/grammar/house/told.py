"""What people are told of the words of the house (told.words): the table of the guide, and the
lines of a chat's menu.
"""

import re
from collections.abc import Iterator
from functools import cache
from importlib.resources import files

import msgspec

HEADING = "| word | what comes back |\n|---|---|\n"


class Told(msgspec.Struct, frozen=True):
    """A row: the word ("": it has none), how it is shown, what comes back; and the command of a
    menu with its line ("": it stands in none).
    """

    word: str
    shown: str
    about: str
    command: str = ""
    line: str = ""

    @property
    def examples(self) -> tuple[str, ...]:
        """What can be sent: all that is shown, but a name of it before a colon."""
        return tuple(re.findall(r"`([^`]+)`", re.sub(r"`[^`]+`:", "", self.shown)))


@cache
def load_told() -> tuple[Told, ...]:
    """All rows. ValueError for a line that cannot be read."""
    text = (files(__package__) / "told.words").read_text("utf-8")
    return tuple(
        _row(line) for line in text.splitlines() if line.strip() and not line.startswith("#")
    )


def _row(line: str) -> Told:
    cells = [cell.strip() for cell in line.split("|")]
    if len(cells) not in (3, 4):
        raise ValueError(f"no row of what is told: {line[:60]!r}")
    menu = cells[3].removeprefix("/") if len(cells) == 4 else ""
    command, _, about = menu.partition(": ")
    return Told(cells[0].strip("-"), cells[1], cells[2], command, about)


def guide_table() -> str:
    """The table of the guide."""
    return HEADING + "".join(f"| {row.shown} | {row.about} |\n" for row in load_told())


def menu() -> Iterator[tuple[str, str]]:
    """Commands and their lines."""
    return ((row.command, row.line) for row in load_told() if row.command)
