"""What somebody gets who sits down in the middle of a game: the game so far, and the open
question.
"""

import asyncio
from dataclasses import replace
from datetime import datetime

from engine.ruleset import Event, Standing
from pbem.desk.envelope.addressing import Enclosed, SeatAt, letter_to, seat_token
from pbem.desk.envelope.letter import NewLetter
from pbem.desk.hours import view_at
from pbem.desk.letters.calendars import phase_calendar
from pbem.desk.letters.posting import Recipients, turn_page
from pbem.desk.phases.past import lineage, read_past, tell_past
from pbem.desk.ports import Context, Transaction
from pbem.desk.table import OpenTable, page_table
from pbem.store.repositories.seats import SeatRow
from pbem.store.work import Work

PICTURED = ("turn", "bulletin", "welcome")


async def newcomer_letters(
    tx: Transaction[Context],
    table: OpenTable,
    desk: Recipients,
    seat: SeatRow,
    *,
    until: datetime | None = None,
) -> list[NewLetter]:
    """The welcome in the middle of a game and, if this seat is asked, the question; none if nobody
    can be reached there. `until`: then the seat goes back to whom it belongs.
    """
    found = next(
        (
            (reader, address)
            for reader, sits, address in desk.readers(tx.services)
            if sits.id == seat.id
        ),
        None,
    )
    if found is None:
        return []
    reader, address = found
    game, now, number = table.game, tx.now(), table.game.phase_number
    picture_id = next(
        (
            row.picture_id
            for row in await tx.work.outbox.list_last_of_seat(seat.id, PICTURED, 6)
            if row.picture_id
        ),
        None,
    )
    view = view_at(table, seat.number, now)
    past = tell_past(table, await read_past(tx.work, table), view, seat.number)
    facts = page_table(
        table,
        tx.services.policy,
        now,
        code=seat_token(tx.services.key, seat, number),
        has_picture=picture_id is not None,
    )
    facts = replace(facts, stand_in_until=until)
    page = await asyncio.to_thread(
        table.kind.pages.takeover, facts, reader, view, past, game.commitment
    )
    welcome = letter_to(
        tx.services,
        SeatAt(game=game, seat=seat, phase_number=number, address=address),
        page,
        "welcome",
        f"welcome:{game.id}:{seat.id}:{seat.tenure}",
        Enclosed(picture_id=picture_id),
    )
    if table.phase is None or seat.number not in table.phase.asked:
        return [welcome]
    page = await asyncio.to_thread(
        turn_page,
        tx.services,
        table,
        table.state,
        table.phase,
        reader,
        seat,
        await _last_events(tx.work, table),
        Standing(),
        now,
        has_picture=picture_id is not None,
    )
    calendar = (
        phase_calendar(tx.services.policy, game, table.phase, now, page)
        if game.status == "running"
        else None
    )
    question = letter_to(
        tx.services,
        SeatAt(game=game, seat=seat, phase_number=number, address=address),
        page,
        "turn",
        f"turn:{game.id}:{number}:{seat.id}:{seat.tenure}",
        Enclosed(calendar=calendar, picture_id=picture_id),
    )
    return [welcome, question]


async def _last_events(work: Work, table: OpenTable) -> tuple[Event, ...]:
    """What happened in the phase before, to everybody and to each."""
    line = lineage(await work.phases.list_of_game(table.game.id), table.game.phase_number)
    rows = await work.events.list_of_phase(table.game.id, line[-1]) if line else []
    return tuple(table.kind.ruleset.decode_event(row.body.encode()) for row in rows)
