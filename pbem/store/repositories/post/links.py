"""One-time links by which a chat is bound to a person or a table; only what a code hashes to is
kept.
"""

from collections.abc import Sequence
from datetime import datetime

import msgspec

from pbem.store.repositories.repository import Repository, Rows
from pbem.store.tables import links


class NewLinkRow(msgspec.Struct, frozen=True):
    """A link to be handed out."""

    code_hash: str
    purpose: str
    created_at: datetime
    expires_at: datetime
    person_id: int | None = None
    game_id: int | None = None


class LinkRow(NewLinkRow, frozen=True, kw_only=True):
    """A link that was handed out. `used_by` is the address (on its channel) that came through
    it.
    """

    id: int
    used_at: datetime | None
    used_by: str | None


_SELECT = Rows(LinkRow, links)


class Links(Repository):
    """All links handed out."""

    async def add_all(self, new: Sequence[NewLinkRow]) -> None:
        """Hand out links; one whose code was handed out before stays as it is."""
        await self._add_all(links, [msgspec.structs.asdict(row) for row in new])

    async def find(self, code_hash: str) -> LinkRow | None:
        return await self._find(_SELECT, code_hash=code_hash)

    async def use(self, link_id: int, used_by: str, now: datetime) -> bool:
        """Go through the link. False: somebody was first, or its time is over."""
        free = (links.c.used_at.is_(None), links.c.expires_at > now)
        return await self._set(links, link_id, *free, used_at=now, used_by=used_by)

    async def withdraw(self, person_id: int, purpose: str, now: datetime) -> int:
        """Links of that purpose that the person has not used lead nowhere any more; how many."""
        unused = (
            links.c.person_id == person_id,
            links.c.purpose == purpose,
            links.c.used_at.is_(None),
        )
        return await self._update(links, *unused, used_at=now)
