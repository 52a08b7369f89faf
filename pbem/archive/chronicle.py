"""The page of a gallery on which a game tells its whole story, if it tells one."""

from pathlib import Path

from markupsafe import Markup

from pbem.desk.messages.whys import events_of, read_whole_past
from pbem.desk.table import OpenTable
from pbem.pages.gallery import render_gallery
from pbem.pages.page import TellsStory
from pbem.store.work import Work


async def read_chronicle(work: Work, table: OpenTable) -> str:
    """What it says, as HTML to be set in a frame; "" if the game tells none."""
    pages = table.kind.pages
    if not isinstance(pages, TellsStory):
        return ""
    past = [events_of(table, told, None) for told in await read_whole_past(work, table)]
    return pages.chronicle(table.kind.ruleset.view(table.state, None), past)


def write_chronicle(chronicle: str, folder: Path) -> str:
    """Put it into a gallery, in place of an earlier one; its name, "" if there is none."""
    path = folder / "chronicle.html"
    path.unlink(missing_ok=True)
    if chronicle:
        told = Markup(chronicle)  # noqa: S704 - made by the game's own template
        path.write_text(render_gallery("chronicle.html.j2", {"told": told}), encoding="utf-8")
    return path.name if chronicle else ""
