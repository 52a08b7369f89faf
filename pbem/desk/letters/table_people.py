"""The people around a table, and how each of them is reached: also observers, and those for whom
somebody plays just now.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from pbem.desk.authentication.tenures import owners_away
from pbem.desk.chat.links import read_bot
from pbem.desk.envelope.message import TELEGRAM
from pbem.desk.envelope.recipients import MasterAddress, Recipient
from pbem.desk.letters.routes import Reach, chat_addresses_of, reach_of
from pbem.desk.people.masters import masters_of, read_around
from pbem.desk.ports import Context, Transaction
from pbem.desk.press.readers import may_read
from pbem.desk.table import OpenTable, mail_addresses, mail_addresses_of
from pbem.mail.tokens import Purpose, make_token
from pbem.pages.page import Reader
from pbem.store.repositories.around import Around
from pbem.store.repositories.games import GameRow
from pbem.store.repositories.people import PersonRow
from pbem.store.repositories.seats import SeatRow
from pbem.store.work import Work


@dataclass(frozen=True, slots=True)
class Watcher:
    """Somebody who watches, and their mail address ("": reached in a chat alone). `away`: it is
    their own seat that another plays.
    """

    person: PersonRow
    address: str
    away: bool = False

    def recipient(self, key: bytes, game: GameRow) -> Recipient:
        """Them as the reader of a letter: an answer to it is about this table, and gives nothing
        but what everybody may know.
        """
        return Recipient(
            self.address,
            self.person.name,
            self.person.id,
            game,
            watch_token(key, self.person.id, game.id),
            is_routed=True,
            looks_on=True,
            own=f"watch:{self.person.id}",
        )

    def reader(self, code: str) -> Reader:
        return Reader(
            None, self.person.name, self.person.time_zone, self.person.locale, code, looks_on=True
        )


async def read_watchers(work: Work, table: OpenTable, around: Around) -> tuple[Watcher, ...]:
    """Everybody who watches a table now and can be reached. Nobody who sits there is among them,
    whatever they said before.
    """
    away = await owners_away(work, table.game.id) if around.substituted else frozenset()
    observing = (
        {who for who, somebody in around.people.items() if somebody.observes}
        if table.settings.people.observers
        else set()
    )
    seated = {seat.person_id for seat in table.seats if seat.status != "left"}
    return await reach(work, (observing | away) - seated, away)


async def reach(
    work: Work, person_ids: Collection[int], away: Collection[int] = ()
) -> tuple[Watcher, ...]:
    """These people, as far as they can be reached."""
    if not person_ids:
        return ()
    reached = await mail_addresses_of(work, person_ids)
    chats = await chat_addresses_of(work, person_ids)
    return tuple(
        Watcher(person, reached.get(person.id, ""), person.id in away)
        for person in await work.people.list_by_ids(person_ids)
        if person.id in reached or person.id in chats
    )


def watch_token(key: bytes, person_id: int, game_id: int) -> str:
    """What proves an answer of somebody who watches a table."""
    return make_token(key, Purpose.WATCH, person_id, 0, game_id)


@dataclass(frozen=True, slots=True)
class TablePeople:
    """Who sits at a table and can be reached, also the eliminated, with their mail addresses ("":
    reached in a chat alone); its game masters; and its observers.
    """

    seated: tuple[tuple[SeatRow, PersonRow, str], ...]
    gms: tuple[MasterAddress, ...]
    watchers: tuple[Watcher, ...] = ()
    chats: frozenset[int] = frozenset()
    """Who of them is reached on Telegram."""
    groups: tuple[tuple[str, int | None], ...] = ()
    """The chats of the table's groups, and their topics."""
    bot: str | None = None
    letters: Mapping[int, int] = field(default_factory=dict)
    """By seat, of those in a chat: how much press of others the open phase has brought them."""
    reach: Reach = field(default_factory=lambda: Reach({}, {}))
    """How all of them are reached."""


async def read_table_people(
    tx: Transaction[Context], table: OpenTable, now: datetime
) -> TablePeople:
    """Look up everybody of a table, and the game masters who may run it."""
    around = await read_around(tx.work, tx.services.policy, table.game.id)
    return await table_people_of(tx, table, around, await read_bot(tx.work), now)


async def table_people_of(
    tx: Transaction[Context], table: OpenTable, around: Around, bot: str | None, now: datetime
) -> TablePeople:
    """The same, from the people `around` the table and the name of the bot."""
    reach = reach_of(around, now)
    mails = mail_addresses(row for one in around.people.values() for row in one.addresses)
    seated = [
        (seat, around.people[seat.person_id].person, mails.get(seat.person_id, ""))
        for seat in table.seats
        if seat.person_id is not None
        and seat.status != "left"
        and (seat.person_id in mails or seat.person_id in reach.telegram)
    ]
    chats = frozenset(person.id for _, person, _ in seated if person.id in reach.telegram)
    groups = tuple(
        (row.address, row.thread_id)
        for row in await tx.work.chats.list_of_game(table.game.id)
        if row.channel == TELEGRAM
    )
    return TablePeople(
        tuple(seated),
        masters_of(around, tx.services.policy),
        await read_watchers(tx.work, table, around),
        chats,
        groups,
        bot,
        await _count_letters(
            tx.work, table, [seat for seat, person, _ in seated if person.id in chats]
        ),
        reach,
    )


async def _count_letters(work: Work, table: OpenTable, seats: Sequence[SeatRow]) -> dict[int, int]:
    if table.phase is None or not seats:
        return {}
    rows = [
        row for row in await work.press.list_since(table.game.id, table.phase.opened_at) if row.text
    ]
    return {
        seat.id: sum(row.seat_id != seat.id and may_read(row, seat) for row in rows)
        for seat in seats
    }
