"""How a text alone would be read if a player sent it as a message of its own: the measure for what
may go to other people.
"""

from functools import partial
from typing import Any

from engine.ruleset import Standing
from pbem.desk.lobby.rows import read_lobby_rows, words_of
from pbem.desk.mandate import By, Refused
from pbem.desk.ports import Context, Transaction
from pbem.desk.press.alone import read_orders, read_wishes, read_words
from pbem.desk.table import OpenTable, standing_of
from pbem.grammar.instructions import MOST_READ, Read, TooMuch, find_instructions
from pbem.grammar.press import is_end_of_press
from pbem.store.repositories.orders import OrdersRow
from pbem.store.repositories.seats import SeatRow


async def read_of_seat(tx: Transaction[Context], table: OpenTable, seat: SeatRow) -> Read:
    """The reader of the game, with the orders of the player that stand; of a table that has not
    begun, the one of wishes about a seat; of somebody who gives no orders, the words of the house
    alone.
    """
    if table.state is None and table.game.status == "open":
        return partial(read_wishes, words_of(await read_lobby_rows(tx, table.game.id)))
    newest = (
        await tx.work.orders.newest(seat.id, table.game.phase_number)
        if _gives(table, seat)
        else None
    )
    return reader_beside(table, seat, newest) or read_words


def reader_beside(table: OpenTable, seat: SeatRow, newest: OrdersRow | None) -> Read | None:
    """The reader of the game, with these orders of the player. None: they give none."""
    if not _gives(table, seat):
        return None
    standing: Standing[Any] = standing_of(table.kind, newest, seat)
    return partial(read_orders, table.kind.read, table.state, seat.number, standing)


def _gives(table: OpenTable, seat: SeatRow) -> bool:
    """Whether the player gives orders now."""
    is_on = table.game.status in ("running", "paused")
    return table.state is not None and seat.status == "active" and is_on


async def check_words_of_master(
    tx: Transaction[Context], table: OpenTable, text: str, by: By
) -> str:
    """What a game master has to say to others of a table, without its mark of an end. Refused if
    they play there themselves, have not set that mark, and anything in it reads as their own
    orders.
    """
    lines = text.rstrip().split("\n")
    if is_end_of_press(lines[-1]):
        return "\n".join(lines[:-1]).strip()
    seats = [
        seat
        for seat in table.seats
        if seat.status != "left" and seat.person_id == by.person_id and by.person_id is not None
    ]
    for seat in seats:
        read = await read_of_seat(tx, table, seat)
        try:
            found = await tx.services.apart.run(find_instructions, text, read)
        except TooMuch as error:
            raise Refused(
                "too-many-lines",
                f"at most {MOST_READ} lines and sentences, unless a line ENDPRESS ends it",
            ) from error
        if found:
            raise Refused(
                "reads-as-orders",
                f"this in it reads as your own orders: {found[0]!r}. Nobody got it, and it was not"
                " taken. To send it all the same, write it again with a line ENDPRESS at its end",
            )
    return text
