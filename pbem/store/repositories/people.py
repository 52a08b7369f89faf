"""People, their addresses, who is game master where, and who observes."""

from collections.abc import Collection
from datetime import datetime
from typing import Literal

import msgspec
import sqlalchemy as sa

from pbem.store.repositories.repository import (
    Condition,
    Repository,
    Rows,
    bound,
    bound_list,
    columns_of,
    parted,
)
from pbem.store.tables import addresses, gms, masters, observers, people, seats, tenures

AddressState = Literal["confirmed", "unconfirmed", "suspended"]


class PersonRow(msgspec.Struct, frozen=True):
    """Somebody who plays or runs games. `time_zone` is an IANA name, `locale` a BCP 47 or POSIX
    one: the language of dates, `en` as long as none was chosen.
    """

    id: int
    name: str
    locale: str
    time_zone: str
    created_at: datetime


class AddressRow(msgspec.Struct, frozen=True):
    """Where somebody is reached. `address` is canonical for its channel; the caller makes it so."""

    id: int
    person_id: int
    channel: str
    address: str
    state: AddressState
    reason: str | None
    bounced_at: datetime | None
    failing_since: datetime | None = None
    """Letters have not arrived since then, for reasons that may go away; the last time at
    `failed_at`.
    """
    failed_at: datetime | None = None


Owner = tuple[PersonRow, AddressRow]
"""Whose an address is, and the address itself."""

_PERSON = Rows(PersonRow, people)
_ADDRESS = Rows(AddressRow, addresses)
_IS_THERE = sa.and_(
    addresses.c.channel == bound("channel"), addresses.c.address == bound("address")
)
_PERSON_BY_ADDRESS = _PERSON.select.join(addresses, addresses.c.person_id == people.c.id).where(
    _IS_THERE
)
_WITH_PERSON = (
    _ADDRESS.select.join(people, addresses.c.person_id == people.c.id)
    .add_columns(*columns_of(PersonRow, people))
    .where(_IS_THERE)
)


_IS_AMONG = (addresses.c.channel == bound("channel"), addresses.c.address.in_(bound_list("among")))
_KNOWN = sa.select(addresses.c.address).where(*_IS_AMONG)
_TROUBLED = _ADDRESS.select.where(
    *_IS_AMONG, sa.or_(addresses.c.state == "suspended", addresses.c.failed_at.is_not(None))
)


def _is(channel: str, address: str) -> tuple[Condition, Condition]:
    return (addresses.c.channel == channel, addresses.c.address == address)


class People(Repository):
    """Everybody the service knows, with their addresses: an address belongs to one person only."""

    async def add(self, *, name: str, locale: str, time_zone: str, created_at: datetime) -> int:
        return await self._insert(
            people, name=name, locale=locale, time_zone=time_zone, created_at=created_at
        )

    async def find(self, person_id: int | None) -> PersonRow | None:
        return None if person_id is None else await self._find(_PERSON, id=person_id)

    async def list_by_ids(self, person_ids: Collection[int]) -> list[PersonRow]:
        """These people, in the order they came to us."""
        return await self._list(_PERSON, id=person_ids)

    async def find_by_address(self, channel: str, address: str) -> PersonRow | None:
        """Whose address it is, in whatever state the address is."""
        return await self._one(PersonRow, _PERSON_BY_ADDRESS, channel=channel, address=address)

    async def list_named(self, name: str, name_key: str) -> list[PersonRow]:
        """The people with this name, or with a present or past seat whose name has this key, in the
        order they came to us.
        """
        at_tables = sa.select(tenures.c.person_id).join(seats, seats.c.id == tenures.c.seat_id)
        alike = sa.or_(people.c.name == name, sa.func.lower(people.c.name) == name.lower())
        called = sa.or_(alike, people.c.id.in_(at_tables.where(seats.c.name_key == name_key)))
        return await self._list(_PERSON, called)

    async def set_name(self, person_id: int, name: str) -> bool:
        return await self._set(people, person_id, name=name)

    async def set_locale(self, person_id: int, locale: str) -> bool:
        return await self._set(people, person_id, locale=locale)

    async def set_time_zone(self, person_id: int, time_zone: str) -> bool:
        return await self._set(people, person_id, time_zone=time_zone)

    async def add_address(
        self, person_id: int, channel: str, address: str, state: AddressState = "unconfirmed"
    ) -> int | None:
        """Give a person an address. None: somebody (perhaps this person) has it already."""
        return await self._insert_once(
            addresses, person_id=person_id, channel=channel, address=address, state=state
        )

    async def remove_address(self, person_id: int, channel: str, address: str) -> bool:
        """Take an address from a person. False: it was not theirs."""
        own = addresses.c.person_id == person_id
        return await self._delete(addresses, own, *_is(channel, address)) == 1

    async def find_address(self, channel: str, address: str) -> AddressRow | None:
        return await self._find(_ADDRESS, channel=channel, address=address)

    async def find_troubled(self, channel: str, among: Collection[str]) -> dict[str, AddressRow]:
        """Those of these addresses that do not work, or of late did not."""
        found = await self._all(AddressRow, _TROUBLED, channel=channel, among=list(among))
        return {row.address: row for row in found}

    async def find_owner(self, channel: str, address: str) -> Owner | None:
        """Whose address it is, and the address itself, in whatever state."""
        there = {"channel": channel, "address": address}
        row = (await self._connection.execute(_WITH_PERSON, there)).first()
        if row is None:
            return None
        theirs, person = parted(row, AddressRow, PersonRow)
        return person, theirs

    async def which_known(self, channel: str, among: Collection[str]) -> set[str]:
        """Those of these addresses that somebody has given, confirmed or not."""
        return set(await self._values(str, _KNOWN, channel=channel, among=list(among)))

    async def list_addresses(self, person_id: int) -> list[AddressRow]:
        """All addresses of a person, in the order they were given."""
        return await self.list_addresses_of([person_id])

    async def list_addresses_of(self, person_ids: Collection[int]) -> list[AddressRow]:
        """All addresses of these people, in the order they were given."""
        return await self._list(_ADDRESS, person_id=person_ids)

    async def list_suspended(self) -> list[AddressRow]:
        """The addresses nothing is sent to, for the GM's eye."""
        return await self._list(_ADDRESS, state="suspended")

    async def confirm_address(self, channel: str, address: str) -> bool:
        """The address is proven to be its owner's and reachable. False: there is no such address,
        or it was confirmed and did not fail.
        """
        if await self._set_address(channel, address, "confirmed", reason=None, bounced_at=None):
            return True
        mended = {"reason": None, "failing_since": None, "failed_at": None}
        failed = addresses.c.failed_at.is_not(None)
        return await self._update_one(addresses, *_is(channel, address), failed, **mended)

    async def note_failure(
        self, channel: str, address: str, reason: str, since: datetime, failed_at: datetime
    ) -> bool:
        """A letter did not arrive there, and the first of these failures was at `since`. False:
        there is no such address.
        """
        failure = {"reason": reason, "failing_since": since, "failed_at": failed_at}
        return await self._update_one(addresses, *_is(channel, address), **failure)

    async def suspend_address(
        self, channel: str, address: str, reason: str, bounced_at: datetime | None
    ) -> bool:
        """Stop sending there. False: there is no such address, or it was suspended."""
        return await self._set_address(
            channel, address, "suspended", reason=reason, bounced_at=bounced_at
        )

    async def _set_address(
        self,
        channel: str,
        address: str,
        state: AddressState,
        *,
        reason: str | None,
        bounced_at: datetime | None,
    ) -> bool:
        settled = {"state": state, "reason": reason, "bounced_at": bounced_at}
        mended = {"failing_since": None, "failed_at": None}
        there = (*_is(channel, address), addresses.c.state != state)
        return await self._update_one(addresses, *there, **settled, **mended)


class Gms(Repository):
    """Who is game master of which game."""

    async def add_once(self, game_id: int, person_id: int) -> bool:
        """Make a person GM of a game. False: that was so already."""
        return await self._added(gms, game_id=game_id, person_id=person_id)

    async def list_of_game(self, game_id: int) -> list[PersonRow]:
        statement = _PERSON.select.join(gms, gms.c.person_id == people.c.id)
        return await self._all(
            PersonRow, statement.where(gms.c.game_id == game_id).order_by(people.c.id)
        )

    async def list_games_of(self, person_id: int) -> list[int]:
        """The ids of the games a person is GM of."""
        statement = sa.select(gms.c.game_id).where(gms.c.person_id == person_id)
        return await self._values(int, statement.order_by(gms.c.game_id))

    async def remove_person(self, person_id: int) -> int:
        """They are game master of no single table any more; of how many they were."""
        return await self._delete(gms, gms.c.person_id == person_id)


class MasterRow(msgspec.Struct, frozen=True):
    """Somebody who may open and run tables by mail. A new `generation` makes every older token
    worthless.
    """

    person_id: int
    generation: int
    since: datetime


_MASTER = Rows(MasterRow, masters)
_RUNS = masters.c.generation > 0


class Masters(Repository):
    """The game masters of the house: who may write commands, whichever tables they run.

    Whose right is taken away stays as a row with the generation below zero, so that no token given
    before ever counts again.
    """

    async def add_once(self, person_id: int, since: datetime) -> bool:
        """Let somebody run tables (again: under a new generation). False: they may already."""
        if await self._added(masters, person_id=person_id, generation=1, since=since):
            return True
        gone = (masters.c.person_id == person_id, ~_RUNS)
        anew = {"generation": 1 - masters.c.generation, "since": since}
        return await self._update_one(masters, *gone, **anew)

    async def find(self, person_id: int) -> MasterRow | None:
        return await self._find(_MASTER, _RUNS, person_id=person_id)

    async def list_all(self) -> list[MasterRow]:
        return await self._list(_MASTER, _RUNS)

    async def renew(self, person_id: int) -> int | None:
        """Make every token given so far worthless; the new generation. None: they run no tables."""
        renewed = masters.update().where(masters.c.person_id == person_id, _RUNS)
        next_one = renewed.values(generation=masters.c.generation + 1)
        return await self._value(int, next_one.returning(masters.c.generation))

    async def remove(self, person_id: int) -> bool:
        """They no longer run tables. False: they did not."""
        theirs = (masters.c.person_id == person_id, _RUNS)
        return await self._update_one(masters, *theirs, generation=-masters.c.generation)


class ObserverRow(msgspec.Struct, frozen=True):
    """Somebody observes from `since`; `until` is None as long as they do."""

    game_id: int
    person_id: int
    since: datetime
    until: datetime | None


_OBSERVER = Rows(ObserverRow, observers)


class Observers(Repository):
    """The observers of all tables, who get bulletins and public press only."""

    async def begin(self, game_id: int, person_id: int, now: datetime) -> bool:
        """Begin to observe. False: they do already."""
        same = (observers.c.game_id == game_id, observers.c.person_id == person_id)
        if await self._added(
            observers, game_id=game_id, person_id=person_id, since=now, until=None
        ):
            return True
        return await self._update_one(
            observers, *same, observers.c.until.is_not(None), since=now, until=None
        )

    async def end(self, game_id: int, person_id: int, now: datetime) -> bool:
        """Stop observing. False: they did not observe."""
        same = (
            observers.c.game_id == game_id,
            observers.c.person_id == person_id,
            observers.c.until.is_(None),
        )
        return await self._update_one(observers, *same, until=now)

    async def list_of_game(self, game_id: int) -> list[ObserverRow]:
        """The present observers of a table."""
        return await self._list(_OBSERVER, observers.c.until.is_(None), game_id=game_id)

    async def list_of_person(self, person_id: int) -> list[ObserverRow]:
        """The tables that somebody observes now."""
        return await self._list(_OBSERVER, observers.c.until.is_(None), person_id=person_id)
