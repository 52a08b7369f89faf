"""What somebody gets who sits down in the middle of a game: the game so far, and the open
question.
"""

import asyncio
from dataclasses import replace
from datetime import datetime

from engine.ruleset import Event
from pbem.desk.chat.menus import Asked
from pbem.desk.envelope.letter import NewLetter
from pbem.desk.envelope.recipients import Enclosed
from pbem.desk.hours import view_at
from pbem.desk.letters.calendars import phase_calendar
from pbem.desk.letters.post import Post
from pbem.desk.letters.results import turn_page
from pbem.desk.phases.past import lineage, read_past, tell_past
from pbem.desk.ports import Context, Transaction
from pbem.desk.table import OpenTable
from pbem.store.repositories.seats import SeatRow
from pbem.store.work import Work

PICTURED = ("turn", "bulletin", "welcome")


async def newcomer_letters(
    tx: Transaction[Context], post: Post, seat: SeatRow, *, until: datetime | None = None
) -> list[NewLetter]:
    """The welcome in the middle of a game and, if this seat is asked, the question; none if nobody
    can be reached there. `until`: then the seat goes back to whom it belongs.
    """
    found = next((one for one in post.seats() if one[1].seat.id == seat.id), None)
    if found is None:
        return []
    (reader, to), table, game = found, post.table, post.table.game
    picture_id = next(
        (
            row.picture_id
            for row in await tx.work.outbox.list_last_of_seat(seat.id, PICTURED, 6)
            if row.picture_id
        ),
        None,
    )
    view = view_at(table, seat.number, post.now)
    past = tell_past(table, await read_past(tx.work, table), view, seat.number)
    has_picture = picture_id is not None
    facts = replace(post.facts(to, has_picture=has_picture), stand_in_until=until)
    page = await asyncio.to_thread(
        table.kind.pages.takeover, facts, reader, view, past, game.commitment
    )
    key = f"welcome:{game.id}:{seat.id}:{seat.tenure}"
    welcome = post.letter(to, page, "welcome", key, Enclosed(picture_id=picture_id))
    if table.phase is None or seat.number not in table.phase.asked:
        return [welcome]
    page = await asyncio.to_thread(
        turn_page,
        post,
        Asked(table, table.state, table.phase, seat),
        reader,
        await _last_events(tx.work, table),
        has_picture=has_picture,
    )
    calendar = (
        phase_calendar(post.context.policy, game, table.phase, post.now, page)
        if game.status == "running"
        else None
    )
    key = f"turn:{game.id}:{post.number}:{seat.id}:{seat.tenure}"
    enclosed = Enclosed(calendar=calendar, picture_id=picture_id)
    return [welcome, post.letter(to, page, "turn", key, enclosed)]


async def _last_events(work: Work, table: OpenTable) -> tuple[Event, ...]:
    """What happened in the phase before, to everybody and to each."""
    line = lineage(await work.phases.list_of_game(table.game.id), table.game.phase_number)
    rows = await work.events.list_of_phase(table.game.id, line[-1]) if line else []
    return tuple(table.kind.ruleset.decode_event(row.body.encode()) for row in rows)
