"""People, their addresses, and who is game master where."""

from collections.abc import Collection
from datetime import datetime
from typing import Literal

import msgspec
import sqlalchemy as sa

from pbem.store.repositories.repository import Repository, bound, bound_list, columns_of
from pbem.store.tables import addresses, gms, masters, people, seats, tenures

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

_PERSON = sa.select(*columns_of(PersonRow, people))
_ADDRESS = sa.select(*columns_of(AddressRow, addresses))
_IS_THERE = sa.and_(
    addresses.c.channel == bound("channel"), addresses.c.address == bound("address")
)
_PERSON_BY_ID = _PERSON.where(people.c.id == bound("person_id"))
_PEOPLE_BY_ID = _PERSON.where(people.c.id.in_(bound_list("person_ids"))).order_by(people.c.id)
_PERSON_BY_ADDRESS = _PERSON.join(addresses, addresses.c.person_id == people.c.id).where(_IS_THERE)
_WITH_PERSON = (
    _ADDRESS.join(people, addresses.c.person_id == people.c.id)
    .add_columns(*columns_of(PersonRow, people))
    .where(_IS_THERE)
)
_ADDRESS_ITSELF = _ADDRESS.where(_IS_THERE)
_ADDRESSES_AMONG = _ADDRESS.where(
    addresses.c.channel == bound("channel"), addresses.c.address.in_(bound_list("among"))
)
_ADDRESSES_OF = _ADDRESS.where(addresses.c.person_id.in_(bound_list("person_ids"))).order_by(
    addresses.c.id
)


class People(Repository):
    """Everybody the service knows, with their addresses: an address belongs to one person only."""

    __slots__ = ()

    async def add(self, *, name: str, locale: str, time_zone: str, created_at: datetime) -> int:
        return await self._insert(
            people, name=name, locale=locale, time_zone=time_zone, created_at=created_at
        )

    async def find(self, person_id: int) -> PersonRow | None:
        return await self._one(PersonRow, _PERSON_BY_ID, person_id=person_id)

    async def list_by_ids(self, person_ids: Collection[int]) -> list[PersonRow]:
        """These people, in the order they came to us."""
        return await self._all(PersonRow, _PEOPLE_BY_ID, person_ids=list(person_ids))

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
        return await self._all(PersonRow, _PERSON.where(called).order_by(people.c.id))

    async def set_name(self, person_id: int, name: str) -> bool:
        return (
            await self._changed(people.update().where(people.c.id == person_id).values(name=name))
            == 1
        )

    async def set_locale(self, person_id: int, locale: str) -> bool:
        return (
            await self._changed(
                people.update().where(people.c.id == person_id).values(locale=locale)
            )
            == 1
        )

    async def set_time_zone(self, person_id: int, time_zone: str) -> bool:
        return (
            await self._changed(
                people.update().where(people.c.id == person_id).values(time_zone=time_zone)
            )
            == 1
        )

    async def add_address(
        self, person_id: int, channel: str, address: str, state: AddressState = "unconfirmed"
    ) -> int | None:
        """Give a person an address. None: somebody (perhaps this person) has it already."""
        return await self._insert_once(
            addresses,
            ("channel", "address"),
            person_id=person_id,
            channel=channel,
            address=address,
            state=state,
        )

    async def remove_address(self, person_id: int, channel: str, address: str) -> bool:
        """Take an address from a person. False: it was not theirs."""
        own = (
            addresses.c.person_id == person_id,
            addresses.c.channel == channel,
            addresses.c.address == address,
        )
        return await self._changed(addresses.delete().where(*own)) == 1

    async def find_address(self, channel: str, address: str) -> AddressRow | None:
        return await self._one(AddressRow, _ADDRESS_ITSELF, channel=channel, address=address)

    async def find_addresses(self, channel: str, among: Collection[str]) -> dict[str, AddressRow]:
        """Those of these addresses that are known."""
        found = await self._all(AddressRow, _ADDRESSES_AMONG, channel=channel, among=list(among))
        return {row.address: row for row in found}

    async def find_owner(self, channel: str, address: str) -> Owner | None:
        """Whose address it is, and the address itself, in whatever state."""
        there = {"channel": channel, "address": address}
        row = (await self._connection.execute(_WITH_PERSON, there)).first()
        if row is None:
            return None
        width = len(AddressRow.__struct_fields__)
        return PersonRow(*row[width:]), AddressRow(*row[:width])

    async def which_known(self, channel: str, among: Collection[str]) -> set[str]:
        """Those of these addresses that somebody has given, confirmed or not."""
        statement = sa.select(addresses.c.address).where(
            addresses.c.channel == channel, addresses.c.address.in_(list(among))
        )
        return set((await self._connection.execute(statement)).scalars())

    async def list_addresses(self, person_id: int) -> list[AddressRow]:
        """All addresses of a person, in the order they were given."""
        return await self.list_addresses_of([person_id])

    async def list_addresses_of(self, person_ids: Collection[int]) -> list[AddressRow]:
        """All addresses of these people, in the order they were given."""
        return await self._all(AddressRow, _ADDRESSES_OF, person_ids=list(person_ids))

    async def list_suspended(self) -> list[AddressRow]:
        """The addresses nothing is sent to, for the GM's eye."""
        return await self._all(
            AddressRow, _ADDRESS.where(addresses.c.state == "suspended").order_by(addresses.c.id)
        )

    async def confirm_address(self, channel: str, address: str) -> bool:
        """The address is proven to be its owner's and reachable. False: there is no such address,
        or it was confirmed and did not fail.
        """
        if await self._set_address(channel, address, "confirmed", reason=None, bounced_at=None):
            return True
        failing = (
            addresses.c.channel == channel,
            addresses.c.address == address,
            addresses.c.failed_at.is_not(None),
        )
        return (
            await self._changed(
                addresses.update()
                .where(*failing)
                .values(reason=None, failing_since=None, failed_at=None)
            )
            == 1
        )

    async def note_failure(
        self, channel: str, address: str, reason: str, since: datetime, failed_at: datetime
    ) -> bool:
        """A letter did not arrive there, and the first of these failures was at `since`. False:
        there is no such address.
        """
        failing = addresses.update().where(
            addresses.c.channel == channel, addresses.c.address == address
        )
        return (
            await self._changed(
                failing.values(reason=reason, failing_since=since, failed_at=failed_at)
            )
            == 1
        )

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
        statement = addresses.update().where(
            addresses.c.channel == channel,
            addresses.c.address == address,
            addresses.c.state != state,
        )
        settled = {
            "state": state,
            "reason": reason,
            "bounced_at": bounced_at,
            "failing_since": None,
            "failed_at": None,
        }
        return await self._changed(statement.values(**settled)) == 1


class Gms(Repository):
    """Who is game master of which game."""

    __slots__ = ()

    async def add_once(self, game_id: int, person_id: int) -> bool:
        """Make a person GM of a game. False: that was so already."""
        return await self._added(
            gms, ("game_id", "person_id"), game_id=game_id, person_id=person_id
        )

    async def list_of_game(self, game_id: int) -> list[PersonRow]:
        statement = _PERSON.join(gms, gms.c.person_id == people.c.id)
        return await self._all(
            PersonRow, statement.where(gms.c.game_id == game_id).order_by(people.c.id)
        )

    async def list_games_of(self, person_id: int) -> list[int]:
        """The ids of the games a person is GM of."""
        found = await self._connection.execute(
            sa.select(gms.c.game_id).where(gms.c.person_id == person_id).order_by(gms.c.game_id)
        )
        return list(found.scalars())

    async def remove_person(self, person_id: int) -> int:
        """They are game master of no single table any more; of how many they were."""
        return (
            await self._connection.execute(gms.delete().where(gms.c.person_id == person_id))
        ).rowcount


class MasterRow(msgspec.Struct, frozen=True):
    """Somebody who may open and run tables by mail. A new `generation` makes every older token
    worthless.
    """

    person_id: int
    generation: int
    since: datetime


_MASTER = sa.select(*columns_of(MasterRow, masters)).where(masters.c.generation > 0)
_MASTER_BY_ID = _MASTER.where(masters.c.person_id == bound("person_id"))


class Masters(Repository):
    """The game masters of the house: who may write commands, whichever tables they run.

    Whose right is taken away stays as a row with the generation below zero, so that no token given
    before ever counts again.
    """

    __slots__ = ()

    async def add_once(self, person_id: int, since: datetime) -> bool:
        """Let somebody run tables (again: under a new generation). False: they may already."""
        if await self._added(
            masters, ("person_id",), person_id=person_id, generation=1, since=since
        ):
            return True
        back = masters.update().where(masters.c.person_id == person_id, masters.c.generation <= 0)
        return (
            await self._changed(back.values(generation=1 - masters.c.generation, since=since)) == 1
        )

    async def find(self, person_id: int) -> MasterRow | None:
        return await self._one(MasterRow, _MASTER_BY_ID, person_id=person_id)

    async def list_all(self) -> list[MasterRow]:
        return await self._all(MasterRow, _MASTER.order_by(masters.c.person_id))

    async def renew(self, person_id: int) -> int | None:
        """Make every token given so far worthless; the new generation. None: they run no tables."""
        statement = masters.update().where(
            masters.c.person_id == person_id, masters.c.generation > 0
        )
        renewed = statement.values(generation=masters.c.generation + 1).returning(
            masters.c.generation
        )
        found = (await self._connection.execute(renewed)).scalar_one_or_none()
        return None if found is None else int(found)

    async def remove(self, person_id: int) -> bool:
        """They no longer run tables. False: they did not."""
        statement = masters.update().where(
            masters.c.person_id == person_id, masters.c.generation > 0
        )
        return await self._changed(statement.values(generation=-masters.c.generation)) == 1
