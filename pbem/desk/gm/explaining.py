"""`pbem why`: how something came out as it did, as everybody knows it; or as one player does, which
is a look at secrets.
"""

import asyncio

from pbem.desk.gm.people import find_seat
from pbem.desk.letters.asking import ask_for_delivery
from pbem.desk.letters.post import at_table, read_post
from pbem.desk.mandate import By, Refused, check_not_done, check_sees, find_game, log_command
from pbem.desk.messages.whys import read_whole_past, why_page
from pbem.desk.ports import Context, Desk, Transaction
from pbem.desk.table import OpenTable, load_table, page_table
from pbem.pages.page import Page, Reader
from pbem.store.repositories.seats import SeatRow

OVER = ("over", "ended")


async def explain(
    services: Desk, slug: str, words: str, by: By, *, seat_name: str | None = None
) -> Page:
    """The answer to a question about a table that has begun.

    As a player it is written down and everybody at the table is told, unless the game is over.
    Refused for a game master who plays here, unless the table allows it.
    """
    if seat_name is None:
        async with services.read() as tx:
            table = await _find_table(tx, slug)
            return await _answer(tx, table, None, words)
    async with services.write() as tx:
        await check_not_done(tx.work, by)
        table = await _find_table(tx, slug)
        seat = find_seat(table, seat_name)
        if table.game.status not in OVER:
            await _tell(tx, table, seat, by)
        page = await _answer(tx, table, seat, words)
    await ask_for_delivery(services, services.clock.now())
    return page


async def _find_table(tx: Transaction[Context], slug: str) -> OpenTable:
    table = await load_table(tx.work, tx.services.games, await find_game(tx.work, slug))
    if table.state is None:
        raise Refused("not-begun", f"{slug} has not begun, so nothing has happened")
    return table


async def _answer(
    tx: Transaction[Context], table: OpenTable, seat: SeatRow | None, words: str
) -> Page:
    reader = Reader(
        seat.number if seat is not None else None,
        seat.name if seat is not None else "",
        table.settings.zone,
    )
    at = page_table(table, tx.services.policy, tx.now())
    return await asyncio.to_thread(
        why_page, table, at, reader, await read_whole_past(tx.work, table), words
    )


async def _tell(tx: Transaction[Desk], table: OpenTable, seat: SeatRow, by: By) -> None:
    now = tx.now()
    check_sees(table, by.person_id)
    detail = {"seat": seat.name, "phase": table.game.phase_number}
    entry = await log_command(tx, by, "why", detail, game_id=table.game.id)
    post = await read_post(tx, table, now)
    await post.tell(
        tx.work,
        at_table(commander=by.person_id),
        lambda facts, reader: tx.services.pages.announcements.looked(
            facts, reader, seat.name, now, by.name, what="knowledge"
        ),
        "looked",
        f"looked:{entry}",
    )
    tx.services.steps.reached("gm.why.written")
