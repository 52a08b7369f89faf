"""The writers of all pages of the house."""

from dataclasses import dataclass, field

from pbem.pages.chat import ChatPages
from pbem.pages.gm import GmPages
from pbem.pages.results import ResultPages
from pbem.pages.veterans import VeteranPages


@dataclass(frozen=True, slots=True)
class Pages:
    """One writer for each kind of page."""

    gm: GmPages = field(default_factory=GmPages)
    results: ResultPages = field(default_factory=ResultPages)
    chat: ChatPages = field(default_factory=ChatPages)
    veterans: VeteranPages = field(default_factory=VeteranPages)
