"""Absences, graces and those who want a phase to stay open: what moves a deadline, or keeps it."""

from collections.abc import Collection
from datetime import datetime

import msgspec
import sqlalchemy as sa

from pbem.store.repositories.repository import Repository, Rows
from pbem.store.tables import absences, graces, waits


class AbsenceRow(msgspec.Struct, frozen=True):
    """Somebody is away from `since` until `until`, at one table or (`game_id` None) at all; a
    substitute may sit in for them.
    """

    id: int
    person_id: int
    game_id: int | None
    since: datetime
    until: datetime
    substitute_id: int | None
    created_at: datetime
    cancelled_at: datetime | None


class GraceRow(msgspec.Struct, frozen=True):
    """A seat was late in a phase, and was waited for."""

    game_id: int
    phase_number: int
    seat_id: int
    at: datetime


_ABSENCE = Rows(AbsenceRow, absences)
_GRACE = Rows(GraceRow, graces)
SUBSTITUTED = _ABSENCE.select.where(
    absences.c.substitute_id.is_not(None),
    absences.c.game_id.is_not(None),
    absences.c.cancelled_at.is_(None),
).order_by(absences.c.game_id, absences.c.id)


class Absences(Repository):
    """The absences of all people."""

    async def add(
        self,
        *,
        person_id: int,
        game_id: int | None,
        since: datetime,
        until: datetime,
        substitute_id: int | None,
        created_at: datetime,
    ) -> int:
        return await self._insert(
            absences,
            person_id=person_id,
            game_id=game_id,
            since=since,
            until=until,
            substitute_id=substitute_id,
            created_at=created_at,
        )

    async def list_of(self, person_ids: Collection[int], after: datetime) -> list[AbsenceRow]:
        """The absences of these people that are not cancelled and end after then, the earliest
        first.
        """
        return await self._list(
            _ABSENCE,
            absences.c.until > after,
            by=[absences.c.since, absences.c.id],
            person_id=person_ids,
            cancelled_at=None,
        )

    async def list_substituted(self, game_id: int | None = None) -> list[AbsenceRow]:
        """The absences, at one table or at any, in which somebody plays for an absent player,
        without cancelled ones.
        """
        of_game = [] if game_id is None else [absences.c.game_id == game_id]
        return await self._all(AbsenceRow, SUBSTITUTED.where(*of_game))

    async def cancel(self, absence_id: int, now: datetime) -> bool:
        """They are not away after all. False: that was said before."""
        stands = absences.c.cancelled_at.is_(None)
        return await self._set(absences, absence_id, stands, cancelled_at=now)


class Graces(Repository):
    """Who was waited for, and when."""

    async def add(self, game_id: int, phase_number: int, seat_id: int, at: datetime) -> bool:
        """A seat is waited for in a phase, once."""
        key = {"game_id": game_id, "phase_number": phase_number, "seat_id": seat_id}
        return await self._added(graces, **key, at=at)

    async def list_of_game(self, game_id: int) -> list[GraceRow]:
        return await self._list(_GRACE, game_id=game_id)


class Waits(Repository):
    """Seats that do not want their phase to close before its deadline, though they may have
    ordered.
    """

    async def add(self, game_id: int, phase_number: int, seat_id: int, at: datetime) -> bool:
        key = {"game_id": game_id, "phase_number": phase_number, "seat_id": seat_id}
        return await self._added(waits, **key, at=at)

    async def drop(self, game_id: int, phase_number: int, seat_id: int) -> bool:
        of_phase = (waits.c.game_id == game_id, waits.c.phase_number == phase_number)
        return await self._delete(waits, *of_phase, waits.c.seat_id == seat_id) == 1

    async def list_of_phase(self, game_id: int, phase_number: int) -> frozenset[int]:
        """The ids of the seats that want it to stay open."""
        of_phase = (waits.c.game_id == game_id, waits.c.phase_number == phase_number)
        return frozenset(await self._values(int, sa.select(waits.c.seat_id).where(*of_phase)))
