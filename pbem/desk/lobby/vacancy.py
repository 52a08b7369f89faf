"""A seat that stands empty in a game that continues, and the code by which the person who comes
first has it at once.

The code is of one vacancy: derived from the seat and its tenure, handed out by the game masters
alone, and worth nothing once somebody has the seat. A table's join code, which goes from hand to
hand, never opens a seat with its secrets.
"""

import hmac
from collections.abc import Iterable

from pbem.desk.chat.commands import TAKE
from pbem.desk.chat.links import read_bot
from pbem.desk.envelope.letter import NewLetter
from pbem.desk.letters.post import Masters, Post
from pbem.desk.lobby.rows import make_takeover_code
from pbem.desk.ports import Context, Transaction
from pbem.desk.table import OpenTable
from pbem.pages.people import GmVacant
from pbem.store.repositories.seats import SeatRow
from pbem.telegram.text import deep_link


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
