"""Binding a Telegram account to a person: by a one-time link that goes to their mail address, and
by the numeric id alone.

Who follows it is told in the chat, and the mail address hears of it with the word that undoes it.
An account is one person's only, and a person has one.
"""

from datetime import datetime

import msgspec

from pbem.desk.chat.links import PERSON, chat_of, fault_of, hash_of
from pbem.desk.chat.writing import note_letter
from pbem.desk.envelope.addressing import Recipient, SeatAt, letter_to
from pbem.desk.envelope.handling import Handled
from pbem.desk.envelope.letter import NewLetter
from pbem.desk.envelope.message import MAIL, TELEGRAM
from pbem.desk.letters.outgoing import queue_letter, say_note
from pbem.desk.people.masters import find_master
from pbem.desk.ports import Context, Transaction
from pbem.desk.table import house_table, load_table, mail_address_of, page_reader, page_table
from pbem.pages.page import Page, Reader
from pbem.store.repositories.people import PersonRow
from pbem.store.repositories.post.inbox import InboxRow
from pbem.store.repositories.seats import SeatRow
from pbem.telegram.updates import Said

LINKED = "telegram-linked"


async def follow_link(tx: Transaction[Context], row: InboxRow, said: Said, code: str) -> Handled:
    """Somebody pressed Start behind a link."""
    now, chat_id = tx.now(), str(said.user_id)
    link = await tx.work.links.find(hash_of(code))
    known = await tx.work.people.find_by_address(TELEGRAM, chat_id)
    why = fault_of(link, PERSON, now)
    person = (
        await tx.work.people.find(link.person_id)
        if why is None and link is not None and link.person_id is not None
        else None
    )
    if known is not None and link is not None and link.person_id == known.id:
        await tx.work.people.confirm_address(TELEGRAM, chat_id)
        why = "known"
    elif known is not None and why is None:
        why = "taken"
    elif why is None and (
        person is None or link is None or not await tx.work.links.use(link.id, chat_id, now)
    ):
        why = "unknown" if person is None else "used"
    if why is not None or person is None:
        name = known.name if known is not None else said.user_name
        page = tx.services.pages.chat.link_refused(
            house_table(tx.services.policy, now),
            _reader(tx.services, known, name),
            why or "unknown",
        )
        await say_note(tx.work, tx.services, _note(tx.services, row, said, page, name, known))
        return Handled(f"link-{why or 'unknown'}", ignored=known is None)
    await _bind(tx, row, said, person, now)
    return Handled("linked")


async def _bind(
    tx: Transaction[Context], row: InboxRow, said: Said, person: PersonRow, now: datetime
) -> None:
    chat_id, house = str(said.user_id), house_table(tx.services.policy, now)
    reader = _reader(tx.services, person, person.name)
    before = await chat_of(tx.work, person.id)
    if before is not None:
        page = tx.services.pages.chat.moved_away(house, reader)
        await queue_letter(
            tx.work,
            note_letter(tx.services, Recipient(before, person.name), page, f"moved:{row.id}"),
            now,
        )
        await tx.work.people.remove_address(person.id, TELEGRAM, before)
    await tx.work.links.withdraw(person.id, PERSON, now)
    await tx.work.people.add_address(person.id, TELEGRAM, chat_id, "confirmed")
    seats = [
        seat for seat in await tx.work.seats.list_of_person(person.id) if seat.status != "left"
    ]
    titles = []
    for seat in seats:
        game = await tx.work.games.find(seat.game_id)
        if game is not None and game.status not in ("over", "ended"):
            titles.append(game.title)
    runs_tables = await tx.work.masters.find(person.id) is not None
    page = tx.services.pages.chat.linked(house, reader, titles, runs_tables=runs_tables)
    await queue_letter(tx.work, _note(tx.services, row, said, page, person.name, person), now)
    await _tell_mail(tx, row, said, person, seats, now)


async def _tell_mail(
    tx: Transaction[Context],
    row: InboxRow,
    said: Said,
    person: PersonRow,
    seats: list[SeatRow],
    now: datetime,
) -> None:
    """The mail address hears of it; an answer to that letter is proof, so that it can undo what
    somebody else did.
    """
    address = await mail_address_of(tx.work, person.id)
    if address is None:
        return
    key, name = f"{LINKED}:{row.id}", said.user_name or str(said.user_id)
    seat = next(iter(seats), None)
    game = await tx.work.games.find(seat.game_id) if seat is not None else None
    letter: NewLetter
    house, master = (
        house_table(tx.services.policy, now),
        await find_master(tx.work, tx.services.policy, person.id),
    )
    if seat is not None and game is not None:
        table = page_table(
            await load_table(tx.work, tx.services.games, game), tx.services.policy, now
        )
        reader = page_reader(seat, person, tx.services.policy.zone)
        letter = letter_to(
            tx.services,
            SeatAt(game=game, seat=seat, phase_number=game.phase_number, address=address),
            tx.services.pages.chat.linked_told(table, reader, name),
            LINKED,
            key,
        )
        letter = msgspec.structs.replace(letter, only=MAIL)
    elif master is not None:
        page = tx.services.pages.chat.linked_told(
            house, _reader(tx.services, person, person.name or tx.services.policy.name), name
        )
        letter = letter_to(
            tx.services,
            master.recipient(tx.services.key, person.name or tx.services.policy.name),
            page,
            LINKED,
            key,
        )
        letter = msgspec.structs.replace(letter, only=MAIL)
    else:
        page = tx.services.pages.chat.linked_told(
            house, _reader(tx.services, person, person.name), name
        )
        letter = letter_to(
            tx.services,
            Recipient(address=address, name=person.name, person_id=person.id),
            page,
            LINKED,
            key,
        )
    await queue_letter(tx.work, letter, now)


def _note(
    context: Context, row: InboxRow, said: Said, page: Page, name: str, person: PersonRow | None
) -> NewLetter:
    return note_letter(
        context,
        Recipient(str(said.user_id), name, person.id if person is not None else None),
        page,
        str(row.id),
        reply_to=said.message_id,
    )


def _reader(context: Context, person: PersonRow | None, name: str) -> Reader:
    return (
        Reader(None, name, person.time_zone, person.locale)
        if person is not None
        else Reader(None, name, context.policy.zone)
    )
