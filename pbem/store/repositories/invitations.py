"""Invitations to a table."""

from datetime import datetime

import msgspec
import sqlalchemy as sa

from pbem.store.repositories.repository import Repository, columns_of
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


_SELECT = sa.select(*columns_of(InvitationRow, invitations))


class Invitations(Repository):
    """The invitations to all tables, one a person and game."""

    __slots__ = ()

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
        return await self._one(
            InvitationRow,
            _SELECT.where(invitations.c.game_id == game_id, invitations.c.person_id == person_id),
        )

    async def list_of_game(self, game_id: int) -> list[InvitationRow]:
        return await self._all(
            InvitationRow,
            _SELECT.where(invitations.c.game_id == game_id).order_by(invitations.c.id),
        )

    async def renew(self, invitation_id: int, *, seat_id: int | None, sent_at: datetime) -> bool:
        """Invite somebody once more who left the table; the answer is open again."""
        statement = invitations.update().where(invitations.c.id == invitation_id)
        return (
            await self._changed(
                statement.values(seat_id=seat_id, sent_at=sent_at, answered_at=None)
            )
            == 1
        )

    async def mark_answered(self, invitation_id: int, answered_at: datetime) -> bool:
        """The invitation is answered. False: it was before."""
        statement = invitations.update().where(
            invitations.c.id == invitation_id, invitations.c.answered_at.is_(None)
        )
        return await self._changed(statement.values(answered_at=answered_at)) == 1
