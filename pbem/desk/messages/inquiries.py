"""Words about people rather than tables: `profile`, `profile Ben`, `hall of fame`. They are
answered whether one plays just now or not.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from pbem.desk.authentication.chats import offer_link, unlink
from pbem.desk.chat.choices import choices_below
from pbem.desk.envelope.addressing import Recipient, letter_to
from pbem.desk.envelope.answers import Answer, Answers
from pbem.desk.envelope.handling import Handled
from pbem.desk.envelope.letter import Answering
from pbem.desk.envelope.message import MAIL, Message
from pbem.desk.letters.answering import send_answers
from pbem.desk.letters.bounces import reopen_address
from pbem.desk.messages.conversation import Conversation
from pbem.desk.messages.measure import limit_words
from pbem.desk.messages.settings import answer_settings
from pbem.desk.people.profiles import Viewer, read_hall, read_profile, read_viewer
from pbem.desk.ports import Context, Transaction
from pbem.desk.table import house_table
from pbem.grammar.called import skeleton
from pbem.grammar.house import commands as c
from pbem.grammar.languages import language_name
from pbem.grammar.splitting import split_words
from pbem.pages.page import Page, Reader, Table, locale_of
from pbem.pages.settings import SettingsPages
from pbem.store.repositories.people import PersonRow
from pbem.store.repositories.post.inbox import InboxRow
from pbem.store.repositories.seats import SeatRow
from pbem.store.work import Work

INQUIRIES = (
    c.Profile,
    c.HallOfFame,
    c.LinkTelegram,
    c.UnlinkTelegram,
    c.Settings,
    c.OwnZone,
    c.OwnLanguage,
    c.HowToJoin,
)


@dataclass(frozen=True, slots=True)
class Asker:
    """Who asks, how the answer is addressed, and the seats of the table that the message is about
    (none: of no table).
    """

    person_id: int
    table: Table
    reader: Reader
    seats: tuple[SeatRow, ...] = ()
    by_mail: bool = True


def asker_of(talk: Conversation) -> Asker | None:
    """The player who writes; None where nobody has the seat."""
    if talk.seat.person_id is None:
        return None
    return Asker(
        talk.seat.person_id,
        talk.page_table(),
        talk.reader,
        talk.table.seats,
        talk.mail.channel == MAIL,
    )


async def answer_inquiry(tx: Transaction[Context], asker: Asker, command: c.AnyCommand) -> Page:
    """The page that answers one of the words."""
    person_id, at, reader = asker.person_id, asker.table, asker.reader
    match command:
        case c.Settings(choices=choices):
            return await answer_settings(tx, person_id, at, reader, asker.seats, choices)
        case c.LinkTelegram():
            return await offer_link(tx, person_id, at, reader, by_mail=asker.by_mail)
        case c.UnlinkTelegram():
            return await unlink(tx, person_id, at, reader, by_mail=asker.by_mail)
        case c.HallOfFame():
            hall = await read_hall(tx.work, person_id)
            return await asyncio.to_thread(tx.services.pages.results.hall, at, reader, hall)
        case c.Profile(name=name):
            return await _profile(tx, asker, name)
    return await asyncio.to_thread(_how_it_is_used, command, asker)


async def _profile(tx: Transaction[Context], asker: Asker, written: str) -> Page:
    pages = tx.services.pages.results
    viewer = await read_viewer(tx.work, asker.person_id)
    found: PersonRow | Literal["unknown", "vacant", "several"] | None
    called = None
    names = [seat.name for seat in asker.seats if seat.person_id is not None]
    if written and skeleton(written) not in ("me", "myseif"):
        found, called = await _find(tx.work, asker, viewer, written)
    else:
        found = await tx.work.people.find(asker.person_id)
    if found is None or isinstance(found, str):
        written = called or written
        return await asyncio.to_thread(
            pages.nobody, asker.table, asker.reader, written, found or "unknown", names
        )
    profile = await read_profile(tx, found, viewer, called=called)
    return await asyncio.to_thread(pages.profile, asker.table, asker.reader, profile)


def _how_it_is_used(command: c.AnyCommand, asker: Asker) -> Page:
    """How a word is used that takes something behind it, and what holds now."""
    pages, table, reader = SettingsPages(), asker.table, asker.reader
    if isinstance(command, c.OwnZone):
        return pages.own_zone(table, reader)
    if isinstance(command, c.OwnLanguage):
        return pages.own_language(table, reader, language_name(locale_of(table, reader)))
    return pages.how_to_join(table, reader, is_seated=bool(asker.seats))


async def _find(
    work: Work, asker: Asker, viewer: Viewer, written: str
) -> tuple[PersonRow | Literal["unknown", "vacant", "several"], str | None]:
    """Who is meant (or why nobody), and what the seat is called there: first at the table that the
    message is about, then at the asker's other ones.
    """
    for seat in asker.seats:
        if (
            seat.name == written
            or skeleton(seat.name) == skeleton(written)
            or str(seat.number) == written
        ):
            person = await work.people.find(seat.person_id) if seat.person_id is not None else None
            return (person or "vacant"), seat.name
    known: dict[int, str] = {}
    for game_id in sorted(viewer.games):
        for seat in await work.seats.list_of_game(game_id):
            if seat.person_id is not None and skeleton(seat.name) == skeleton(written):
                known[seat.person_id] = seat.name
    if len(known) != 1:
        return ("several" if known else "unknown"), None
    ((person_id, name),) = known.items()
    person = await work.people.find(person_id)
    return (person, name) if person is not None else ("unknown", None)


async def answer_inquiries(
    talk: Conversation, commands: Sequence[c.AnyCommand], serial: str = ".people"
) -> None:
    """Answer these words of a player."""
    asker = asker_of(talk)
    if asker is None:
        return
    for index, command in enumerate(commands):
        below = choices_below(talk.services, talk.table, talk.seat, talk.reader, command)
        await talk.answer(
            await answer_inquiry(talk, asker, command),
            "answer",
            f"{serial}{index}",
            keyboard=below,
        )


async def answer_person(
    tx: Transaction[Context], row: InboxRow, mail: Message, person: PersonRow
) -> tuple[bool, str]:
    """Answer the words in a mail that is proven to be this person's and is about no table; whether
    there were any, and the other lines.

    Nothing in the answers proves a seat.
    """
    commands, rest = await tx.services.apart.run(split_words, mail.text, INQUIRIES)
    now, address = tx.now(), mail.sender or ""
    if not commands:
        return False, rest
    known = await tx.work.people.find_address(mail.channel, address)
    if known is not None:
        await reopen_address(tx.work, known, now)
    reader = Reader(None, person.name, person.time_zone, person.locale)
    asker = Asker(
        person.id, house_table(tx.services.policy, now), reader, by_mail=mail.channel == MAIL
    )
    answers = Answers()
    heard, cut = limit_words(commands)
    pages = [await answer_inquiry(tx, asker, command) for command in heard]
    if cut:
        pages.append(tx.services.pages.notices.words_cut(asker.table, reader, cut, foot="foot_out"))
    for index, page in enumerate(pages):
        letter = letter_to(
            tx.services,
            Recipient(address=address, name=person.name, person_id=person.id),
            page,
            "answer",
            f"answer:{row.id}.people{index}",
            answered=Answering.to(mail),
        )
        answers.add(Answer(page, letter))
    await send_answers(tx.work, tx.services, answers)
    return True, rest


async def answer_known(
    tx: Transaction[Context], row: InboxRow, mail: Message, person: PersonRow
) -> Handled:
    """Somebody we know beyond doubt, who has no seat anywhere: these words are answered, anything
    else is not.
    """
    answered, _rest = await answer_person(tx, row, mail, person)
    return Handled("answered") if answered else Handled("stranger:no-seat", ignored=True)
