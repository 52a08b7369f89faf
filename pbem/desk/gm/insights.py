"""What a game master asks about a table: a look at its secrets, why something happened, how a close
would end. A look at secrets is logged, and told to everybody at the table.
"""

import asyncio
import hashlib
from collections.abc import Mapping
from typing import Any

from engine.chance import Chance
from engine.ruleset import Outcome, Ruleset
from pbem.desk.gm.acts import GM
from pbem.desk.gm.command import Command, commanded
from pbem.desk.gm.people import find_seat
from pbem.desk.mandate import By, Refused, check_sees, find_game, find_open_phase
from pbem.desk.messages.explanations import read_whole_past, why_page
from pbem.desk.phases.standings import read_standings
from pbem.desk.ports import Context, Desk, Transaction
from pbem.desk.table import OpenTable, load_table, page_table, standing_of
from pbem.pages.announcements import Looked, Predicted
from pbem.pages.page import MARKER, Page, Reader
from pbem.record.replay import RESHUFFLE
from pbem.store.repositories.seats import SeatRow


async def look(services: Desk, slug: str, seat_name: str, by: By) -> tuple[str, ...]:
    """The orders of a seat as they stand, in canonical words. Refused for a game master who plays
    here, unless the table allows it.
    """
    now = services.clock.now()
    async with commanded(services, by, "gm.look.written") as tx:
        game, table, phase = await find_open_phase(tx, slug, paused_too=True)
        seat = find_seat(table, seat_name)
        check_sees(table, by.person_id)
        entry = await tx.log("game look", {"seat": seat.name, "phase": phase.number}, game.id)
        newest = await tx.work.orders.newest(seat.id, phase.number)
        standing = standing_of(table.kind, newest, seat)
        texts = tuple(
            table.kind.ruleset.format_order(table.state, order) for order in standing.orders
        )
        await tx.tell(table, Looked(seat.name, now, by.name), "looked", f"looked:{entry}")
    return texts


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
    async with commanded(services, by) as tx:
        table = await _find_table(tx, slug)
        seat = find_seat(table, seat_name)
        if table.game.status not in OVER:
            await _tell(tx, table, seat)
        return await _answer(tx, table, seat, words)


async def _find_table(tx: Transaction[Context], slug: str) -> OpenTable:
    table = await load_table(tx, await find_game(tx.work, slug))
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
    at = page_table(table, tx.services)
    return await asyncio.to_thread(
        why_page, table, at, reader, await read_whole_past(tx.work, table), words
    )


async def _tell(tx: Command, table: OpenTable, seat: SeatRow) -> None:
    check_sees(table, tx.by.person_id)
    detail = {"seat": seat.name, "phase": table.game.phase_number}
    entry = await tx.log("why", detail, table.game.id)
    told = Looked(seat.name, tx.now(), tx.by.name, what="knowledge")
    await tx.tell(table, told, "looked", f"looked:{entry}")
    tx.services.steps.reached("gm.why.written")


FOOT = "\n-- \n"


async def predict(services: Desk, slug: str, by: By) -> tuple[str, ...]:
    """The lines of what would be told. Refused for a game master who plays here, unless the table
    allows it.
    """
    now = services.clock.now()
    async with commanded(services, by, "gm.predict.written") as tx:
        game, table, phase = await find_open_phase(tx, slug, paused_too=True)
        check_sees(table, by.person_id)
        entry = await tx.log("game predict", {"phase": phase.number}, game.id)
        seed = bytes.fromhex(await tx.work.games.read_seed(game.id))
        standings = await read_standings(tx.work, table)
        await tx.tell(table, Predicted(now, by.name), "looked", f"predicted:{entry}")
    orders = {number: standing.orders for number, standing in standings.items() if standing.orders}
    return await asyncio.to_thread(_told, services, table, orders, seed)


def _reshuffled(rules: Ruleset[Any, Any], state: object, chance: Chance) -> object:
    """What is still to be drawn lies in another order than it does; a game without decks has
    nothing to shuffle.
    """
    try:
        return rules.act(state, GM, RESHUFFLE, chance).state
    except ValueError:
        return state


def _told(
    context: Context, table: OpenTable, orders: Mapping[int, tuple[object, ...]], seed: bytes
) -> tuple[str, ...]:
    rules = table.kind.ruleset
    chance = Chance(hashlib.sha256(b"foreseen|" + seed).digest(), table.game.chance_place)
    outcome: Outcome[object] = rules.adjudicate(
        _reshuffled(rules, table.state, chance), orders, chance
    )
    facts = page_table(table, context)
    public = tuple(event for event in outcome.events if event.is_for(None))
    page = table.kind.pages.happened(
        facts, Reader(None, "", table.settings.zone), rules.view(outcome.state, None), public
    )
    body = page.text.partition(MARKER)[2] or page.text
    return tuple(line.strip() for line in body.partition(FOOT)[0].splitlines() if line.strip())
