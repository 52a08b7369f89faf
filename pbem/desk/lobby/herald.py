"""Letters about the seats of a table: of one that has not begun, and of one where a seat stands
empty.

The code of an empty seat is of one vacancy: derived from the seat and its tenure, handed out by the
game masters alone, and worth nothing once somebody has the seat. A table's join code, which goes
from hand to hand, never opens a seat with its secrets.
"""

import hmac
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass

from pbem.desk.chat.commands import TAKE
from pbem.desk.chat.links import read_bot
from pbem.desk.envelope.letter import Answering, NewLetter
from pbem.desk.envelope.recipients import SeatAt, seat_token
from pbem.desk.letters.post import (
    OUTSIDE,
    Addressee,
    Masters,
    Post,
    Seats,
    at_table,
    read_post,
)
from pbem.desk.letters.queue import queue_letter
from pbem.desk.lobby.rows import LobbyRows, lobby_for, make_takeover_code
from pbem.desk.ports import Context, Transaction
from pbem.desk.table import OpenTable, page_reader, page_table
from pbem.pages.lobby import Seated
from pbem.pages.lobby_view import Lobby
from pbem.pages.notice import Notice
from pbem.pages.page import Reader, Table
from pbem.pages.people import GmVacant, NamesTold
from pbem.store.repositories.seats import SeatRow
from pbem.store.work import Work
from pbem.telegram.text import deep_link

LobbyNotice = Callable[[Lobby], Notice]
"""The class of a notice, or a function that makes one of a lobby as its reader sees it."""


@dataclass(frozen=True, slots=True)
class Herald:
    """Tells a table of what happened to it, within one unit of work."""

    tx: Transaction[Context]
    rows: LobbyRows

    async def tell_seats(
        self, kind: str, key: str, notice_of: LobbyNotice, *, but: Collection[int] = ()
    ) -> None:
        """A letter to everybody at the table except these seats; each sees their own votes
        alone.
        """
        now = self.tx.now()
        post = await read_post(self.tx, self.rows.table)
        numbers = {seat.number: seat for seat in self.rows.table.seats if seat.id not in but}

        def told(facts: Table, reader: Reader) -> Notice:
            return notice_of(lobby_for(self.rows, numbers[reader.number or 0], now))

        seats = Seats(numbers, each_tenure=True)
        await post.tell(self.tx.work, seats, told, kind, f"{kind}:{key}")

    async def tell_masters(self, kind: str, key: str, notice_of: LobbyNotice) -> None:
        """The same to the game masters, who see nobody's votes."""
        lobby = lobby_for(self.rows, None, self.tx.now())
        post = await read_post(self.tx, self.rows.table)
        await post.tell(self.tx.work, Masters(), notice_of(lobby), kind, f"{kind}:{key}")

    async def tell_newcomer(self, seat: SeatRow, address: str, answering: Answering | None) -> None:
        """Somebody who has just sat down gets their code, and all there is to know of the table."""
        now = self.tx.now()
        person = await self.tx.work.people.find(seat.person_id)
        reader = page_reader(seat, person, self.tx.services.policy.zone)
        to = SeatAt(self.rows.game, seat, 0, address)
        who = Addressee(self.tx.services, to, reader, self._page_table(seat))
        told, key = Seated(lobby_for(self.rows, seat, now)), f"seated:{seat.id}:{seat.tenure}"
        await queue_letter(self.tx, who.letter(told, "seated", key, answering))

    def _page_table(self, seat: SeatRow) -> Table:
        code = seat_token(self.tx.services.key, seat, 0)
        return page_table(self.rows.table, self.tx.services, code=code)


def vacant_seats(table: OpenTable) -> list[SeatRow]:
    """The seats still in the game that nobody has."""
    active = set(table.kind.ruleset.active(table.state)) if table.state is not None else set()
    return [seat for seat in table.seats if seat.status == "left" and seat.number in active]


def takeover_code(context: Context, table: OpenTable, seat: SeatRow) -> str:
    return make_takeover_code(table.game.slug, context.key, seat.id, seat.tenure)


def seat_of_code(context: Context, table: OpenTable, code: str) -> SeatRow | None:
    """The vacant seat that the code opens."""
    return next(
        (
            seat
            for seat in vacant_seats(table)
            if hmac.compare_digest(takeover_code(context, table, seat), code)
        ),
        None,
    )


async def vacancy_letters(tx: Transaction[Context], post: Post, number: int) -> Iterable[NewLetter]:
    """To the game masters of a table that gives its seats away first come: the code to hand on.
    Nothing where it does not, or the seat has left the game.
    """
    table, seat = post.table, post.table.seat(number)
    if table.settings.people.takeovers != "first" or seat.id not in {
        vacant.id for vacant in vacant_seats(table)
    }:
        return ()
    code, bot = takeover_code(tx.services, table, seat), await read_bot(tx.work)
    link = deep_link(bot, f"{TAKE}{code}") if bot is not None else ""
    return tuple(
        post.to(
            Masters(),
            GmVacant(seat.name, code, link),
            "gm-vacant",
            f"gm-vacant:{seat.id}:{seat.tenure}",
        )
    )


async def names_behind(work: Work, table: OpenTable) -> tuple[tuple[str, str], ...]:
    """Who had each seat, one after another; () where names were never hidden."""
    if not table.settings.people.hidden_names:
        return ()
    told = []
    for seat in table.seats:
        tenures = await work.seats.list_tenures(seat.id)
        ids = list(dict.fromkeys(row.person_id for row in tenures if row.person_id is not None))
        people = {person.id: person.name for person in await work.people.list_by_ids(ids)}
        told.append((seat.name, ", then ".join(people[key] for key in ids if people.get(key))))
    return tuple(told)


async def tell_names(tx: Transaction[Context], table: OpenTable) -> None:
    """A game in which names were hidden is over: everybody learns them."""
    names = await names_behind(tx.work, table)
    if names:
        post = await read_post(tx, table)
        everybody = (*at_table(), *OUTSIDE)
        await post.tell(tx.work, everybody, NamesTold(names), "names", f"names:{table.game.id}")
