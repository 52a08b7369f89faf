"""What a game that is over has come to for those who sat there: once for each time somebody had a
seat.
"""

from collections.abc import Collection
from datetime import datetime

import msgspec
import sqlalchemy as sa

from pbem.store.repositories.repository import Repository, Rows, columns_of
from pbem.store.tables import games, inbox, orders, results, seats


class NewResult(msgspec.Struct, frozen=True):
    """How a tenure of a seat came out. `person_id` None: the seat stood empty at the end.

    `place` None: there are no places (the game was broken off, or somebody else had the seat at the
    end). `players` is how many places the game had, `prize` in the game's own money; `how` is a
    code, `at` the moment the game ended.
    """

    game_id: int
    seat_id: int
    tenure: int
    person_id: int | None
    place: int | None
    players: int
    won: bool
    prize: int
    how: str
    at: datetime


class ResultRow(NewResult, frozen=True):
    """A result as it is kept."""

    id: int


class PersonResult(NewResult, frozen=True):
    """One result of a person, with the game that it is of, what the seat was called there, and the
    game's settings as they are kept.
    """

    person_id: int
    title: str
    ruleset: str
    seat_name: str
    settings: str = "{}"


class Account(msgspec.Struct, frozen=True):
    """What a person has won over all games."""

    person_id: int
    treasury: int
    wins: int
    games: int


class AnswerRow(msgspec.Struct, frozen=True):
    """A version of a seat's orders, as far as it matters for having answered; `canonical` is ()
    when nothing stood.
    """

    phase_number: int
    tenure: int
    version: int
    received_at: datetime
    canonical: tuple[str, ...]
    final: bool


_RESULT = Rows(ResultRow, results)
_ANSWER = Rows(AnswerRow, orders)
_PERSON_RESULT = (
    sa.select(
        *columns_of(NewResult, results),
        games.c.title,
        games.c.ruleset,
        seats.c.name,
        games.c.settings,
    )
    .join(games, games.c.id == results.c.game_id)
    .join(seats, seats.c.id == results.c.seat_id)
)


class Results(Repository):
    """The results of all games."""

    async def add_once(self, new: NewResult) -> bool:
        """Book a result. False: it is booked already, and stays as it is."""
        return await self._added(results, **msgspec.structs.asdict(new))

    async def list_of_game(self, game_id: int) -> list[ResultRow]:
        """The results of a game, by seat and tenure."""
        return await self._list(_RESULT, by=[results.c.seat_id, results.c.tenure], game_id=game_id)

    async def list_of_people(self, person_ids: Collection[int]) -> list[PersonResult]:
        """The results of these people, the newest first."""
        statement = _PERSON_RESULT.where(results.c.person_id.in_(list(person_ids)))
        return await self._all(
            PersonResult, statement.order_by(results.c.at.desc(), results.c.id.desc())
        )

    async def list_unbooked(self, limit: int) -> list[int]:
        """Games that were played and are over, and have no results: from before there were any."""
        booked = sa.exists().where(results.c.game_id == games.c.id)
        over = (games.c.status.in_(("over", "ended")), games.c.phase_number > 0)
        statement = sa.select(games.c.id).where(*over, ~booked).order_by(games.c.id).limit(limit)
        return await self._values(int, statement)

    async def list_accounts(self, left: Collection[str]) -> list[Account]:
        """All players' accounts, the best first: by treasury, then wins, then games; where all is
        level, in the order they came to us.

        `left` are the codes of players who left a game before its end: such a game does not count
        for them.
        """
        played = sa.case((results.c.how.in_(list(left)), None), else_=results.c.game_id)
        treasury, wins = (
            sa.func.sum(results.c.prize),
            sa.func.sum(sa.case((results.c.won, 1), else_=0)),
        )
        count = sa.func.count(sa.distinct(played))
        statement = sa.select(results.c.person_id, treasury, wins, count)
        ranked = (
            statement.where(results.c.person_id.is_not(None))
            .group_by(results.c.person_id)
            .having(count > 0)
        )
        return await self._all(
            Account,
            ranked.order_by(treasury.desc(), wins.desc(), count.desc(), results.c.person_id),
        )

    async def list_answers(self, seat_id: int) -> list[AnswerRow]:
        """Every version of a seat's orders, the oldest first."""
        by = [orders.c.phase_number, orders.c.version]
        return await self._list(_ANSWER, by=by, seat_id=seat_id)

    async def has_written(self, seat_id: int, after: datetime) -> bool:
        """Whether the player of a seat has written after then; what is ignored does not count."""
        theirs = (inbox.c.seat_id == seat_id, inbox.c.state == "handled")
        return await self._count(inbox, *theirs, inbox.c.received_at > after) > 0
