"""Telling a reader the press that has waited for their hour: one letter a table, once, however
often the job runs.
"""

from pbem.desk.authentication.tenures import owners_away
from pbem.desk.correlation import correlated
from pbem.desk.envelope.letter import NewLetter
from pbem.desk.envelope.recipients import MasterAddress, Recipient, SeatAt, seat_token
from pbem.desk.letters.post import Addressee
from pbem.desk.letters.queue import ask_for_delivery, queue_letter
from pbem.desk.letters.table_people import Watcher, watch_token
from pbem.desk.people.masters import masters_of_table
from pbem.desk.ports import Context, Desk, Transaction
from pbem.desk.press.relay import KIND, piece_for
from pbem.desk.table import OpenTable, load_table, mail_address_of, page_reader, page_table
from pbem.pages.page import Reader
from pbem.pages.press import PressDigest, PressLetter
from pbem.store.repositories.people import PersonRow
from pbem.store.repositories.post.press import PressRow

DIGEST_KIND = "press-digest"


@correlated("p")
async def tell_press(services: Desk, person_id: int) -> None:
    """Tell what is due to be told, and mark it told in the same transaction."""
    async with services.write() as tx:
        is_told = await tell_waiting(tx, person_id)
        services.steps.reached("press.told")
    if is_told:
        await ask_for_delivery(services, services.clock.now())


async def tell_waiting(tx: Transaction[Context], person_id: int) -> bool:
    """The same within a unit of work; whether anything was due."""
    now = tx.now()
    waiting: dict[int, list[PressRow]] = {}
    for reader_id, row in await tx.work.press.list_waiting(now):
        if reader_id == person_id and await tx.work.press.mark_told(row.id, person_id, now):
            waiting.setdefault(row.game_id, []).append(row)
    person = await tx.work.people.find(person_id) if waiting else None
    for game_id, rows in waiting.items():
        game = await tx.work.games.find(game_id)
        if game is not None and person is not None:
            table = await load_table(tx, game)
            letter = await _letter(tx, table, person, [row for row in rows if row.text])
            if letter is not None:
                await queue_letter(tx, letter)
    return bool(waiting)


async def _letter(
    tx: Transaction[Context], table: OpenTable, person: PersonRow, rows: list[PressRow]
) -> NewLetter | None:
    """A single piece goes as the letter it would have been. Who has left the table since gets
    nothing more from it.
    """
    if not rows:
        return None
    game = table.game
    kind = KIND if len(rows) == 1 else DIGEST_KIND
    key = f"{kind}:{'.'.join(str(row.id) for row in rows)}"
    address = await mail_address_of(tx.work, person.id) or ""
    seat = next(
        (seat for seat in table.seats if seat.person_id == person.id and seat.status != "left"),
        None,
    )
    if seat is not None:
        reader = page_reader(seat, person, tx.services.policy.zone)
        facts = page_table(
            table,
            tx.services,
            code=seat_token(tx.services.key, seat, game.phase_number),
        )
    elif await _looks_on(tx, table, person):
        master = await _master(tx, table, person)
        code = "" if master is not None else watch_token(tx.services.key, person.id, game.id)
        reader = Reader(
            None, person.name, person.time_zone, person.locale, code, looks_on=master is None
        )
        facts = page_table(table, tx.services)
    else:
        return None
    pieces = [piece_for(table, row, reader.number) for row in rows]
    told = (
        PressLetter(pieces[0], may_answer=seat is not None)
        if len(rows) == 1
        else PressDigest(pieces)
    )
    to: SeatAt | Recipient
    if seat is not None:
        to, own = SeatAt(game, seat, game.phase_number, address), f"{seat.id}:{seat.tenure}"
    elif master is not None:
        to, own = master.recipient(tx.services.key, reader.name, game), f"gm:{master.address}"
    else:
        watcher = Watcher(person, address)
        to, own = watcher.recipient(tx.services.key, game), f"watch:{person.id}"
    return Addressee(tx.services, to, reader, facts).letter(told, kind, f"{key}:{own}")


async def _master(
    tx: Transaction[Context], table: OpenTable, person: PersonRow
) -> MasterAddress | None:
    return next(
        (
            one
            for one in await masters_of_table(tx.work, tx.services.policy, table.game.id)
            if one.person_id == person.id
        ),
        None,
    )


async def _looks_on(tx: Transaction[Context], table: OpenTable, person: PersonRow) -> bool:
    """Whether somebody without a seat there is a game master or an observer of the table still, or
    has a substitute there.
    """
    if await tx.work.masters.find(person.id) is not None:
        return True
    if person.id in await owners_away(tx.work, table.game.id):
        return True
    return any(
        row.person_id == person.id for row in await tx.work.observers.list_of_game(table.game.id)
    )
