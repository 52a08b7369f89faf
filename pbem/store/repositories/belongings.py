"""What is kept of one person, to be read by that person: rows under the names of their columns.

Codes and secrets of the house are no columns of it, nor are other people's numbers.
"""

from collections.abc import AsyncIterator, Collection, Mapping
from datetime import datetime
from typing import Any

import msgspec
import sqlalchemy as sa

from pbem.store.repositories.forgetting import EMPTY_LETTER, LetterBody
from pbem.store.repositories.repository import Condition, Repository, Rows
from pbem.store.tables import (
    absences,
    acts,
    addresses,
    ballots,
    games,
    gm_log,
    gms,
    graces,
    inbox,
    invitations,
    links,
    masters,
    motions,
    notes,
    observers,
    orders,
    outbox,
    pending,
    people,
    preferences,
    press,
    results,
    seats,
    strikes,
    suppositions,
    tenures,
    votes,
    waits,
)

_AT_A_TIME = 50
_COLUMNS: Mapping[sa.Table, str] = {
    people: "name locale time_zone created_at",
    addresses: "channel address state reason bounced_at failing_since failed_at",
    preferences: "name value",
    masters: "since",
    gms: "game_id",
    seats: "game_id name colour team place faction joined_at status",
    tenures: "seat_id tenure since until",
    invitations: "game_id seat_id sent_at answered_at",
    observers: "game_id since until",
    absences: "game_id since until created_at cancelled_at",
    results: "game_id seat_id tenure place players won prize how at",
    strikes: "game_id seat_id reason given_by at pardoned_at pardoned_by pardon_reason",
    links: "purpose game_id created_at expires_at used_at",
}
"""The columns of each table that are a person's own."""

_OF_SEATS: Mapping[sa.Table, tuple[str, str]] = {
    votes: ("seat_id question answer at", "at"),
    ballots: ("seat_id answer at", "at"),
    motions: ("game_id phase_number seat_id kind detail opened_at outcome", "opened_at"),
    waits: ("game_id phase_number seat_id at", "at"),
    graces: ("game_id phase_number seat_id at", "at"),
}
"""The columns of what was done on a seat, and which of them says when."""

_ACTS = "game_id phase_number body at"
_SUPPOSITIONS = "game_id phase_number seat_id asked"
_ORDERS = "game_id phase_number seat_id tenure version source received_at final canonical"
_PRESS = "game_id phase_number seat_id kind grey text created_at"
"""Without the readers: among them may be who wrote the nameless press that is answered."""
_NOTES = "game_id seat_id text created_at state"
_CONSENTS = "purpose game_id address created_at expires_at done_at outcome"
_LOG = "game_id command detail at"

Kept = dict[str, Any]


class StoredMessage(msgspec.Struct, frozen=True):
    """A message with its bytes, None when they are not kept any more."""

    id: int
    channel: str
    outcome: str | None
    received_at: datetime
    raw: bytes | None


class StoredLetter(LetterBody, frozen=True):
    """A letter as it lies in the outbox."""

    kind: str
    address: str
    game_id: int | None
    seat_id: int | None
    person_id: int | None
    dedupe_key: str | None
    created_at: datetime


_MESSAGE, _LETTER = Rows(StoredMessage, inbox), Rows(StoredLetter, outbox)


class Belongings(Repository):
    """The statements of reading; used within one unit of work each."""

    async def read_tables(self, person_id: int) -> dict[str, list[Kept]]:
        """The rows of each table that are this person's."""
        return {
            table.name: await self._kept(
                table, names, (table.c.id if table is people else table.c.person_id) == person_id
            )
            for table, names in _COLUMNS.items()
        }

    async def read_doings(self, person_id: int) -> dict[str, list[Kept]]:
        """What was done on the seats this person had, in the time that they had them: votes, calls
        for a vote, waiting, and what took effect at once.
        """
        found = {
            table.name: await self._kept(
                table, names, _had(person_id, table.c[at], tenures.c.seat_id == table.c.seat_id)
            )
            for table, (names, at) in _OF_SEATS.items()
        }
        there = seats.c.game_id == acts.c.game_id, sa.cast(seats.c.number, sa.Text) == acts.c.actor
        mine = _had(person_id, acts.c.at, tenures.c.seat_id == seats.c.id, *there)
        found["acts"] = await self._kept(acts, _ACTS, mine)
        asked = sa.exists().where(
            tenures.c.seat_id == suppositions.c.seat_id,
            tenures.c.tenure == suppositions.c.tenure,
            tenures.c.person_id == person_id,
        )
        found["suppositions"] = await self._kept(suppositions, _SUPPOSITIONS, asked)
        return found

    async def read_orders(self, person_id: int) -> list[Kept]:
        """The orders of the seats this person had, of the time that they had them."""
        theirs = sa.exists().where(
            tenures.c.seat_id == orders.c.seat_id,
            tenures.c.tenure == orders.c.tenure,
            tenures.c.person_id == person_id,
        )
        return await self._kept(orders, _ORDERS, theirs)

    async def read_press(self, ids: Collection[int]) -> list[Kept]:
        return await self._kept(press, _PRESS, press.c.id.in_(list(ids)))

    async def read_notes(self, ids: Collection[int]) -> list[Kept]:
        return await self._kept(notes, _NOTES, notes.c.id.in_(list(ids)))

    async def read_consents(self, wanted: Collection[str]) -> list[Kept]:
        """Our questions to these addresses and accounts, and their answers."""
        return await self._kept(pending, _CONSENTS, pending.c.address.in_(list(wanted)))

    async def read_log(self, ids: Collection[int]) -> list[Kept]:
        return await self._kept(gm_log, _LOG, gm_log.c.id.in_(list(ids)))

    async def name_games(self) -> dict[int, str]:
        """The short names of all games."""
        return {row["id"]: row["slug"] for row in await self._kept(games, "id slug")}

    async def name_seats(self, ids: Collection[int]) -> dict[int, str]:
        """What these seats are called."""
        found = await self._kept(seats, "id name", seats.c.id.in_(list(ids)))
        return {row["id"]: row["name"] for row in found}

    async def read_messages(self, ids: Collection[int]) -> AsyncIterator[list[StoredMessage]]:
        """These messages, some at a time, in the order in which they came."""
        for some in _parted(ids):
            yield await self._list(_MESSAGE, inbox.c.id.in_(some))

    async def read_letters(self, ids: Collection[int]) -> AsyncIterator[list[StoredLetter]]:
        """These letters as far as they still have words, some at a time."""
        for some in _parted(ids):
            yield await self._list(_LETTER, outbox.c.id.in_(some), outbox.c.letter != EMPTY_LETTER)

    async def _kept(self, table: sa.Table, names: str, *where: Condition) -> list[Kept]:
        columns = [table.c[name] for name in names.split()]
        statement = sa.select(*columns).where(*where).order_by(*table.primary_key)
        return [dict(row) for row in (await self._connection.execute(statement)).mappings()]


def _had(person_id: int, at: sa.Column[Any], *where: Condition) -> Condition:
    """Whether the person had the seat then."""
    still = sa.or_(tenures.c.until.is_(None), at < tenures.c.until)
    return sa.exists().where(tenures.c.person_id == person_id, tenures.c.since <= at, still, *where)


def _parted(ids: Collection[int]) -> list[list[int]]:
    ordered = sorted(ids)
    return [ordered[at : at + _AT_A_TIME] for at in range(0, len(ordered), _AT_A_TIME)]
