"""A game master's look at secrets: written down each time, and told to everybody at the table."""

from pbem.desk.gm.people import find_seat
from pbem.desk.letters.asking import ask_for_delivery
from pbem.desk.letters.post import at_table, read_post
from pbem.desk.mandate import By, check_not_done, check_sees, find_open_phase, log_command
from pbem.desk.ports import Desk
from pbem.desk.table import standing_of


async def look(services: Desk, slug: str, seat_name: str, by: By) -> tuple[str, ...]:
    """The orders of a seat as they stand, in canonical words. Refused for a game master who plays
    here, unless the table allows it.
    """
    now = services.clock.now()
    async with services.write() as tx:
        await check_not_done(tx.work, by)
        game, table, phase = await find_open_phase(tx, slug, paused_too=True)
        seat = find_seat(table, seat_name)
        check_sees(table, by.person_id)
        entry = await log_command(
            tx,
            by,
            "game look",
            {"seat": seat.name, "phase": phase.number},
            game_id=game.id,
        )
        newest = await tx.work.orders.newest(seat.id, phase.number)
        standing = standing_of(table.kind, newest, seat)
        texts = tuple(
            table.kind.ruleset.format_order(table.state, order) for order in standing.orders
        )
        post = await read_post(tx, table, now)
        await post.tell(
            tx.work,
            at_table(commander=by.person_id),
            lambda facts, reader: services.pages.announcements.looked(
                facts, reader, seat.name, now, by.name
            ),
            "looked",
            f"looked:{entry}",
        )
        services.steps.reached("gm.look.written")
    await ask_for_delivery(services, now)
    return texts
