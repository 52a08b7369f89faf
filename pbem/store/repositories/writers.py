"""Who writes, with all that hangs on it, in one look: before a message is stored, and before it is
handled.
"""

from collections.abc import Mapping

import msgspec
import sqlalchemy as sa

from pbem.store.repositories.games import GameRow
from pbem.store.repositories.people import AddressRow, PersonRow
from pbem.store.repositories.post.inbox import COUNT_WAITING, handled_earlier, values_of_earlier
from pbem.store.repositories.repository import Repository, bound, columns_of, parted
from pbem.store.repositories.seats import SeatRow
from pbem.store.tables import absences, addresses, games, masters, people, seats


class Sender(msgspec.Struct, frozen=True):
    """What is known of a message before it is stored. `address` is that of its sender, `seat` the
    one that a code in it names, `waiting` how many messages of the same hand wait (None: they are
    not counted).
    """

    address: AddressRow | None
    seat: SeatRow | None
    waiting: int | None


class Writer(msgspec.Struct, frozen=True):
    """The person of an address (in whatever state that is), their seats now and the games of these.
    `is_away`: somebody has a seat for them, or will. `may_copy`: a message was handled before whose
    key begins as that of theirs does.
    """

    person: PersonRow
    address: AddressRow
    seats: tuple[SeatRow, ...]
    games: Mapping[int, GameRow]
    is_master: bool
    is_away: bool
    may_copy: bool


_IS_THERE = sa.and_(
    addresses.c.channel == bound("channel"), addresses.c.address == bound("address")
)
_NOTHING = sa.select(sa.literal(1).label("one")).subquery()
_SENDER = sa.select(
    *columns_of(AddressRow, addresses),
    *columns_of(SeatRow, seats),
    # of a flood of strangers nothing is counted
    sa.case(
        (
            sa.or_(addresses.c.id.is_not(None), sa.bindparam("is_proven", type_=sa.Boolean)),
            COUNT_WAITING.scalar_subquery(),
        )
    ),
).select_from(
    _NOTHING.outerjoin(addresses, _IS_THERE).outerjoin(seats, seats.c.id == bound("seat_id"))
)


def _writer(dialect: str) -> sa.Executable:
    return (
        sa.select(
            *columns_of(PersonRow, people),
            *columns_of(AddressRow, addresses),
            *columns_of(SeatRow, seats),
            *columns_of(GameRow, games),
            sa.exists().where(masters.c.person_id == people.c.id, masters.c.generation > 0),
            sa.exists().where(
                absences.c.person_id == people.c.id,
                absences.c.substitute_id.is_not(None),
                absences.c.game_id.is_not(None),
                absences.c.cancelled_at.is_(None),
            ),
            sa.exists().where(*handled_earlier(dialect)),
        )
        .select_from(
            addresses.join(people, people.c.id == addresses.c.person_id)
            .outerjoin(seats, seats.c.person_id == people.c.id)
            .outerjoin(games, games.c.id == seats.c.game_id)
        )
        .where(_IS_THERE)
        .order_by(seats.c.game_id, seats.c.number)
    )


_WRITER = {dialect: _writer(dialect) for dialect in ("sqlite", "postgresql")}


class Writers(Repository):
    """Those whose messages come in."""

    async def find_sender(
        self,
        channel: str,
        address: str,
        seat_id: int | None,
        *,
        sender: str,
        is_proven: bool,
        limit: int,
    ) -> Sender:
        """`sender` is how the inbox knows the hand; no more than `limit` of its messages are
        counted, and none unless the address is known or something else is proven.
        """
        values = {"channel": channel, "address": address, "seat_id": seat_id, "sender": sender}
        found = await self._connection.execute(
            _SENDER, values | {"is_proven": is_proven, "limit": limit}
        )
        return Sender(*parted(found.one(), AddressRow, SeatRow))

    async def find(
        self, channel: str, address: str, key_prefix: str = "", inbox_id: int = 0
    ) -> Writer | None:
        """Whose address it is, of a message with a key that begins so. None: nobody's."""
        values = {"channel": channel, "address": address}
        found = await self._connection.execute(
            _WRITER[self._dialect], values | values_of_earlier(key_prefix, inbox_id)
        )
        rows = [parted(row, PersonRow, AddressRow, SeatRow, GameRow) for row in found]
        if not rows:
            return None
        person, theirs, *_, is_master, is_away, may_copy = rows[0]
        sitting = [(seat, game) for _, _, seat, game, *_ in rows if seat is not None]
        return Writer(
            person,
            theirs,
            tuple(seat for seat, _ in sitting),
            {game.id: game for _, game in sitting},
            bool(is_master),
            bool(is_away),
            bool(may_copy),
        )
