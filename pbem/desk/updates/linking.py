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
from pbem.desk.messages.conversation import Conversation
from pbem.desk.people.masters import find_master
from pbem.desk.ports import Context
from pbem.desk.table import house_table, load_table, mail_address_of, page_reader, page_table
from pbem.pages.page import Page, Reader
from pbem.store.repositories.people import PersonRow
from pbem.store.repositories.post.inbox import InboxRow
from pbem.store.repositories.seats import SeatRow
from pbem.telegram.updates import Said

LINKED = "telegram-linked"


async def follow_link(talk: Conversation[object], said: Said, code: str) -> Handled:
    """Somebody pressed Start behind a link."""
    now, chat_id = talk.now(), str(said.user_id)
    link = await talk.work.links.find(hash_of(code))
    known = await talk.work.people.find_by_address(TELEGRAM, chat_id)
    why = fault_of(link, PERSON, now)
    person = (
        await talk.work.people.find(link.person_id)
        if why is None and link is not None and link.person_id is not None
        else None
    )
    if known is not None and link is not None and link.person_id == known.id:
        await talk.work.people.confirm_address(TELEGRAM, chat_id)
        why = "known"
    elif known is not None and why is None:
        why = "taken"
    elif why is None and (
        person is None or link is None or not await talk.work.links.use(link.id, chat_id, now)
    ):
        why = "unknown" if person is None else "used"
    if why is not None or person is None:
        name = known.name if known is not None else said.user_name
        page = talk.services.pages.chat.link_refused(
            house_table(talk.services.policy, now),
            _reader(talk.services, known, name),
            why or "unknown",
        )
        await say_note(
            talk.work, talk.services, _note(talk.services, talk.row, said, page, name, known)
        )
        return Handled(f"link-{why or 'unknown'}", ignored=known is None)
    await _bind(talk, said, person, now)
    return Handled("linked")


async def _bind(talk: Conversation[object], said: Said, person: PersonRow, now: datetime) -> None:
    chat_id, house = str(said.user_id), house_table(talk.services.policy, now)
    reader = _reader(talk.services, person, person.name)
    before = await chat_of(talk.work, person.id)
    if before is not None:
        page = talk.services.pages.chat.moved_away(house, reader)
        await queue_letter(
            talk.work,
            note_letter(
                talk.services, Recipient(before, person.name), page, f"moved:{talk.row.id}"
            ),
            now,
        )
        await talk.work.people.remove_address(person.id, TELEGRAM, before)
    await talk.work.links.withdraw(person.id, PERSON, now)
    await talk.work.people.add_address(person.id, TELEGRAM, chat_id, "confirmed")
    seats = [
        seat for seat in await talk.work.seats.list_of_person(person.id) if seat.status != "left"
    ]
    titles = []
    for seat in seats:
        game = await talk.work.games.find(seat.game_id)
        if game is not None and game.status not in ("over", "ended"):
            titles.append(game.title)
    runs_tables = await talk.work.masters.find(person.id) is not None
    page = talk.services.pages.chat.linked(house, reader, titles, runs_tables=runs_tables)
    await queue_letter(
        talk.work, _note(talk.services, talk.row, said, page, person.name, person), now
    )
    await _tell_mail(talk, said, person, seats, now)


async def _tell_mail(
    talk: Conversation[object],
    said: Said,
    person: PersonRow,
    seats: list[SeatRow],
    now: datetime,
) -> None:
    """The mail address hears of it; an answer to that letter is proof, so that it can undo what
    somebody else did.
    """
    address = await mail_address_of(talk.work, person.id)
    if address is None:
        return
    key, name = f"{LINKED}:{talk.row.id}", said.user_name or str(said.user_id)
    seat = next(iter(seats), None)
    game = await talk.work.games.find(seat.game_id) if seat is not None else None
    letter: NewLetter
    house, master = (
        house_table(talk.services.policy, now),
        await find_master(talk.work, talk.services.policy, person.id),
    )
    if seat is not None and game is not None:
        table = page_table(
            await load_table(talk.work, talk.services.games, game), talk.services.policy, now
        )
        reader = page_reader(seat, person, talk.services.policy.zone)
        letter = letter_to(
            talk.services,
            SeatAt(game=game, seat=seat, phase_number=game.phase_number, address=address),
            talk.services.pages.chat.linked_told(table, reader, name),
            LINKED,
            key,
        )
        letter = msgspec.structs.replace(letter, only=MAIL)
    elif master is not None:
        page = talk.services.pages.chat.linked_told(
            house, _reader(talk.services, person, person.name or talk.services.policy.name), name
        )
        letter = letter_to(
            talk.services,
            master.recipient(talk.services.key, person.name or talk.services.policy.name),
            page,
            LINKED,
            key,
        )
        letter = msgspec.structs.replace(letter, only=MAIL)
    else:
        page = talk.services.pages.chat.linked_told(
            house, _reader(talk.services, person, person.name), name
        )
        letter = letter_to(
            talk.services,
            Recipient(address=address, name=person.name, person_id=person.id),
            page,
            LINKED,
            key,
        )
    await queue_letter(talk.work, letter, now)


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
