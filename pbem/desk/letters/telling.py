"""Letters with one page for everybody at a table, or for its game masters."""

from collections.abc import Callable, Iterator
from datetime import datetime

from pbem.desk.envelope.addressing import Enclosed, SeatAt, letter_to, seat_token
from pbem.desk.envelope.letter import Attachment, NewLetter
from pbem.desk.letters.calendars import phase_calendar
from pbem.desk.letters.outgoing import queue_letters
from pbem.desk.letters.posting import Recipients, gm_letters, read_recipients
from pbem.desk.ports import Context
from pbem.desk.table import OpenTable, page_table
from pbem.pages.page import Page, Reader, Table
from pbem.store.repositories.phases import PhaseRow
from pbem.store.work import Work

PageFor = Callable[[Table, Reader], Page]


def table_letters(
    context: Context,
    table: OpenTable,
    desk: Recipients,
    page_for: PageFor,
    now: datetime,
    *,
    kind: str,
    dedupe_key: str,
    moved: PhaseRow | None = None,
    attachment: Attachment | None = None,
    but: int | None = None,
    shows_board: bool = False,
    commander: int | None = None,
) -> Iterator[NewLetter]:
    """The same news to every seat and every game master. `moved` is a phase whose deadline has
    moved: its calendar entry goes along. `but` is a seat number that is left out, `commander` the
    person whose command this tells of and who hears of it in the answer; `shows_board`: the board
    as it lies is painted, and goes along.
    """
    number = table.game.phase_number
    for reader, seat, address in desk.readers(context):
        if seat.number == but:
            continue
        page = page_for(
            page_table(
                table,
                context.policy,
                now,
                code=seat_token(context.key, seat, number),
                phase=moved,
                has_picture=shows_board,
            ),
            reader,
        )
        calendar = (
            phase_calendar(context.policy, table.game, moved, now, page)
            if moved is not None
            else None
        )
        yield letter_to(
            context,
            SeatAt(game=table.game, seat=seat, phase_number=number, address=address),
            page,
            kind,
            f"{dedupe_key}:{seat.id}",
            Enclosed(attachment=attachment, calendar=calendar, shows_board=shows_board),
        )
    facts = page_table(table, context.policy, now, phase=moved, has_picture=shows_board)
    yield from gm_letters(
        context,
        table,
        desk,
        lambda reader: page_for(facts, reader),
        kind=kind,
        dedupe_key=dedupe_key,
        attachment=attachment,
        shows_board=shows_board,
        commander=commander,
    )


async def tell_masters(
    work: Work, context: Context, table: OpenTable, page_for: PageFor, *, kind: str, dedupe_key: str
) -> None:
    """The same news to every game master."""
    now = context.clock.now()
    desk = await read_recipients(work, context, table)
    facts = page_table(table, context.policy, now)
    letters = gm_letters(
        context,
        table,
        desk,
        lambda reader: page_for(facts, reader),
        kind=kind,
        dedupe_key=dedupe_key,
    )
    await queue_letters(work, letters, now)
