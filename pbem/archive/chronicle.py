"""The page of an archive on which a game tells its whole story, if it tells one."""

from pbem.desk.messages.explanations import events_of, read_whole_past
from pbem.desk.table import OpenTable
from pbem.pages.page import TellsStory
from pbem.store.work import Work


async def read_chronicle(work: Work, table: OpenTable) -> str:
    """What it says, as HTML to be set in a frame; "" if the game tells none."""
    pages = table.kind.pages
    if not isinstance(pages, TellsStory):
        return ""
    past = [events_of(table, told, None) for told in await read_whole_past(work, table)]
    return pages.chronicle(table.kind.ruleset.view(table.state, None), past)
