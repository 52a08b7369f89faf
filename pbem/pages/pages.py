"""The writers of all pages of the house."""

from dataclasses import dataclass, field

from pbem.pages.gm import GmPages


@dataclass(frozen=True, slots=True)
class Pages:
    """One writer for each kind of page."""

    gm: GmPages = field(default_factory=GmPages)
