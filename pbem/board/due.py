"""When the open phase closes, as a picture says it."""

from collections.abc import Callable
from zoneinfo import ZoneInfo

from babel.dates import format_datetime

from pbem.board.board import TableFacts


def due_lines(about: TableFacts, say: Callable[..., str]) -> tuple[str, str, str]:
    """The three lines of the upper right corner: `Orders due`, `Mon 23 Nov`, `18:00 CET`; empty
    ones where all is supposed. `say` are the words of the game's board, with a macro `due`.
    """
    if about.hypothesis:
        return "", "", ""
    if about.deadline is None:
        return say("due", about.phase), "", ""
    local = about.deadline.astimezone(ZoneInfo(about.zone))
    name = local.tzname() or ""
    zone = f"UTC{name}" if name[:1] in {"+", "-"} else name
    return (
        say("due", about.phase),
        str(format_datetime(local, "EEE d MMM", locale="en")),
        f"{local:%H:%M} {zone}".strip(),
    )
