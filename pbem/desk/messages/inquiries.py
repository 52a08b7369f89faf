"""Words about people rather than tables: `profile`, `profile Ben`, `hall of fame`. They are
answered whether one plays just now or not.
"""

import asyncio
from collections.abc import Sequence
from typing import Literal

from pbem.desk.authentication.chats import offer_link, unlink
from pbem.desk.chat.choices import choices_below
from pbem.desk.envelope.answers import Answer, Answers
from pbem.desk.envelope.handling import Handled
from pbem.desk.envelope.message import MAIL
from pbem.desk.letters.answering import send_answers
from pbem.desk.letters.bounces import reopen_address
from pbem.desk.messages.conversation import Conversation, OfPerson, Player
from pbem.desk.messages.measure import limit_words
from pbem.desk.messages.settings import answer_settings
from pbem.desk.people.profiles import Viewer, read_hall, read_profile, read_viewer
from pbem.grammar.called import skeleton
from pbem.grammar.house import commands as c
from pbem.grammar.languages import language_name
from pbem.grammar.splitting import split_words
from pbem.pages.page import Page, locale_of
from pbem.pages.settings import SettingsPages
from pbem.store.repositories.people import PersonRow

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


async def answer_inquiry(talk: Conversation[object], person_id: int, command: c.AnyCommand) -> Page:
    """The page that answers one of the words of somebody we know."""
    at, reader, by_mail = talk.page_table(), talk.reader, talk.mail.channel == MAIL
    match command:
        case c.Settings(choices=choices):
            return await answer_settings(talk, person_id, choices)
        case c.LinkTelegram():
            return await offer_link(talk, person_id, at, reader, by_mail=by_mail)
        case c.UnlinkTelegram():
            return await unlink(talk, person_id, at, reader, by_mail=by_mail)
        case c.HallOfFame():
            hall = await read_hall(talk.work, person_id)
            return await asyncio.to_thread(talk.services.pages.results.hall, at, reader, hall)
        case c.Profile(name=name):
            return await _profile(talk, person_id, name)
    return await asyncio.to_thread(_how_it_is_used, command, talk)


async def _profile(talk: Conversation[object], person_id: int, written: str) -> Page:
    pages = talk.services.pages.results
    viewer = await read_viewer(talk.work, person_id)
    found: PersonRow | Literal["unknown", "vacant", "several"] | None
    called = None
    names = [seat.name for seat in talk.seats if seat.person_id is not None]
    if written and skeleton(written) not in ("me", "myseif"):
        found, called = await _find(talk, viewer, written)
    else:
        found = await talk.work.people.find(person_id)
    if found is None or isinstance(found, str):
        written = called or written
        return await asyncio.to_thread(
            pages.nobody, talk.page_table(), talk.reader, written, found or "unknown", names
        )
    profile = await read_profile(talk, found, viewer, called=called)
    return await asyncio.to_thread(pages.profile, talk.page_table(), talk.reader, profile)


def _how_it_is_used(command: c.AnyCommand, talk: Conversation[object]) -> Page:
    """How a word is used that takes something behind it, and what holds now."""
    pages, table, reader = SettingsPages(), talk.page_table(), talk.reader
    if isinstance(command, c.OwnZone):
        return pages.own_zone(table, reader)
    if isinstance(command, c.OwnLanguage):
        return pages.own_language(table, reader, language_name(locale_of(table, reader)))
    return pages.how_to_join(table, reader, is_seated=bool(talk.seats))


async def _find(
    talk: Conversation[object], viewer: Viewer, written: str
) -> tuple[PersonRow | Literal["unknown", "vacant", "several"], str | None]:
    """Who is meant (or why nobody), and what the seat is called there: first at the table that the
    message is about, then at the asker's other ones.
    """
    for seat in talk.seats:
        if (
            seat.name == written
            or skeleton(seat.name) == skeleton(written)
            or str(seat.number) == written
        ):
            person = (
                await talk.work.people.find(seat.person_id) if seat.person_id is not None else None
            )
            return (person or "vacant"), seat.name
    known: dict[int, str] = {}
    for game_id in sorted(viewer.games):
        for seat in await talk.work.seats.list_of_game(game_id):
            if seat.person_id is not None and skeleton(seat.name) == skeleton(written):
                known[seat.person_id] = seat.name
    if len(known) != 1:
        return ("several" if known else "unknown"), None
    ((person_id, name),) = known.items()
    person = await talk.work.people.find(person_id)
    return (person, name) if person is not None else ("unknown", None)


async def answer_inquiries(
    talk: Conversation[Player], commands: Sequence[c.AnyCommand], serial: str = ".people"
) -> None:
    """Answer these words of a player."""
    if talk.person_id is None:
        return
    for index, command in enumerate(commands):
        below = choices_below(talk.services, talk.table, talk.seat, talk.reader, command)
        page = await answer_inquiry(talk, talk.person_id, command)
        await talk.answer(page, "answer", f"{serial}{index}", keyboard=below)


async def answer_person(talk: Conversation[OfPerson]) -> tuple[bool, str]:
    """Answer the words in a message that is proven to be this person's and is about no table;
    whether there were any, and the other lines.

    Nothing in the answers proves a seat.
    """
    commands, rest = await talk.services.apart.run(split_words, talk.mail.text, INQUIRIES)
    if not commands:
        return False, rest
    known = await talk.work.people.find_address(talk.mail.channel, talk.address)
    if known is not None:
        await reopen_address(talk.work, known, talk.now())
    heard, cut = limit_words(commands)
    pages = [await answer_inquiry(talk, talk.writer.person.id, command) for command in heard]
    if cut:
        notices, at = talk.services.pages.notices, talk.page_table()
        pages.append(notices.words_cut(at, talk.reader, cut, foot="foot_out"))
    answers = Answers()
    for index, page in enumerate(pages):
        letter = talk.letter(page, "answer", talk.dedupe_key("answer", f".people{index}"))
        answers.add(Answer(page, letter))
    await send_answers(talk.work, talk.services, answers)
    return True, rest


async def answer_known(talk: Conversation[OfPerson]) -> Handled:
    """Somebody we know beyond doubt, who has no seat anywhere: these words are answered, anything
    else is not.
    """
    answered, _rest = await answer_person(talk)
    return Handled("answered") if answered else Handled("stranger:no-seat", ignored=True)
