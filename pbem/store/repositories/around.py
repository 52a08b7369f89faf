"""The people around a table and how to reach them: players, game masters, observers. One statement
reads everything that the letters of a table need.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

import sqlalchemy as sa

from pbem.store.repositories.people import AddressRow, PersonRow
from pbem.store.repositories.repository import Repository, bound, bound_list, columns_of, parted
from pbem.store.tables import (
    absences,
    addresses,
    gms,
    masters,
    observers,
    people,
    preferences,
    seats,
)


@dataclass(frozen=True, slots=True)
class Somebody:
    """One person: their addresses in the order they were given, and their preferences, by name.

    `generation` is a game master's, 0 for all others; `runs_this` and `runs_some`: invited to run
    this table, or any single one. `observes`: observes here now.
    """

    person: PersonRow
    addresses: tuple[AddressRow, ...]
    choices: Mapping[str, str]
    generation: int
    runs_this: bool
    runs_some: bool
    observes: bool


@dataclass(frozen=True, slots=True)
class Around:
    """Everybody around a table by id, in the order they came to us. `substituted`: there somebody
    plays, or will play, for another.
    """

    people: Mapping[int, Somebody]
    substituted: bool


_GAME = bound("game_id")
_GENERATION = sa.case((masters.c.generation > 0, masters.c.generation), else_=0)
_RUNS_THIS = sa.exists().where(gms.c.person_id == people.c.id, gms.c.game_id == _GAME)
_RUNS_SOME = sa.exists().where(gms.c.person_id == people.c.id)
_OBSERVES = sa.exists().where(
    observers.c.person_id == people.c.id, observers.c.game_id == _GAME, observers.c.until.is_(None)
)
_SUBSTITUTED = sa.exists().where(
    absences.c.game_id == _GAME,
    absences.c.substitute_id.is_not(None),
    absences.c.cancelled_at.is_(None),
)
_WHO = sa.union(
    sa.select(seats.c.person_id).where(seats.c.game_id == _GAME, seats.c.person_id.is_not(None)),
    sa.select(masters.c.person_id).where(masters.c.generation > 0),
    sa.select(observers.c.person_id).where(
        observers.c.game_id == _GAME, observers.c.until.is_(None)
    ),
    sa.select(addresses.c.person_id).where(
        addresses.c.channel == bound("channel"), addresses.c.address.in_(bound_list("configured"))
    ),
)
_AROUND = (
    sa.select(
        *columns_of(PersonRow, people),
        *columns_of(AddressRow, addresses),
        preferences.c.name,
        preferences.c.value,
        _GENERATION,
        _RUNS_THIS,
        _RUNS_SOME,
        _OBSERVES,
        _SUBSTITUTED,
    )
    .select_from(
        people.outerjoin(addresses, addresses.c.person_id == people.c.id)
        .outerjoin(preferences, preferences.c.person_id == people.c.id)
        .outerjoin(masters, masters.c.person_id == people.c.id)
    )
    .where(people.c.id.in_(_WHO))
    .order_by(people.c.id, addresses.c.id)
)


class Arounds(Repository):
    """Who is around which table."""

    async def read(self, game_id: int, channel: str, configured: Collection[str]) -> Around:
        """Everybody around a table (0: around none, the game masters alone), and who has one of the
        `configured` addresses on this channel.
        """
        values = {"game_id": game_id, "channel": channel, "configured": list(configured)}
        found: dict[int, Somebody] = {}
        rows = await self._connection.execute(_AROUND, values)
        substituted = False
        for row in rows:
            person, address, *more = parted(row, PersonRow, AddressRow)
            name, value, generation, runs_this, runs_some, observes, substituted = more
            before = found.get(person.id)
            given = before.addresses if before is not None else ()
            choices = dict(before.choices) if before is not None else {}
            if address is not None and address not in given:
                given = (*given, address)
            if name is not None:
                choices[name] = value
            found[person.id] = Somebody(
                person, given, choices, generation, bool(runs_this), bool(runs_some), bool(observes)
            )
        return Around(found, bool(substituted))
