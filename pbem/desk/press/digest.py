"""Telling a reader the press that has waited for their hour: one letter a table, once, however
often the job runs.
"""

from pbem.desk.authentication.tenures import owners_away
from pbem.desk.correlation import correlated
from pbem.desk.envelope.addressing import MasterAddress, SeatAt, letter_to, seat_token
from pbem.desk.envelope.letter import NewLetter
from pbem.desk.letters.asking import ask_for_delivery
from pbem.desk.letters.outgoing import queue_letter
from pbem.desk.people.masters import masters_of_table
from pbem.desk.people.watchers import Watcher, watch_token
from pbem.desk.ports import Context, Desk
from pbem.desk.press.relaying import KIND, piece_for
from pbem.desk.table import OpenTable, load_table, mail_address_of, page_reader, page_table
from pbem.pages.page import Reader
from pbem.store.repositories.people import PersonRow
from pbem.store.repositories.post.press import PressRow
from pbem.store.work import Work

DIGEST_KIND = "press-digest"


@correlated("p")
async def tell_press(services: Desk, person_id: int) -> None:
    """Tell what is due to be told, and mark it told in the same transaction."""
    async with services.database.write() as work:
        is_told = await tell_waiting(work, services, person_id)
        services.steps.reached("press.told")
    if is_told:
        await ask_for_delivery(services, services.clock.now())


async def tell_waiting(work: Work, context: Context, person_id: int) -> bool:
    """The same within a unit of work; whether anything was due."""
    now = context.clock.now()
    waiting: dict[int, list[PressRow]] = {}
    for reader_id, row in await work.press.list_waiting(now):
        if reader_id == person_id and await work.press.mark_told(row.id, person_id, now):
            waiting.setdefault(row.game_id, []).append(row)
    person = await work.people.find(person_id) if waiting else None
    for game_id, rows in waiting.items():
        game = await work.games.find(game_id)
        if game is not None and person is not None:
            table = await load_table(work, context.games, game)
            letter = await _letter(work, context, table, person, [row for row in rows if row.text])
            if letter is not None:
                await queue_letter(work, letter, now)
    return bool(waiting)


async def _letter(
    work: Work, context: Context, table: OpenTable, person: PersonRow, rows: list[PressRow]
) -> NewLetter | None:
    """A single piece goes as the letter it would have been. Who has left the table since gets
    nothing more from it.
    """
    if not rows:
        return None
    game, now = table.game, context.clock.now()
    kind = KIND if len(rows) == 1 else DIGEST_KIND
    key = f"{kind}:{'.'.join(str(row.id) for row in rows)}"
    address = await mail_address_of(work, person.id) or ""
    seat = next(
        (seat for seat in table.seats if seat.person_id == person.id and seat.status != "left"),
        None,
    )
    if seat is not None:
        reader = page_reader(seat, person, context.policy.zone)
        facts = page_table(
            table, context.policy, now, code=seat_token(context.key, seat, game.phase_number)
        )
    elif await _looks_on(work, context, table, person):
        master = await _master(work, context, table, person)
        code = "" if master is not None else watch_token(context.key, person.id, game.id)
        reader = Reader(
            None, person.name, person.time_zone, person.locale, code, looks_on=master is None
        )
        facts = page_table(table, context.policy, now)
    else:
        return None
    pieces = [piece_for(table, row, reader.number) for row in rows]
    pages = context.pages.press
    page = (
        pages.letter(facts, reader, pieces[0], may_answer=seat is not None)
        if len(rows) == 1
        else pages.digest(facts, reader, pieces)
    )
    if seat is not None:
        return letter_to(
            context,
            SeatAt(game=game, seat=seat, phase_number=game.phase_number, address=address),
            page,
            kind,
            f"{key}:{seat.id}:{seat.tenure}",
        )
    if master is not None:
        return letter_to(
            context,
            master.recipient(context.key, reader.name, game),
            page,
            kind,
            f"{key}:gm:{master.address}",
        )
    return letter_to(
        context,
        Watcher(person, address).recipient(context.key, game),
        page,
        kind,
        Watcher(person, address).keyed(key),
    )


async def _master(
    work: Work, context: Context, table: OpenTable, person: PersonRow
) -> MasterAddress | None:
    return next(
        (
            one
            for one in await masters_of_table(work, context.policy, table.game.id)
            if one.person_id == person.id
        ),
        None,
    )


async def _looks_on(work: Work, context: Context, table: OpenTable, person: PersonRow) -> bool:
    """Whether somebody without a seat there is a game master or an observer of the table still, or
    has a substitute there.
    """
    if await work.masters.find(person.id) is not None:
        return True
    if person.id in await owners_away(work, table.game.id):
        return True
    return any(
        row.person_id == person.id for row in await work.observers.list_of_game(table.game.id)
    )
