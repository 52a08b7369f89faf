"""Seats at a table, and who sat there when."""

import unicodedata
from datetime import datetime
from typing import Literal, NamedTuple

import msgspec
import sqlalchemy as sa

from pbem.store.repositories.repository import Repository, Rows, bound
from pbem.store.tables import absences, seats, tenures, waits

SeatStatus = Literal["active", "eliminated", "left"]


class SeatRow(msgspec.Struct, frozen=True):
    """A seat. `tenure` counts the people who had it, from 1; 0 as long as nobody had. `number`
    counts from 1 within the game.

    `team`, `place` within the team (from 1) and `faction` are what was chosen before the start,
    each None where nothing was.
    """

    id: int
    game_id: int
    number: int
    name: str
    colour: str | None
    person_id: int | None
    tenure: int
    joined_at: datetime | None
    status: SeatStatus
    team: str | None = None
    place: int | None = None
    faction: str | None = None


class TenureRow(msgspec.Struct, frozen=True):
    """A person's time on a seat; `until` is None for the one who has it. `person_id` None: the seat
    was empty.
    """

    seat_id: int
    tenure: int
    person_id: int | None
    since: datetime
    until: datetime | None


class WishingSeat(NamedTuple):
    """A seat, whether it wants the phase to stay open to its deadline, and whether its player is or
    will be away.
    """

    seat: SeatRow
    waits: bool
    has_absences: bool


_SELECT = Rows(SeatRow, seats)
_TENURE = Rows(TenureRow, tenures)
_OF_GAME = _SELECT.select.where(seats.c.game_id == bound("game_id"), seats.c.number > 0).order_by(
    seats.c.number
)
_WITH_WISHES = _OF_GAME.add_columns(
    sa.exists().where(
        waits.c.game_id == seats.c.game_id,
        waits.c.phase_number == bound("phase_number"),
        waits.c.seat_id == seats.c.id,
    ),
    sa.exists().where(
        absences.c.person_id == seats.c.person_id,
        absences.c.until > bound("after"),
        absences.c.cancelled_at.is_(None),
    ),
)


def fold_name(name: str) -> str:
    """A name as it is compared: without case, accents, compatibility forms and superfluous
    spaces.
    """
    plain = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", name).casefold())
    return " ".join(
        "".join(letter for letter in plain if not unicodedata.combining(letter)).split()
    )


class Seats(Repository):
    """The seats of all games. Number, name (as `fold_name` reads it, or by the caller's own key)
    and colour are unique within a game.
    """

    async def add(
        self,
        *,
        game_id: int,
        number: int,
        name: str,
        colour: str | None,
        joined_at: datetime,
        person_id: int | None = None,
        name_key: str | None = None,
    ) -> int | None:
        """Set a seat at the table. None: number, name or colour are taken there.

        `name_key` is what makes names alike (a skeleton of confusable letters, say).
        """
        seat_id = await self._insert_once(
            seats,
            game_id=game_id,
            number=number,
            name=name,
            name_key=name_key or fold_name(name),
            colour=colour,
            person_id=person_id,
            tenure=0 if person_id is None else 1,
            joined_at=None if person_id is None else joined_at,
            status="active",
        )
        if seat_id is not None and person_id is not None:
            await self._begin_tenure(seat_id, 1, person_id, joined_at)
        return seat_id

    async def find(self, seat_id: int | None) -> SeatRow | None:
        return None if seat_id is None else await self._find(_SELECT, id=seat_id)

    async def list_of_game(self, game_id: int) -> list[SeatRow]:
        """The seats of a game by number."""
        return await self._all(SeatRow, _OF_GAME, game_id=game_id)

    async def list_with_wishes(
        self, game_id: int, phase_number: int, after: datetime
    ) -> list[WishingSeat]:
        """As `list_of_game`, with what the seats want of that phase; absences count that end
        `after` then.
        """
        values = {"game_id": game_id, "phase_number": phase_number, "after": after}
        return [
            WishingSeat(SeatRow(*columns), bool(waiting), bool(absent))
            for *columns, waiting, absent in await self._connection.execute(_WITH_WISHES, values)
        ]

    async def list_of_person(self, person_id: int) -> list[SeatRow]:
        """The seats a person has now, in any game."""
        return await self._list(_SELECT, by=[seats.c.game_id, seats.c.number], person_id=person_id)

    async def rename(self, seat_id: int, name: str, *, name_key: str | None = None) -> bool:
        """Give a seat another name. False: the name is taken at that table, or there is no such
        seat.
        """
        return await self._update_unless_taken(
            seats, seats.c.id == seat_id, name=name, name_key=name_key or fold_name(name)
        )

    async def recolour(self, seat_id: int, colour: str | None) -> bool:
        """Give a seat another colour. False: the colour is taken at that table, or there is no such
        seat.
        """
        return await self._update_unless_taken(seats, seats.c.id == seat_id, colour=colour)

    async def choose_team(self, seat_id: int, team: str | None, place: int | None = None) -> None:
        """Put a seat into a team, or out of all (None), at a place of that team or at any
        (None).
        """
        await self._set(seats, seat_id, team=team, place=place)

    async def choose_faction(self, seat_id: int, faction: str | None) -> None:
        """The faction a seat plays with from the start; None leaves it open."""
        await self._set(seats, seat_id, faction=faction)

    async def replace_person(
        self, seat_id: int, from_tenure: int, person_id: int | None, now: datetime
    ) -> bool:
        """Another person (or nobody) has the seat from now on: a new tenure, so that old tokens
        prove nothing.

        False: the seat is not in that tenure any more.
        """
        tenure, joined_at = from_tenure + 1, None if person_id is None else now
        sits = {"person_id": person_id, "tenure": tenure, "joined_at": joined_at}
        if not await self._set(seats, seat_id, seats.c.tenure == from_tenure, **sits):
            return False
        before = (tenures.c.seat_id == seat_id, tenures.c.tenure == from_tenure)
        await self._update(tenures, *before, until=now)
        await self._begin_tenure(seat_id, tenure, person_id, now)
        return True

    async def _begin_tenure(
        self, seat_id: int, tenure: int, person_id: int | None, since: datetime
    ) -> None:
        values = {"seat_id": seat_id, "tenure": tenure, "person_id": person_id, "since": since}
        await self._connection.execute(tenures.insert().values(values))

    async def take_away(self, seat: SeatRow, now: datetime) -> bool:
        """Before the start: empty a seat, and move those behind it up by one. False: the seat has
        another tenure by now.

        The row stays (letters and messages refer to it), with a number below zero that no table
        shows.
        """
        if not await self.replace_person(seat.id, seat.tenure, None, now):
            return False
        nameless = {"number": -seat.id, "name": f"-{seat.id}", "name_key": f"-{seat.id}"}
        gone: dict[str, object] = {**nameless, "status": "left"}
        gone |= dict.fromkeys(("colour", "team", "place", "faction"))
        await self._set(seats, seat.id, **gone)
        behind = (
            sa.select(seats.c.id)
            .where(seats.c.game_id == seat.game_id, seats.c.number > seat.number)
            .order_by(seats.c.number)
        )
        for seat_id in await self._values(int, behind):
            await self._set(seats, seat_id, number=seats.c.number - 1)
        return True

    async def change_status(
        self, seat_id: int, from_status: SeatStatus, to_status: SeatStatus
    ) -> bool:
        """A player is eliminated, leaves or comes back. False: the seat is not in that state."""
        return await self._set(seats, seat_id, seats.c.status == from_status, status=to_status)

    async def list_tenures(self, seat_id: int) -> list[TenureRow]:
        """Who had the seat, the first first."""
        return await self._list(_TENURE, seat_id=seat_id)
