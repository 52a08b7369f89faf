"""What a picture says of its moment: the phase, and when it closes."""

from collections.abc import Callable, Sequence
from zoneinfo import ZoneInfo

from babel.dates import format_datetime

from pbem.board.board import TableFacts
from pbem.board.templates import KIT


def phase_words(about: TableFacts, say: Callable[..., str], *facts: object) -> str:
    """The phase that is open, or in a chronicle the one that was closed. `say` are the words of the
    game's board, with the macros `phase`, which takes the kind and these facts, and `due`.
    """
    if about.chronicle is not None:
        return about.chronicle.step
    return KIT.say("supposed") if about.hypothesis else say("phase", about.phase, *facts)


def due_lines(
    about: TableFacts, say: Callable[..., str], won: tuple[Sequence[str], str] | None = None
) -> tuple[str, str, str]:
    """The three lines of the upper right corner: `Orders due`, `Mon 23 Nov`, `18:00 CET`; once a
    game is `won`, `Victory`, by whom and with what. Empty ones where all is supposed, and in a
    chronicle until then.
    """
    if won is not None:
        return KIT.say("victory"), KIT.say("winners", won[0]), won[1]
    if about.hypothesis or about.chronicle is not None:
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
