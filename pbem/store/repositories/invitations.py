"""Invitations to a table."""

from datetime import datetime

import msgspec

from pbem.store.repositories.repository import Repository, Rows
from pbem.store.tables import invitations


class InvitationRow(msgspec.Struct, frozen=True):
    """An invitation; `nonce` goes into the token by which it is answered."""

    id: int
    game_id: int
    person_id: int
    seat_id: int | None
    nonce: str
    sent_at: datetime
    answered_at: datetime | None


_SELECT = Rows(InvitationRow, invitations)


class Invitations(Repository):
    """The invitations to all tables, one a person and game."""

    async def add_once(
        self, *, game_id: int, person_id: int, seat_id: int | None, nonce: str, sent_at: datetime
    ) -> int | None:
        """Invite a person. None: invited already."""
        return await self._insert_once(
            invitations,
            ("game_id", "person_id"),
            game_id=game_id,
            person_id=person_id,
            seat_id=seat_id,
            nonce=nonce,
            sent_at=sent_at,
        )

    async def find_of_person(self, game_id: int, person_id: int) -> InvitationRow | None:
        return await self._find(_SELECT, game_id=game_id, person_id=person_id)

    async def list_of_game(self, game_id: int) -> list[InvitationRow]:
        return await self._list(_SELECT, game_id=game_id)

    async def renew(self, invitation_id: int, *, seat_id: int | None, sent_at: datetime) -> bool:
        """Invite somebody once more who left the table; the answer is open again."""
        return await self._set(
            invitations, invitation_id, seat_id=seat_id, sent_at=sent_at, answered_at=None
        )

    async def mark_answered(self, invitation_id: int, answered_at: datetime) -> bool:
        """The invitation is answered. False: it was before."""
        return await self._set(
            invitations, invitation_id, invitations.c.answered_at.is_(None), answered_at=answered_at
        )
